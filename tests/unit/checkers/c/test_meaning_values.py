"""Facts and obligations computed at once: what they mean in every state of small types is what the interpreter says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.c.bit_vectors import INDEX, BitVectors
from knaster.checkers.c.meaning import _MOST_ELEMENTS, Meaning
from knaster.checkers.c.obligations import Fact, Goal, Kind, Let, Obligation, claim
from knaster.checkers.c.terms import Sides, Unsuitable
from knaster.checkers.c.unbounded_integers import UnboundedIntegers
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    Var,
)
from knaster.program.state import Undefined
from knaster.program.types import BOOL, INTEGER, Array, Int, Type, Value
from knaster.smt.door import Z3Door
from support.concrete_door import Bits, ConcreteDoor

CELLS = Array(Int(8), 3)
TYPES: dict[str, Type] = {"x": Int(3), "y": Int(3, False), "b": BOOL, "cells": CELLS}
X, Y, B, A = (Var(name) for name in TYPES)
AT: list[tuple[str, tuple[str, ...]]] = [("i", ("i",)), ("y", ())]
WAYS = [BitVectors, UnboundedIntegers]
Arithmetics = type[BitVectors] | type[UnboundedIntegers]


def less(left: Expr, right: Expr) -> Expr:
    return Compare(Comparison.LESS, left, right)


def same(left: Expr, right: Expr) -> Expr:
    return Compare(Comparison.EQUAL, left, right)


QUOTIENT = Arithmetic(IntegerOperator.DIVIDE, Const(6), X, Int(8))
FACTS: list[Expr] = [
    B,
    Not(B),
    *(Binary(operator, B, less(X, Y)) for operator in Operator),
    *(Compare(comparison, X, Y) for comparison in Comparison),
    same(Conditional(B, X, Y), Const(2)),
    same(Conditional(B, Y, X), Const(-1)),
    same(Conditional(B, X, Const(100)), Const(100)),
    same(Conditional(B, Const(100), X), Const(100)),
    same(QUOTIENT, Const(3)),
    same(QUOTIENT, Const(0)),
    same(Element(A, X), Const(6)),
    same(Element(A, X), Const(0)),
    same(Element(A, Convert(B, Int(8))), Const(6)),
    same(Element(Updated(A, X, Const(9)), Y), Const(9)),
    same(Element(Updated(A, Convert(B, Int(8)), Y), Const(1)), Const(6)),
    same(A, Const((5, 6, 7))),
    same(Updated(A, X, Const(5)), Const((5, 6, 7))),
    same(Element(Updated(A, X, Const(9)), Const(0)), Const(5)),
    Compare(Comparison.DIFFERENT, Updated(A, X, Const(6)), A),
    same(Convert(less(X, Y), Int(8)), Const(1)),
    Convert(X, BOOL),
    Convert(B, BOOL),
    same(Conditional(B, A, Updated(A, Const(0), Const(6))), A),
]  # fmt: skip


def states() -> Iterator[dict[str, Value]]:
    for x, y, b in product(range(-4, 4), range(0, 8, 3), (False, True)):
        yield {"x": x, "y": y, "b": b, "cells": (5, 6, 7)}


def door_of(arithmetic: Arithmetics, state: dict[str, Value]) -> ConcreteDoor:
    x, y, cells = state["x"], state["y"], state["cells"]
    assert isinstance(x, int) and isinstance(y, int) and isinstance(cells, tuple)
    if arithmetic is UnboundedIntegers:
        array: dict[Any, Any] = {None: 77, **dict(enumerate(cells))}
        return ConcreteDoor({"x": x, "y": y, "b": state["b"], "cells": array})
    array = {None: Bits(8, 77), **{Bits(INDEX, at): Bits(8, value) for at, value in enumerate(cells)}}  # type: ignore
    return ConcreteDoor({"x": Bits(3, x % 8), "y": Bits(3, y), "b": state["b"], "cells": array})


def expected(expr: Expr, state: dict[str, Value]) -> Value | None:
    try:
        return evaluate(expr, state, iter(()))
    except Undefined:
        return None


@pytest.mark.parametrize("fact", FACTS, ids=range(len(FACTS)))
@pytest.mark.parametrize("arithmetic", WAYS)
def test_facts_that_the_run_evaluates(arithmetic: Arithmetics, fact: Expr) -> None:
    for state in states():
        meaning = Meaning(arithmetic(door_of(arithmetic, state)), TYPES)
        value = expected(fact, state)
        for kind, holds in ((Kind.HOLDS, value is True), (Kind.EVALUATED, value is not None)):
            for when, applies in ((TRUE, True), (B, state["b"])):
                formula, sides = meaning.step(Fact(when, fact, kind))
                assert formula is (holds or not applies), (fact, state, kind)
                assert all(sides.ranges) and sides.exact


def total(expr: Expr, state: dict[str, Value]) -> bool:
    """Return what the simple facts here mean where an operator without a value has the value 0."""
    match expr:
        case Compare(comparison, Arithmetic() | Element(Var()) as inner, Const(number)):
            found = expected(inner, state)
            return bool(expected(Compare(comparison, Const(0 if found is None else found), Const(number)), state))
        case Compare(comparison, Updated(array, _, _) as inner, other):
            found = expected(inner, state)
            before = expected(array, state) if found is None else found
            return bool(expected(Compare(comparison, Const(before or ()), Const(expected(other, state) or ())), state))
        case Compare(_, Element(Updated(array, _, _) as inner, index), Const(number)):
            now = expected(inner, state) or expected(array, state)
            return bool(total(same(Element(Var("now"), index), Const(number)), {**state, "now": now or ()}))
    return bool(expected(expr, state))


@pytest.mark.parametrize("fact", FACTS, ids=range(len(FACTS)))
@pytest.mark.parametrize("arithmetic", WAYS)
def test_facts_that_a_proof_claims(arithmetic: Arithmetics, fact: Expr) -> None:
    for state in states():
        meaning = Meaning(arithmetic(door_of(arithmetic, state)), TYPES)
        formula, _ = meaning.step(claim(fact))
        assert formula is total(fact, state), (fact, state)


@pytest.mark.parametrize("arithmetic", WAYS)
def test_an_obligation_is_what_must_not_hold(arithmetic: Arithmetics) -> None:
    """Hypothesis and the opposite of the conclusion: true in exactly the states in which it is violated."""
    let = Let("twice", Int(3), Arithmetic(IntegerOperator.ADD, X, X, INTEGER))
    known = (Fact(TRUE, less(X, Const(3)), Kind.HOLDS), let)
    goals = (Goal((claim(same(Var("twice"), Const(2))),)), Goal((claim(less(X, Const(1))), claim(B))))
    for state in states():
        meaning = Meaning(arithmetic(door_of(arithmetic, state)), TYPES)
        found = meaning.obligation(Obligation(("", 0), "", known, goals, TYPES))
        x = state["x"]
        assert isinstance(x, int)
        reached = Int(3).wrap(2 * x) == 2 or (x < 1 and state["b"])
        assert all(found.parts) is (x < 3 and not reached), state
        assert found.exact
        none = meaning.obligation(Obligation(("", 0), "", known, (), TYPES))
        assert all(none.parts) is (x < 3)


def test_values_outside_of_a_type_are_excluded() -> None:
    for x, inside in ((3, True), (4, False), (-5, False)):
        door = ConcreteDoor({"x": x, "y": 0, "b": True, "cells": {}})
        fact = Fact(TRUE, less(X, Const(99)), Kind.HOLDS)
        found = Meaning(UnboundedIntegers(door), TYPES).obligation(Obligation(("", 0), "", (fact,), (), TYPES))
        assert all(found.parts) is inside
        goal = Obligation(("", 0), "", (), (Goal((claim(less(Const(99), X)),)),), TYPES)
        assert all(Meaning(UnboundedIntegers(door), TYPES).obligation(goal).parts) is inside


@pytest.mark.parametrize("arithmetic", WAYS)
def test_what_is_known_of_elements_at_a_chosen_index_is_not_exact(arithmetic: Arithmetics) -> None:
    """It stands under the quantifier, so an answer that the goal is missed may be due to it."""
    types = {**TYPES, "i": Int(3, False)}
    six = Const(6)
    at_input, at_y = (Goal((claim(same(Element(A, Var(name)), six)),), inputs) for name, inputs in AT)
    chosen, plain = Goal((claim(same(Var("i"), six)),), ("i",)), Goal((claim(B),))
    bits = Arithmetic(IntegerOperator.XOR, X, Y, Int(3))
    wild = (Fact(TRUE, less(bits, Const(3)), Kind.HOLDS),)  # integers do not say exactly what bits are
    for known, goals, exact in (
        ((), (at_y,), True),
        ((), (plain, at_y), True),
        ((), (chosen,), True),
        ((), (at_input,), arithmetic is BitVectors),
        ((), (at_input, chosen), arithmetic is BitVectors),
        (wild, (plain,), arithmetic is BitVectors),
        (wild, (at_y,), arithmetic is BitVectors),
    ):
        meaning = Meaning(arithmetic(Z3Door(Budget())), types)
        assert meaning.obligation(Obligation(("", 0), "", known, goals, types)).exact is exact


@pytest.mark.parametrize("arithmetic", WAYS)
def test_an_index_within_its_bounds_needs_no_condition(arithmetic: Arithmetics) -> None:
    meaning = Meaning(arithmetic(door_of(arithmetic, {"x": 1, "y": 1, "b": True, "cells": (5, 6, 7)})), TYPES)
    for index, asked in ((Const(2), 0), (Const(3), 1), (Const(-1), 1), (Convert(B, Int(8)), 0), (Y, 1)):
        for expr in (Element(A, index), Updated(A, index, Const(1))):
            sides = Sides()
            meaning.term(expr, sides)
            assert len(sides.defined) == asked, expr


@pytest.mark.parametrize("arithmetic", WAYS)
def test_what_has_no_formula(arithmetic: Arithmetics) -> None:
    state: dict[str, Value] = {"x": 1, "y": 1, "b": True, "cells": (5, 6, 7)}
    long = {"few": Array(Int(8), _MOST_ELEMENTS), "many": Array(Int(8), _MOST_ELEMENTS + 1)}
    door = door_of(arithmetic, state)
    door.values |= {name: {None: door.bits(1, 8) if arithmetic is BitVectors else 1} for name in long}
    meaning = Meaning(arithmetic(door), {**TYPES, **long})
    assert meaning.term(same(Var("few"), Var("few")), Sides()).value is True
    with pytest.raises(Unsuitable, match="long arrays"):
        meaning.term(same(Var("many"), Var("many")), Sides())
    for wrong in (same(A, X), same(B, X), less(A, A), less(B, B), Conditional(B, X, A), Conditional(B, A, X), Not(X)):
        with pytest.raises(InternalError):
            meaning.term(wrong, Sides())
    with pytest.raises(Unsuitable):
        meaning.term(same(X, Const((1, 2))), Sides())


@pytest.mark.parametrize("arithmetic", WAYS)
def test_a_claim_reads_no_array_of_arrays_outside(arithmetic: Arithmetics) -> None:
    state: dict[str, Value] = {"x": 1, "y": 1, "b": True, "cells": (5, 6, 7)}
    door = door_of(arithmetic, state)
    row = door.values["cells"]
    door.values["rows"] = {None: row}
    meaning = Meaning(arithmetic(door), {**TYPES, "rows": Array(CELLS, 2)})
    inner = Element(Element(Var("rows"), X), Const(1))
    assert meaning.term(same(inner, Const(6)), Sides()).value is True
    with pytest.raises(Unsuitable, match="arrays of arrays"):
        meaning.term(same(inner, Const(6)), Sides(), claimed=True)


def test_a_claim_writes_nothing_outside_of_an_array_however_wide_its_index_is() -> None:
    """The index 2^64 is 0 in the 64 bits of an index."""
    door = door_of(BitVectors, {"x": 1, "y": 1, "b": True, "cells": (5, 6, 7)})
    door.values["wide"] = Bits(70, 1 << 64)
    meaning = Meaning(BitVectors(door), {**TYPES, "wide": Int(70)})
    for index, value in ((Var("wide"), 5), (Const(0), 9)):
        written = same(Element(Updated(A, index, Const(9)), Const(0)), Const(value))
        assert meaning.step(claim(written))[0] is True
