"""Expressions of the model as terms: what `program.evaluate` computes, said about all states at once."""

from __future__ import annotations

from itertools import count

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
    Not,
    Operator,
    Updated,
    Var,
    postorder,
)
from knaster.program.memory import FloatTerm
from knaster.program.types import BOOL, Array, Int, Reference, Type, Value
from knaster.smt.floats import FloatTerms
from knaster.smt.library import z3
from knaster.smt.terms import Formula, Numbers, Sides, State, Term, Unsuitable, hull

NOTHING: State = {}


class Translation:
    """Turns expressions into terms, with one way to compute; every invented variable has a name of its own."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.context = numbers.context
        self._number = count(1)
        self._floats = self._make_floats()

    def _make_floats(self) -> FloatTerms:
        return FloatTerms(self.numbers)

    def term(self, expr: Expr, state: State, sides: Sides, after: State = NOTHING, type: Type | None = None) -> Term:
        """Return the value of an expression; primed variables are looked up in `after`.

        `type` is needed for a constant array only.  Raises `Unsuitable` where there is no such term.
        """
        stack: list[Term] = []
        numbers = self.numbers
        for node in postorder(expr):
            match node:
                case Const(value):
                    kind = _kind(stack, value, type)
                    if isinstance(value, tuple) and not isinstance(kind, Array) and not _is_array(expr):
                        kind = _type_of_constant(value, _widest(expr, {**state, **after}))
                    stack.append(numbers.constant(value, kind))
                case Var(name, primed):
                    stack.append((after if primed else state)[name])
                case Choice(kind):
                    stack.append(self.choice(node, kind, sides))
                case Not():
                    stack.append(Term(z3.Not(stack.pop().value), BOOL))
                case Binary(operator):
                    right, left = stack.pop(), stack.pop()
                    stack.append(Term(_connect(operator, left.value, right.value), BOOL))
                case Conditional():
                    otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                    stack.append(self.either(condition.value, then, otherwise))
                case Arithmetic(integer, _, _, kind):
                    right, left = stack.pop(), stack.pop()
                    stack.append(numbers.arithmetic(integer, left, right, kind, sides))
                case Compare(comparison):
                    right, left = stack.pop(), stack.pop()
                    stack.append(Term(numbers.compare(comparison, left, right), BOOL))
                case Convert(_, kind):
                    stack.append(numbers.convert(stack.pop(), kind))
                case Element():
                    index, array = stack.pop(), stack.pop()
                    stack.append(self._element(array, index, sides))
                case Updated():
                    new, index, array = stack.pop(), stack.pop(), stack.pop()
                    stack.append(self._update(array, index, new, sides))
                case FloatTerm(_, operands):
                    given = [stack.pop() for _ in operands][::-1]
                    stack.append(self._floats.term(node, given, f"float!{next(self._number)}", sides))
                case _:
                    raise Unsuitable(f"{node.__class__.__name__} is nothing for a solver")
        return stack.pop()

    def formula(self, expr: Expr, state: State, sides: Sides, after: State = NOTHING) -> Formula:
        """Return the formula for a Boolean expression."""
        return self.term(expr, state, sides, after).value

    def variables(self, types: dict[str, Type], prefix: str = "") -> dict[str, Term]:
        """Return a variable for each name, called by the prefix and the name."""
        return {name: self.numbers.variable(prefix + name, type) for name, type in types.items()}

    def fit(self, term: Term, type: Type) -> Term:
        """Return a value of a type as a term of exactly that type."""
        return self.numbers.convert(term, type) if isinstance(type, Int) and term.type != type else term

    def same(self, one: Term, other: Term) -> Formula:
        """Return that two values of a type are equal; of arrays, the elements that they have."""
        if not isinstance(one.type, Array):
            return one.value == other.value
        found = []
        for number in range(one.type.length):
            index = self.numbers.index(self.numbers.constant(number))
            parts = [Term(z3.Select(array.value, index), one.type.element) for array in (one, other)]
            found.append(self.same(*parts))
        return z3.And(*found)

    def choice(self, choice: Choice, type: Type, sides: Sides) -> Term:
        """Return a new variable for an input."""
        found = self.numbers.variable(f"input!{next(self._number)}", type)
        sides.inputs.append((choice, found.value))
        sides.facts += self.numbers.within(found)
        return found

    def either(self, condition: Formula, then: Term, otherwise: Term) -> Term:
        """Return one of two terms of the same type."""
        if then.value.eq(otherwise.value):
            return then
        if isinstance(then.type, Int) and then.type != otherwise.type and isinstance(otherwise.type, Int):
            then, otherwise = self._alike(then, otherwise)
        elif isinstance(then.type, Array) and then.type != otherwise.type:
            raise Unsuitable("one of two arrays, of which one has no type,")
        low, high = hull([then, otherwise])
        return Term(z3.If(condition, then.value, otherwise.value), then.type, low, high)

    def _alike(self, one: Term, other: Term) -> tuple[Term, Term]:
        """Return two numbers in one type: that of the other where one of them is a constant."""
        assert isinstance(one.type, Int) and isinstance(other.type, Int)
        for kind in (one.type, other.type):
            fits = [
                term.low is not None and term.high is not None and kind.holds(term.low) and kind.holds(term.high)
                for term in (one, other)
            ]
            if all(fits):
                return self.numbers.convert(one, kind), self.numbers.convert(other, kind)
        wide = Int(1 + max(one.type.width or 0, other.type.width or 0))
        if one.type.width is None or other.type.width is None:
            return one, other
        return self.numbers.convert(one, wide), self.numbers.convert(other, wide)

    def _inside(self, array: Term, index: Term, sides: Sides) -> Array:
        """Say that an index is in range; return the type of the array."""
        assert isinstance(array.type, Array)
        length = array.type.length
        if index.low is None or index.high is None or index.low < 0 or index.high >= length:
            zero, end = self.numbers.constant(0), self.numbers.constant(length)
            sides.defined.append(self.numbers.compare(Comparison.AT_LEAST, index, zero))
            sides.defined.append(self.numbers.compare(Comparison.LESS, index, end))
        return array.type

    def _element(self, array: Term, index: Term, sides: Sides) -> Term:
        type = self._inside(array, index, sides).element
        low, high = (type.low, type.high) if isinstance(type, Int) else (None, None)
        found = Term(z3.Select(array.value, self.numbers.index(index)), type, low, high)
        sides.facts += self.numbers.within(found)
        return found

    def _update(self, array: Term, index: Term, new: Term, sides: Sides) -> Term:
        type = self._inside(array, index, sides)
        if isinstance(type.element, Int):
            new = self.numbers.convert(new, type.element)
        return Term(z3.Store(array.value, self.numbers.index(index), new.value), type)


def _kind(stack: list[Term], value: object, type: Type | None) -> Type | None:
    """Return the type of a constant array: that of the operand before it, or the one that was given."""
    if not isinstance(value, tuple):
        return None
    return stack[-1].type if stack and isinstance(stack[-1].type, Array) else type


def _is_array(expr: Expr) -> bool:
    """Tell whether an expression is an array itself, so that it has to have the very type of its variable."""
    while isinstance(expr, Conditional):
        expr = expr.then
    return isinstance(expr, Updated) or (isinstance(expr, Const) and isinstance(expr.value, tuple))


def _widest(expr: Expr, state: State) -> int | None:
    """Return a width that holds every number that is computed in an expression; None where none is wide enough."""
    widths: list[int | None] = [1]
    for node in postorder(expr):
        match node:
            case Const(int(value)):
                widths.append(value.bit_length())
            case Var(name):
                widths.append(_width(state[name].type))
            case Choice(type) | Arithmetic(type=type) | Convert(_, type):
                widths.append(_width(type))
    known = [width for width in widths if width is not None]
    return 1 + max(known) if len(known) == len(widths) else None


def _width(type: Type) -> int | None:
    """Return the width of the numbers of a type; None: they have none."""
    while isinstance(type, Array):
        type = type.element
    return type.width if isinstance(type, Int) else 1


def _type_of_constant(value: Value, width: int | None) -> Type | None:
    """Return a type that holds a constant, with numbers of at least a width; None where there is none."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return Int(None if width is None else max(width, 1 + value.bit_length()))
    if not isinstance(value, tuple) or isinstance(value, Reference) or not value:
        return None
    parts = [_type_of_constant(part, width) for part in value]
    widths = [part.width for part in parts if isinstance(part, Int)]
    if len(widths) == len(parts):
        return Array(Int(None if width is None else max(each or 0 for each in widths)), len(parts))
    found = parts[0]
    return Array(found, len(parts)) if found is not None and all(part == found for part in parts) else None


def _connect(operator: Operator, left: Formula, right: Formula) -> Formula:
    match operator:
        case Operator.AND:
            return z3.And(left, right)
        case Operator.OR:
            return z3.Or(left, right)
        case Operator.XOR:
            return z3.Xor(left, right)
        case Operator.EQUAL:
            return left == right
        case Operator.IMPLIES:
            return z3.Implies(left, right)
