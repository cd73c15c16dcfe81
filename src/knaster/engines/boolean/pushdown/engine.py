"""Decides targets of a Boolean program by post* or pre* of its extended weighted pushdown system.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
section 3.5.1.  `rules` says how the program becomes a system; here it is asked.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from knaster.base.limits import OutOfBudget
from knaster.engines.boolean.pushdown import PushdownOptions
from knaster.engines.boolean.pushdown.rules import CONTROL, Encoding
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.evidence.questions.question import Reach, Target
from knaster.pushdown.domains.relations import BddRelation
from knaster.pushdown.saturation.query import weight_at
from knaster.pushdown.solve import Engine, post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem

_UNBOUNDED = 1 << 62  # relations have no infinite chains, only long ones


def pushdown(task: Task) -> Findings:
    """Decide every target by saturation, forward from the start or backward from each target."""
    started = time.perf_counter()
    options = task.options
    assert isinstance(options, PushdownOptions)
    if not isinstance(task.question, Reach):
        from knaster.engines.boolean.pushdown.repeating import repeating

        return repeating(task)
    encoding = Encoding(task.symbolic(), task.budget)
    reached: set[Target] = set()
    unknown: Undecided | None = None
    transitions = 0
    try:
        system = encoding.system()
        engine: Engine = "fast" if options.fast else "plain"
        for target, is_reached, size in DIRECTIONS[options.direction](encoding, system, task.targets, engine):
            transitions = max(transitions, size)
            if is_reached:
                reached.add(target)
                if task.first:
                    unknown = STOPPED
                    break
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "rules": encoding.count,
        "transitions": transitions,
        "bdd_nodes": encoding.domain.store.nodes,
        "bdd_variables": encoding.domain.store.variables,
    }
    return Findings(frozenset(reached), unknown, statistics)


def _forward(
    encoding: Encoding, system: PushdownSystem[BddRelation], targets: Iterable[Target], engine: Engine
) -> Iterator[tuple[Target, bool, int]]:
    """post* of the start, asked about each target."""
    priority = encoding.rank if engine == "plain" else None  # path expressions have an order of their own
    answer = post_star(system, encoding.sources(), engine=engine, priority=priority, limit=_UNBOUNDED)
    for target in targets:
        weight = weight_at(answer, (target.procedure, target.location))
        yield target, weight != encoding.domain.zero, len(answer)


def _backward(
    encoding: Encoding, system: PushdownSystem[BddRelation], targets: Iterable[Target], engine: Engine
) -> Iterator[tuple[Target, bool, int]]:
    """pre* of each target, asked about the start."""
    domain = encoding.domain
    for target in targets:
        goal = encoding.configurations((target.procedure, target.location))
        answer = pre_star(system, goal, engine=engine, limit=_UNBOUNDED)
        weight = answer.weight_of(Configuration(CONTROL, (encoding.start,)))
        yield target, domain.extend(encoding.initial, weight) != domain.zero, len(answer)


DIRECTIONS = {"post": _forward, "pre": _backward}
