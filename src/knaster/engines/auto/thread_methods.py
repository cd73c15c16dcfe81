"""Answers about threads of C by several methods in turn, each within a number of steps that is counted.

Some states; a first look for what each thread guarantees; all interleavings as one program; rounds, which find runs
with few switches; guarantees once more; more states.  What states reach is kept: the proofs are about the rest.  Where
nothing decides, what holds within a bound is told.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.records import replace
from knaster.engines.auto import AutomaticOptions
from knaster.engines.auto.memory_methods import join_proved
from knaster.engines.contract import BREAKDOWNS, Findings, Mistake, Task
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.integers.interleaved import CARD as INTERLEAVED
from knaster.engines.integers.interleaved import InterleavedOptions
from knaster.engines.integers.rounds import CARD as ROUNDS
from knaster.engines.integers.rounds import RoundOptions
from knaster.engines.threads.modular import CARD as MODULAR
from knaster.engines.threads.modular import ModularOptions
from knaster.evidence.questions.question import Reach

SOME_STATES = 10_000  # before anything is reduced
GLANCE = 600_000  # resource units of z3 for a first look at guarantees, about a second
SOME_UNITS = 20_000_000  # for the program of all interleavings, and for guarantees


def by_states_and_reductions(task: Task) -> Findings:
    """Answer by the first method that can; with a bound by states alone."""
    options = task.options
    assert isinstance(options, AutomaticOptions)
    if task.bound is not None or not isinstance(task.question, Reach):
        return _by_states(task, options.states)
    first = _by_states(task, min(SOME_STATES, options.states))
    if _is_enough(first, task):
        return first
    if (early := _by_guarantees(task, first, GLANCE)) is not None and _is_enough(early, task):
        return early
    whole = _by_reduction(task, INTERLEAVED.name, INTERLEAVED.find, InterleavedOptions(SOME_UNITS))
    if whole is not None and (_is_enough(whole, task) or len(whole.reached) > len(first.reached)):
        return whole
    rounds = _by_reduction(task, ROUNDS.name, ROUNDS.find, RoundOptions())
    if rounds is not None and (len(rounds.reached) > len(first.reached) or _is_late(rounds)):
        return rounds
    proved = _by_guarantees(task, first, SOME_UNITS)
    if proved is not None and _is_enough(proved, task):
        return proved
    last = first
    if first.spent.exhausted and options.states > SOME_STATES:
        last = _by_states(task, options.states)
    if proved is not None and last.unknown is not None:
        return join_proved(proved, last)
    if last.unknown is None or last.reached or last.doubtful or rounds is None or rounds.bound is None:
        return last
    return rounds


def _by_states(task: Task, states: int) -> Findings:
    from knaster.engines.explicit.engine import explicit

    found = explicit(replace(task, options=ExplicitOptions(states)))
    return replace(found, statistics={**found.statistics, "method": "explicit"}, method="explicit")


def _by_guarantees(task: Task, states: Findings, units: int) -> Findings | None:
    """Return what is proved one thread at a time of what states have not reached; None where that is nothing."""
    assert isinstance(task.question, Reach)
    left = tuple(target for target in task.targets if target not in states.reached)
    asked = replace(task, question=replace(task.question, targets=left))
    found = _by_reduction(asked, MODULAR.name, MODULAR.find, ModularOptions(units=units))
    if found is None or (found.unknown is not None and not found.unknown.late):
        return None
    return join_proved(replace(found, statistics={**found.statistics, "method": MODULAR.name}), states)


def _by_reduction(
    task: Task, name: str, find: Callable[[Task], Findings], options: InterleavedOptions | RoundOptions | ModularOptions
) -> Findings | None:
    """Return what a method says of what threads are reduced to; None where its evidence was refused before."""
    if name in task.refused:
        return None
    try:
        return find(replace(task, options=options))
    except BREAKDOWNS as error:
        raise Mistake(name, error) from error


def _is_late(found: Findings) -> bool:
    return found.unknown is not None and found.unknown.late


def _is_enough(found: Findings, task: Task) -> bool:
    """Tell whether nothing is left to be asked, or no time."""
    if found.unknown is None:
        return not found.doubtful
    return found.unknown.late or found.unknown.enough
