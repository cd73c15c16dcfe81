"""Section flags: from a Boolean program with threads, at which locations a thread is inside an atomic section.

In a program with references that is a matter of the text: an edge keeps others from running, or does not.  Where it
depends on the run instead, the program is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import UnsupportedError
from knaster.program.model import Call, Concurrent, Edge, Location, Procedure, Program, ThreadOperation

Flags = Mapping[Location, bool]
_SECTION = (ThreadOperation.ATOMIC_BEGIN, ThreadOperation.ATOMIC_END)


def section_flags(program: Program) -> dict[str, Flags]:
    """Return for each procedure, called outside of sections, where it is inside one of its own."""
    inside: set[str] = set()
    flags = {each.name: _flags_of(program, each, inside) for each in program.procedures}
    todo = list(inside)
    while todo:
        for edge in program.procedure(todo.pop()).edges:
            if isinstance(edge.action, Concurrent) and edge.action.operation is not ThreadOperation.START:
                raise refusal(f"'{edge.action.operation.value}' in a procedure that is called inside a section", edge)
            if isinstance(edge.action, Call) and edge.action.procedure not in inside:
                inside.add(edge.action.procedure)
                todo.append(edge.action.procedure)
    return flags


def refusal(problem: str, edge: Edge) -> UnsupportedError:
    """Return what is raised where a statement has no counterpart."""
    return UnsupportedError(f"as a program with references: {problem}", edge.span)


def _flags_of(program: Program, procedure: Procedure, inside: set[str]) -> Flags:
    """Return the flags of one procedure; note whom it calls inside a section."""
    flags = {procedure.entry: False}
    todo = [procedure.entry]
    while todo:
        location = todo.pop()
        for edge in procedure.leaving.get(location, ()):
            after = _after(edge, flags[location])
            if isinstance(edge.action, Call) and after:
                inside.add(edge.action.procedure)
            if edge.target not in flags:
                flags[edge.target] = after
                todo.append(edge.target)
            elif flags[edge.target] is not after:
                raise refusal("an atomic section that only some runs are in at its end", edge)
    if flags.get(procedure.exit):
        if _is_called(program, procedure.name):
            raise refusal("a procedure that leaves an atomic section to its caller", procedure.edges[-1])
        flags[procedure.exit] = False  # the end of a thread is the end of its section
    return flags


def _after(edge: Edge, inside: bool) -> bool:
    if isinstance(edge.action, Concurrent) and edge.action.operation in _SECTION:
        return edge.action.operation is ThreadOperation.ATOMIC_BEGIN
    return inside


def _is_called(program: Program, name: str) -> bool:
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    return any(isinstance(edge.action, Call) and edge.action.procedure == name for edge in edges)
