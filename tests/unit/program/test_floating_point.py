"""What terms over the bits of floating-point numbers compute, and how the model carries them."""

from __future__ import annotations

import math

import pytest

from knaster.base.errors import InternalError
from knaster.evidence.questions.value_ranges import ranges_of
from knaster.frontends.c.spelling import expression_to_text
from knaster.program.algebra import negation, substitute
from knaster.program.checks.static_types import range_of, type_of
from knaster.program.evaluate import evaluate
from knaster.program.expression import Const, Not, Self, Var
from knaster.program.floating_point import computes_floats, from_bits, quiet_bits, term_value, to_bits
from knaster.program.memory import Floating, FloatTerm
from knaster.program.typecheck import mismatches
from knaster.program.types import BOOL, Int

DOUBLE, SINGLE, BITS = Floating(64), Floating(32), Int(64, False)
NUMBERS = (1.0, -0.0, 0.0, 2.5, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize("one", NUMBERS)
@pytest.mark.parametrize("other", NUMBERS)
def test_comparisons(one: float, other: float) -> None:
    raws = [to_bits(one, DOUBLE), to_bits(other, DOUBLE)]
    for sign, holds in (("==", one == other), ("<", one < other), ("<=", one <= other)):
        term = FloatTerm(sign, (Var("x"), Var("y")), DOUBLE, BOOL)
        assert term_value(term, raws) is holds
        assert evaluate(Not(term), {"x": raws[0], "y": raws[1]}, iter(())) is not holds


def test_what_no_integer_holds_is_0() -> None:
    for value in (math.nan, math.inf, 2.0**31, -(2.0**31) - 1):
        assert term_value(FloatTerm("convert", (Var("x"),), DOUBLE, Int(32)), [to_bits(value, DOUBLE)]) == 0
    assert term_value(FloatTerm("convert", (Var("x"),), DOUBLE, Int(32)), [to_bits(-2.9, DOUBLE)]) == -2


def test_what_is_no_number_has_one_pattern() -> None:
    term = FloatTerm("-", (Var("x"), Var("x")), SINGLE, SINGLE)
    assert term_value(term, [to_bits(math.inf, SINGLE)] * 2) == quiet_bits(SINGLE)


def test_the_model_carries_terms() -> None:
    term = FloatTerm("+", (Var("x"), Const(0)), DOUBLE, DOUBLE)
    order = FloatTerm("<", (Var("x"), Var("x")), DOUBLE, BOOL)
    types = {"x": BITS}
    assert substitute(term, {"x": Var("y")}) == FloatTerm("+", (Var("y"), Const(0)), DOUBLE, DOUBLE)
    assert negation(order) == Not(order)  # what is no number is not at least as large
    assert type_of(term, types) == BITS and type_of(order, types) == BOOL and range_of(term, types) == (0, 2**64 - 1)
    assert ranges_of(term, types)[id(term)].high == 2**64 - 1
    assert computes_floats(order) and not computes_floats(Var("x"))
    assert expression_to_text(term) == "+(x, 0)"
    assert not list(mismatches(order, BOOL, types)) and not list(mismatches(term, BITS, types))
    assert list(mismatches(term, BITS, {"x": Int(64)})) and list(mismatches(term, BOOL, types))


def test_what_is_no_part_of_such_a_program() -> None:
    with pytest.raises(InternalError, match="Self is evaluated"):
        evaluate(Self(), {}, iter(()))


@pytest.mark.parametrize("type", [Int(32), Int(8, False)])
def test_a_number_that_no_integer_holds_is_made_0(type: Int) -> None:
    term = FloatTerm("convert", (Const(0),), DOUBLE, type)
    assert type.width is not None
    end = 2.0 ** (type.width - type.signed)
    for value, found in (
        (math.inf, 0), (-math.inf, 0), (math.nan, 0), (end, 0), (-end - 1, 0), (end - 0.5, int(end) - 1), (2.5, 2),
    ):  # fmt: skip
        assert term_value(term, [to_bits(value, DOUBLE)]) == found, value


def test_what_is_no_number_has_one_pattern_of_bits() -> None:
    term = FloatTerm("-", (Const(0), Const(0)), DOUBLE, DOUBLE)
    assert term_value(term, [to_bits(math.inf, DOUBLE)] * 2) == quiet_bits(DOUBLE)
    assert from_bits(term_value(term, [to_bits(2.5, DOUBLE), to_bits(1.0, DOUBLE)]), DOUBLE) == 1.5
