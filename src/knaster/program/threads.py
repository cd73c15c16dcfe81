"""How many threads a program can start, and which procedures its threads can be in: by the text alone."""

from __future__ import annotations

from knaster.base.graphs import components
from knaster.program.model import Call, Concurrent, Edge, Place, Procedure, Program, ThreadOperation

Needs = tuple[int, list[Place]]  # of an edge: threads it starts itself, and the places from where more are started


def started_by(edge: Edge) -> Concurrent | None:
    """Return the action of an edge that starts a thread."""
    action = edge.action
    return action if isinstance(action, Concurrent) and action.operation is ThreadOperation.START else None


def called_by(edge: Edge) -> tuple[str, ...]:
    """Return the procedures that an edge may call: several where the class of an object decides."""
    action = edge.action
    if not isinstance(action, Call):
        return ()
    return tuple(dict.fromkeys(name for _, name in action.dispatch)) or (action.procedure,)


def reachable_procedures(program: Program) -> list[str]:
    """Return the procedures that some thread may be in, in the order of the text."""
    procedures = {procedure.name: procedure for procedure in program.procedures}
    seen, todo = set(program.threads), list(program.threads)
    while todo:
        for edge in procedures[todo.pop()].edges:
            started = started_by(edge)
            entered = called_by(edge) if started is None or started.procedure is None else (started.procedure,)
            fresh = [name for name in entered if name not in seen]
            seen.update(fresh)
            todo += fresh
    return [name for name in procedures if name in seen]


def recursive_procedure(program: Program) -> str | None:
    """Return a procedure that some thread may be in and that may call itself, directly or through others."""
    names = reachable_procedures(program)
    callees: dict[str, list[str]] = {name: [] for name in names}
    for name in names:
        for edge in program.procedure(name).edges:
            callees[name] += called_by(edge)
    for component in components(names, callees.__getitem__):
        if len(component) > 1 or component[0] in callees[component[0]]:
            return min(component)
    return None


def most_started(program: Program) -> int | None:
    """Return a number of threads that no run starts more of; None where there may be any number."""
    if not any(started_by(edge) for name in reachable_procedures(program) for edge in program.procedure(name).edges):
        return 0
    edges: dict[Place, list[Needs]] = {
        (procedure.name, location): [] for procedure in program.procedures for location in range(procedure.size)
    }
    for procedure in program.procedures:
        for edge in procedure.edges:
            edges[procedure.name, edge.source] += _needs(program, procedure, edge)
    entries = [(name, program.procedure(name).entry) for name in program.threads]
    most: dict[Place, int] = {}  # of the threads that are started from a place on
    for component in components(entries, lambda place: [need for _, needs in edges[place] for need in needs]):
        members, weight, doubled = set(component), 0, False
        for place in component:
            for own, needs in edges[place]:
                inside = sum(need in members for need in needs)
                extra = own + sum(most[need] for need in needs if need not in members)
                if inside and extra:
                    return None
                weight, doubled = max(weight, extra), doubled or inside > 1
        if doubled and weight:
            return None
        most.update(dict.fromkeys(component, weight))
    return sum(most[entry] for entry in entries)


def why_no_standstill(program: Program) -> str | None:
    """Say why it cannot be decided whether threads come to a standstill; None where it can."""
    recursive = recursive_procedure(program)
    if recursive is not None:
        return f"a deadlock can be decided only where threads do not recurse, and '{recursive}' calls itself"
    if most_started(program) is None:
        return "a deadlock can be decided only for a limited number of threads, and a loop starts some"
    return None


def _needs(program: Program, procedure: Procedure, edge: Edge) -> list[Needs]:
    """Return what each way over an edge needs."""
    after = (procedure.name, edge.target)
    if callees := called_by(edge):
        return [(0, [(name, program.procedure(name).entry), after]) for name in callees]
    action = started_by(edge)
    if action is None:
        return [(0, [after])]
    if action.procedure is not None:
        return [(1, [(action.procedure, program.procedure(action.procedure).entry), after])]
    assert action.location is not None
    return [(1, [(procedure.name, action.location), after])]
