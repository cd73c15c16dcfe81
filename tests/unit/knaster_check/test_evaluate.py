"""The kernel's evaluator and Knaster's: two that share no code agree on every operator and value of small types."""

from __future__ import annotations

from itertools import product

import pytest

from knaster.base.errors import Span
from knaster.program.evaluate import arithmetic as other_arithmetic
from knaster.program.expression import IntegerOperator
from knaster.program.state import Undefined
from knaster.program.types import Int
from knaster_check import evaluate
from knaster_check.evaluate import UNDEFINED, arithmetic, belongs, can_be, outcomes, wrap
from knaster_check.program import Reference
from knaster_check.refused import Refused

BOOL = ("bool",)


@pytest.mark.parametrize(("width", "signed"), [(3, True), (3, False), (1, False), (None, True)])
def test_arithmetic(width: int | None, signed: bool) -> None:
    kind, own = Int(width, signed), ("int", width, signed)
    values = range(-5, 6) if width is None else range(kind.low or 0, (kind.high or 0) + 1)
    for operator, left, right in product(IntegerOperator, values, values):
        try:
            wanted: object = other_arithmetic(operator, left, right, kind, Span(1, 1))
        except Undefined:
            wanted = UNDEFINED
        assert arithmetic(operator.value, left, right, own) == wanted, (operator, left, right)


def test_wrapping_and_belonging() -> None:
    for width, signed in product((1, 3, 8), (True, False)):
        kind, own = Int(width, signed), ("int", width, signed)
        for value in range(-300, 300):
            assert wrap(value, own) == kind.wrap(value) and belongs(value, own) is kind.holds(value)
    assert not belongs(True, ("int", 8, True)) and not belongs(1, BOOL)
    assert belongs((1, 2), ("array", ("int", 8, True), 2)) and not belongs((1,), ("array", ("int", 8, True), 2))


def test_choices_are_independent_and_taken_in_order() -> None:
    two = (("choice", BOOL), ("choice", BOOL), ("logic", "="))
    assert set(outcomes(two, {})) == {True, False}
    assert list(outcomes(two, {}, iter((True, False)))) == [False]
    number = (("choice", ("int", 8, True)),)
    assert can_be(number, 5, {}, None) and not can_be(number, 500, {}, None)
    assert can_be(number, 5, {}, iter((5,))) and not can_be(number, 5, {}, iter((6,)))
    for inputs in ((), (True,), (1 << 20,)):
        with pytest.raises(Refused):
            outcomes(number, {}, iter(inputs))
    with pytest.raises(Refused, match="no input"):
        outcomes((*number, *number, ("compare", "=="), ("not",)), {})


def test_undefined_operands_are_undefined_everywhere() -> None:
    zero = (("number", 1), ("number", 0), ("arithmetic", "/", ("int", None, True)))
    assert list(outcomes((("truth", False), *zero, ("number", 7), ("if",)), {})) == [UNDEFINED]
    out = (("value", (1, 2)), ("number", 2), ("element",))
    assert list(outcomes(out, {})) == [UNDEFINED]
    updated = (("value", (1, 2)), ("number", 1), ("number", 9), ("updated",), ("number", 1), ("element",))
    assert list(outcomes(updated, {})) == [9]


def test_truth_is_no_number() -> None:
    assert not can_be((("truth", True),), 1, {}, None) and can_be((("variable", "x"),), True, {"x": True}, None)


TRUTHS = {"&": [0, 0, 0, 1], "|": [0, 1, 1, 1], "^": [0, 1, 1, 0], "=": [1, 0, 0, 1], "=>": [1, 1, 0, 1]}


@pytest.mark.parametrize("operator", TRUTHS)
def test_connectives(operator: str) -> None:
    found: list[object] = []
    for pair in product((False, True), repeat=2):
        found += outcomes((*(("truth", value) for value in pair), ("logic", operator)), {})
    assert found == [bool(value) for value in TRUTHS[operator]]


def test_a_number_is_true_where_it_is_not_0() -> None:
    for value in (-1, 0, 1, 2):
        assert outcomes((("number", value), ("convert", BOOL)), {}) == [value != 0]


def test_indices_at_the_edges() -> None:
    array = (7, 8)
    for at, element in ((-1, UNDEFINED), (0, 7), (1, 8), (2, UNDEFINED)):
        assert outcomes((("value", array), ("number", at), ("element",)), {}) == [element]
        changed = (*array[:at], 9, *array[at + 1 :]) if 0 <= at < 2 else UNDEFINED
        assert outcomes((("value", array), ("number", at), ("number", 9), ("updated",)), {}) == [changed]


def test_what_is_no_array() -> None:
    reference = Reference("C", 1)
    assert not belongs(reference, ("array", BOOL, 2)) and not belongs(7, ("array", BOOL, 2))
    for value in (reference, 7, True):
        with pytest.raises(Refused, match="used as an array"):
            outcomes((("value", value), ("number", 0), ("element",)), {})


def test_next_values_are_there_after_an_assignment_only() -> None:
    assert list(outcomes((("next", "x"),), {"x": 1}, after={"x": 2})) == [2]
    assert list(outcomes((("next", "x"),), {"x": 1})) == []


def test_the_number_of_values_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    both = (("choice", BOOL), ("choice", BOOL), ("choice", BOOL), ("if",))
    monkeypatch.setattr(evaluate, "_MOST", 8)
    assert set(outcomes(both, {})) == {False, True}
    monkeypatch.setattr(evaluate, "_MOST", 7)
    with pytest.raises(Refused, match="too many values"):
        outcomes(both, {})
