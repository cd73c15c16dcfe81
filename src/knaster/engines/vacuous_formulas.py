"""What never happens of a formula that holds: atoms and antecedents that no run makes true, in words.

I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, Efficient detection of vacuity in ACTL formulas (CAV 1997): a formula
that holds because something never happens is seldom what somebody wanted to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.automata.ltl import TRUE, Atom, Binary, Formula, Operator, subformulas, to_text

_STATE = (Operator.NOT, Operator.AND, Operator.OR, Operator.IMPLIES, Operator.IFF)
Candidate = tuple[Formula, bool]  # a formula about one moment, and whether it is an antecedent


def candidates_of(formula: Formula) -> Iterator[Candidate]:
    """Yield antecedents that speak of one moment, then atoms."""
    whole = list(dict.fromkeys(subformulas(formula)))
    antecedents = [each.left for each in whole if isinstance(each, Binary) and each.operator is Operator.IMPLIES]
    for each in antecedents:
        if _is_of_one_moment(each) and each != TRUE:
            yield each, True
    for each in whole:
        if isinstance(each, Atom) and each not in antecedents:
            yield each, False


def remarks_about(candidates: list[Candidate]) -> tuple[str, ...]:
    """Return that these never happen, in words."""
    found = [
        f"{to_text(each)} never holds in a run" + (", so what follows from it says nothing" if antecedent else "")
        for each, antecedent in candidates
    ]
    return tuple(dict.fromkeys(found))


def remarks_on(formula: Formula, happens: Callable[[Formula], bool]) -> tuple[str, ...]:
    """Return remarks on a formula that holds on every run, from whether a formula about one moment ever does."""
    return remarks_about([each for each in candidates_of(formula) if not happens(each[0])])


def _is_of_one_moment(formula: Formula) -> bool:
    operators = (getattr(each, "operator", Operator.NOT) for each in subformulas(formula))
    return all(operator in _STATE for operator in operators)
