"""What a check of the reduced program leads to: a target, nothing, or a place that a proof has to exclude."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.evidence.questions.memory_targets import memory_targets
from knaster.frontends.languages import load
from knaster.program.expression import Const
from knaster.program.model import Program
from knaster.semantics.memory.sites import Sites
from knaster.transform.regions.checks import UNCLEAR, AskedSteps, Check

pytest.importorskip("clang.cindex")


@pytest.mark.parametrize(
    ("kind", "span", "names"),
    [
        ("null", Span(1, 26), ["null:1"]),
        ("null", Span(9, 9), [UNCLEAR]),  # a step that was not listed: nobody may say that it does not happen
        ("division", Span(9, 9), []),  # nobody asks for it
        (UNCLEAR, Span(1, 26), [UNCLEAR]),
    ],
)
def test_what_a_check_leads_to(kind: str, span: Span, names: list[str]) -> None:
    program = load("int f(int *p) { return ( *p); } int main(void) { int x = 1; return f(&x); }\n", file="a.c")
    assert isinstance(program, Program)
    asked = AskedSteps(Sites(program), memory_targets(program))
    found = asked.names_of(Check(kind, span, Const(True)))
    assert [each if isinstance(each, str) else each.name for each in found] == names
