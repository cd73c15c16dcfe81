"""Text that is written into a program: lines stay where they are, and no `#if` leaves out what is needed."""

from __future__ import annotations

import pytest

from knaster.competition.insertions import Insertions
from knaster.competition.tokens import TokenText


def written(source: str, preamble: str = "P ") -> str:
    """Return a program with a preamble and a mark at its only `assert`."""
    text = TokenText(source)
    insert = Insertions(text)
    insert.before(next(number for number, token in enumerate(text.tokens) if token.text == "assert"), "HERE ")
    return insert.written(preamble)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int x;\n", "P int x;\n"),
        ("#ifndef F\nvoid f(int);\n#endif\n", None),
        ("#if A\nint x;\n#else\nlong x;\n#endif\nstruct s { int a; };\n", None),
        ("#if A\nint x;\n#  endif\nint y;\n", "#if A\nint x;\n#  endif\nP int y;\n"),
    ],
)
def test_the_preamble_stands_where_no_condition_leaves_it_out(before: str, after: str | None) -> None:
    main = "void main(void) { assert(0); }\n"
    expected = after + main.replace("assert", "HERE assert") if after else None
    found = written(before + main)
    assert found.count("\n") == (before + main).count("\n")
    if expected is not None:
        assert found == expected
    else:
        last = found.index("#endif")
        assert found.index("P ") > last


def test_a_program_inside_one_condition_has_its_preamble_there() -> None:
    found = written("#if 1\nvoid main(void) { assert(0); }\n#endif\n")
    assert found == "#if 1\nP void main(void) { HERE assert(0); }\n#endif\n"
