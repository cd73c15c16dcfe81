"""Translates expressions, facts and obligations to formulas of a solver in one arithmetic.

The same as `program.evaluate` computes, about all states at once; tests hold it against the interpreter.  An operator
has a value where `Sides.defined` holds; where it has none the term is 0 all the same (an element of an array: whatever
an array may hold outside, and 0 in what a proof claims), so that a formula of a proof means the same in every
arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.records import dataclass
from knaster.checkers.c import terms
from knaster.checkers.c.obligations import Fact, Goal, Kind, Let, Obligation
from knaster.checkers.c.terms import Sides, Term, Unsuitable, is_within, join_bounds
from knaster.program.expression import (
    TRUE,
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
    Not,
    Operator,
    Updated,
    Var,
    postorder,
)
from knaster.program.memory import FloatTerm
from knaster.program.types import BOOL, Array, Bool, Int, Type, Value
from knaster.smt.door import Formula

_CONNECTIVES = {
    Operator.AND: "and",
    Operator.OR: "or",
    Operator.XOR: "xor",
    Operator.EQUAL: "=",
    Operator.IMPLIES: "=>",
}
_MOST_ELEMENTS = 64  # of arrays that are compared


@dataclass(slots=True)
class Formulas:
    """An obligation as formulas that must not hold together; not `exact` where they allow more than the program."""

    parts: list[Formula]
    exact: bool


class Meaning:
    """The formulas of one list of obligations, each name and fact translated once."""

    def __init__(self, arithmetic: terms.Arithmetic, types: Mapping[str, Type]) -> None:
        self.arithmetic = arithmetic
        self.door = arithmetic.door
        self.types = types
        self._variables: dict[str, Term] = {}
        self._bound: set[str] = set()
        self._lets: dict[str, tuple[Term, Sides]] = {}
        self._facts: dict[Fact, tuple[Formula, Sides]] = {}
        self._true = self.door.truth(True)

    def obligation(self, obligation: Obligation) -> Formulas:
        """Return an obligation; raise `Unsuitable` where this arithmetic has no formulas for it."""
        found = Formulas([], True)
        for step in obligation.hypothesis:
            self._add(found, self.step(step))
        if obligation.conclusion:
            found.parts.append(self.door.term("not", self._conclusion(obligation.conclusion, found)))
        return found

    def _add(self, found: Formulas, made: tuple[Formula | None, Sides]) -> None:
        formula, sides = made
        found.exact = found.exact and sides.exact
        found.parts += [*sides.ranges, *sides.facts]
        if formula is not None and formula is not self._true:
            found.parts.append(formula)

    def _conclusion(self, goals: Sequence[Goal], found: Formulas) -> Formula:
        """Return that one of some goals is reached; they must be exact.  What is so in any case goes to the others."""
        names = tuple(dict.fromkeys(name for goal in goals for name in goal.inputs))
        for name in names:
            if name not in self._bound:
                variable = self.door.bound_variable(name, self.arithmetic.sort(self.types[name]))
                self._variables[name] = _make_term(variable, self.types[name])
                self._bound.add(name)
        whole = []
        for goal in goals:
            parts = [limit for name in goal.inputs for limit in self.arithmetic.limit(self._variables[name])]
            for step in goal.steps:
                formula, sides = self.step(step)
                if not sides.exact:
                    raise Unsuitable("what is to be shown is not exact")
                found.parts += sides.ranges
                found.exact = found.exact and not (names and sides.facts)
                (parts if names else found.parts).extend(sides.facts)
                if formula is not None:
                    parts.append(formula)
            whole.append(self.all(parts))
        either = whole[0] if len(whole) == 1 else self.door.term("or", *whole)
        return self.door.exists([self._variables[name].value for name in names], either) if names else either

    def step(self, step: Let | Fact) -> tuple[Formula | None, Sides]:
        """Return the formula of a fact, none for a name, and what stands beside it."""
        if isinstance(step, Let):
            if step.name not in self._lets:
                sides = Sides()
                term = self._fit(self.term(step.value, sides, type=step.type), step.type)
                self._lets[step.name] = term, sides
            return None, self._lets[step.name][1]
        if step not in self._facts:
            self._facts[step] = self._fact(step)
        return self._facts[step]

    def _fact(self, fact: Fact) -> tuple[Formula, Sides]:
        sides = Sides()
        claimed = fact.kind is Kind.CLAIMED
        term = self.term(fact.what, sides, claimed)
        parts = [] if claimed else list(sides.defined)
        if fact.kind is not Kind.EVALUATED:
            parts.append(_truth(term))
        whole = self.all(parts)
        if fact.when != TRUE:
            whole = self.door.term("=>", _truth(self.term(fact.when, sides)), whole)
        return whole, sides

    def all(self, parts: Sequence[Formula]) -> Formula:
        """Return that all formulas hold."""
        if not parts:
            return self._true
        return parts[0] if len(parts) == 1 else self.door.term("and", *parts)

    def term(self, expr: Expr, sides: Sides, claimed: bool = False, type: Type | None = None) -> Term:
        """Return the value of an expression; `type` is that of a constant array."""
        stack: list[Term] = []
        door, arithmetic = self.door, self.arithmetic
        for node in postorder(expr):
            match node:
                case Const(value):
                    before = stack[-1].type if stack and isinstance(stack[-1].type, Array) else type
                    stack.append(self._constant(value, before))
                case Var(name, False):
                    stack.append(self._variable(name, sides))
                case Not():
                    stack.append(Term(door.term("not", _truth(stack.pop())), BOOL))
                case Binary(operator):
                    right, left = _truth(stack.pop()), _truth(stack.pop())
                    stack.append(Term(door.term(_CONNECTIVES[operator], left, right), BOOL))
                case Conditional():
                    otherwise, then, condition = stack.pop(), stack.pop(), _truth(stack.pop())
                    stack.append(self._either(condition, then, otherwise))
                case Arithmetic(integer, _, _, kind):
                    right, left = _number(stack.pop()), _number(stack.pop())
                    stack.append(arithmetic.compute(integer, left, right, kind, sides))
                case Compare(comparison):
                    right, left = stack.pop(), stack.pop()
                    stack.append(Term(self._compare(comparison, left, right), BOOL))
                case Convert(_, kind):
                    stack.append(self._convert(stack.pop(), kind))
                case Element():
                    index, array = _number(stack.pop()), stack.pop()
                    stack.append(self._element(array, index, sides, claimed))
                case Updated():
                    new, index, array = stack.pop(), _number(stack.pop()), stack.pop()
                    stack.append(self._update(array, index, new, sides, claimed))
                case FloatTerm(_, operands):
                    given = [_number(stack.pop()) for _ in operands][::-1]
                    stack.append(arithmetic.compute_floats(node, given, sides))
                case Choice() | Var():
                    raise InternalError("a formula speaks of inputs, or of values after a step")
                case _:
                    raise Unsuitable(f"{node.__class__.__name__} is nothing for a solver")
        return stack.pop()

    def _variable(self, name: str, sides: Sides) -> Term:
        if name in self._lets:
            return self._lets[name][0]
        found = self._variables.get(name)
        if found is None:
            type = self.types[name]
            variable = self.door.variable(name, self.arithmetic.sort(type))
            found = self._variables[name] = _make_term(variable, type)
        if name not in self._bound:
            sides.ranges += self.arithmetic.limit(found)
        return found

    def _constant(self, value: Value, type: Type | None) -> Term:
        if isinstance(value, bool):
            return Term(self.door.truth(value), BOOL)
        if isinstance(value, int):
            return self.arithmetic.number(value)
        if not isinstance(value, tuple) or not isinstance(type, Array):
            raise Unsuitable(f"{value!r} is nothing for a solver")
        values: Sequence[Any] = value
        parts = [self._fit(self._constant(part, type.element), type.element).value for part in values]
        most = max(range(min(len(parts), 64)), key=lambda at: value.count(value[at]))
        usual = parts[most]
        found = self.door.constant_array(self.arithmetic.sort(type), usual)
        for number, part in enumerate(parts):
            if value[number] != value[most]:
                found = self.door.term("store", found, self.arithmetic.index(self.arithmetic.number(number)), part)
        return Term(found, type)

    def _fit(self, term: Term, type: Type) -> Term:
        """Return a value as one of a type, which it has or, an integer, wraps into."""
        if isinstance(type, Int):
            return term if term.type == type else self.arithmetic.fit(_number(term), type)
        if term.type != type:
            raise InternalError("a value has another type than its place")
        return term

    def _either(self, condition: Formula, then: Term, otherwise: Term) -> Term:
        """Return one of two values of one type; of integers, of one that has both."""
        then, otherwise = self.arithmetic.meet(then, otherwise)
        type = then.type
        if isinstance(type, Int) and isinstance(otherwise.type, Int) and type != otherwise.type:
            type = self._wider(then, otherwise)
            then, otherwise = self.arithmetic.fit(then, type), self.arithmetic.fit(otherwise, type)
        if then.type != otherwise.type:
            raise InternalError("a condition chooses between values of different types")
        value = self.door.term("ite", condition, then.value, otherwise.value)
        return Term(value, type, *join_bounds(then, otherwise), then.real)

    def _wider(self, one: Term, other: Term) -> Int:
        assert isinstance(one.type, Int) and isinstance(other.type, Int)
        for term, rest in ((one, other), (other, one)):
            assert isinstance(term.type, Int)
            if terms.fits(rest, term.type):
                return term.type
        assert one.type.width is not None and other.type.width is not None  # everything fits into such a type
        return Int(1 + max(one.type.width, other.type.width))

    def _compare(self, comparison: Comparison, left: Term, right: Term) -> Formula:
        if isinstance(left.type, Int) and isinstance(right.type, Int):
            return self.arithmetic.compare(comparison, left, right)
        if left.type != right.type or comparison not in (Comparison.EQUAL, Comparison.DIFFERENT):
            raise InternalError("values of different types are compared")
        same = self._same(left, right)
        return same if comparison is Comparison.EQUAL else self.door.term("not", same)

    def _same(self, left: Term, right: Term) -> Formula:
        if not isinstance(left.type, Array):
            return self.door.term("=", left.value, right.value)
        if left.type.length > _MOST_ELEMENTS:
            raise Unsuitable("long arrays are compared")
        parts = []
        for number in range(left.type.length):
            index = self.arithmetic.index(self.arithmetic.number(number))
            pair = [_make_term(self.door.term("select", one.value, index), left.type.element) for one in (left, right)]
            parts.append(self._same(*pair))
        return self.all(parts)

    def _convert(self, term: Term, type: Type) -> Term:
        if isinstance(type, Bool):
            if isinstance(term.type, Bool):
                return term
            return Term(self.arithmetic.compare(Comparison.DIFFERENT, _number(term), self.arithmetic.number(0)), BOOL)
        if not isinstance(type, Int):
            raise InternalError(f"a value is converted to {type}")
        if isinstance(term.type, Bool):
            return self.arithmetic.from_truth(term.value, type)
        return self.arithmetic.fit(_number(term), type)

    def _inside(self, array: Term, index: Term) -> tuple[Array, Formula | None]:
        """Return the type of an array, and that an index is in range; nothing where its bounds say so."""
        if not isinstance(array.type, Array):
            raise InternalError("what has an index is no array")
        if is_within(index.low, index.high, 0, array.type.length - 1):
            return array.type, None
        end = self.arithmetic.number(array.type.length)
        least = self.arithmetic.compare(Comparison.AT_LEAST, index, self.arithmetic.number(0))
        return array.type, self.door.term("and", least, self.arithmetic.compare(Comparison.LESS, index, end))

    def _element(self, array: Term, index: Term, sides: Sides, claimed: bool) -> Term:
        type, inside = self._inside(array, index)
        found = _make_term(self.door.term("select", array.value, self.arithmetic.index(index)), type.element)
        sides.facts += self.arithmetic.limit(found)
        if inside is not None:
            sides.defined.append(inside)
            if claimed and isinstance(type.element, Int | Bool):
                zero = self._constant(0 if isinstance(type.element, Int) else False, None)
                found = self._either(inside, found, self._fit(zero, type.element))
            elif claimed:
                raise Unsuitable("a proof speaks of arrays of arrays")
        return found

    def _update(self, array: Term, index: Term, new: Term, sides: Sides, claimed: bool) -> Term:
        type, inside = self._inside(array, index)
        if inside is not None:
            sides.defined.append(inside)
        part = self.arithmetic.bits(self._fit(new, type.element), sides)
        found = self.door.term("store", array.value, self.arithmetic.index(index), part.value)
        return Term(found if inside is None or not claimed else self.door.term("ite", inside, found, array.value), type)


def _make_term(value: Formula, type: Type) -> Term:
    low, high = (type.low, type.high) if isinstance(type, Int) else (None, None)
    return Term(value, type, low, high)


def _truth(term: Term) -> Formula:
    if not isinstance(term.type, Bool):
        raise InternalError("a number is used as a truth value")
    return term.value


def _number(term: Term) -> Term:
    if not isinstance(term.type, Int):
        raise InternalError("what is no number is used as one")
    return term
