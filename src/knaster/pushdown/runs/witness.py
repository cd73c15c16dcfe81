"""Runs that justify an answer: a finite set of rule sequences whose values combine to the weight.

Lal (PhD thesis, University of Wisconsin, 2009), Definition 2.4.3 and section 4.2.1.  Where one derivation was kept for
each transition, one run is read off in time linear in its length; else `search.py` finds runs until their values make
up the weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.numbering import NONE
from knaster.pushdown.runs.derivation_runs import search_derivations
from knaster.pushdown.runs.run_search import Found, RunSearch
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.derivations import AllDerivations, FindsRuns, OneEach
from knaster.pushdown.saturation.query import summarize
from knaster.pushdown.system import Configuration, Rule, first_configuration, last_configuration
from knaster.pushdown.tick import Tick, with_ticks

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Witness(Generic[W]):
    """A run: where it starts, its rules (also by number), where it ends, and its value.

    In an answer to a weighted automaton the value includes the weight of the automaton's configuration.
    """

    start: Configuration
    run: tuple[Rule[W], ...]
    numbers: tuple[int, ...]
    end: Configuration
    value: W


def witness(answer: Answer[W], configurations: Automaton[W]) -> Witness[W] | None:
    """Return a run to (post*) or from (pre*) one of the configurations; None where the answer accepts none of them.

    Where one derivation was kept for each transition, its value is the whole weight: with lengths, a shortest run.
    """
    search = _search(answer, configurations)
    if search is None:
        return _single(answer, _log(answer), configurations)
    return finish_witness(answer, search.next_run()) if search.total != answer.system.domain.zero else None


def witnesses(answer: Answer[W], configurations: Automaton[W]) -> list[Witness[W]]:
    """Return runs whose values combine to the weight with which the answer accepts the configurations."""
    search = _search(answer, configurations)
    if search is None:
        found = _single(answer, _log(answer), configurations)
        return [] if found is None else [found]
    runs: list[Witness[W]] = []
    while search.reached != search.total:
        before = search.reached
        runs.append(finish_witness(answer, search.next_run()))
        if search.reached == before:
            raise UsageError("no finite set of runs makes up the weight: extend does not distribute over combine")
    return _without_superfluous(answer, runs, search.total)


def given_rules(answer: Answer[W], found: Witness[W]) -> list[Rule[W]]:
    """Return the run in the rules that the user gave, rules with more than two symbols included."""
    system = answer.system
    origins = (system.origin[number] for number in found.numbers)
    return [system.given[origin] for origin in origins if origin is not None]


def _search(answer: Answer[W], configurations: Automaton[W]) -> RunSearch[Any, W] | None:
    """Return a search for runs; None where one derivation was kept for each transition."""
    if isinstance(answer.log, AllDerivations):
        return search_derivations(answer, answer.log, configurations)
    return answer.log.search(answer, configurations) if isinstance(answer.log, FindsRuns) else None


def _log(answer: Answer[W]) -> OneEach:
    if answer.log is None or isinstance(answer.log, AllDerivations | FindsRuns):
        raise UsageError("no derivations were kept; saturate with witnesses='one' or witnesses='all'")
    return answer.log


def _without_superfluous(answer: Answer[W], runs: list[Witness[W]], total: W) -> list[Witness[W]]:
    """Return the runs without those that the others make superfluous."""
    domain = answer.system.domain
    later = [domain.zero]
    for run in reversed(runs):
        later.append(domain.combine(later[-1], run.value))
    later.reverse()
    kept: list[Witness[W]] = []
    sofar = domain.zero
    for run, rest in zip(runs, later[1:], strict=True):
        if domain.combine(sofar, rest) != total:
            kept.append(run)
            sofar = domain.combine(sofar, run.value)
    return kept


def finish_witness(answer: Answer[W], found: Found[W]) -> Witness[W]:
    """Return the witness of a run, with the configurations between which it goes."""
    path, control, numbers, value = found
    run = tuple(answer.system.rules[number] for number in with_ticks(numbers, answer.tick))
    letters = [answer.symbol[t] for t in path if answer.symbol[t] != answer.empty]
    stack = tuple(answer.symbols.names[letter] for letter in letters)
    asked = Configuration(answer.state_name(control), stack)
    if answer.forward:
        return Witness(asked, run, tuple(numbers), last_configuration(asked, run), value)
    return Witness(first_configuration(asked, run), run, tuple(numbers), asked, value)


def _single(answer: Answer[W], log: OneEach, configurations: Automaton[W]) -> Witness[W] | None:
    """Return the run of the only derivation of a best accepted configuration; None where nothing is accepted."""
    domain, reading = answer.system.domain, AllDerivations[W]()
    pairs, solution = summarize(answer, configurations, reading)
    choices = [(solution.at(node), NONE, node) for node in pairs.starts if solution.number(node) != NONE]
    choices += [(answer.weight[t], t, NONE) for t in pairs.empty]
    if not choices:
        return None
    best = choices[0]
    for choice in choices[1:]:
        if domain.combine(best[0], choice[0]) != best[0]:
            best = choice
    value, transition, node = best
    if transition != NONE:
        path, control = [transition], answer.source[transition]
    else:
        path, control = [], pairs.nodes[node][0]
        v = solution.number(node)
        derivation = reading.derivations[v][reading.version(v)]
        while derivation.rule != NONE:
            path.append(derivation.rule)
            derivation = reading.derivations[derivation.first][derivation.first_version]
    numbers = expand_derivations(log, path, answer.forward, answer.tick)
    return finish_witness(answer, Found(path, control, numbers, value))


def expand_derivations(log: OneEach, path: list[int], forward: bool, tick: Tick | None = None) -> list[int]:
    """Return the rules of the derivations of the transitions on `path`, in the order in which they fire."""
    rules: list[int] = []
    rule, first, second = log.rule, log.first, log.second
    todo = path[::-1] if forward else path[:]  # a transition, or -2 - r for the rule r
    for t in with_ticks(_pop_all(todo), tick):
        if t < NONE:
            rules.append(-2 - t)
        elif t != NONE:
            fire = NONE if rule[t] == NONE else -2 - rule[t]
            todo += (second[t], first[t], fire) if forward else (second[t], fire, first[t])
    return rules


def _pop_all(todo: list[int]) -> Iterator[int]:
    while todo:
        yield todo.pop()
