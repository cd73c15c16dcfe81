"""Programs read as a whole, as procedures with digests."""

from __future__ import annotations

import knaster
from knaster.decide.sessions.program_library import ProgramLibrary

TEXT = "int g;\nint f(int x) {\n  return x + 1;\n}\nint main(void) {\n  g = f(2);\n  return 0;\n}\n"


def test_digests_do_not_depend_on_lines_above() -> None:
    first = ProgramLibrary(knaster.parse(TEXT, file="p.c"))
    assert first.names == ("main", "f") and list(first.callees("main")) == ["f"]
    for text, changed in (
        ("\n" + TEXT, set()),
        (TEXT.replace("x + 1", "x + 2"), {"f"}),
        (TEXT.replace("f(2)", "f(3)"), {"main"}),
        (TEXT.replace("int x", "int y").replace("return x", "return y"), {"main", "f"}),
        (TEXT.replace("int g", "int g, h"), {"main", "f"}),
    ):
        other = ProgramLibrary(knaster.parse(text, file="p.c"))
        assert {name for name in first.names if first.digest(name) != other.digest(name)} == changed, text
