"""Facts of an edited program are those of the program as it is now."""

from __future__ import annotations

import knaster
from knaster.decide.facts_session import FactsSession

TEXT = "int f(int x) {\n  return x + 1;\n}\nint main(void) {\n  int y = f(1);\n  return y;\n}\n"


def test_an_edit() -> None:
    session = FactsSession(knaster.parse(TEXT, file="p.c"))
    other = TEXT.replace("x + 1", "x + 2")
    assert session.edit(knaster.parse(other, file="p.c")).startswith("computed again: ")
    assert session.facts().at(6) == knaster.facts(other, "affine", file="p.c").at(6)
