"""Programs with one statement changed, for proofs that are then proofs of another program."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from knaster.program.expression import CHOICE, TRUE, Not
from knaster.program.model import Action, Assign, Assume, Edge, Program, Return


def changed_program(rng: Random, program: Program) -> Program | None:
    """Return a program in which one condition is negated or dropped, a value is another, or a step leads elsewhere.

    None where the statement that was picked cannot be changed.
    """
    procedure = rng.choice(program.procedures)
    if not procedure.edges:
        return None
    number = rng.randrange(len(procedure.edges))
    edge = _changed_edge(rng, procedure.edges[number], procedure.size, {procedure.exit, *procedure.failures})
    if edge is None:
        return None
    edges = (*procedure.edges[:number], edge, *procedure.edges[number + 1 :])
    procedures = [replace(one, edges=edges) if one is procedure else one for one in program.procedures]
    return replace(program, procedures=tuple(procedures), source="")


def _changed_edge(rng: Random, edge: Edge, size: int, ends: set[int]) -> Edge | None:
    action = _changed_action(rng, edge.action) if rng.random() < 0.8 else edge.action
    if action is not edge.action:
        return replace(edge, action=action)
    if isinstance(edge.action, Return) or edge.target in ends:
        return None
    return replace(edge, target=rng.choice([at for at in range(size) if at not in ends]))


def _changed_action(rng: Random, action: Action) -> Action:
    match action:
        case Assume(condition):
            return Assume(TRUE if rng.random() < 0.5 else Not(condition))
        case Assign(targets, values, constraint):
            if constraint != TRUE and rng.random() < 0.4:
                return Assign(targets, values)
            other = [rng.choice((Not(value), CHOICE)) for value in values]
            return Assign(targets, tuple(other), constraint)
        case Return(values) if values:
            return Return(tuple(Not(value) for value in values))
    return action
