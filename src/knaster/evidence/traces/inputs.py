"""Inputs: from a trace, the values that the run reads, in order, and where."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.records import dataclass
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.expression import Choice, postorder
from knaster.program.liveness import live_variables
from knaster.program.model import Assign, Edge, Program, expressions
from knaster.program.types import Type, Value

MOST = 10_000


@dataclass(frozen=True, slots=True)
class Input:
    """A value that a run reads: where, from which function or uninitialised variable, and which."""

    line: int
    procedure: str
    name: str  # `f()`, or the name of a variable that nobody initialised
    type: Type
    value: Value


def list_inputs(program: Program, trace: Trace, limit: int = MOST, live_only: bool = False) -> list[Input]:
    """Return the first inputs of a run, calls expanded; variables that nobody reads are left out.

    With `live_only`, so are the results of functions that nobody reads.
    """
    live = live_variables(program)
    scopes = {procedure.name: program.scope(procedure) for procedure in program.procedures}
    found: list[Input] = []
    for path, edge, values in _steps(trace, limit):
        if not values or edge is None:
            continue
        mask, scope = live[path.procedure][edge.target], scopes[path.procedure]
        for choice, target, value in zip(_choices(edge), _targets(edge), values, strict=False):
            by_name = choice.origin.endswith("()") and not live_only
            if by_name or target not in scope or mask >> scope.index(target) & 1:
                line = choice.span.line or edge.span.line
                found.append(Input(line, path.procedure, choice.origin or target, choice.type, value))
        if len(found) >= limit:
            break
    return found


def _steps(trace: Trace, limit: int) -> Iterator[tuple[Path, Edge | None, tuple[Value, ...]]]:
    """Yield the steps of a run in the order of execution, calls expanded, not more than a number of them."""
    left = 100 * limit
    for path in trace.paths:
        stack = [(path, 0)]
        while stack and left > 0:
            left -= 1
            running, index = stack.pop()
            if index == len(running.steps):
                continue
            step = running.steps[index]
            yield running, step.edge, step.inputs
            stack.append((running, index + 1))
            if step.inside is not None:
                stack.append((step.inside, 0))


def _choices(edge: Edge) -> list[Choice]:
    return [node for expr in expressions(edge.action) for node in postorder(expr) if isinstance(node, Choice)]


def _targets(edge: Edge) -> tuple[str, ...]:
    """Return the variable that each choice of an edge goes to; the edge's first target where that is not one to one."""
    if isinstance(edge.action, Assign):
        return tuple(
            target
            for target, value in zip(edge.action.targets, edge.action.values, strict=True)
            for node in postorder(value)
            if isinstance(node, Choice)
        )
    return ("",) * len(_choices(edge))
