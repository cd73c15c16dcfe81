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
from knaster.evidence.traces.recorder import whole_path
from knaster.evidence.traces.trace import Path
from knaster.program.bit_state import Bits, BitState
from knaster.program.expression import TRUE, Const, Expr, Var, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Program, Return
from knaster.program.state import State
from knaster.semantics.bit_steps import BitSteps
from knaster.views.symbolic.frame import Frame

if TYPE_CHECKING:
    from knaster.views.symbolic.symbolic_program import SymbolicProgram

_Entry = tuple[str, Bits]  # a procedure, and its state at its entry
_Run = Generator[_Entry, Path | None, Path | None]


class ForcedRuns:
    """The only runs of those procedures of a program that never choose."""

    def __init__(self, symbolic: SymbolicProgram, budget: Budget) -> None:
        self.program = symbolic.program
        self.frames = symbolic.frames
        self.budget = budget
        self._steps = BitSteps(self.program)
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
        bit = self._steps.scope(name).bit
        entered = self.program.globals + self.frames[name].procedure.parameters
        entry = name, sum([bit[variable] for variable in entered if inputs[variable]])
        if entry not in self._runs:
            self._runs[entry] = answer(self._follow(entry), self._follow, self._runs)
        return self._runs[entry]

    def _follow(self, entry: _Entry) -> _Run:
        """Take the only step at each location until the exit; None where there is not exactly one."""
        self.budget.check()
        name, bits = entry
        procedure, scope = self.frames[name].procedure, self._steps.scope(name)
        location, leave, ready = procedure.entry, procedure.exit, self._steps.ready(name)
        leaving, start = procedure.leaving, scope.state(bits)
        taken: list[Edge] = []
        states: list[State] = []
        insides: list[Path | None] = []
        while location != leave:
            only: Edge | None = None
            for edge in leaving.get(location, ()):
                change = ready.get(id(edge)) or self._steps.change(procedure, edge)
                if change is None:
                    return None
                if change.passes is None or change.passes(bits):
                    if only is not None:
                        return None
                    only, chosen = edge, change
            if only is None:
                return None
            inside = None
            if chosen.come_back is not None:
                assert chosen.write is not None and isinstance(only.action, Call)
                inside = yield only.action.procedure, chosen.write(bits)
                if inside is None:
                    return None
                end = inside.end
                assert isinstance(end, BitState)
                bits = chosen.come_back(bits, end.bits)
            elif chosen.write is not None:
                bits = chosen.write(bits)
            taken.append(only)
            states.append(scope.state(bits))
            insides.append(inside)
            location = only.target
            if len(taken) & 255 == 0:
                self.budget.check()
        return whole_path(name, start, taken, states, insides)


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
