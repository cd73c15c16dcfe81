"""Operations of floating-point numbers as formulas of the checkers: constants are computed as Python computes them."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from knaster.base.limits import Budget
from knaster.checkers.c.bit_vectors import BitVectors, RealVectors
from knaster.checkers.c.meaning import Meaning
from knaster.checkers.c.terms import Sides, Unsuitable
from knaster.checkers.c.unbounded_integers import UnboundedIntegers
from knaster.program.expression import Compare, Comparison, Conditional, Const, Element, Updated, Var
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import BOOL, Array, Bool, Int
from knaster.smt.door import HARD, Answer, BitwuzlaDoor, Cvc5Door, Door, Z3Door
from support.float_cases import cases

DOUBLE = Floating(64)


@pytest.mark.parametrize("door", [BitwuzlaDoor, Z3Door])
@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_results_are_those_of_numbers(door: type[BitwuzlaDoor] | type[Z3Door], width: int, step: int) -> None:
    if door is BitwuzlaDoor:
        pytest.importorskip("bitwuzla")
    opened: Door = door(Budget())
    meaning = Meaning(BitVectors(opened), {})
    sides, right = Sides(), []
    for term, value in cases(width, step):
        found = meaning.term(term, sides)
        if isinstance(term.result, Bool):
            right.append(found.value if value else opened.term("not", found.value))
            continue
        assert isinstance(found.type, Int) and found.type.width == term.result.width
        assert found.type.width is not None
        right.append(opened.term("=", found.value, opened.bits(value, found.type.width)))
    assert sides.exact and not sides.defined
    assert opened.ask([*sides.facts, *right], HARD)[0] is Answer.SATISFIABLE  # the facts leave no other value


@pytest.mark.parametrize("door", [BitwuzlaDoor, Z3Door])
@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_results_that_have_no_bits_are_the_same(door: type[BitwuzlaDoor] | type[Z3Door], width: int, step: int) -> None:
    if door is BitwuzlaDoor:
        pytest.importorskip("bitwuzla")
    opened: Door = door(Budget())
    vectors = RealVectors(opened)
    meaning = Meaning(vectors, {})
    sides, right = Sides(), []
    for term, value in cases(width, step):
        found = meaning.term(term, sides)
        if isinstance(term.result, Bool):
            right.append(found.value if value else opened.term("not", found.value))
            continue
        assert (found.real == term.result) is isinstance(term.result, Floating)
        assert term.result.width is not None
        bits = vectors.bits(found, sides).value
        right.append(opened.term("=", bits, opened.bits(value, term.result.width)))
    assert opened.ask([*sides.facts, *right], HARD)[0] is Answer.SATISFIABLE


def test_a_number_meets_bits() -> None:
    opened = Z3Door(Budget())
    vectors = RealVectors(opened)
    meaning = Meaning(vectors, {"b": BOOL, "a": Array(Int(64, False), 3)})
    one, sides = Const(0x3FF0 << 48), Sides()
    two = FloatTerm("+", (one, one), DOUBLE, DOUBLE)
    for expr in (Conditional(Var("b"), two, Const(0)), Conditional(Var("b"), Const(0), two)):
        found = meaning.term(expr, sides)
        assert found.real == DOUBLE and found.type == Int(64, False)
    with pytest.raises(Unsuitable, match="bits"):
        meaning.term(Compare(Comparison.EQUAL, two, one), sides)
    element = Element(Updated(Var("a"), Const(1), two), Const(1))
    said = meaning.term(FloatTerm("==", (element, two), DOUBLE, BOOL), sides)
    assert opened.ask([*sides.facts, opened.term("not", said.value)], HARD)[0] is Answer.UNSATISFIABLE
    with pytest.raises(Unsuitable, match="compares no"):
        meaning.term(FloatTerm(">", (one, one), DOUBLE, BOOL), sides)
    door = Cvc5Door(Budget()) if find_spec("cvc5") is not None else None
    if door is not None:
        with pytest.raises(Unsuitable, match="cvc5 is not asked"):
            Meaning(RealVectors(door), {}).term(two, Sides())


def test_a_result_is_used_as_a_number() -> None:
    door = Z3Door(Budget())
    meaning, sides = Meaning(BitVectors(door), {}), Sides()
    inner = FloatTerm("+", (Const(0x3FF0 << 48), Const(0x3FF0 << 48)), DOUBLE, DOUBLE)
    found = meaning.term(FloatTerm("*", (inner, Const(0x3FF0 << 48)), DOUBLE, DOUBLE), sides)
    other = door.term("not", door.term("=", found.value, door.bits(0x4000 << 48, 64)))
    assert door.ask([*sides.facts, other], HARD)[0] is Answer.UNSATISFIABLE


def test_what_is_no_operation() -> None:
    door = Z3Door(Budget())
    with pytest.raises(Unsuitable, match="'sin'"):
        Meaning(BitVectors(door), {}).term(FloatTerm("sin", (Const(0),), DOUBLE, DOUBLE), Sides())
    with pytest.raises(Unsuitable, match="nothing for integers"):
        Meaning(UnboundedIntegers(door), {}).term(FloatTerm("+", (Const(0), Const(0)), DOUBLE, DOUBLE), Sides())
