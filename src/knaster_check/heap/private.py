"""Steps of a thread that no other thread can notice, from the text of a program.

Such a step reads and writes nothing but the frames of its own thread, and cannot wait: a test of an `if` or a `while`
of locals, an assignment between locals, a new cell without initial values, a call, a return into locals, a jump, a
trace.  Never an assume, which removes the run for all threads, nor an assert, unless it is of `true`.  It is a mover to
both sides (R. J. Lipton, Reduction, CACM 1975), so the state before it may be left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster_check.fitting import formulas
from knaster_check.heap.machine import Machine
from knaster_check.heap.memory import Frame
from knaster_check.program import TRUE, Assume, Call, Edge, Formula, Print, Procedure, Program, Return, Store


def is_private(machine: Machine, frames: Sequence[Frame], is_new: bool) -> bool:
    """Tell whether nobody notices the next step of a thread; a new thread must not ask for its number."""
    frame = frames[-1]
    edges, own = machine.edges(frame), frame.procedure
    if frame.base or not edges or any(edge.keeps for edge in edges):
        return False
    if is_new and any(node[0] == "self" for edge in edges for formula in formulas(edge.action) for node in formula):
        return False
    if len(frames) > 1 and isinstance(edges[0].action, Return):
        waiting = frames[-2].calling
        assert waiting is not None and isinstance(waiting.action, Call)
        if not all(place is None or is_local(frames[-2].procedure, place) for place in waiting.action.places):
            return False
    return _reads_locals(machine.program, own, edges)


def _reads_locals(program: Program, own: Procedure, edges: Sequence[Edge]) -> bool:
    match edges[0].action:
        case Assume(condition):
            if len(edges) == 1 or condition == TRUE:
                return condition == TRUE
            return reads_own(program, own, condition) and not any(edge.target in own.failures for edge in edges)
        case Store(places, value):
            return reads_own(program, own, value) and all(is_local(own, place) for place in places)
        case Call(_, arguments, _, _, dispatch):
            return not dispatch and all(reads_own(program, own, argument) for argument in arguments)
        case Return(values):
            return all(reads_own(program, own, value) for value in values)
        case Print():
            return True
    return False


def is_local(own: Procedure, place: Formula) -> bool:
    """Tell whether a place is a local variable or a part of one."""
    head, *rest = place
    local = head[0] == "variable" and head[1] in own.parameters + own.locals
    return local and all(node[0] == "part" for node in rest)


def reads_own(program: Program, own: Procedure, formula: Formula) -> bool:
    """Tell whether a formula reads locals only."""
    for node in formula:
        if node[0] in ("field", "index", "size", "member", "apply"):
            return False
        if node[0] == "variable" and node[1] not in own.parameters + own.locals:
            return False
        if node[0] == "new" and program.cells[node[1]].initial:
            return False
    return True
