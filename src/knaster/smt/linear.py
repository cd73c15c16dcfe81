"""Linear forms: sums of variables with integer factors and a constant, as formulas and as expressions of the model.

A form is plain data, so that engines can compute with it: its value in a concrete state, the atoms of a formula as
forms that are at least 0, sums of forms.  Where a formula has an `If`, as where numbers wrap, each branch gives forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from knaster.base.records import dataclass
from knaster.program.algebra import conjunction
from knaster.program.expression import (
    Arithmetic,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Var,
)
from knaster.program.types import INTEGER, Bool, Int, Value
from knaster.smt.library import z3
from knaster.smt.terms import Formula, State, Term

_ORDERS = (z3.Z3_OP_LE, z3.Z3_OP_GE, z3.Z3_OP_LT, z3.Z3_OP_GT, z3.Z3_OP_EQ)
_MOST = 64  # alternatives of one term
_DEEP = 400  # nodes of one term
_NODE, _SUM = 10, 5  # resource units for a node that is looked at, and for a sum of two forms
Work = Callable[[int], None]


def free(units: int) -> None:
    """Count nothing."""


@dataclass(frozen=True, slots=True)
class Form:
    """The sum of `constant` and of each variable times its factor; the variables are sorted by name."""

    factors: tuple[tuple[str, int], ...]
    constant: int = 0

    @classmethod
    def of(cls, factors: Mapping[str, int], constant: int = 0) -> Form:
        """Return a form; factors of 0 are left out."""
        return cls(tuple(sorted((name, factor) for name, factor in factors.items() if factor)), constant)

    def plus(self, other: Form, times: int = 1) -> Form:
        """Return this form plus another one, so many times."""
        factors = dict(self.factors)
        for name, factor in other.factors:
            factors[name] = factors.get(name, 0) + times * factor
        return Form.of(factors, self.constant + times * other.constant)

    def value(self, state: Mapping[str, Value]) -> int | None:
        """Return the value in a state; None where a variable has no number there."""
        total = self.constant
        for name, factor in self.factors:
            number = state.get(name)
            if not isinstance(number, int):
                return None
            total += factor * int(number)
        return total

    def term(self, state: State, context: object) -> Formula:
        """Return the value as a formula over the terms of a state."""
        parts = [z3.IntVal(self.constant, context)] if self.constant or not self.factors else []
        for name, factor in self.factors:
            value = _number(state[name])
            parts.append(value if factor == 1 else z3.IntVal(factor, context) * value)
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def expression(self) -> Expr:
        """Return the value as an expression over mathematical integers."""
        found: Expr | None = None
        for name, factor in sorted(self.factors, key=lambda one: one[1] < 0):
            part: Expr = Convert(Var(name), INTEGER)
            if abs(factor) != 1:
                part = Arithmetic(IntegerOperator.MULTIPLY, Const(abs(factor)), part, INTEGER)
            if found is None and factor > 0:
                found = part
            else:
                operator = IntegerOperator.ADD if factor > 0 else IntegerOperator.SUBTRACT
                begin = Const(self.constant) if found is None else found
                found = Arithmetic(operator, begin, part, INTEGER)
        if found is None:
            return Const(self.constant)
        positive = any(factor > 0 for _, factor in self.factors)
        if self.constant == 0 or not positive:
            return found
        operator = IntegerOperator.ADD if self.constant > 0 else IntegerOperator.SUBTRACT
        return Arithmetic(operator, found, Const(abs(self.constant)), INTEGER)

    def at_least_zero(self) -> Expr:
        """Return as an expression that the value is at least 0: the positive part is at least the negative one."""
        if not self.factors:
            return Const(self.constant >= 0)
        left = Form(tuple((n, f) for n, f in self.factors if f > 0), max(self.constant, 0))
        right = Form(tuple((n, -f) for n, f in self.factors if f < 0), max(-self.constant, 0))
        return Compare(Comparison.AT_LEAST, left.expression(), right.expression())


def _number(term: Term) -> Formula:
    if isinstance(term.type, Bool):
        return z3.If(term.value, z3.IntVal(1, term.value.ctx), z3.IntVal(0, term.value.ctx))
    return term.value


def numbers(state: State) -> dict[str, Term]:
    """Return the variables of a state that a form can speak of."""
    return {name: term for name, term in state.items() if isinstance(term.type, Int)}


def forms_in(formulas: Iterable[Formula], names: Mapping[int, str], work: Work = free) -> Iterator[Form]:
    """Yield a form for each order atom in formulas, one side minus the other, over variables given by their ids.

    `work` is told how much there is to do before it is done, in resource units, and may end it.
    """
    seen: set[int] = set()
    todo = list(formulas)
    while todo:
        node = todo.pop()
        if node.get_id() in seen or not z3.is_app(node):
            continue
        seen.add(node.get_id())
        work(_NODE)
        if node.decl().kind() in _ORDERS and z3.is_int(node.arg(0)):
            left, right = (alternatives(node.arg(side), names, work) for side in (0, 1))
            work(_SUM * len(left) * len(right))
            for one in left:
                for other in right:
                    yield one.plus(other, -1)
        todo += node.children()


def alternatives(term: Formula, names: Mapping[int, str], work: Work = free) -> list[Form]:
    """Return the linear forms that a term is, one for each way through its `If`s; none where it is not linear."""
    known: dict[int, list[Form]] = {}
    stack = [(term, False)]
    steps = 0
    while stack:
        node, ready = stack.pop()
        key = node.get_id()
        if key in known:
            continue
        steps += 1
        if steps > _DEEP:
            return []
        work(_NODE)
        kind = node.decl().kind() if z3.is_app(node) else None
        parts = node.children()[1:] if kind == z3.Z3_OP_ITE else node.children()
        linear = kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL, z3.Z3_OP_ITE)
        if key in names:
            known[key] = [Form(((names[key], 1),))]
        elif z3.is_int_value(node):
            known[key] = [Form((), node.as_long())]
        elif not linear:
            known[key] = []
        elif not ready:
            stack.append((node, True))
            stack += [(part, False) for part in parts]
        else:
            known[key] = _combine(kind, [known[part.get_id()] for part in parts], work)[:_MOST]
    return known[term.get_id()]


def _combine(kind: int | None, parts: list[list[Form]], work: Work) -> list[Form]:
    if kind == z3.Z3_OP_ITE:
        return list(dict.fromkeys([*parts[0], *parts[1]]))
    if kind == z3.Z3_OP_UMINUS:
        return [Form(()).plus(one, -1) for one in parts[0]]
    found = parts[0]
    for part in parts[1:]:
        joined: list[Form] = []
        work(_SUM * min(len(found), _MOST) * min(len(part), _MOST))
        for one in found[:_MOST]:
            for other in part[:_MOST]:
                if kind != z3.Z3_OP_MUL:
                    joined.append(one.plus(other, 1 if kind == z3.Z3_OP_ADD else -1))
                elif not one.factors:
                    joined.append(Form(()).plus(other, one.constant))
                elif not other.factors:
                    joined.append(Form(()).plus(one, other.constant))
        found = list(dict.fromkeys(joined))
    return found


def all_at_least_zero(forms: Iterable[Form]) -> Expr:
    """Return as one expression that every one of these is at least 0."""
    return conjunction(form.at_least_zero() for form in forms)
