"""Smaller programs: every program that one small change makes of a program, the most promising first.

A change drops a procedure, edges (halves first), a variable, a parameter, a result or a label; makes an action a skip;
skips over a skip; or simplifies an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.base.records import replace
from knaster.program.model import Call, Concurrent, Edge, Location, Procedure, Program, Return, result_name
from knaster.transform.shrink.expressions import (
    SKIP,
    drop,
    forget,
    simpler_actions,
    simpler_expressions,
    without_variable,
)


def smaller_programs(program: Program) -> Iterator[Program]:
    """Yield programs that are a little smaller than `program`, the most promising first."""
    for procedure in program.procedures:
        if procedure.name not in program.threads:
            yield _without_procedure(program, procedure.name)
    for procedure in program.procedures:
        for smaller in _smaller_procedures(procedure):
            yield _with_procedure(program, smaller)
    for name in program.globals:
        yield _without_variable(replace(program, globals=_without(program.globals, name)), None, name)
    for procedure in program.procedures:
        for name in procedure.locals:
            smaller = replace(procedure, locals=_without(procedure.locals, name))
            yield _without_variable(_with_procedure(program, smaller), procedure.name, name)
        for index in range(len(procedure.parameters)):
            yield _without_parameter(program, procedure, index)
        if procedure.results:
            yield _without_last_result(program, procedure)
    for init in simpler_expressions(program.init):
        yield replace(program, init=init)


def _smaller_procedures(procedure: Procedure) -> Iterator[Procedure]:
    edges = procedure.edges
    step = len(edges) // 2
    while step:
        for start in range(0, len(edges), step):
            yield _compact(replace(procedure, edges=edges[:start] + edges[start + step :]))
        step //= 2
    for index, edge in enumerate(edges):
        if edge.action != SKIP and not isinstance(edge.action, Return):
            yield _with_edge(procedure, index, replace(edge, action=SKIP))
    for edge in edges:
        alone = sum(other.source == edge.source for other in edges) == 1
        leaves = edge.target >= procedure.exit and edge.source == procedure.entry
        if edge.action == SKIP and edge.source != edge.target and alone and not leaves:
            yield _compact(_skip_over(procedure, edge))
    for index in range(len(procedure.labels)):
        yield _compact(replace(procedure, labels=procedure.labels[:index] + procedure.labels[index + 1 :]))
    for enforce in simpler_expressions(procedure.enforce):
        yield replace(procedure, enforce=enforce)
    for index, edge in enumerate(edges):
        for action in simpler_actions(edge.action):
            yield _with_edge(procedure, index, replace(edge, action=action))


def _skip_over(procedure: Procedure, skip: Edge) -> Procedure:
    """Return the procedure without this only edge of its source; whoever led there leads to its target."""
    moved = {skip.source: skip.target}
    edges = [replace(edge, target=moved.get(edge.target, edge.target)) for edge in procedure.edges if edge is not skip]
    labels = tuple((label, moved.get(location, location)) for label, location in procedure.labels)
    entry = moved.get(procedure.entry, procedure.entry)
    return replace(procedure, edges=tuple(edges), labels=labels, entry=entry)


def _compact(procedure: Procedure) -> Procedure:
    """Return the procedure without the locations that nothing mentions, the entry being 0 again."""
    used = {location for edge in procedure.edges for location in (edge.source, edge.target)}
    used |= {location for _, location in procedure.labels}
    inner = sorted((used | {procedure.entry}) - {procedure.exit, *procedure.failures})
    if procedure.entry in inner:
        inner.remove(procedure.entry)
        inner.insert(0, procedure.entry)
    failures = [location for location in procedure.failures if location in used]
    new: dict[Location, Location] = {old: index for index, old in enumerate([*inner, procedure.exit, *failures])}
    edges = [replace(edge, source=new[edge.source], target=new[edge.target]) for edge in procedure.edges]
    return replace(
        procedure,
        edges=tuple(sorted(edges, key=lambda edge: edge.source)),
        labels=tuple((label, new[location]) for label, location in procedure.labels),
        entry=new[procedure.entry],
        exit=new[procedure.exit],
        failures=tuple(new[location] for location in failures),
    )


def _without_procedure(program: Program, name: str) -> Program:
    """Return the program without a procedure, its calls and starts being skips."""
    kept = [procedure for procedure in program.procedures if procedure.name != name]
    skipped = [
        replace(procedure, edges=tuple(_skip_call(edge, name) for edge in procedure.edges)) for procedure in kept
    ]
    return replace(program, procedures=tuple(skipped))


def _skip_call(edge: Edge, name: str) -> Edge:
    called = isinstance(edge.action, Call | Concurrent) and edge.action.procedure == name
    return replace(edge, action=SKIP) if called else edge


def _without_variable(program: Program, procedure: str | None, name: str) -> Program:
    """Return the program with every use of a variable (in one procedure, or in all) read as false and never written."""
    procedures = tuple(
        _without_uses(other, name) if procedure in (None, other.name) else other for other in program.procedures
    )
    init = without_variable(program.init, name) if procedure is None else program.init
    return replace(program, procedures=procedures, init=init)


def _without_uses(procedure: Procedure, name: str) -> Procedure:
    edges = tuple(replace(edge, action=forget(edge.action, name)) for edge in procedure.edges)
    return replace(procedure, edges=edges, enforce=without_variable(procedure.enforce, name))


def _without_parameter(program: Program, procedure: Procedure, index: int) -> Program:
    name = procedure.parameters[index]
    smaller = _without_uses(replace(procedure, parameters=drop(procedure.parameters, index)), name)

    def call(action: Call | Concurrent) -> Call | Concurrent:
        return replace(action, arguments=drop(action.arguments, index))

    return _with_calls(_with_procedure(program, smaller), procedure.name, call)


def _without_last_result(program: Program, procedure: Procedure) -> Program:
    count = len(procedure.results) - 1
    edges = tuple(
        replace(edge, action=Return(edge.action.values[:count])) if isinstance(edge.action, Return) else edge
        for edge in procedure.edges
    )
    smaller = replace(procedure, results=tuple(map(result_name, range(count))), edges=edges)

    def call(action: Call | Concurrent) -> Call | Concurrent:
        return replace(action, targets=action.targets[:count]) if isinstance(action, Call) else action

    return _with_calls(_with_procedure(program, smaller), procedure.name, call)


def _with_calls(program: Program, callee: str, change: Callable[[Call | Concurrent], Call | Concurrent]) -> Program:
    for procedure in program.procedures:
        edges = tuple(
            replace(edge, action=change(edge.action))
            if isinstance(edge.action, Call | Concurrent) and edge.action.procedure == callee
            else edge
            for edge in procedure.edges
        )
        program = _with_procedure(program, replace(procedure, edges=edges))
    return program


def _with_edge(procedure: Procedure, index: int, edge: Edge) -> Procedure:
    return replace(procedure, edges=(*procedure.edges[:index], edge, *procedure.edges[index + 1 :]))


def _with_procedure(program: Program, procedure: Procedure) -> Program:
    procedures = tuple(procedure if old.name == procedure.name else old for old in program.procedures)
    return replace(program, procedures=procedures)


def _without(items: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(item for item in items if item != name)
