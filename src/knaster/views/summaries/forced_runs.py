"""Forced runs: from a procedure that never chooses and the state in which it is entered, its only run.

Where neither a procedure nor one that it calls makes a choice, a state at its entry has one run at most.  A summary
says that there is one, so nothing has to be searched for (`rings`): the run is followed step by step, each call by the
run of its callee, and equal entries share their run.

Explaining a call may need another: questions are yielded to `trampoline.answer`, as in `shortest_traces`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import TYPE_CHECKING

from knaster.base.limits import Budget
from knaster.base.trampoline import answer
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path
from knaster.program.expression import TRUE, Const, Expr, Var, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return
from knaster.program.state import State
from knaster.semantics.sequential import only_values, values
from knaster.views.symbolic.frame import Frame

if TYPE_CHECKING:
    from knaster.views.symbolic.symbolic_program import SymbolicProgram

_Entry = tuple[str, tuple[bool, ...]]  # a procedure, and the values of globals and parameters at its entry
_Run = Generator[_Entry, Path | None, Path | None]


class ForcedRuns:
    """The only runs of those procedures of a program that never choose."""

    def __init__(self, symbolic: SymbolicProgram, budget: Budget) -> None:
        self.program = symbolic.program
        self.frames = symbolic.frames
        self.budget = budget
        self._choosing: frozenset[str] | None = None
        self._runs: dict[_Entry, Path | None] = {}

    def find(self, name: str, inputs: Mapping[str, bool]) -> Path | None:
        """Return the run of a procedure from its entry with these globals and parameters; None where it may choose.

        Requires: there is a run.
        """
        if self._choosing is None:
            self._choosing = _find_choosing(self.program, self.frames)
        if name in self._choosing:
            return None
        procedure = self.frames[name].procedure
        entry = name, tuple(inputs[variable] for variable in self.program.globals + procedure.parameters)
        if entry not in self._runs:
            self._runs[entry] = answer(self._follow(entry), self._follow, self._runs)
        return self._runs[entry]

    def _follow(self, entry: _Entry) -> _Run:
        """Take the only step at each location until the exit; None where there is not exactly one."""
        self.budget.check()
        name, entered = entry
        frame = self.frames[name]
        procedure, leaving = frame.procedure, frame.procedure.leaving
        state: State = {
            **dict.fromkeys(frame.slots, False),
            **dict(zip(self.program.globals + procedure.parameters, entered, strict=True)),
        }
        recorder, location = PathRecorder(name, state), procedure.entry
        while location != procedure.exit:
            edge = _only_edge(leaving.get(location, ()), state)
            if edge is None:
                return None
            action, inside = edge.action, None
            if isinstance(action, Call):
                inside = yield self._enter(action, state)
                if inside is None:
                    return None
                state = self._return(action, state, inside.end)
            elif not isinstance(action, Assume):
                state = _write(procedure, action, state)
            recorder.step(edge, state, inside=inside)
            location = edge.target
            if len(recorder.steps) & 255 == 0:
                self.budget.check()
        return recorder.path()

    def _enter(self, call: Call, state: State) -> _Entry:
        shared = tuple([bool(state[name]) for name in self.program.globals])
        return call.procedure, shared + _values(call.arguments, state)

    def _return(self, call: Call, state: State, end: State) -> State:
        after = dict(state)
        for name in self.program.globals:
            after[name] = end[name]
        for target, result in call.results(self.frames[call.procedure].procedure):
            after[target] = end[result]
        return after


def _only_edge(edges: Iterable[Edge], state: State) -> Edge | None:
    """Return the only edge that can be taken; None where there is none or more than one."""
    only: Edge | None = None
    for edge in edges:
        action = edge.action
        if not isinstance(action, Assume) or action.condition is TRUE or values(action.condition, state)[1]:
            if only is not None:
                return None
            only = edge
    return only


def _write(procedure: Procedure, action: object, state: State) -> State:
    """Return the state after an assignment or a return."""
    match action:
        case Assign(targets, expressions):
            pass
        case Return(expressions):
            targets = procedure.results
        case _:
            raise AssertionError("an action that was taken for one of a procedure that never chooses")
    return {**state, **dict(zip(targets, _values(expressions, state), strict=True))}


def _values(expressions: tuple[Expr, ...], state: State) -> tuple[bool, ...]:
    """Return the values of expressions without choice."""
    known = only_values(expressions, state)
    return known if known is not None else tuple(values(value, state)[1] for value in expressions)


def _find_choosing(program: Program, frames: Mapping[str, Frame]) -> frozenset[str]:
    """Return the procedures that may have several runs from one state at their entry, by themselves or by a call."""
    callers: dict[str, set[str]] = {}
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                callers.setdefault(edge.action.procedure, set()).add(procedure.name)
    choosing: set[str] = set()
    todo = [procedure.name for procedure in program.procedures if _chooses(program, frames[procedure.name])]
    while todo:
        name = todo.pop()
        if name not in choosing:
            choosing.add(name)
            todo += callers.get(name, ())
    return frozenset(choosing)


def _chooses(program: Program, frame: Frame) -> bool:
    """Tell whether a procedure chooses by itself: in a step, or by a local that is read before it is written."""
    procedure = frame.procedure
    if procedure.enforce is not TRUE or not frame.at_entry.issubset(program.globals + procedure.parameters):
        return True
    return any(_is_chosen(edge) for edge in procedure.edges)


def _is_chosen(edge: Edge) -> bool:
    match edge.action:
        case Assume(condition):
            return _may_choose((condition,))
        case Assign(_, expressions, constraint):
            return constraint is not TRUE or _may_choose(expressions)
        case Return(expressions) | Call(_, expressions):
            return _may_choose(expressions)
        case _:
            return True


def _may_choose(expressions: Iterable[Expr]) -> bool:
    return any(not isinstance(value, Const | Var) and has_choice(value) for value in expressions)
