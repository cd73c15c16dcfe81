"""Double-pre*: the weight of all runs through a set of configurations, by two saturations; the baseline of projections.

Lal (PhD thesis, University of Wisconsin, 2009), sections 5.2 and 5.4: A1 = pre*(targets), A2 = A1 ∩ middle with the
weights of A1, A3 = pre*(A2), and the weight is that with which A3 accepts the sources.  Each question costs a
saturation, so a projection costs one for each node; `error_projection.py` answers for all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from knaster.base.errors import UnsupportedError
from knaster.pushdown.automaton import Automaton, Edge, Inner, intersection
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.query import stacks_starting_with, weight_in
from knaster.pushdown.solve import Engine, pre_star
from knaster.pushdown.system import PushdownSystem, State, Symbol

W = TypeVar("W")


def weight_through(
    system: PushdownSystem[W],
    sources: Automaton[W],
    middle: Automaton[W],
    targets: Automaton[W],
    *,
    engine: Engine = "plain",
) -> W:
    """Return the combined weight of all runs from sources through `middle` to targets (Definition 5.2.2)."""
    return _weight_from(system, sources, middle, _before(system, targets, engine), engine)


def nodes_by_double_pre(
    system: PushdownSystem[W], sources: Automaton[W], targets: Automaton[W], *, engine: Engine = "plain"
) -> Iterator[Symbol]:
    """Yield the nodes of the error projection, asked one by one; the first saturation is done once."""
    before = _before(system, targets, engine)
    states = sorted(before.initial, key=repr)
    for node in dict.fromkeys(each for rule in system.rules for each in (rule.symbol, *rule.push)):
        middle: Automaton[W] = stacks_starting_with(states, node)
        if _weight_from(system, sources, middle, before, engine) != system.domain.zero:
            yield node


def _before(system: PushdownSystem[W], targets: Automaton[W], engine: Engine) -> Automaton[W]:
    """Return pre* of the targets as an automaton with weights."""
    if not system.is_plain():
        raise UnsupportedError("double-pre* is for systems without merge functions")
    return _as_automaton(pre_star(system, targets, engine=engine))


def _weight_from(
    system: PushdownSystem[W], sources: Automaton[W], middle: Automaton[W], before: Automaton[W], engine: Engine
) -> W:
    through = intersection(before, middle, system.domain)
    return weight_in(pre_star(system, through, engine=engine), sources)


def _as_automaton(answer: Answer[W]) -> Automaton[W]:
    controls = frozenset(answer.states.names[: answer.controls])

    def name(state: State) -> State:
        return state if state in controls else Inner(0, ("before", state))

    edges = [Edge(name(t.source), t.symbol, name(t.target), t.weight) for t in answer.transitions()]
    final = [name(answer.state_name(number)) for number in sorted(answer.final)]
    return Automaton(tuple(edges), frozenset(final), controls)
