"""Heads: which are reached, and the three kinds of steps between them."""

from __future__ import annotations

from knaster.evidence.questions.product import ENDED, RUN
from knaster.program.model import Call
from support.heads import heads_of

CALL = "void main() begin C: f(); if (0) then N: skip; fi end void f() begin E: skip; end"


def test_steps_inside_calls_that_return_and_calls_that_are_entered() -> None:
    heads = heads_of(CALL, "termination")
    kinds = {(step.source, step.target, step.enters) for steps in heads.leaving.values() for step in steps}
    assert (("main", 0), ("f", 0), True) in kinds and (("main", 0), ("main", 1), False) in kinds
    assert all(step.enters is (step.target[0] != step.source[0]) for steps in heads.leaving.values() for step in steps)


def test_only_reachable_heads() -> None:
    heads = heads_of(CALL, "G !N")
    lines = {location for name, location in heads.reached if name == "main"}
    assert 2 not in lines and (RUN, ENDED) in heads.reached


def test_a_call_that_does_not_return_is_only_entered() -> None:
    heads = heads_of("void main() begin f(); R: skip; end void f() begin while (1) do skip; od end", "termination")
    calls = [step for steps in heads.leaving.values() for step in steps if isinstance(step.edge.action, Call)]
    assert calls and all(step.enters for step in calls)


def test_nothing_depends_on_the_bits_of_the_product_at_a_statement() -> None:
    heads = heads_of(
        "decl g; void main() begin while (1) do f(); od end void f() begin if (g) then L: skip; fi end", "F G !L"
    )
    assert not heads.product.is_weak
    for place, states in heads.reached.items():
        assert not heads.hidden(place) & heads.symbolic.store.support(states)
