"""Inputs: from a trace, the values that the run reads, in order, and where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from knaster.base.records import dataclass
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.expression import Choice, postorder
from knaster.program.liveness import live_variables
from knaster.program.model import Assign, Edge, Kind, Program, expressions
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
    if program.kind is Kind.MEMORY:
        from knaster.evidence.traces.memory_inputs import list_memory_inputs

        return list_memory_inputs(program, trace, limit)
    is_live = _Liveness(program)
    found: list[Input] = []
    for path, edge, values in _steps(trace, limit):
        if not values or edge is None:
            continue
        for choice, target, value in zip(_choices(edge), _targets(edge), values, strict=False):
            by_name = choice.origin.endswith("()") and not live_only
            if by_name or is_live(target, path.procedure, edge.target):
                line = choice.span.line or edge.span.line
                found.append(Input(line, path.procedure, choice.origin or target, choice.type, value))
        if len(found) >= limit:
            break
    return found


class _Liveness:
    """Which variables are live where; computed when the first one is asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def live(self) -> dict[str, tuple[int, ...]]:
        return live_variables(self.program)

    def __call__(self, variable: str, procedure: str, location: int) -> bool:
        """Tell whether a variable is live at a location; what is no variable of the procedure counts as live."""
        scope = self.program.scope(self.program.procedure(procedure))
        return variable not in scope or bool(self.live[procedure][location] >> scope.index(variable) & 1)


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
