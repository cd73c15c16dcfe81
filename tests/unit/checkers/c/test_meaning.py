"""Random expressions: what formulas say in every solver is what the interpreter computes, or 0 where it has none."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable

import pytest

pytest.importorskip("z3")

from knaster.base.errors import Span
from knaster.base.limits import Budget
from knaster.checkers.c.bit_vectors import BitVectors
from knaster.checkers.c.meaning import Meaning
from knaster.checkers.c.names import any_of
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
from knaster.smt.door import Answer, Door, find_doors

EXAMPLES = 30 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
WIDTHS = (Int(8), Int(8, False), Int(32), Int(32, False), Int(64))
CELLS = Array(Int(8), 3)
NOWHERE = Span(0, 0, 0)


class Maker:
    """Random expressions of a type over variables of all types; a `wild` one has operands of other types too."""

    def __init__(self, seed: int, numbers: tuple[Int, ...], wild: bool) -> None:
        self.choose = random.Random(seed)
        self.numbers = numbers
        self.wild = wild
        self.types: dict[str, Type] = {"b": BOOL, "cells": CELLS}
        self.types |= {f"x{i}": type for i, type in enumerate(numbers)}

    def value(self, type: Type) -> Value:
        if type == BOOL:
            return self.choose.random() < 0.5
        if isinstance(type, Array):
            return tuple(self.value(type.element) for _ in range(type.length))
        assert isinstance(type, Int)
        small = self.choose.choice((0, 1, 2, 3, 5, 7, -1, -2, -8, self.choose.randint(-300, 300)))
        ends = [end for end in (type.low, type.high) if end is not None]
        return self.choose.choice(ends) if ends and self.choose.random() < 0.2 else type.wrap(small)

    def operand(self, type: Int, depth: int) -> Expr:
        return self.number(self.choose.choice((*self.numbers, INTEGER)) if self.wild else type, depth)

    def number(self, type: Int, depth: int) -> Expr:
        kind = self.choose.randint(0, 9)
        if depth <= 0 or kind < 2:
            names = [name for name, own in self.types.items() if own == type]
            return Var(self.choose.choice(names)) if names and self.choose.random() < 0.7 else Const(self.value(type))
        if kind == 2:
            return Convert(self.number(self.choose.choice(self.numbers), depth - 1), type)
        if kind == 3:
            return Convert(self.truth(depth - 1), type)
        if kind == 4:
            return Conditional(self.truth(depth - 1), self.operand(type, depth - 1), self.operand(type, depth - 1))
        if kind == 5 and type == CELLS.element:
            return Element(self.cells(depth - 1), self.number(self.choose.choice(self.numbers), depth - 1))
        operator = self.choose.choice(tuple(IntegerOperator))
        few = self.choose.random() < 0.4
        right = Const(type.wrap(self.choose.randint(0, 9))) if few else self.operand(type, depth - 1)
        return Arithmetic(operator, self.operand(type, depth - 1), right, type)

    def cells(self, depth: int) -> Expr:
        if depth <= 0 or self.choose.random() < 0.4:
            return Var("cells")
        index = self.number(self.choose.choice(self.numbers), depth - 1)
        return Updated(self.cells(depth - 1), index, self.number(Int(8), depth - 1))

    def truth(self, depth: int) -> Expr:
        if depth <= 0:
            return Var("b")
        match self.choose.randint(0, 5):
            case 0:
                return Not(self.truth(depth - 1))
            case 1:
                return Binary(self.choose.choice(tuple(Operator)), self.truth(depth - 1), self.truth(depth - 1))
            case 2:
                return Convert(self.number(self.choose.choice(self.numbers), depth - 1), BOOL)
            case _:
                type = self.choose.choice(self.numbers)
                operator = self.choose.choice(tuple(Comparison))
                return Compare(operator, self.operand(type, depth - 1), self.operand(type, depth - 1))


def total(expr: Expr, state: dict[str, Value]) -> Value:
    """Return the value of an expression in which operators without a value have the value 0: what a proof means."""

    def value(node: Expr) -> Value:
        match node:
            case Not(one):
                return evaluate(Not(Const(value(one))), state, iter(()))
            case Binary(operator, left, right):
                return evaluate(Binary(operator, Const(value(left)), Const(value(right))), state, iter(()))
            case Conditional(condition, then, otherwise):
                return value(then) if value(condition) else value(otherwise)
            case Arithmetic(operator, left, right, type):
                made = Arithmetic(operator, Const(value(left)), Const(value(right)), type)
            case Compare(comparison, left, right):
                return evaluate(Compare(comparison, Const(value(left)), Const(value(right))), state, iter(()))
            case Convert(one, type):
                return evaluate(Convert(Const(value(one)), type), state, iter(()))
            case Element(array, index):
                made = Element(Const(value(array)), Const(value(index)))  # type: ignore[assignment]
            case Updated(array, index, new):
                before = value(array)
                try:
                    whole = Updated(Const(before), Const(value(index)), Const(CELLS.element.wrap(value(new))))  # type: ignore
                    return evaluate(whole, state, iter(()))
                except Undefined:
                    return before
            case _:
                return evaluate(node, state, iter(()))
        try:
            return evaluate(made, state, iter(()))
        except Undefined:
            return 0

    return value(expr)


def asked(meaning: Meaning, door: Door, obligation: Obligation) -> tuple[Answer, bool]:
    formulas = meaning.obligation(obligation)
    return door.ask(formulas.parts, 50)[0], formulas.exact


def held_against_the_interpreter(seed: int, meaning: Meaning, door: Door, maker: Maker) -> str:
    """Compare one expression, as the program evaluates it and as a proof claims it; return what it was like."""
    expr: Expr = maker.truth(4) if seed % 3 == 0 else maker.number(maker.choose.choice(maker.numbers), 4)
    state = {name: maker.value(type) for name, type in maker.types.items()}
    known = [
        Fact(TRUE, Compare(Comparison.EQUAL, Var(name), Const(value)), Kind.HOLDS) for name, value in state.items()
    ]

    def is_value(what: Expr, value: Value) -> Expr:
        return (
            Binary(Operator.EQUAL, what, Const(value))
            if value in (True, False) and isinstance(value, bool)
            else (Compare(Comparison.EQUAL, what, Const(value)))
        )

    def obligation(*goal: Fact, more: tuple[Fact | Let, ...] = ()) -> Obligation:
        return Obligation(("", 0), "", (*known, *more), (Goal(goal),) if goal else (), maker.types)

    try:
        claimed = total(expr, state)
        said, exact = asked(meaning, door, obligation(claim(is_value(expr, claimed))))
        assert said is not Answer.SATISFIABLE or not exact, f"seed {seed}: {expr} in {state} means {claimed}"
        first = said
    except Unsuitable:
        first = Answer.UNKNOWN
    try:
        expected = evaluate(expr, state, iter(()))
    except Undefined:
        try:
            said, exact = asked(meaning, door, obligation(more=(Fact(TRUE, expr, Kind.EVALUATED),)))
        except Unsuitable:
            return "unsuitable"
        assert said is not Answer.SATISFIABLE or not exact, f"seed {seed}: {expr} in {state} is undefined"
        return "undefined" if said is Answer.UNSATISFIABLE else "unknown"
    try:
        term = meaning.term(expr, Sides())
        if isinstance(expected, int) and not isinstance(expected, bool):
            assert term.low is None or term.low <= expected, f"seed {seed}: {expr} in {state} is below its bounds"
            assert term.high is None or expected <= term.high, f"seed {seed}: {expr} in {state} is above its bounds"
        said, exact = asked(meaning, door, obligation(more=(Fact(TRUE, is_value(expr, expected), Kind.HOLDS),)))
        assert said is not Answer.UNSATISFIABLE, f"seed {seed}: {expr} in {state} can be {expected}"
        differs = Not(is_value(expr, expected))
        said, exact = asked(meaning, door, obligation(more=(Fact(TRUE, differs, Kind.HOLDS),)))
    except Unsuitable:
        return "unsuitable"
    assert said is not Answer.SATISFIABLE or not exact, f"seed {seed}: {expr} in {state} is {expected} only"
    return "exact" if said is Answer.UNSATISFIABLE and first is Answer.UNSATISFIABLE else "unknown"


TYPES = {"mathematical": (INTEGER,), "machine": WIDTHS, "both": (INTEGER, Int(8, False), Int(8))}
WAYS: list[tuple[Callable[[Budget], Door], type[BitVectors] | type[UnboundedIntegers]]] = [
    (door, arithmetic)
    for door in find_doors()
    for arithmetic in (BitVectors, UnboundedIntegers)
    if door.has_integers or arithmetic is BitVectors
]


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("numbers", TYPES)
@pytest.mark.parametrize(("make", "arithmetic"), WAYS)
def test_formulas_mean_what_the_interpreter_computes(
    make: Callable[[Budget], Door], arithmetic: type[BitVectors] | type[UnboundedIntegers], numbers: str, wild: bool
) -> None:
    found = []
    for seed in range(EXAMPLES):
        door, maker = make(Budget()), Maker(seed, TYPES[numbers], wild)
        meaning = Meaning(arithmetic(door), maker.types)
        found.append(held_against_the_interpreter(seed, meaning, door, maker))
    if arithmetic is UnboundedIntegers or numbers == "machine":
        assert found.count("exact") > len(found) // 4, found
        assert "undefined" in found or numbers == "mathematical", found


SMALL = (Int(2), Int(2, False), Int(3))
X, Y = Var("x"), Var("y")


def small_expressions() -> list[tuple[Expr, Int, Int]]:
    """Return every operator on variables of few bits, and of constants, with the types of its variables."""
    found: list[tuple[Expr, Int, Int]] = []
    for one, other in (*zip(SMALL, SMALL, strict=True), SMALL[:2], SMALL[1:]):
        for operator, result in itertools.product(IntegerOperator, (*SMALL[:2], INTEGER)):
            shifts = operator is IntegerOperator.LEFT and result == INTEGER  # by a variable: no arithmetic has it
            rights: tuple[Expr, ...] = (Const(2), Const(-1), Const(5)) if other == one else ()
            for right in rights if shifts else (Y, *rights):
                found.append((Arithmetic(operator, X, right, result), one, other))
        found += [(Compare(comparison, X, Y), one, other) for comparison in Comparison]
        found.append((Conditional(Compare(Comparison.LESS, X, Const(1)), X, Y), one, other))
        cells = Updated(Var("cells"), X, Const(9))
        found += [(Element(Var("cells"), X), one, other), (Element(cells, Y), one, other)]
    return found


@pytest.mark.parametrize(("make", "arithmetic"), [WAYS[0], pytest.param(*WAYS[-1], marks=pytest.mark.slow)])
def test_every_value_of_few_bits_is_right(
    make: Callable[[Budget], Door], arithmetic: type[BitVectors] | type[UnboundedIntegers]
) -> None:
    asked_about = 0
    for expr, one, other in small_expressions():
        types: dict[str, Type] = {"x": one, "y": other, "cells": CELLS}
        door = make(Budget())
        meaning, wrong, undefined = Meaning(arithmetic(door), types), [], []
        assert one.low is not None and one.high is not None and other.low is not None and other.high is not None
        try:
            term = meaning.term(expr, Sides(), claimed=True)
        except Unsuitable:
            continue
        named = expr if isinstance(expr, Element) else Var("v")  # what has no element means the same to a name
        let = () if named == expr else (Let("v", BOOL if isinstance(expr, Compare) else INTEGER, expr),)
        for x, y in itertools.product(range(one.low, one.high + 1), range(other.low, other.high + 1)):
            state: dict[str, Value] = {"x": x, "y": y, "cells": (5, 6, 7)}
            here = both(Compare(Comparison.EQUAL, X, Const(x)), Compare(Comparison.EQUAL, Y, Const(y)))
            value = total(expr, state)
            if isinstance(value, bool):
                wrong.append(both(here, Binary(Operator.XOR, named, Const(value))))
            else:
                assert isinstance(value, int) and (term.low is None or term.low <= value), f"{expr} in {state}"
                assert term.high is None or value <= term.high, f"{expr} in {state}"
                wrong.append(both(here, Compare(Comparison.DIFFERENT, named, Const(value))))
            try:
                evaluate(expr, state, iter(()))
            except Undefined:
                undefined.append(here)
        cells = claim(Compare(Comparison.EQUAL, Var("cells"), Const((5, 6, 7))))
        for facts in ((claim(any_of(wrong)),), (claim(any_of(undefined)), Fact(TRUE, expr, Kind.EVALUATED))):
            said, exact = asked(meaning, door, Obligation(("", 0), "", (cells, *let, *facts), (), types))
            assert said is Answer.UNSATISFIABLE or not exact, f"{expr} of {one} and {other}"
            asked_about += exact
    assert asked_about > 250


def both(one: Expr, other: Expr) -> Expr:
    return Binary(Operator.AND, one, other)


@pytest.mark.parametrize("type", [INTEGER, Int(8), Int(32, False)], ids=str)
@pytest.mark.parametrize(("make", "arithmetic"), WAYS)
def test_what_has_no_value_is_never_evaluated(
    make: Callable[[Budget], Door], arithmetic: type[BitVectors] | type[UnboundedIntegers], type: Int
) -> None:
    """A quotient has a value iff the divisor is not 0, and an element iff the index is within the array."""
    if type == INTEGER and arithmetic is BitVectors:
        return  # unbounded integers are not bit-vectors
    types: dict[str, Type] = {"x": type, "y": type, "cells": CELLS}
    door = make(Budget())
    meaning = Meaning(arithmetic(door), types)
    quotient = Arithmetic(IntegerOperator.DIVIDE, Const(7), Var("y"), type)
    element = Element(Var("cells"), Var("y"))
    for expr, value, expected in (
        (quotient, 0, Answer.UNSATISFIABLE),
        (quotient, 2, Answer.SATISFIABLE),
        (element, 3, Answer.UNSATISFIABLE),
        (element, 2, Answer.SATISFIABLE),
    ):
        is_so = Fact(TRUE, Compare(Comparison.EQUAL, Var("y"), Const(value)), Kind.HOLDS)
        known = (is_so, Fact(TRUE, Compare(Comparison.EQUAL, expr, expr), Kind.EVALUATED))
        assert asked(meaning, door, Obligation(("", 0), "", known, (), types))[0] is expected, (expr, value)
