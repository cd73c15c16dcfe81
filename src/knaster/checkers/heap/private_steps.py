"""Private steps: from the text of a program, the steps of a thread that no other thread can notice.

Such a step reads and writes nothing but the frames of its own thread, and cannot wait: a test of an `if` or a `while`
of locals, an assignment between locals, a new cell without initial values, a call, a return into locals, a jump, a
trace.  Never an assume (a failing one removes the run for all threads), nor an assert, unless it is of `true`.
Whatever the others could do before it they can do after it, with the same outcome, so a table may leave out the state
before it: it is a mover to both sides (Lipton, Reduction: A Method of Proving Properties of Parallel Programs, CACM
18(12), 1975).
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.program.expression import TRUE, Apply, Expr, Field, Index, Member, New, Part, Self, SizeOf, Var, postorder
from knaster.program.model import Assume, Call, Edge, Location, Return
from knaster.program.objects import ClassCell, Print, Store
from knaster.semantics.heap.configuration import Frame
from knaster.semantics.heap.interpreter import Machine


class PrivateSteps:
    """Tells for the locations of one program whether the step there can be noticed."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.known: dict[tuple[str, Location], bool] = {}
        self.numbered: dict[tuple[str, Location], bool] = {}

    def asks_its_number(self, frame: Frame) -> bool:
        """Tell whether the next step of a thread depends on the number of that thread."""
        place = frame.procedure, frame.location
        found = self.numbered.get(place)
        if found is None:
            nodes = (
                node for edge in self.machine.edges_from(frame) for expr in _parts(edge) for node in postorder(expr)
            )
            found = self.numbered[place] = any(isinstance(node, Self) for node in nodes)
        return found

    def has_next(self, frames: list[Frame]) -> bool:
        """Tell whether the next step of a thread is private, unless it fails."""
        frame = frames[-1]
        place = frame.procedure, frame.location
        found = self.known.get(place)
        if found is None:
            found = self.known[place] = self._is_private(frame.procedure, self.machine.edges_from(frame))
        if not found or frame.base:
            return False
        if len(frames) > 1 and isinstance(self.machine.edges_from(frame)[0].action, Return):
            return self._takes(frames[-2])
        return True

    def _is_private(self, procedure: str, edges: Sequence[Edge]) -> bool:
        if not edges or any(edge.keeps for edge in edges):
            return False
        match edges[0].action:
            case Assume(condition):
                failures = self.machine.procedures[procedure].failures
                if len(edges) == 1 or condition == TRUE:
                    return condition == TRUE
                return self._reads(procedure, condition) and not any(edge.target in failures for edge in edges)
            case Store(places, value):
                return self._reads(procedure, value) and all(self._is_local(procedure, place) for place in places)
            case Call(_, arguments, _, _, dispatch):
                return not dispatch and all(self._reads(procedure, argument) for argument in arguments)
            case Return(values):
                return all(self._reads(procedure, value) for value in values)
            case Print():
                return True
            case _:
                return False

    def _takes(self, caller: Frame) -> bool:
        """Tell whether the results of a call go to locals of the caller."""
        assert caller.calling is not None
        call = caller.calling.action
        assert isinstance(call, Call)
        return all(place is None or self._is_local(caller.procedure, place) for place in call.places)

    def _is_local(self, procedure: str, place: Expr) -> bool:
        while isinstance(place, Part):
            place = place.struct
        return isinstance(place, Var) and self._is_own(procedure, place.name)

    def _is_own(self, procedure: str, name: str) -> bool:
        own = self.machine.procedures[procedure]
        return name in own.parameters or name in own.locals

    def _reads(self, procedure: str, expr: Expr) -> bool:
        """Tell whether an expression reads locals only."""
        for node in postorder(expr):
            match node:
                case Field() | Index() | SizeOf() | Member() | Apply():
                    return False
                case Var(name) if not self._is_own(procedure, name):
                    return False
                case New(name):
                    cell = self.machine.cells[name]
                    if isinstance(cell, ClassCell) and cell.initial:
                        return False
        return True


def _parts(edge: Edge) -> Sequence[Expr]:
    """Return the expressions of a step that can be private."""
    match edge.action:
        case Assume(condition):
            return (condition,)
        case Store(places, value):
            return (*places, value)
        case Call(_, arguments, _, places):
            return (*arguments, *(place for place in places if place is not None))
        case Return(values) | Print(_, values):
            return tuple(values)
        case _:
            return ()
