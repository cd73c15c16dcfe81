"""The part of a program that a cone keeps: the same procedures, locations and edges, without what does not matter.

An edge that does not matter passes always and changes nothing, so places are called in the part as they are in the
program, and what is proved of one is said of the other in the same words.  Procedures of which no call matters vanish.
"""

from __future__ import annotations

from knaster.base.records import replace
from knaster.program.algebra import conjunction, conjuncts
from knaster.program.expression import TRUE, variables
from knaster.program.model import Action, Assign, Assume, Call, Edge, Procedure, Program, Return, Types
from knaster.transform.cones.cone import Cone

_PASS = Assume(TRUE)


def keep_cone(program: Program, cone: Cone) -> Program:
    """Return the part of a program that a cone keeps; each edge has the one that it stands for as its origin."""
    kept = [procedure for procedure in program.procedures if procedure.name in cone.locals]
    init = [part for part in conjuncts(program.init) if variables(part) <= cone.globals]
    groups = [tuple(name for name in group if name in cone.globals) for group in program.together]
    return replace(
        program,
        globals=tuple(name for name in program.globals if name in cone.globals),
        procedures=tuple(_keep(program, procedure, cone) for procedure in kept),
        init=conjunction(init),
        types=_keep_types(program.types, cone.globals),
        together=tuple(group for group in groups if group),
    )


def _keep_types(types: Types, names: frozenset[str]) -> Types:
    return tuple((name, type) for name, type in types if name in names)


def _keep(program: Program, procedure: Procedure, cone: Cone) -> Procedure:
    own = cone.locals[procedure.name]
    edges = [replace(edge, action=_action(program, procedure, edge, cone), origin=edge) for edge in procedure.edges]
    return replace(
        procedure,
        parameters=tuple(name for name in procedure.parameters if name in own),
        results=tuple(name for name in procedure.results if name in own),
        locals=tuple(name for name in procedure.locals if name in own),
        edges=tuple(edges),
        types=_keep_types(procedure.types, own),
    )


def _action(program: Program, procedure: Procedure, edge: Edge, cone: Cone) -> Action:
    """Return what is left of an action."""
    match edge.action:
        case Assume():
            return edge.action if (procedure.name, edge.source) in cone.branches else _PASS
        case Assign(targets, values):
            pairs = [pair for pair in zip(targets, values, strict=True) if cone.keeps(procedure.name, pair[0])]
            return Assign(tuple(name for name, _ in pairs), tuple(value for _, value in pairs)) if pairs else _PASS
        case Return(values):
            own = zip(procedure.results, values, strict=False)
            return Return(tuple(value for result, value in own if cone.keeps(procedure.name, result)))
        case Call(name) if name in cone.locals:
            return _call(edge.action, procedure, program.procedure(name), cone)
    return _PASS


def _call(call: Call, caller: Procedure, callee: Procedure, cone: Cone) -> Call:
    own = cone.locals[callee.name]
    arguments = tuple(argument for parameter, argument in call.bindings(callee) if parameter in own)
    targets = tuple(
        target if target is not None and cone.keeps(caller.name, target) else None
        for target, result in zip(call.targets, callee.results, strict=False)
        if result in own
    )
    return Call(callee.name, arguments, targets)
