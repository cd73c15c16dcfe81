"""What is to be known of an answer about a C program: where its runs leave what C defines.

Signed integers wrap here, and in C their overflow is undefined; so a run in which one overflows says where, and one
that goes on through other states than it shows says where one may.  A run stops where C leaves the next step undefined
in another way: what holds of all runs holds of those that stop there too, so it says which lines were not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.graphs import postorder
from knaster.program.evaluate import evaluate
from knaster.program.expression import (
    Arithmetic,
    Choice,
    Const,
    Element,
    Expr,
    IntegerOperator,
    Updated,
    Var,
    variables,
)
from knaster.program.expression import postorder as nodes_of
from knaster.program.model import Assign, Assume, Call, Edge, Program, Return
from knaster.program.operators import may_fail
from knaster.program.state import State, Undefined
from knaster.program.types import Array, Int, Type, Value
from knaster.results.answer import Diverges, Reachable, Result, Terminates, Unreachable
from knaster.results.trace import Lasso, Path

MOST_STEPS = 20_000  # of a run that are looked at
_EXACT = {IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY, IntegerOperator.DIVIDE}


def remarks_about(result: Result) -> tuple[str, ...]:
    """Return the remarks, each once, in the order of the lines."""
    overflows: set[int] = set()
    later: set[int] = set()
    stops: set[tuple[int, str]] = set()
    for _, answer in result.answers:
        match answer:
            case Reachable(trace) if trace is not None:
                overflows |= set(_overflows(result.program, trace.paths))
            case Diverges(lasso) if lasso is not None:
                overflows |= set(_overflows(result.program, lasso.once.paths))
                later |= set(_drifting(lasso))
            case Unreachable() | Terminates():
                stops |= set(undefined_steps(result.program))
    wraps = "a signed integer overflows in this run and wraps, which C leaves open"
    may_wrap = "a signed integer may overflow when this run goes on, and wraps then, which C leaves open"
    return (
        *(f"{result.file}:{line}: {wraps}" for line in sorted(overflows)),
        *(f"{result.file}:{line}: {may_wrap}" for line in sorted(later - overflows)),
        *(f"{result.file}:{line}: {what} is not excluded; a run would end there" for line, what in sorted(stops)),
    )


def undefined_steps(program: Program) -> Iterator[tuple[int, str]]:
    """Yield the lines with operators that may have no result, and what may be wrong with each."""
    for procedure in program.procedures:
        types = program.types_in(procedure)
        for edge in procedure.edges:
            for expr in expressions_of(edge):
                for node in nodes_of(expr):
                    if not may_fail(node):
                        continue
                    match node:
                        case Arithmetic(IntegerOperator.LEFT | IntegerOperator.RIGHT):
                            what = "a shift too far"
                        case Arithmetic():
                            what = "a division by zero"
                        case _:
                            if _in_range(types, node):
                                continue
                            what = "an index out of range"
                    yield (node.span.line or edge.span.line), what  # type: ignore[union-attr]


def _in_range(types: Mapping[str, Type], node: Expr) -> bool:
    """Tell whether an index is a constant that is right."""
    if not isinstance(node, Element | Updated) or not isinstance(node.index, Const):
        return False
    depth, array = 0, node.array
    while isinstance(array, Element):
        depth, array = depth + 1, array.array
    type = types.get(array.name) if isinstance(array, Var) else None
    for _ in range(depth):
        type = type.element if isinstance(type, Array) else None
    return isinstance(type, Array) and isinstance(node.index.value, int) and 0 <= node.index.value < type.length


def expressions_of(edge: Edge) -> tuple[Expr, ...]:
    """Return what an edge evaluates."""
    match edge.action:
        case Assume(condition):
            return (condition,)
        case Assign(_, values) | Return(values):
            return values
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def _overflows(program: Program, paths: tuple[Path, ...]) -> Iterator[int]:
    """Yield the lines at which a signed operation of a run has a result outside of its type."""
    left = MOST_STEPS
    for path in postorder(paths, lambda one: [step.inside for step in one.steps if step.inside is not None]):
        state = path.start
        for step in path.steps:
            left -= 1
            if left < 0:
                return
            for expr in expressions_of(step.edge):
                yield from (line or step.edge.span.line for line in _overflowing(expr, state))
            state = step.after


def _drifting(lasso: Lasso) -> Iterator[int]:
    """Yield the lines at which a signed operation reads what changes from one repetition of a cycle to the next."""
    if lasso.recurs is None:
        return
    begin, end = lasso.cycle.paths[0].start, lasso.cycle.paths[-1].end
    changed = {name for name, value in begin.items() if end.get(name, value) != value}
    for path in lasso.cycle.paths:
        for step in path.steps:
            for expr in expressions_of(step.edge):
                signed = [node for node in nodes_of(expr) if isinstance(node, Arithmetic) and node.type.signed]
                for node in signed:
                    if node.type.width is not None and node.operator in _EXACT and changed & variables(node):
                        yield node.span.line or step.edge.span.line


def _overflowing(expr: Expr, state: State) -> Iterator[int]:
    nodes = [node for node in nodes_of(expr) if isinstance(node, Arithmetic) and node.type.signed]
    for node in nodes:
        if node.type.width is None or node.operator not in _EXACT or any(isinstance(n, Choice) for n in nodes_of(node)):
            continue
        wide = Arithmetic(node.operator, node.left, node.right, Int(None), node.span)
        try:
            value: Value = evaluate(wide, state, iter(()))
        except Undefined:
            continue
        if isinstance(value, int) and not node.type.holds(value):
            yield node.span.line
