"""Formulas as clauses, and clauses made short: a conjunction of disjunctions of intervals and of other atoms.

What is said twice is left out: intervals of the same sum are met (`x >= y && x <= y` is `x == y`), bounds that a type
implies are dropped, alternatives that another clause excludes are, too, and conditional expressions become clauses.
All of it says the same as before, of values that their types allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.decide.shortening.bounds import Between, range_of, read_between
from knaster.decide.shortening.solved import solved
from knaster.program.algebra import OPPOSITE, conjunction, conjuncts, disjunction, negation
from knaster.program.evaluate import compare
from knaster.program.expression import (
    FALSE,
    Binary,
    Compare,
    Conditional,
    Const,
    Convert,
    Expr,
    Not,
    Operator,
    postorder,
)
from knaster.program.types import Int, Type

MOST_CLAUSES = 24  # of one formula
MOST_PAIRS = 300
MOST_NODES = 400
Literal = Between | Expr
Clause = tuple[Literal, ...]


class _TooMany(Exception):
    pass


def clauses_of(formula: Expr, types: Mapping[str, Type]) -> list[Clause]:
    """Return a formula as clauses, tidied; a part that would become too many is a clause as it stands."""
    found: list[Clause] = []
    for part in conjuncts(formula):
        try:
            if sum(1 for _ in postorder(part)) > MOST_NODES:
                raise _TooMany
            found += _clauses(part, True, types)
        except _TooMany:
            found.append((part,))
    return tidy(found, types)


def formulas_of(clauses: Iterable[Clause]) -> list[Expr]:
    """Return the parts of a conjunction that clauses are."""
    found: dict[Expr, None] = {}
    for clause in clauses:
        pairs: list[list[Expr]] = [[]]
        for literal in clause:
            ends = literal.expressions() if isinstance(literal, Between) else [literal]
            pairs = [[*pair, end] for end in ends for pair in pairs]
        found |= dict.fromkeys(map(disjunction, pairs))
    return list(found)


def _clauses(expr: Expr, sign: bool, types: Mapping[str, Type]) -> list[Clause]:
    """Return an expression or its negation as clauses."""
    match expr:
        case Const(value):
            return [] if bool(value) is sign else [()]
        case Not(operand):
            return _clauses(operand, not sign, types)
        case Binary(Operator.AND | Operator.OR as operator, left, right):
            parts = [_clauses(left, sign, types), _clauses(right, sign, types)]
            return [*parts[0], *parts[1]] if (operator is Operator.AND) is sign else _either(*parts)
        case Binary(Operator.IMPLIES, left, right):
            return _clauses(Binary(Operator.OR, Not(left), right), sign, types)
        case Binary(operator, left, right):
            same = (operator is Operator.EQUAL) is sign
            return [
                *_either(_clauses(left, True, types), _clauses(right, not same, types)),
                *_either(_clauses(left, False, types), _clauses(right, same, types)),
            ]
        case Conditional(condition, then, otherwise):
            return [
                *_either(_clauses(condition, False, types), _clauses(then, sign, types)),
                *_either(_clauses(condition, True, types), _clauses(otherwise, sign, types)),
            ]
        case Compare():
            return _comparison(expr, sign, types)
        case _:
            return [(expr if sign else negation(expr),)]


def _either(left: list[Clause], right: list[Clause]) -> list[Clause]:
    if len(left) * len(right) > MOST_PAIRS:
        raise _TooMany
    found = [(*one, *(each for each in other if each not in one)) for one in left for other in right]
    found = _without_weaker(list(dict.fromkeys(clause for clause in found if not _is_true(clause))))
    if len(found) > MOST_CLAUSES:
        raise _TooMany
    return found


def _is_true(clause: Clause) -> bool:
    """Tell whether two alternatives of a clause are a comparison and its opposite, or cover all numbers."""
    for place, one in enumerate(clause):
        for other in clause[:place]:
            if isinstance(one, Between) and isinstance(other, Between):
                if one.covers_with(other):
                    return True
            elif not isinstance(one, Between) and not isinstance(other, Between) and one == negation(other):
                return True
    return False


def _comparison(expr: Compare, sign: bool, types: Mapping[str, Type]) -> list[Clause]:
    for one, other, first in ((expr.left, expr.right, True), (expr.right, expr.left, False)):
        match one, other:
            case Conditional(condition, then, otherwise), _:
                ways = [Compare(expr.operator, *((way, other) if first else (other, way))) for way in (then, otherwise)]
                return _clauses(Conditional(condition, *ways), sign, types)
            case Convert(Compare() | Not() | Binary() as truth, Int()), Const(int(value)):
                true, false = (compare(expr.operator, *((n, value) if first else (value, n))) for n in (1, 0))
                return _clauses(Conditional(truth, Const(true), Const(false)), sign, types)
    expr = solved(expr, types)
    found = read_between(expr, sign, types)
    if isinstance(found, bool):
        return [] if found else [()]
    if found is not None:
        return [(found,)]
    return [(Compare(expr.operator if sign else OPPOSITE[expr.operator], expr.left, expr.right),)]


def tidy(clauses: Sequence[Clause], types: Mapping[str, Type]) -> list[Clause]:
    """Return clauses that together say the same in fewer words."""
    found = list(dict.fromkeys(_within_types(clauses, types)))
    while True:
        units = [clause[0] for clause in found if len(clause) == 1 and isinstance(clause[0], Between)]
        smaller = list(_with_numbers(_with_equations(found), units))
        smaller = list(dict.fromkeys(_without_excluded(clause, units) for clause in smaller))
        smaller = _without_weaker(_met(smaller))
        if () in smaller:
            return [()]
        if smaller == found:
            return found
        found = smaller


def _within_types(clauses: Iterable[Clause], types: Mapping[str, Type]) -> Iterable[Clause]:
    """Yield clauses without what types imply or exclude."""
    for clause in clauses:
        kept: list[Literal] = []
        for literal in clause:
            if not isinstance(literal, Between):
                kept.append(literal)
                continue
            limits = range_of(literal.terms, types)
            if limits.is_inside(literal):
                break
            if not limits.is_apart(literal):
                low = literal.low if literal.low is None or limits.low is None or literal.low > limits.low else None
                high = (
                    literal.high if literal.high is None or limits.high is None or literal.high < limits.high else None
                )
                kept.append(Between(literal.terms, low, high))
        else:
            yield tuple(kept)


def _with_equations(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses in which an equation is shorter by another one: `x == y + z && x == y + 2 * z` has `z == 0`."""
    found = list(clauses)
    equations = [clause[0] for clause in found if len(clause) == 1 and _is_equation(clause[0])]
    for one in equations:
        for other in equations:
            if isinstance(one, Between) and isinstance(other, Between) and one is not other:
                less = one.minus(other)
                if isinstance(less, Between) and len(less.terms) < len(one.terms) and (one,) in found:
                    found[found.index((one,))] = (less,)
                    return found
    return found


def _is_equation(literal: Literal) -> bool:
    return isinstance(literal, Between) and literal.low is not None and literal.low == literal.high


def _with_numbers(clauses: Iterable[Clause], units: Sequence[Between]) -> Iterable[Clause]:
    """Yield clauses in which a number stands for each term that always has the same."""
    numbers = {one.terms[0][0]: one.low for one in units if len(one.terms) == 1 and one.low == one.high}
    for clause in clauses:
        kept: list[Literal] = []
        for literal in clause:
            if isinstance(literal, Between) and len(literal.terms) > 1:
                said = literal.with_numbers(numbers)
                if said is True:
                    break
                if said is not False:
                    kept.append(said)
            else:
                kept.append(literal)
        else:
            yield tuple(kept)


def _without_excluded(clause: Clause, units: Sequence[Between]) -> Clause:
    """Return a clause without alternatives that something which always holds excludes."""
    if len(clause) < 2:
        return clause
    return tuple(
        literal
        for literal in clause
        if not (isinstance(literal, Between) and any(unit.is_apart(literal) for unit in units))
    )


def _met(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses in which intervals of one sum, with the same alternatives, are one."""
    found: list[Clause] = []
    for clause in clauses:
        for place, other in enumerate(found):
            if (met := _meet(clause, other)) is not None:
                found[place] = met
                break
        else:
            found.append(clause)
    return list(dict.fromkeys(found))


def _meet(one: Clause, other: Clause) -> Clause | None:
    """Return what two clauses say that differ in the interval of one sum; None where they differ in more."""
    ours = [each for each in one if each not in other]
    theirs = [each for each in other if each not in one]
    if len(ours) != 1 or len(theirs) != 1:
        return None
    mine, its = ours[0], theirs[0]
    if not isinstance(mine, Between) or not isinstance(its, Between) or mine.terms != its.terms:
        return None
    met = mine.meet(its)
    empty = met.low is not None and met.high is not None and met.low > met.high
    return tuple(met if each is its else each for each in other if not (each is its and empty))


def _without_weaker(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses without those that another one implies."""
    kept: list[Clause] = []
    for number, clause in enumerate(clauses):
        rest = [*kept, *clauses[number + 1 :]]
        if not any(_implies(other, clause) for other in rest):
            kept.append(clause)
    return kept


def _implies(one: Clause, other: Clause) -> bool:
    """Tell whether each alternative of a clause is one of another clause, or says more."""
    return all(
        any(
            literal == each or (isinstance(literal, Between) and isinstance(each, Between) and literal.is_inside(each))
            for each in other
        )
        for literal in one
    )


def short_form(formula: Expr, types: Mapping[str, Type]) -> Expr:
    """Return a formula that says the same in fewer words, where there is one."""
    clauses = clauses_of(formula, types)
    if () in clauses:
        return FALSE
    return conjunction(formulas_of(clauses))
