"""Every step of Boolean programs from one state, by trying all values: for proofs that list states one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from knaster_check.evaluate import State, can_be, outcomes
from knaster_check.program import Assign, Assume, Call, Edge, Formula, Procedure, Program, Return
from knaster_check.refused import Refused
from knaster_check.steps import writes


def valuations(names: Sequence[str]) -> Iterator[dict[str, bool]]:
    """Yield every valuation of some variables."""
    for values in product((False, True), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def successors(procedure: Procedure, edge: Edge, state: State) -> Iterator[State]:
    """Yield every state after an internal edge."""
    if isinstance(edge.action, Assume):
        if can_be(edge.action.condition, True, state, None) and can_be(procedure.enforce, True, state, None):
            yield state
        return
    if not isinstance(edge.action, Assign | Return):
        raise Refused("a call or a thread statement is taken for an internal step")
    targets, values, constraint = writes(procedure, edge.action)
    for written in results(targets, values, state):
        after = {**state, **written}
        if can_be(constraint, True, state, None, after) and can_be(procedure.enforce, True, after, None):
            yield after


def entries(program: Program, callee: Procedure, call: Call, state: State) -> Iterator[State]:
    """Yield every state in which a callee can begin."""
    shared = {name: state[name] for name in program.globals}
    for passed in results(callee.parameters, call.arguments, state):
        yield from begins(callee, {**shared, **passed})


def begins(procedure: Procedure, state: State) -> Iterator[State]:
    """Yield every state in which a procedure can begin with these globals and parameters."""
    for own in valuations(procedure.locals + procedure.results):
        start = {**state, **own}
        if can_be(procedure.enforce, True, start, None):
            yield start


def results(targets: Sequence[str], formulas: Sequence[Formula], state: State) -> Iterator[State]:
    """Yield every way to give each target a value of its formula."""
    for values in product(*(tuple(outcomes(formula, state)) for formula in formulas)):
        yield dict(zip(targets, values, strict=True))
