"""The reduction to a cone: an over-approximation with a way back."""

from __future__ import annotations

from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.languages import load
from knaster.transform.cones.reduction import ConeReduction

TEXT = "int in(void);\nint a, b;\nint main(void) { a = in(); b = in(); if (b) b = 2; assert(a); return 0; }\n"


def test_a_part_says_how_much_matters() -> None:
    program = load(TEXT, file="x.c")
    target = Target("assert at line 3", "main", program.procedure("main").failures[0], 3)
    part = ConeReduction(program, Reach((target,)))
    assert part.reduction.over and part.reduction.targets == {target: target}
    assert 0 < part.weight < program.size
    assert ConeReduction(program, Reach((target,)), [("main", 2)]).forced == {("main", 2)}
