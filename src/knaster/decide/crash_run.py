"""A run that ends with a stack: found by an engine on the program with the stack (`transform.stack_product`), replayed.

First a run is asked for that passes all lines which a path of the control flow passes, then, where there is none, one
line less at a time, from the last on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import replace
from knaster.checkers.runs.replay import replay
from knaster.decide.projections.runs_through import NotDecided, edges_on, run_through
from knaster.evidence.answers.crash import CrashPath, Passed
from knaster.evidence.traces.trace import Trace
from knaster.frontends.text.stack_traces import Frame
from knaster.program.model import Call, Program
from knaster.transform.reduction import Reduction
from knaster.transform.stack_product import StackFrame, add_stack
from knaster.views.weighted.control_flow import places_of, returns_of

LONGEST = 10_000  # steps of a run that are shown


def find_run(found: CrashPath, through: Collection[int], budget: Budget) -> CrashPath:
    """Return what is known of a stack besides its path: a run that has it, that none has, or why it is open."""
    program = found.program
    reduction = add_stack(program, _frames(program, found.frames), places_of(program, found.frames[0]))
    wanted = list(found.touched)
    try:
        run = _run(reduction, wanted, budget)
        while run is None and wanted:
            wanted.pop()
            run = _run(reduction, wanted, budget)
    except (NotDecided, OutOfBudget) as reason:
        return replace(found, undecided=str(reason))
    if run is None:
        return replace(found, excluded=True)
    if run.expanded_length > LONGEST:
        return replace(found, undecided=f"a run of more than {LONGEST:,} steps is not shown")
    _check_stack(program, found.frames, run)
    passed = {edge.span.line for edge in edges_on(run)} | {found.path[-1].line}
    lines = tuple(dict.fromkeys(through))
    touched, missed = (tuple(n for n in lines if (n in passed) is inside) for inside in (True, False))
    return replace(found, run=run, path=tuple(_statements(program, run)), touched=touched, missed=missed)


def _frames(program: Program, frames: tuple[Frame, ...]) -> list[StackFrame]:
    """Return the frames, outermost first, with the calls that each can wait at."""
    made = [StackFrame(frames[0].procedure)]
    for inner, frame in pairwise(frames):
        own = program.procedure(frame.procedure)
        numbers = {number for _, _, number in returns_of(program, frame, inner.procedure)}
        calls = frozenset(id(edge) for number, edge in enumerate(own.edges) if number in numbers)
        made.append(StackFrame(own.name, calls))
    return made[::-1]


def _run(reduction: Reduction, lines: list[int], budget: Budget) -> Trace | None:
    """Return a run with the stack that passes all of some lines, replayed; None where there is none."""
    edges = [edge for own in reduction.program.procedures for edge in own.edges if edge.origin is not None]
    sets = [[edge for edge in edges if edge.span.line == line] for line in lines]
    last = {target.line for target in reduction.targets}
    sets = [each for line, each in zip(lines, sets, strict=True) if line not in last]
    found = run_through(reduction.program, tuple(reduction.targets), sets, budget)
    if found is None:
        return None
    target, run = reduction.back(*found)
    replay(reduction.original, run, target)
    return run


def _check_stack(program: Program, frames: tuple[Frame, ...], run: Trace) -> None:
    """Raise `InternalError` where a run ends with another stack than the one asked for."""
    stack = [path.procedure for path in run.paths][::-1]
    if stack[: len(frames)] != [frame.procedure for frame in frames]:
        raise InternalError("a run that is said to end with a stack ends with another one")
    for path, frame in zip(run.paths[::-1][1:], frames[1:], strict=False):
        edge = path.steps[-1].edge
        if not isinstance(edge.action, Call) or frame.line not in (None, edge.span.line):
            raise InternalError("a run that is said to end with a stack waits at another call")


def _statements(program: Program, run: Trace) -> Iterator[Passed]:
    """Yield the statements that a run stands before, the last one included."""
    for depth, outer in enumerate(run.paths):
        stack = [(outer, 0)]
        while stack:
            path, index = stack.pop()
            if index == len(path.steps):
                continue
            step = path.steps[index]
            yield Passed(depth + len(stack), path.procedure, step.edge.span.line)
            stack.append((path, index + 1))
            if step.inside is not None:
                stack.append((step.inside, 0))
    edges = program.procedure(run.procedure).leaving.get(run.location, ())
    if edges:
        yield Passed(len(run.paths) - 1, run.procedure, edges[0].span.line)
