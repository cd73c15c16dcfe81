"""Which statements of a projection the targets depend on: slicing beside projections (Lal 2009, section 5.6).

A projection has what some run to a target passes; a slice has what may change whether and how it is reached: what
writes a variable that matters, the conditions that decide or let only some runs pass, and calls of procedures that
have such.  What is in the projection alone is passed, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import UsageError
from knaster.evidence.questions.question import Target
from knaster.program.expression import TRUE
from knaster.program.model import Assign, Assume, Call, Edge, Place, Procedure, Program, Return
from knaster.transform.cones.cone import Cone, can_be_cut, find_cone


def slice_lines(program: Program, targets: Iterable[Target], inside: Iterable[int]) -> tuple[int, ...]:
    """Return the lines among those `inside` whose statements the targets depend on."""
    if not can_be_cut(program):
        raise UsageError(f"{program.file}: --slice is for sequential programs without 'enforce' and 'constrain'")
    places = [target.place for target in targets]
    cone = find_cone(program, places, _filters(program))
    kept = set(inside)
    found = {
        edge.span.line
        for own in program.procedures
        for edge in own.edges
        if edge.span.line in kept and _matters(own, edge, cone)
    }
    ends = {(own.name, edge.source): edge.span.line for own in program.procedures for edge in own.edges}
    into = {
        edge.span.line for own in program.procedures for edge in own.edges if (own.name, edge.target) in set(places)
    }
    return tuple(sorted(found | {ends[place] for place in places if ends.get(place) in kept} | (into & kept)))


def _filters(program: Program) -> frozenset[Place]:
    """Return the places at which a condition lets only some runs pass."""
    return frozenset(
        (own.name, place)
        for own in program.procedures
        for place, edges in own.leaving.items()
        if len(edges) == 1 and isinstance(edges[0].action, Assume) and edges[0].action.condition != TRUE
    )


def _matters(own: Procedure, edge: Edge, cone: Cone) -> bool:
    if own.name not in cone.locals:
        return False
    match edge.action:
        case Assign(targets):
            return any(cone.keeps(own.name, name) for name in targets)
        case Assume():
            return (own.name, edge.source) in cone.branches
        case Call(name, _, targets):
            taken = any(target is not None and cone.keeps(own.name, target) for target in targets)
            return taken or name in cone.locals
        case Return():
            return any(cone.keeps(own.name, name) for name in own.results)
    return True
