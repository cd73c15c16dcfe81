"""From a formula to a small Büchi automaton: core form, tableau, trimming, simulation, one acceptance set.

Each step keeps the words; the smallest of a few orders of the acceptance sets is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

from knaster.automata.automaton import Automaton
from knaster.automata.containment import simplify
from knaster.automata.core import OR, put_off, to_core, to_plain_core
from knaster.automata.counting import count_sets
from knaster.automata.ltl import Binary, Formula, to_text
from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.simulation import reduce_by_simulation
from knaster.automata.tableau import make_tableau
from knaster.automata.trimming import drop_sets, trim
from knaster.base.records import replace

ORDERS = 24  # of acceptance sets that are tried
FEW = 4  # states: whatever has more may be the automaton of a simpler formula
MANY = 20  # states, from which on only one order is


def ltl(text: str) -> Automaton:
    """Return the automaton of the words on which a formula holds; raise `SourceError` where the text is none."""
    return translate(parse_ltl(text))


def translate(formula: Formula, positive: bool = True, searches: bool = True) -> Automaton:
    """Return the automaton of the words on which a formula holds, or of those on which it does not.

    Where it `searches`, parts of the formula that say nothing are looked for by their automata.
    """
    best = _smallest(core := to_core(formula, positive))
    if searches and best.states >= FEW and (simpler := simplify(core)) != core:
        best = min(best, _smallest(simpler), key=_size)
    return replace(best, formula=to_text(formula) if positive else f"!({to_text(formula)})")


def translate_plainly(formula: Formula, positive: bool = True) -> Automaton:
    """Return a larger automaton of the same words, as the rules of the tableau give it: nothing is reduced."""
    found = trim(count_sets(make_tableau(to_plain_core(formula, positive))))
    return replace(found, formula=to_text(formula) if positive else f"!({to_text(formula)})")


def _smallest(core: Formula) -> Automaton:
    later = put_off(core)
    return min((each for form in dict.fromkeys((core, later)) for each in _candidates(form)), key=_size)


def _size(automaton: Automaton) -> tuple[int, int, int]:
    return automaton.states, len(automaton.steps), len(automaton.initial)


def _candidates(core: Formula) -> Iterator[Automaton]:
    """Yield automata of the words of a formula in core form."""
    for splits in (False, True) if isinstance(core, Binary) and core.operator is OR else (False,):
        general = _shrink(make_tableau(core, splits))
        for order in islice(permutations(range(general.sets)), ORDERS if general.states < MANY else 1):
            yield _shrink(count_sets(general, order))


def _shrink(automaton: Automaton) -> Automaton:
    """Return the automaton trimmed and reduced until it gets no smaller."""
    while True:
        smaller = trim(reduce_by_simulation(drop_sets(trim(automaton))))
        if (smaller.states, len(smaller.steps)) == (automaton.states, len(automaton.steps)):
            return smaller
        automaton = smaller
