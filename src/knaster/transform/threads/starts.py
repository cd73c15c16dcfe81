"""Starts of threads: which procedures a program starts, at the entry or at a label with a copy of the frame."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.records import replace
from knaster.program.model import Assign, Call, Concurrent, Edge, Location, Procedure, Program, ThreadOperation

Start = tuple[str, Location | None]  # the procedure of a started thread, and where it begins if not at the entry


def edges_of(program: Program) -> Iterable[tuple[Procedure, Edge]]:
    """Return every edge with its procedure."""
    return ((procedure, edge) for procedure in program.procedures for edge in procedure.edges)


def start_of(procedure: Procedure, action: Concurrent) -> Start:
    """Return how a statement of a procedure starts a thread."""
    return (action.procedure, None) if action.procedure is not None else (procedure.name, action.location)


def globals_written_by(program: Program, name: str) -> frozenset[str]:
    """Return the globals that a procedure may write, itself or through the procedures that it calls."""
    written: set[str | None] = set()
    seen, todo = {name}, [name]
    while todo:
        for edge in program.procedure(todo.pop()).edges:
            if isinstance(edge.action, Assign | Call):
                written.update(edge.action.targets)
            if isinstance(edge.action, Call) and edge.action.procedure not in seen:
                seen.add(edge.action.procedure)
                todo.append(edge.action.procedure)
    return frozenset(name for name in program.globals if name in written)


def starts_of(program: Program) -> list[Start]:
    """Return the different ways in which a thread is started, in the order of the text."""
    found: dict[Start, None] = {}
    for procedure, edge in edges_of(program):
        if isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.START:
            found.setdefault(start_of(procedure, edge.action))
    return list(found)


def started_procedure(program: Program, start: Start) -> Procedure:
    """Return the procedure of a started thread, with all that it is given as parameters."""
    procedure = program.procedure(start[0])
    if start[1] is None:
        return procedure
    given = procedure.parameters + procedure.locals
    return replace(procedure, parameters=given, locals=(), entry=start[1])
