"""Runs inside one activation, replayed: rows of a proof file, each after those of the calls inside it.

A row is [procedure, location where it resumes or null, values of all variables in scope, steps]; a step is [number of
the edge, inputs, number of the path inside a call that returns or null]; with `says` it has a fourth part, the values
that the step writes, as pairs.  The last step may be a call without a path inside: the next path is then the callee's.

What a path does to sections and threads is kept in its `events`, in their order, because only threads that take turns
give it a meaning; inside a call that is one step no thread is started or ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster_check.evaluate import State, can_be
from knaster_check.formula import read_value
from knaster_check.program import Call, Edge, Procedure, Program, Thread
from knaster_check.refused import Refused, expect, list_of, number_of, text_of
from knaster_check.steps import check_entry, state_after_return, state_of, take
from knaster_check.work import STEP, Tick

# mutant: a name of a type
Event = tuple[str, Edge | None, State]  # the operation, its edge, and the state in which it is done


class Path:
    """A replayed path: where it stands and in which state, and the call that the next path enters, with its inputs."""

    def __init__(self, procedure: Procedure, begin: int | None, location: int, state: State) -> None:
        self.procedure, self.begin, self.start = procedure, begin, state
        self.location, self.state = location, state
        self.calling: Edge | None = None
        self.inputs: Sequence[Any] = ()
        self.events: list[Event] = []
        self.length = 0
        self.steps: list[tuple[Edge, State, Path | None]] = []  # its edge, the state before, the run inside

    @property
    def section(self) -> bool | None:
        """Whether a section is open after it; None where it opens and ends none."""
        marks = [operation for operation, _, _ in self.events if operation.startswith("atomic")]
        return marks[-1] == "atomic_begin" if marks else None


def replay_paths(program: Program, data: object, says: bool, tick: Tick) -> list[Path]:
    """Return the paths of some rows, each step checked."""
    paths: list[Path] = []
    for number, row in enumerate(list_of(data, "paths")):
        # mutant: how much work it is said to be
        tick(STEP * (1 + len(list_of(list_of(row, "a path", 4)[3], "steps"))))
        try:
            paths.append(_replay_path(program, row, says, paths))
        except Refused as wrong:
            raise type(wrong)(wrong.reason, wrong.place or f"path {number}") from None
    return paths


def _replay_path(program: Program, row: object, says: bool, inner: Sequence[Path]) -> Path:
    name, begin, start, steps = list_of(row, "a path", 4)
    expect(text_of(name, "a path") in program.procedures, f"there is no procedure '{name}'")
    procedure = program.procedures[name]
    location = procedure.entry if begin is None else number_of(begin, "a path", procedure.size)
    state = state_of(program, procedure, read_value(list_of(start, "a start")))
    path = Path(procedure, begin, location, state)
    for step in list_of(steps, "steps"):
        expect(path.calling is None, f"'{name}' goes on although it waits for a call")
        ended = bool(path.events) and path.events[-1][0] == "end_thread"
        expect(not ended, f"'{name}' goes on although its thread has ended")
        _replay_step(program, path, list_of(step, "a step", 4 if says else 3), inner)
    return path


def _replay_step(program: Program, path: Path, row: list[Any], inner: Sequence[Path]) -> None:
    procedure = path.procedure
    edge = procedure.edges[number_of(row[0], "the edge of a step", len(procedure.edges))]
    inputs, place = read_value(list_of(row[1], "inputs")), f"'{procedure.name}', line {edge.line}"
    said = dict(read_pair(pair) for pair in list_of(row[3], "values")) if len(row) == 4 else None
    expect(edge.source == path.location, "the edge starts elsewhere", place)
    internal = not isinstance(edge.action, Call | Thread)
    expect(internal or not said, "a call or a thread statement writes nothing", place)
    expect(row[2] is None or isinstance(edge.action, Call), "a step that is no call has a path inside", place)
    path.length += 1
    inside: Path | None = None
    before = edge, path.state
    try:
        match edge.action:
            case Call() if row[2] is None:
                path.calling, path.inputs = edge, inputs
                path.steps.append((*before, None))
                return
            case Call():
                inside = inner[number_of(row[2], "the path inside a call", len(inner))]
                path.state = _pass_over(program, path, edge.action, inside, inputs)
            case Thread(operation):
                _note(path, operation, edge)
            case _:
                path.state = take(program, procedure, edge, path.state, inputs, said)
    except Refused as wrong:
        raise type(wrong)(wrong.reason, wrong.place or place) from None
    path.location = edge.target
    path.steps.append((*before, inside))


def read_pair(data: object) -> tuple[str, Any]:
    """Return a name and a value."""
    name, value = list_of(data, "a written variable", 2)
    return text_of(name, "a written variable"), read_value(value)


def enter(program: Program, caller: State, call: Call, inside: Path, inputs: Sequence[Any]) -> None:
    """Refuse where a call does not begin a path."""
    expect(inside.procedure.name == call.procedure and inside.begin is None, "another procedure is entered")
    check_entry(program, inside.procedure, call.arguments, caller, inside.start, inputs)


def _pass_over(program: Program, path: Path, call: Call, inside: Path, inputs: Sequence[Any]) -> State:
    """Return the state after a call that returns, whose run is `inside`."""
    enter(program, path.state, call, inside, inputs)
    expect(inside.calling is None and inside.location == inside.procedure.exit, "the run inside does not return")
    for operation, _, _ in inside.events:
        expect(operation.startswith("atomic"), f"'{operation}' inside a call that is one step")
    if inside.section is not None:
        path.events.append(("atomic_begin" if inside.section else "atomic_end", None, path.state))
    return state_after_return(program, path.procedure, inside.procedure, call, path.state, inside.state)


def _note(path: Path, operation: str, edge: Edge) -> None:
    allowed = operation == "end_thread" or can_be(path.procedure.enforce, True, path.state, None)
    expect(allowed, f"'{path.procedure.name}' enforces something else")
    expect(operation not in ("wait", "broadcast"), f"nothing is known of '{operation}'")
    path.events.append((operation, edge, path.state))
