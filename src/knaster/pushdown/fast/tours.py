"""Path queries of BTRACE's kind: the way to a node that touches the most of some others, the shortest of these.

Lal (PhD thesis, University of Wisconsin, 2009), section 4.3: given a set of nodes and a failure point, find a path from
the start to the failure point that touches as many of them as possible, and among those a shortest one.  Calls and
returns match; weights of the system play no part.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton, configuration_set
from knaster.pushdown.domains.touched_nodes import Touched, Touching
from knaster.pushdown.fast.expression_log import ExpressionLog, solve_fast
from knaster.pushdown.runs.witness import finish_witness
from knaster.pushdown.saturation.query import stacks_starting_with
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, Symbol
from knaster.pushdown.tick import Tick

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Tour(Generic[W]):
    """A run, where it ends, and which of the wanted nodes it touches, the last one included."""

    start: Configuration
    run: tuple[Rule[W], ...]
    end: Configuration
    touched: tuple[Symbol, ...]


def best_tour(
    system: PushdownSystem[W],
    start: Configuration,
    goal: Symbol,
    wanted: Iterable[Symbol],
    *,
    tick: Tick | None = None,
) -> Tour[W] | None:
    """Return a run from `start` to a configuration with `goal` on top that touches the most of the wanted nodes.

    Of those runs, one with the fewest rules; None where `goal` cannot be reached.  A node is touched when it is on top.
    `tick` is called often and stops the work by raising (`tick.py`).
    """
    domain = Touching(wanted)
    goals: Automaton[Touched] = stacks_starting_with(
        dict.fromkeys((start.state, *(rule.target for rule in system.rules))), goal
    )
    return _best(system, start, goals, domain, domain.step(goal, 0), tick)


def best_tour_into(
    system: PushdownSystem[W],
    start: Configuration,
    goals: Automaton[Touched],
    wanted: Iterable[Symbol],
    *,
    tick: Tick | None = None,
) -> Tour[W] | None:
    """Return a run from `start` into a set of configurations that touches the most of the wanted nodes.

    Of those runs, one with the fewest rules; None where there is none.  The node on top at the end is not touched.
    """
    domain = Touching(wanted)
    return _best(system, start, goals, domain, domain.one, tick)


def _best(
    system: PushdownSystem[W],
    start: Configuration,
    goals: Automaton[Touched],
    domain: Touching,
    own: Touched,
    tick: Tick | None,
) -> Tour[W] | None:
    """Return the best run into `goals`; `own` is what its end adds to it."""
    rules = [
        Rule(r.source, r.symbol, r.target, r.push, domain.one if origin is None else domain.step(r.symbol))
        for r, origin in zip(system.rules, system.origin, strict=True)  # a rule that continues a push is no step
    ]
    plain = PushdownSystem.of(domain, rules)
    sources: Automaton[Touched] = configuration_set(start)
    answer = solve_fast(plain, sources, forward=False, witnesses=True, tick=tick)
    assert isinstance(answer.log, ExpressionLog)
    search = answer.log.search(answer, goals)
    best = domain.best(domain.extend(search.total, own))
    if best is None:
        return None

    def is_best(value: Touched) -> bool:
        pairs = domain.extend(value, own).pairs
        return any(best[0] & ~nodes == 0 and length <= best[1] for nodes, length in pairs)

    found = finish_witness(answer, search.run_with(is_best))
    run = tuple(system.rules[number] for number in found.numbers)
    return Tour(found.start, run, found.end, domain.name_nodes(best[0]))
