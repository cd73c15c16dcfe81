"""The steps of a C program that C may leave undefined, as targets: each with its kind and the condition under which.

Signed integers that overflow, divisions by zero, shifts too far and indices out of range.  The condition is an
expression of the model over the state before the step, so that states, runs and proofs can be asked about it; a
`Choice` in it is an input of the step, and free as in an `Assume`.  What the types of the operands exclude
is left out (R. E. Moore, Interval Analysis, 1966): nobody has to ask whether the sum of two bytes overflows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from knaster.base.errors import Span
from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.value_ranges import ranges_of, result_bounds
from knaster.program.algebra import conjunction, disjunction
from knaster.program.evaluate import WIDEST, evaluate
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    has_choice,
    operands,
    postorder,
)
from knaster.program.model import Edge, Location, Place, Program, expressions
from knaster.program.state import NoInput, State, Undefined
from knaster.program.types import INTEGER, Array, Type
from knaster.smt.terms import Term

OVERFLOW = "a signed integer"
DIVISION = "a division by zero"
SHIFT = "a shift too far"
INDEX = "an index out of range"
KINDS = {OVERFLOW: "overflow", DIVISION: "division", SHIFT: "shift", INDEX: "bounds"}  # of targets
_WRAPS = {
    IntegerOperator.ADD,
    IntegerOperator.SUBTRACT,
    IntegerOperator.MULTIPLY,
    IntegerOperator.DIVIDE,
    IntegerOperator.REMAINDER,
    IntegerOperator.LEFT,
}
_DIVIDES = (IntegerOperator.DIVIDE, IntegerOperator.REMAINDER)
_SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)
_LARGE = 1_000  # nodes of an expression of which it is not asked which operands are evaluated


def undefined_steps(program: Program) -> tuple[Target, ...]:
    """Return the steps that may be undefined, as far as types do not exclude it, in the order of the procedures.

    Each is called by its kind and its line, as in `overflow:12`; by its column too where a line has several.
    """
    found: dict[Target, Span] = {}
    for procedure in program.procedures:
        types = program.types_in(procedure)
        for step in (step for edge in procedure.edges for step in _of_edge(edge, types)):
            kind, line = KINDS[step.what], step.span.line
            place = procedure.name, step.location
            found.setdefault(Target(f"{kind}:{line}", *place, line, kind, step.condition), step.span)
    several = Counter(target.name for target in found)
    return tuple(
        target if several[target.name] == 1 else replace(target, name=f"{target.name}:{span.column}")
        for target, span in found.items()
    )


@dataclass(frozen=True, slots=True)
class _Undefined:
    """What may be wrong with a step from a location, where the condition can be true before it."""

    location: Location
    span: Span
    what: str
    condition: Expr


@dataclass(frozen=True, slots=True)
class Lapse:
    """A step from `place` leaves C where `condition` holds before it; None: nobody can tell from the state."""

    place: Place
    line: int
    what: str
    condition: Expr | None

    def happens(self, state: State) -> bool:
        """Tell whether the step leaves C in a state; False where that cannot be told."""
        if self.condition is None:
            return False
        try:
            return bool(evaluate(self.condition, state, iter(())))
        except (Undefined, NoInput):
            return False


class Lapses:
    """The lapses of a program that the types of its variables do not exclude, each found when it is asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._types: dict[str, Mapping[str, Type]] = {}
        self._known: dict[Place, tuple[Lapse, ...]] = {}

    def at(self, place: Place) -> tuple[Lapse, ...]:
        """Return the lapses of the steps from a place, each once."""
        found = self._known.get(place)
        if found is None:
            procedure = self.program.procedure(place[0])
            if procedure.name not in self._types:
                self._types[procedure.name] = self.program.types_in(procedure)
            types, leaving = self._types[procedure.name], procedure.leaving.get(place[1], ())
            each = (step for edge in leaving for step in _of_edge(edge, types))
            found = self._known[place] = tuple(dict.fromkeys(_lapse(place, step) for step in each))
        return found

    def all(self) -> list[Lapse]:
        """Return all of them, in the order of the procedures."""
        places = ((procedure.name, location) for procedure in self.program.procedures for location in procedure.leaving)
        return [lapse for place in places for lapse in self.at(place)]


def _lapse(place: Place, step: _Undefined) -> Lapse:
    return Lapse(place, step.span.line, step.what, None if has_choice(step.condition) else step.condition)


def _of_edge(edge: Edge, types: Mapping[str, Type]) -> Iterator[_Undefined]:
    for expr in expressions(edge.action):
        if not any(map(_may_lapse, postorder(expr))):
            continue
        known = ranges_of(expr, types)
        for node, under in _evaluations(expr):
            for what, condition in _faults(node, known):
                span = node.span if isinstance(node, Arithmetic | Element | Updated) and node.span.line else edge.span
                yield _Undefined(edge.source, span, what, conjunction((*under, condition)))


def _may_lapse(node: Expr) -> bool:
    if not isinstance(node, Arithmetic):
        return isinstance(node, Element | Updated)
    bounded = node.type.signed and node.type.width is not None
    return node.operator in _DIVIDES or node.operator in _SHIFTS or (bounded and node.operator in _WRAPS)


def _evaluations(expr: Expr) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    """Yield every node, and the conditions under which C evaluates it."""
    large = sum(1 for _ in postorder(expr)) > _LARGE
    todo: list[tuple[Expr, tuple[Expr, ...]]] = [(expr, ())]
    while todo:
        node, under = todo.pop()
        yield node, under
        match node:
            case Binary(Operator.AND | Operator.OR as operator, left, right) if not large:
                todo += [(left, under), (right, (*under, left if operator is Operator.AND else Not(left)))]
            case Conditional(condition, then, otherwise) if not large:
                todo += [(condition, under), (then, (*under, condition)), (otherwise, (*under, Not(condition)))]
            case _:
                todo += [(operand, under) for operand in operands(node)]


def _faults(node: Expr, known: Mapping[int, Term]) -> Iterator[tuple[str, Expr]]:
    """Yield what may be wrong with the outermost operator of an expression, and when it is."""
    match node:
        case Arithmetic(operator, left, right, type):
            one, other = known[id(left)], known[id(right)]
            if operator in _DIVIDES and _meets(other, 0, 0):
                yield DIVISION, Compare(Comparison.EQUAL, right, Const(0))
            if operator in _SHIFTS and (outside := _outside(right, other, 0, (type.width or WIDEST) - 1)):
                yield SHIFT, outside
            if operator in _WRAPS and type.signed and (outside := _overflow(node, one, other)):
                yield OVERFLOW, outside
        case Element(array, index) | Updated(array, index, _):
            kind = known[id(array)].type
            if not isinstance(kind, Array):
                yield INDEX, Const(True)
            elif outside := _outside(index, known[id(index)], 0, kind.length - 1):
                yield INDEX, outside


def _overflow(node: Arithmetic, left: Term, right: Term) -> Expr | None:
    """Return that a signed operation has a result outside of its type; None where it never has."""
    type = node.type
    if type.low is None or type.high is None:
        return None
    exact = IntegerOperator.DIVIDE if node.operator in _DIVIDES else node.operator
    result = Arithmetic(exact, node.left, node.right, INTEGER, node.span)
    outside = _outside(result, result_bounds(exact, left, right), type.low, type.high)
    if outside is None or exact is not IntegerOperator.LEFT:
        return outside
    back = Arithmetic(IntegerOperator.RIGHT, node, node.right, type, node.span)  # what is lost does not come back
    return Compare(Comparison.DIFFERENT, back, node.left)


def _outside(expr: Expr, term: Term, low: int, high: int) -> Expr | None:
    """Return that a value is outside of bounds; None where it never is."""
    parts: list[Expr] = []
    if term.low is None or term.low < low:
        parts.append(Compare(Comparison.LESS, expr, Const(low)))
    if term.high is None or term.high > high:
        parts.append(Compare(Comparison.GREATER, expr, Const(high)))
    return disjunction(parts) if parts else None


def _meets(term: Term, low: int, high: int) -> bool:
    return (term.low is None or term.low <= high) and (term.high is None or term.high >= low)
