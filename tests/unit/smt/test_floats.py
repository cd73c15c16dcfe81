"""Operations of floating-point numbers as terms of z3: constants are computed as Python computes them."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.engines.integers.unrolled.cells import CellBits, CellTranslation
from knaster.program.expression import (
    Arithmetic,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    IntegerOperator,
    Var,
)
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import BOOL, Int
from knaster.smt.bits import Bits
from knaster.smt.floats import FloatNumbers
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Sides, Unsuitable
from knaster.smt.translate import Translation
from support.float_cases import cases


def _is(found: Any, value: int) -> Any:
    """Return that a formula has a value."""
    return (found if value else z3.Not(found)) if isinstance(value, bool) else found == value


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_results_are_those_of_numbers(width: int, step: int) -> None:
    session = Session()
    translation = Translation(Bits(session.context))
    sides, right = Sides(), []
    for term, value in cases(width, step):
        found = translation.term(term, {}, sides)
        assert found.type == (Int(term.result.width or 0, False) if isinstance(term.result, Floating) else term.result)
        right.append(_is(found.value, value))
    solver = session.solver()
    solver.add([*sides.facts, *right])
    assert solver.check() is Answer.SATISFIABLE  # the facts leave no other value
    assert len(sides.invented) == len(sides.facts)


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_results_that_have_no_bits_are_the_same(width: int, step: int) -> None:
    session = Session()
    translation = CellTranslation(CellBits(session.context))
    sides, right = Sides(), []
    for term, value in cases(width, step):
        found = translation.term(term, {}, sides)
        if isinstance(term.result, Floating):
            assert z3.is_fp(found.value)
            other = translation.term(FloatTerm("convert", (Const(value),), term.result, term.result), {}, sides)
            right.append(found.value == other.value)
            bits = FloatNumbers(translation.numbers).bits(found, f"bits{len(right)}", sides)
            right.append(bits.value == value)
        else:
            right.append(_is(found.value, value))
    solver = session.solver()
    solver.add([*sides.facts, *right])
    assert solver.check() is Answer.SATISFIABLE


def test_a_number_meets_bits() -> None:
    session = Session()
    translation = CellTranslation(CellBits(session.context))
    double, sides = Floating(64), Sides()
    one, both = Const(0x3FF0 << 48), Var("b")
    state = {"b": translation.numbers.variable("b", BOOL)}
    two = FloatTerm("+", (one, one), double, double)
    for expr in (Conditional(both, two, Const(0)), Conditional(both, Const(0), two)):
        assert z3.is_fp(translation.term(expr, state, sides).value)
    with pytest.raises(Unsuitable, match="bits"):
        translation.term(Compare(Comparison.EQUAL, two, one), state, sides)
    with pytest.raises(Unsuitable, match="bits"):
        translation.term(Arithmetic(IntegerOperator.ADD, two, one, Int(64, False)), state, sides)
    with pytest.raises(Unsuitable, match="bits"):
        translation.term(Convert(two, Int(32)), state, sides)
    with pytest.raises(Unsuitable, match="compares no"):
        translation.term(FloatTerm(">", (one, one), double, BOOL), state, sides)


def test_a_result_is_used_as_a_number() -> None:
    session = Session()
    translation = Translation(Bits(session.context))
    double, sides = Floating(64), Sides()
    inner = FloatTerm("+", (Const(0x3FF0 << 48), Const(0x3FF0 << 48)), double, double)
    found = translation.term(FloatTerm("*", (inner, inner), double, double), {}, sides)
    solver = session.solver()
    solver.add([*sides.facts, found.value != 0x4010 << 48])
    assert solver.check() is Answer.UNSATISFIABLE


def test_integers_have_no_bits() -> None:
    double = Floating(64)
    term = FloatTerm("+", (Const(0), Const(0)), double, double)
    with pytest.raises(Unsuitable):
        Translation(Integers(Session().context)).term(term, {}, Sides())
    with pytest.raises(Unsuitable, match="'sin'"):
        Translation(Bits(Session().context)).term(FloatTerm("sin", (Const(0),), double, double), {}, Sides())
