"""A run to a target, in a file: what each thread does in one go, edge by edge, with inputs and what is written.

The runs inside calls come before those that call them, as in `lasso`; `checkers.runs.run` replays the whole.  A run
with references is what each thread decides, step by step, one with memory the inputs that it reads and the lines that
it takes (`memory.memory_run`): the interpreter does the rest again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.reading import expect, has_keys, list_of, numbers, values
from knaster.evidence.traces.recorder import PathRecorder, trace_of_turns
from knaster.evidence.traces.trace import Path, Trace, inner_first
from knaster.program.model import Assign, Call, Edge, Kind, Procedure, Program, Return
from knaster.program.state import State
from knaster.program.types import Value
from knaster.semantics.sequential import state_after_return


def to_fields(trace: Trace, program: Program) -> dict[str, Any]:
    """Return a run as fields of a document."""
    if program.kind is Kind.REFERENCES:
        return {"run": {"decisions": [list(turn) for turn in _decisions(trace, program)]}}
    if program.kind is Kind.MEMORY:
        from knaster.evidence.proofs.memory.memory_run import run_to_fields

        return run_to_fields(trace)
    number = {path: index for index, path in enumerate(inner_first(trace.paths))}
    segments = [[segment.thread, [number[path] for path in segment.paths]] for segment in trace.segments]
    return {"run": {"paths": [row_of(path, program, number) for path in number], "segments": segments}}


def row_of(path: Path, program: Program, number: Mapping[Path, int]) -> list[Any]:
    """Return a path as a list, with what each step writes."""
    procedure = program.procedure(path.procedure)
    positions = {id(edge): at for at, edge in enumerate(procedure.edges)}
    steps = []
    for step in path.steps:
        at = positions.get(id(step.edge))
        edge = procedure.edges.index(step.edge) if at is None else at
        inside = None if step.inside is None else number[step.inside]
        steps.append([edge, list(step.inputs), inside, [[x, step.after[x]] for x in _targets(procedure, step.edge)]])
    return [path.procedure, path.begin, [path.start[name] for name in program.scope(procedure)], steps]


def _targets(procedure: Procedure, edge: Edge) -> tuple[str, ...]:
    if isinstance(edge.action, Return):
        return procedure.results
    return edge.action.targets if isinstance(edge.action, Assign) else ()


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Trace:
    """Return the run of a document."""
    data = document["run"]
    if program.kind is Kind.REFERENCES:
        return _heap_trace(data, program, budget)
    if program.kind is Kind.MEMORY:
        from knaster.evidence.proofs.memory.memory_run import run_from_fields

        return run_from_fields(document, program)
    has_keys(data, {"paths", "segments"}, "'run'")
    paths: list[Path] = []
    for row in list_of(data["paths"], "paths"):
        budget.check()
        paths.append(path_of(row, program, paths))
    return trace_of_rows(list_of(data["segments"], "segments"), paths, program)


def trace_of_rows(rows: Sequence[object], paths: Sequence[Path], program: Program) -> Trace:
    """Return the run of segments that are written down with the numbers of their paths."""
    turns = [_turn(row, paths) for row in rows]
    expect(bool(turns), "a run has no segments")
    last = turns[-1][1][-1]
    entry = program.procedure(last.procedure).entry if last.begin is None else last.begin
    return trace_of_turns(turns, last.steps[-1].edge.target if last.steps else entry)


def _turn(row: object, paths: Sequence[Path]) -> tuple[int, tuple[Path, ...]]:
    parts = list_of(row, "a segment")
    expect(len(parts) == 2 and type(parts[0]) is int, "a segment is of no thread")
    own = numbers(parts[1])
    expect(bool(own) and all(0 <= number < len(paths) for number in own), "a segment consists of no paths")
    return parts[0], tuple(paths[number] for number in own)


def path_of(row: object, program: Program, known: Sequence[Path]) -> Path:
    """Return the path of a list; those inside its calls are known."""
    parts = list_of(row, "a path")
    expect(len(parts) == 4, "a path has not four parts")
    name, begin, start, steps = parts
    procedures = {procedure.name: procedure for procedure in program.procedures}
    expect(isinstance(name, str) and name in procedures, "a path is in no procedure")
    procedure = procedures[name]
    expect(begin is None or (type(begin) is int and 0 <= begin < procedure.size), "a path begins nowhere")
    scope, given = program.scope(procedure), values(start)
    expect(len(scope) == len(given), "a path begins with more or fewer values than there are variables")
    recorder = PathRecorder(name, dict(zip(scope, given, strict=True)), begin)
    for entry in list_of(steps, "steps"):
        _take(entry, program, procedure, recorder, known)
    return recorder.path()


def _take(entry: object, program: Program, procedure: Procedure, recorder: PathRecorder, known: Sequence[Path]) -> None:
    parts = list_of(entry, "a step")
    expect(len(parts) == 4, "a step has not four parts")
    number, given, inside, written = parts
    expect(type(number) is int and 0 <= number < len(procedure.edges), "a step takes no edge")
    expect(inside is None or (type(inside) is int and 0 <= inside < len(known)), "what is inside a step is no path")
    edge, inner = procedure.edges[number], None if inside is None else known[inside]
    before = recorder.state
    after: State | None = {**before, **dict(_pair(pair) for pair in list_of(written, "what is written"))}
    if inner is not None and isinstance(edge.action, Call):
        callee = program.procedure(edge.action.procedure)
        expect(inner.procedure == callee.name, "a call has a run of another procedure inside")
        after = state_after_return(program, procedure, callee, edge.action, before, inner.end)
    if after is None:
        raise ProofError(f"the proof does not hold: its run cannot take line {edge.span.line} of '{procedure.name}'")
    recorder.step(edge, after, values(given), inner)


def _pair(data: object) -> tuple[str, Value]:
    parts = list_of(data, "a written variable")
    expect(len(parts) == 2 and isinstance(parts[0], str), "a written variable has no name")
    return parts[0], values(parts[1:])[0]


def _decisions(trace: Trace, program: Program) -> Iterator[tuple[int, list[int]]]:
    """Yield what each thread does in one go: the numbers of the alternatives that its steps take."""
    from knaster.semantics.heap.interpreter import Machine

    machine = Machine(program)
    configuration = machine.start()
    for segment in trace.segments:
        taken = []
        todo = [iter(path.steps) for path in reversed(segment.paths)]
        while todo:
            step = next(todo[-1], None)
            if step is None:
                todo.pop()
                continue
            values = list(machine.alternatives(configuration, segment.thread))
            taken.append(values.index(step.inputs[0]) if step.inputs else 0)
            machine.step(configuration, segment.thread, taken[-1])
            if step.inside is not None:
                todo.append(iter(step.inside.steps))
        yield segment.thread, taken


def _heap_trace(data: object, program: Program, budget: Budget) -> Trace:
    """Return the run of some decisions; raise `ProofError` where one cannot be taken."""
    from knaster.evidence.traces.heap_recorder import HeapRecorder
    from knaster.semantics.heap.failure import Fails
    from knaster.semantics.heap.interpreter import FailedAssume, Machine

    has_keys(data, {"decisions"}, "'run'")
    assert isinstance(data, dict)
    machine = Machine(program)
    recorder = HeapRecorder(machine, machine.start())
    for row in list_of(data["decisions"], "decisions"):
        parts = list_of(row, "a turn")
        expect(len(parts) == 2 and type(parts[0]) is int, "a turn is of no thread")
        threads = recorder.configuration.threads
        expect(1 <= parts[0] <= len(threads) and bool(threads[parts[0] - 1]), f"there is no thread {parts[0]}")
        recorder.run(parts[0])
        for alternative in numbers(parts[1]):
            budget.check()
            try:
                expect(bool(threads[parts[0] - 1]), f"thread {parts[0]} has ended")
                known = range(len(machine.alternatives(recorder.configuration, parts[0])))
                expect(alternative in known, "an alternative is none")
                recorder.step(alternative)
            except (Fails, FailedAssume) as wrong:
                raise ProofError(f"the proof does not hold: its run cannot take a step: {wrong}") from None
    return recorder.trace()
