"""The automaton of the words on which a formula does not hold, as small as its check allows.

The checker sees that an automaton misses no word by a simulation, which not every reduction keeps: then a larger one
is taken.
"""

from __future__ import annotations

from knaster.automata.automaton import Automaton
from knaster.automata.ltl import Formula
from knaster.automata.translate import translate, translate_plainly
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.temporal_automata import check_automaton


def automaton_against(formula: Formula, budget: Budget) -> Automaton:
    """Return an automaton of the words on which a formula does not hold that a checker can check."""
    for searches in (True, False):
        small = translate(formula, positive=False, searches=searches)
        try:
            check_automaton(small, formula, budget)
        except InternalError:
            continue
        except OutOfBudget:
            budget.check()
        return small
    return translate_plainly(formula, positive=False)
