"""A smaller formula of the same words, by what its parts mean: what is empty, everything, or said by other parts goes.

Whether one formula implies another is asked of automata: the words of one that are not words of the other are none.  So
does A. Duret-Lutz, LTL translation improvements in Spot (VECoS 2011), among others.  It takes longer than the rules
of `core`, and large formulas are left as they are.
"""

from __future__ import annotations

from functools import lru_cache

from knaster.automata.core import AND, OR, UNTIL, join, make_next, make_release, make_until, to_core
from knaster.automata.ltl import FALSE, TRUE, Atom, Binary, Constant, Formula, Operator, Unary, atoms, subformulas
from knaster.automata.tableau import make_tableau
from knaster.base.errors import UsageError

MOST = 40  # parts of a formula that is looked at
MOST_ATOMS = 4


def simplify(core: Formula) -> Formula:
    """Return a formula in core form that holds on the same words and has no more parts."""
    if len(list(subformulas(core))) > MOST or len(set(atoms(core))) > MOST_ATOMS:
        return core
    try:
        return _simplify(core)
    except UsageError:  # an automaton is too large
        return core


def _simplify(core: Formula) -> Formula:
    match core:
        case Constant() | Atom() | Unary(Operator.NOT, _):
            return core
        case Unary(_, operand):
            found = make_next(_simplify(operand))
        case Binary(Operator.AND | Operator.OR as operator, _, _):
            found = _without_repetition(operator, [_simplify(each) for each in _operands(core, operator)])
        case Binary(operator, left, right):
            make = make_until if operator is UNTIL else make_release
            found = make(_simplify(left), _simplify(right))
    if is_empty(found):
        return FALSE
    return TRUE if is_empty(to_core(found, False)) else found


def _without_repetition(operator: Operator, operands: list[Formula]) -> Formula:
    """Return the conjunction, or disjunction, of operands without those that the others say already."""
    left = list(dict.fromkeys(operands))
    for each in sorted(left, key=lambda one: -len(list(subformulas(one)))):  # the largest first
        rest = _joined(operator, [other for other in left if other != each])
        weaker, stronger = (each, rest) if operator is AND else (rest, each)
        if is_empty(join(AND, stronger, to_core(weaker, False))):
            left.remove(each)
        else:
            left[left.index(each)] = _in_context(operator, each, rest)
    return _joined(operator, left)


def _in_context(operator: Operator, formula: Formula, rest: Formula) -> Formula:
    """Return a formula of alternatives without what the rest of a conjunction says of them; and the dual of that."""
    dual = OR if operator is AND else AND
    sides = []
    for side in _operands(formula, dual):
        parts = []
        for part in _operands(side, operator):
            weaker, stronger = (part, rest) if operator is AND else (rest, part)
            if not is_empty(join(AND, stronger, to_core(weaker, False))):
                parts.append(part)
        sides.append(_joined(operator, parts))
    return _joined(dual, sides)


def _joined(operator: Operator, operands: list[Formula]) -> Formula:
    whole: Formula = TRUE if operator is AND else FALSE
    for each in reversed(operands):
        whole = join(operator, each, whole)
    return whole


def _operands(core: Formula, operator: Operator) -> list[Formula]:
    if isinstance(core, Binary) and core.operator is operator:
        return [*_operands(core.left, operator), *_operands(core.right, operator)]
    return [core]


@lru_cache(maxsize=10_000)
def is_empty(core: Formula) -> bool:
    """Tell whether a formula in core form holds on no word."""
    if isinstance(core, Constant):
        return not core.value
    if isinstance(core, Binary) and core.operator is OR:
        return is_empty(core.left) and is_empty(core.right)
    automaton = make_tableau(core)
    return not any(automaton.is_accepting_component(each) for each in automaton.components())
