"""`knaster crash`: a run, or a shortest path of the control flow, that ends with a stack (BTRACE; Lal 2009, 4.3)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from knaster.base.deadline import within_time
from knaster.base.errors import UsageError
from knaster.base.hints import did_you_mean
from knaster.base.limits import Budget, Limits
from knaster.base.records import replace
from knaster.decide.asked import Source
from knaster.decide.crash_run import find_run
from knaster.decide.crew import start_at
from knaster.evidence.answers.crash import CrashPath, Passed
from knaster.frontends.text.stack_traces import Frame, read_stack
from knaster.program.model import Place, Program
from knaster.pushdown.fast.tours import Tour, best_tour_into
from knaster.pushdown.icfg import CONTROL, FlowGraph
from knaster.pushdown.system import Configuration
from knaster.views.weighted.control_flow import control_flow, places_of, stacks_of
from knaster.views.weighted.flow_graph import refuse_others


def crash(
    source: str | os.PathLike[str] | Program,
    stack: str,
    through: Collection[int] = (),
    *,
    file: str | None = None,
    entry: str | None = None,
    dialect: str = "default",
    replay: bool = True,
    limits: Limits = Limits(),  # noqa: B008  # frozen
    **reading: object,
) -> CrashPath:
    """Return a shortest path of the control flow that ends with a stack, through as many of some lines as possible.

    `stack` is the text of a stack trace.  Where an engine decides it, the answer is a run instead, replayed, or that
    there is none; with `replay` false conditions are not looked at.
    """
    budget = Budget.of(limits)
    program = start_at(Source(source, file, dialect, reading).read()[0], entry)
    refuse_others(program)
    listed = read_stack(stack)
    frames = _own_frames(program, listed)
    found = within_time(budget, "the path was computed", lambda: _path(program, frames, tuple(dict.fromkeys(through))))
    found = replace(found, inner=tuple(frame.procedure for frame in listed[: listed.index(frames[0])]))
    return find_run(found, through, budget) if replay and found.path else found


def _own_frames(program: Program, frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """Return the frames of the program: not what its innermost function calls, nor what calls its entry."""
    names = {own.name for own in program.procedures}
    inner = next((number for number, frame in enumerate(frames) if frame.procedure in names), None)
    if inner is None:
        raise UsageError(f"no frame of the stack is of {program.file}; the first is '{frames[0].procedure}'")
    own = list(frames[inner:])
    last = max((number for number, frame in enumerate(own) if frame.procedure == program.threads[0]), default=None)
    outside = [number for number, frame in enumerate(own) if frame.procedure in names]
    own = own if last is None else own[: max(last, *outside) + 1]
    for frame in own:
        if frame.procedure not in names:
            hint = did_you_mean(frame.procedure, names)
            raise UsageError(f"there is no procedure '{frame.procedure}' in {program.file}; {hint}".rstrip("; "))
    return tuple(own)


def _path(program: Program, frames: tuple[Frame, ...], through: tuple[int, ...]) -> CrashPath:
    graph = control_flow(program)
    wanted = {place: line for line in through for place in _first_places(program, line)}
    tour = _tour(program, graph, frames, list(wanted))
    if tour is None:
        return CrashPath(program, frames, (), misfit=_misfit(program, graph, frames))
    touched = {wanted[place] for place in tour.touched if place in wanted}
    end = program.procedure(frames[0].procedure).leaving.get(tour.end.stack[0][1], ())  # type: ignore[index]
    touched |= {line for line in through if any(edge.span.line == line for edge in end)}
    ordered = tuple(line for line in through if line in touched)
    missed = tuple(line for line in through if line not in touched)
    return CrashPath(program, frames, tuple(_statements(program, tour)), ordered, missed)


def _tour(program: Program, graph: FlowGraph[bool], frames: Sequence[Frame], wanted: list[Place]) -> Tour[bool] | None:
    goals: Any = stacks_of(program, frames)
    if goals is None:
        return None
    start = Configuration(CONTROL, (graph.main.entry,))
    return best_tour_into(graph.system, start, goals, wanted)


def _first_places(program: Program, line: int) -> Iterator[Place]:
    """Yield the first place of each procedure on a line."""
    places = [places_of(program, Frame(own.name, line)) for own in program.procedures]
    if not any(places):
        raise UsageError(f"no statement begins on line {line} of {program.file}")
    yield from (min(own) for own in places if own)


def _misfit(program: Program, graph: FlowGraph[bool], frames: tuple[Frame, ...]) -> str:
    """Return which frame is the first, from the entry on, that no path reaches."""
    entry = program.threads[0]
    if frames[-1].procedure != entry and any(frame.procedure == entry for frame in frames):
        return f"{frames[-1]} stands outside of the entry '{entry}'; the innermost frame is listed first"
    for number in range(len(frames) - 1, -1, -1):
        frame = frames[number]
        if not places_of(program, frame):
            return f"no statement of '{frame.procedure}' begins on line {frame.line}"
        if _tour(program, graph, frames[number:], []) is None:
            outer = f", called from {frames[number + 1]}" if number + 1 < len(frames) else ""
            return f"no path of the control flow comes to {frame}{outer}"
    return "no path of the control flow has all frames together"


def _statements(program: Program, tour: Tour[bool]) -> Iterator[Passed]:
    """Yield the statements that a path stands before, the last one included."""
    depth = 0
    for rule in (*tour.run, None):
        symbol: Any = tour.end.stack[0] if rule is None else rule.symbol
        if len(symbol) == 2:  # a place, not what lies on the stack during a call
            edges = program.procedure(symbol[0]).leaving.get(symbol[1], ())
            if edges:
                yield Passed(depth, symbol[0], edges[0].span.line)
        if rule is not None:
            depth += len(rule.push) - 1
