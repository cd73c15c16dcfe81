"""Formulas with negations at atoms only, over few operators: `& | X U R`, literals and constants; and smaller.

The rules are those of F. Somenzi and R. Bloem, Efficient Büchi automata from LTL formulae (CAV 2000), and K. Etessami
and G. J. Holzmann, Optimizing Büchi automata (CONCUR 2000); only those that need no search.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from knaster.automata.ltl import FALSE, TRUE, Atom, Binary, Constant, Formula, Operator, Unary

NOT, NEXT, AND, OR = Operator.NOT, Operator.NEXT, Operator.AND, Operator.OR
UNTIL, RELEASE = Operator.UNTIL, Operator.RELEASE


def to_core(formula: Formula, positive: bool = True) -> Formula:
    """Return the core of a formula, or of its negation."""
    match formula:
        case Constant(value):
            return Constant(value == positive)
        case Atom(text):
            return Atom(text) if positive else Unary(NOT, Atom(text))
        case Unary(Operator.NOT, operand):
            return to_core(operand, not positive)
        case Unary(Operator.NEXT, operand):
            return make_next(to_core(operand, positive))
        case Unary(operator, operand):
            least = (operator is Operator.EVENTUALLY) == positive
            inner = to_core(operand, positive)
            return make_until(TRUE, inner) if least else make_release(FALSE, inner)
        case Binary(Operator.IMPLIES, left, right):
            return join(OR if positive else AND, to_core(left, not positive), to_core(right, positive))
        case Binary(Operator.IFF, left, right):
            same = join(AND, to_core(left, True), to_core(right, positive))
            return join(OR, same, join(AND, to_core(left, False), to_core(right, not positive)))
        case Binary(Operator.WEAK, left, right):  # p W q is q R (p | q)
            a, b = to_core(left, positive), to_core(right, positive)
            return make_release(b, join(OR, a, b)) if positive else make_until(b, join(AND, a, b))
        case Binary(operator, left, right):
            a, b = to_core(left, positive), to_core(right, positive)
            if operator in (AND, OR):
                return join(operator if positive else _DUAL[operator], a, b)
            return make_until(a, b) if (operator is UNTIL) == positive else make_release(a, b)


_DUAL = {AND: OR, OR: AND}


def to_plain_core(formula: Formula, positive: bool = True) -> Formula:
    """Return the core of a formula, or of its negation, from the definitions alone: nothing is made smaller."""
    match formula:
        case Constant(value):
            return Constant(value == positive)
        case Atom(text):
            return Atom(text) if positive else Unary(NOT, Atom(text))
        case Unary(Operator.NOT, operand):
            return to_plain_core(operand, not positive)
        case Unary(Operator.NEXT, operand):
            return Unary(NEXT, to_plain_core(operand, positive))
        case Unary(operator, operand):
            least = (operator is Operator.EVENTUALLY) == positive
            inner = to_plain_core(operand, positive)
            return Binary(UNTIL, TRUE, inner) if least else Binary(RELEASE, FALSE, inner)
        case Binary(Operator.IMPLIES, left, right):
            return Binary(OR if positive else AND, to_plain_core(left, not positive), to_plain_core(right, positive))
        case Binary(Operator.IFF, left, right):
            same = Binary(AND, to_plain_core(left, True), to_plain_core(right, positive))
            return Binary(OR, same, Binary(AND, to_plain_core(left, False), to_plain_core(right, not positive)))
        case Binary(operator, left, right):
            a, b = to_plain_core(left, positive), to_plain_core(right, positive)
            if operator in (AND, OR):
                return Binary(operator if positive else _DUAL[operator], a, b)
            if operator is Operator.WEAK:
                return Binary(RELEASE, b, Binary(OR, a, b)) if positive else Binary(UNTIL, b, Binary(AND, a, b))
            return Binary(UNTIL if (operator is UNTIL) == positive else RELEASE, a, b)


def join(operator: Operator, left: Formula, right: Formula) -> Formula:
    """Return the conjunction or disjunction, without what is said twice."""
    neutral, zero = (TRUE, FALSE) if operator is AND else (FALSE, TRUE)
    if zero in (left, right) or left == negate_literal(right):
        return zero
    if left == neutral or implies(*((right, left) if operator is AND else (left, right))):
        return right
    if right == neutral or implies(*((left, right) if operator is AND else (right, left))):
        return left
    pulled = _pull(operator, left, right)
    return Binary(operator, left, right) if pulled is None else pulled


def _pull(operator: Operator, left: Formula, right: Formula) -> Formula | None:
    """Return X a & X b as X (a & b), F a | F b as F (a | b), G a & G b as G (a & b), and what is like them."""
    match left, right:
        case Unary(Operator.NEXT, a), Unary(Operator.NEXT, b):
            return make_next(join(operator, a, b))
        case Binary(Operator.UNTIL, a, c), Binary(Operator.UNTIL, b, d):
            if operator is OR and a == b:
                return make_until(a, join(OR, c, d))
            if operator is AND and c == d:
                return make_until(join(AND, a, b), c)
        case Binary(Operator.RELEASE, a, c), Binary(Operator.RELEASE, b, d):
            if operator is AND and a == b and (a != FALSE or not (is_recurrent(c) or is_recurrent(d))):
                return make_release(a, join(AND, c, d))
            if operator is OR and c == d:
                return make_release(join(OR, a, b), c)
            if operator is OR and a == b == FALSE and is_recurrent(c) and is_recurrent(d):
                return make_release(FALSE, join(OR, c, d))  # G F a | G F b is G F (a | b)
    return None


def negate_literal(formula: Formula) -> Formula | None:
    """Return the negation of a literal; None for other formulas."""
    match formula:
        case Atom():
            return Unary(NOT, formula)
        case Unary(Operator.NOT, operand):
            return operand
    return None


def make_next(operand: Formula) -> Formula:
    """Return the core of X; what holds of a word iff it holds of the rest needs none."""
    if isinstance(operand, Constant) or is_recurrent_formula(operand):
        return operand
    return Unary(NEXT, operand)


def make_until(left: Formula, right: Formula) -> Formula:
    """Return the core of left U right."""
    if isinstance(right, Constant) or left == FALSE or implies(left, right):
        return right
    if is_recurrent_formula(right):
        return right  # p U G F q is G F q
    match right:
        case Binary(Operator.UNTIL, a, b) if left in (a, TRUE):
            return make_until(left, b) if left == TRUE else right
        case Unary(Operator.NEXT, inner) if left == TRUE:
            return make_next(make_until(TRUE, inner))
        case Binary(Operator.OR | Operator.AND as operator, a, b) if left == TRUE and _one_recurs(a, b):
            return join(operator, make_until(TRUE, a), make_until(TRUE, b))
        case Binary(Operator.RELEASE, Constant(False), Binary(Operator.OR, a, b)) if left == TRUE:
            if is_always(a) or is_always(b):  # F G (p | G q) is F G p | F G q
                return join(OR, *(make_until(TRUE, make_release(FALSE, each)) for each in (a, b)))
    match left, right:
        case Unary(Operator.NEXT, a), Unary(Operator.NEXT, b):
            return make_next(make_until(a, b))
    if (opposite := negate_literal(right)) is not None and implies(opposite, left):
        left = TRUE
    return Binary(UNTIL, left, right)


def make_release(left: Formula, right: Formula) -> Formula:
    """Return the core of left R right."""
    if isinstance(right, Constant) or left == TRUE or implies(right, left):
        return right
    if is_recurrent_formula(right):
        return right
    match right:
        case Binary(Operator.RELEASE, a, b) if left in (a, FALSE):
            return make_release(left, b) if left == FALSE else right
        case Unary(Operator.NEXT, inner) if left == FALSE:
            return make_next(make_release(FALSE, inner))
        case Binary(Operator.AND | Operator.OR as operator, a, b) if left == FALSE and _one_recurs(a, b):
            return join(operator, make_release(FALSE, a), make_release(FALSE, b))
        case Binary(Operator.AND, a, b) if left == FALSE and (is_eventual(a) or is_eventual(b)):
            return join(AND, make_release(FALSE, a), make_release(FALSE, b))
        case Binary(Operator.UNTIL, Constant(True), Binary(Operator.AND, a, b)) if left == FALSE:
            if is_eventual(a) or is_eventual(b):  # G F (p & F q) is G F p & G F q
                return join(AND, *(make_release(FALSE, make_until(TRUE, each)) for each in (a, b)))
    match left, right:
        case Unary(Operator.NEXT, a), Unary(Operator.NEXT, b):
            return make_next(make_release(a, b))
    if (opposite := negate_literal(right)) is not None and implies(left, opposite):
        left = FALSE
    return Binary(RELEASE, left, right)


def is_recurrent(formula: Formula) -> bool:
    """Tell whether a core formula is F of something."""
    return isinstance(formula, Binary) and formula.operator is UNTIL and formula.left == TRUE


def put_off(formula: Formula) -> Formula:
    """Return F p & F q & r as F (p & F (q & r) | q & F (p & r)) where r holds of every rest: it need not wait."""
    operands = list(_conjuncts(formula))
    recurring = [each for each in operands if is_recurrent_formula(each)]
    waiting = [each for each in operands if is_recurrent(each) and each not in recurring]
    if not recurring or not waiting or len(waiting) + len(recurring) < len(operands) or len(waiting) > 2:
        return formula
    last = recurring[0]
    for each in recurring[1:]:
        last = Binary(AND, last, each)
    goals = [each.right for each in waiting if isinstance(each, Binary)]
    if len(goals) == 1:
        return Binary(UNTIL, TRUE, Binary(AND, goals[0], last))
    one, other = ((a, Binary(UNTIL, TRUE, Binary(AND, b, last))) for a, b in (goals, reversed(goals)))
    return Binary(UNTIL, TRUE, Binary(OR, Binary(AND, *one), Binary(AND, *other)))


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, Binary) and formula.operator is AND:
        yield from _conjuncts(formula.left)
        yield from _conjuncts(formula.right)
    else:
        yield formula


def is_eventual(formula: Formula) -> bool:
    """Tell whether a core formula is F of something, or X of that."""
    if isinstance(formula, Unary) and formula.operator is NEXT:
        return is_eventual(formula.operand)
    return is_recurrent(formula)


def is_always(formula: Formula) -> bool:
    """Tell whether a core formula is G of something, or X of that."""
    if isinstance(formula, Unary) and formula.operator is NEXT:
        return is_always(formula.operand)
    return isinstance(formula, Binary) and formula.operator is RELEASE and formula.left == FALSE


def _one_recurs(left: Formula, right: Formula) -> bool:
    return is_recurrent_formula(left) or is_recurrent_formula(right)


def is_recurrent_formula(formula: Formula) -> bool:
    """Tell whether a core formula holds of a word iff it does of every rest of it, as G F and F G do."""
    match formula:
        case Constant():
            return True
        case Binary(Operator.RELEASE, Constant(False), inner):
            return is_recurrent(inner) or is_recurrent_formula(inner)
        case Binary(Operator.UNTIL, Constant(True), inner):
            always = isinstance(inner, Binary) and inner.operator is RELEASE and inner.left == FALSE
            return always or is_recurrent_formula(inner)
        case Binary(Operator.AND | Operator.OR, left, right):
            return is_recurrent_formula(left) and is_recurrent_formula(right)
        case Unary(Operator.NEXT, inner):
            return is_recurrent_formula(inner)
    return False


@lru_cache(maxsize=100_000)
def implies(left: Formula, right: Formula) -> bool:
    """Tell whether one core formula is seen to imply another one; where not, it may all the same."""
    if left in (right, FALSE) or right == TRUE:
        return True
    match right:
        case Binary(Operator.AND, a, b):
            return implies(left, a) and implies(left, b)
        case Binary(Operator.RELEASE, a, b) if implies(left, a) and implies(left, b):
            return True
        case Binary(Operator.RELEASE, a, b):
            if isinstance(left, Binary) and left.operator is RELEASE:
                return implies(left.left, a) and implies(left.right, b)
    match left:
        case Binary(Operator.OR, a, b):
            return implies(a, right) and implies(b, right)
        case Binary(Operator.AND, a, b) if implies(a, right) or implies(b, right):
            return True
        case Binary(Operator.UNTIL, a, b):
            if (
                isinstance(right, Binary)
                and right.operator is UNTIL
                and implies(a, right.left)
                and implies(b, right.right)
            ):
                return True
            return implies(a, right) and implies(b, right)
        case Binary(Operator.RELEASE, _, b) if implies(b, right):
            return True
        case Unary(Operator.NEXT, a):
            if isinstance(right, Unary) and right.operator is NEXT:
                return implies(a, right.operand)
    match right:
        case Binary(Operator.OR, a, b):
            return implies(left, a) or implies(left, b)
        case Binary(Operator.UNTIL, _, b):
            return implies(left, b)
    return False
