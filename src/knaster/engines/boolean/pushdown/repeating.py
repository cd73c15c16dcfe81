"""Decides termination and formulas by repeating heads: which accepting places come back to themselves.

J. Esparza, D. Hansel, P. Rossmanith, S. Schwoon, Efficient algorithms for model checking pushdown systems (CAV
2000), section 3.2, here with post* and weights: for each accepting place the relation between a state there and the
states in which an accepting place is on top of the stack later on, with anything below.  A run is wrong iff it comes
to a head from which these relations can be followed for ever.

Notation: R[a, b] relates a state at a to one at b that a run from a reaches without going below a; Z[a] are the
states at a from which R can be followed for ever, a greatest fixed point.
"""

from __future__ import annotations

import time

from knaster.base.limits import OutOfBudget
from knaster.bdd.store import Bdd, exists
from knaster.engines.accepting_places import Passing, passing_places
from knaster.engines.boolean.pushdown.rules import CONTROL, Encoding
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.model import Place
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.domains.relations import BddRelation
from knaster.pushdown.saturation.query import weight_at
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import PushdownSystem
from knaster.views.symbolic.encoding import encode

_UNBOUNDED = 1 << 62


def repeating(task: Task) -> Findings:
    """Decide whether every run is as the question asks; evidence is derived by whoever wants it."""
    started, question = time.perf_counter(), task.question
    assert isinstance(question, Temporal | Termination)
    found = passing_places(task.program, question, task.budget)
    statistics: dict[str, int | float | str] = {"automaton_states": found.states, "heads": len(found.places)}
    try:
        encoding = Encoding(encode(found.program, nodes=task.nodes), task.budget)
        wrong = _has_wrong_run(encoding, found)
    except OutOfBudget as spent:
        return Findings(frozenset(), Undecided.because(spent), statistics)
    statistics["fixpoint_seconds"] = time.perf_counter() - started
    return Findings(frozenset(), None, statistics, ends=Diverges(None) if wrong else Terminates(None))


def _has_wrong_run(encoding: Encoding, found: Passing) -> bool:
    system, domain = encoding.system(), encoding.domain
    first = _reach(system, encoding, encoding.start, encoding.initial, found)
    places = [place for place in found.places if first[place] != domain.zero]
    ways = {place: _reach(system, encoding, found.after(place), domain.one, found) for place in places}
    alive = _followed_for_ever(encoding, places, ways)
    return any(_lead_into(encoding, first[place], alive[place]) != domain.store.false for place in places)


def _reach(
    system: PushdownSystem[BddRelation], encoding: Encoding, start: Place, weight: BddRelation, found: Passing
) -> dict[Place, BddRelation]:
    """Return how each accepting place can be reached from a place, with anything below it on the stack."""
    sources = Automaton.of([(CONTROL, start, "end", weight)], ["end"], [CONTROL])
    answer = post_star(system, sources, priority=encoding.rank, limit=_UNBOUNDED)
    return {place: weight_at(answer, place) for place in found.places}


def _followed_for_ever(
    encoding: Encoding, places: list[Place], ways: dict[Place, dict[Place, BddRelation]]
) -> dict[Place, Bdd]:
    """Return Z: the states before from which the relations between accepting places can be followed for ever."""
    none = encoding.domain.store.false
    alive = dict.fromkeys(places, encoding.domain.store.true)
    while True:
        fewer: dict[Place, Bdd] = {}
        for place in places:
            states = none
            for other in places:
                if alive[other] != none:
                    states |= _lead_into(encoding, ways[place][other], alive[other])
            fewer[place] = states & alive[place]
        if fewer == alive:
            return alive
        alive = fewer


def _lead_into(encoding: Encoding, relation: BddRelation, states: Bdd) -> Bdd:
    """Return the states before that a relation takes to one of these states."""
    domain = encoding.domain
    guarded = domain.extend(relation, domain.assume(states))
    return exists(guarded.function, domain.store.cube(domain.after.values()))
