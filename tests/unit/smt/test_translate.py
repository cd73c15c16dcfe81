"""Random typed expressions: what the terms say is what the interpreter computes."""

from __future__ import annotations

import os
import random

import pytest
import z3

from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
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
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Numbers, Sides, Unsuitable
from knaster.smt.translate import Translation

EXAMPLES = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
WIDTHS = (Int(8), Int(8, False), Int(32), Int(32, False), Int(64))
CELLS = Array(Int(8), 3)


class Maker:
    """Random expressions of a type over variables of all types."""

    def __init__(self, seed: int, numbers: tuple[Int, ...]) -> None:
        self.choose = random.Random(seed)
        self.numbers = numbers
        self.types: dict[str, Type] = {"b": BOOL, "cells": CELLS}
        self.types |= {f"x{i}": type for i, type in enumerate(numbers)}
        self.inputs: list[Value] = []

    def value(self, type: Type) -> Value:
        if type == BOOL:
            return self.choose.random() < 0.5
        if isinstance(type, Array):
            return tuple(self.value(type.element) for _ in range(type.length))
        assert isinstance(type, Int)
        small = self.choose.choice((0, 1, 2, 3, 5, 7, -1, -2, -8, self.choose.randint(-300, 300)))
        ends = [end for end in (type.low, type.high) if end is not None]
        return self.choose.choice(ends) if ends and self.choose.random() < 0.2 else type.wrap(small)

    def number(self, type: Int, depth: int) -> Expr:
        kind = self.choose.randint(0, 9)
        if depth == 0 or kind < 2:
            names = [name for name, own in self.types.items() if own == type]
            if names and self.choose.random() < 0.6:
                return Var(self.choose.choice(names))
            if self.choose.random() < 0.2:
                self.inputs.append(self.value(type))
                return Choice(type)
            return Const(self.value(type))
        if kind == 2:
            return Convert(self.number(self.choose.choice(self.numbers), depth - 1), type)
        if kind == 3:
            return Convert(self.truth(depth - 1), type)
        if kind == 4:
            return Conditional(self.truth(depth - 1), self.number(type, depth - 1), self.number(type, depth - 1))
        if kind == 5 and type == CELLS.element:
            return Element(self.cells(depth - 1), self.number(self.choose.choice(self.numbers), depth - 1))
        operator = self.choose.choice(tuple(IntegerOperator))
        left = self.number(type, depth - 1)
        few = Const(self.choose.randint(0, 9))
        right = few if self.choose.random() < 0.4 and type.holds(few.value) else self.number(type, depth - 1)  # type: ignore[arg-type]
        return Arithmetic(operator, left, right, type)

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
                return Compare(operator, self.number(type, depth - 1), self.number(type, depth - 1))


def held_against_the_interpreter(seed: int, numbers: Numbers, session: Session, types: tuple[Int, ...]) -> str:
    """Compare one expression; return what it was like."""
    maker = Maker(seed, types)
    expr: Expr = maker.truth(4) if seed % 3 == 0 else maker.number(maker.choose.choice(types), 4)
    translation, sides = Translation(numbers), Sides()
    state = {name: maker.value(type) for name, type in maker.types.items()}
    terms = translation.variables(maker.types, f"{seed}:")
    try:
        found = translation.term(expr, terms, sides)
    except Unsuitable:
        return "unsuitable"
    solver = session.solver()
    solver.add([numbers.constant(state[name], type).value == terms[name].value for name, type in maker.types.items()])
    for (choice, variable), value in zip(sides.inputs, maker.inputs, strict=True):
        solver.add([variable == numbers.constant(value, choice.type).value])
    solver.add(sides.facts)
    try:
        expected = evaluate(expr, state, iter(maker.inputs))
    except Undefined:
        solver.add(sides.defined)
        if not sides.exact:
            return "any"
        assert solver.check() is Answer.UNSATISFIABLE, f"seed {seed}: {expr} in {state} is undefined"
        return "undefined"
    same = (
        numbers.compare(Comparison.EQUAL, found, numbers.constant(expected))
        if found.type != BOOL
        else (found.value == expected)
    )
    solver.add(sides.defined)
    assert solver.check([]) is Answer.SATISFIABLE, f"seed {seed}: {expr} in {state} is defined"
    solver.push()
    solver.add([same])
    assert solver.check() is Answer.SATISFIABLE, f"seed {seed}: {expr} in {state} is {expected}"
    solver.pop()
    if not sides.exact:
        return "any"
    solver.add([z3.Not(same)])
    assert solver.check() is Answer.UNSATISFIABLE, f"seed {seed}: {expr} in {state} is {expected} only"
    if found.low is not None and found.high is not None:
        assert found.low <= int(expected) <= found.high, f"seed {seed}: {expr} in {state} leaves its bounds"  # type: ignore[arg-type]
    return "exact"


@pytest.mark.parametrize("way", ["mathematical", "machine", "bits", "both"])
def test_terms_mean_what_the_interpreter_computes(way: str) -> None:
    session = Session()
    numbers: Numbers = Bits(session.context) if way == "bits" else Integers(session.context)
    types = {"mathematical": (INTEGER,), "machine": WIDTHS, "bits": WIDTHS, "both": (INTEGER, Int(8, False), Int(8))}
    found = [held_against_the_interpreter(seed, numbers, session, types[way]) for seed in range(EXAMPLES)]
    assert found.count("exact") > len(found) // 3 and "undefined" in found
    assert way != "bits" or "any" not in found
