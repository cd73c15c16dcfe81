"""The weighted control-flow graph of a program: what it starts with, what it refuses."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UnsupportedError
from knaster.program.expression import TRUE
from knaster.views.weighted.flow_graph import initial_values, refuse_others, slots_of


def test_values_at_the_start() -> None:
    program = knaster.parse("decl a, b, c, d; init(!a & b & (c = T) & (d | a));\nvoid main() begin skip; end\n")
    assert dict(initial_values(program.init)) == {"a": False, "b": True, "c": True}
    assert initial_values(TRUE) == []
    assert dict(initial_values(knaster.parse("int g = 3, h;\nint main(void) { return g; }\n", file="t.c").init)) == {
        "g": 3,
        "h": 0,
    }


def test_procedures_share_the_names_of_locals() -> None:
    text = "decl g;\nvoid main() begin decl x, y; f(x); end\nbool f(a) begin return a; end\n"
    slots = slots_of(knaster.parse(text), lambda _, __: True)
    assert (slots.globals, slots.results, slots.locals) == (("g",), ("@0",), ("#0", "#1"))
    assert slots.own["main"]["x"] == slots.own["f"]["a"] == "#0" and slots.own["f"]["g"] == "g"


@pytest.mark.parametrize(
    ("text", "file", "why"),
    [
        ("void main_1() begin skip; end\nvoid main_2() begin skip; end\n", "t.bp", "has threads"),
        ("class M { static activate void main() { assert(true); } };\n", "t.zing", "has references"),
    ],
)
def test_other_programs_are_refused(text: str, file: str, why: str) -> None:
    with pytest.raises(UnsupportedError, match=why):
        refuse_others(knaster.parse(text, file=file))
