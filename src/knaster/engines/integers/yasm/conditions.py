"""Writes a set of minterms as a condition of few comparisons, joined by && and ||.

W. V. Quine, The Problem of Simplifying Truth Functions (1952), greedily as in R. K. Brayton, G. D. Hachtel, C. T.
McMullen and A. L. Sangiovanni-Vincentelli, Logic Minimization Algorithms for VLSI Synthesis (1984): a minterm of the
set loses literals as long as it meets no minterm outside of it, and cubes that others cover are left out.  Minterms
that no state has are in neither, so what one comparison implies of another is not said.  The complement is treated in
the same way, and the shorter form is taken.

Notation: a cube has for each literal whether it holds, or None where that does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knaster.program.algebra import conjunction, disjunction, literal_of, rebuilt
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Compare,
    Comparison,
    Const,
    Expr,
    IntegerOperator,
    operands,
    postorder,
)

Minterm = tuple[bool, ...]
Cube = tuple[bool | None, ...]
MOST_MINTERMS = 600  # of a condition that is made shorter


def condition(yes: frozenset[Minterm], possible: frozenset[Minterm], literals: Sequence[Expr]) -> Expr | None:
    """Return a condition that holds in the minterms of a set and in no other possible one; None where it is long."""
    no = possible - yes
    if not yes or not no:
        return TRUE if yes else FALSE
    if len(possible) > MOST_MINTERMS:
        return None
    literals = [_add_constants(literal) for literal in literals]
    order = sorted(range(len(literals)), key=lambda at: (-_size(literals[at]), -at))
    inside = [list(_sign_literals(cube, literals, True)) for cube in _cover(yes, no, order)]
    outside = [list(_sign_literals(cube, literals, False)) for cube in _cover(no, yes, order)]
    some = disjunction(_disjuncts([conjunction(_conjuncts(parts)) for parts in inside]))
    none = conjunction(_conjuncts([disjunction(_disjuncts(parts)) for parts in outside]))
    return some if _size(some) <= _size(none) else none


def _add_constants(expr: Expr) -> Expr:
    """Return an expression in which constants that are added one after the other are added once."""
    stack: list[Expr] = []
    for node in postorder(expr):
        arity = len(operands(node))
        parts = stack[len(stack) - arity :]
        del stack[len(stack) - arity :]
        stack.append(_merge_constants(rebuilt(node, parts) if arity else node))
    return stack.pop()


def _merge_constants(expr: Expr) -> Expr:
    """Return a sum of a value and two constants as one of a value and one constant; whatever wraps, they are equal."""
    match expr:
        case Arithmetic(_, Arithmetic(_, value, _, inner), _, type) if inner == type:
            first, second = _offset(expr.left), _offset(expr)
            if first is None or second is None:
                return expr
            total = first + second
            if not total:
                return value
            sign = IntegerOperator.ADD if total > 0 else IntegerOperator.SUBTRACT
            return Arithmetic(sign, value, Const(abs(total)), type, expr.span)
        case _:
            return expr


def _offset(expr: Expr) -> int | None:
    """Return the constant that an expression adds to its first operand."""
    match expr:
        case Arithmetic(IntegerOperator.ADD, _, Const(int(value))):
            return value
        case Arithmetic(IntegerOperator.SUBTRACT, _, Const(int(value))):
            return -value
        case _:
            return None


def _size(expr: Expr) -> int:
    return sum(1 for _ in postorder(expr))


def _cover(inside: frozenset[Minterm], outside: frozenset[Minterm], order: Sequence[int]) -> list[Cube]:
    """Return cubes, short ones first, that contain every minterm of one set and none of another; none too many."""
    cubes: list[Cube] = []
    for minterm in sorted(inside, reverse=True):
        if not any(_has(cube, minterm) for cube in cubes):
            cubes.append(_widen(minterm, outside, order))
    for cube in list(cubes):
        others = [other for other in cubes if other is not cube]
        if all(any(_has(other, minterm) for other in others) for minterm in inside if _has(cube, minterm)):
            cubes = others
    return sorted(cubes, key=lambda cube: (len(cube) - cube.count(None), [sign is None for sign in cube]))


def _widen(minterm: Minterm, outside: frozenset[Minterm], order: Sequence[int]) -> Cube:
    cube: Cube = minterm
    for at in order:
        wider = (*cube[:at], None, *cube[at + 1 :])
        if not any(_has(wider, other) for other in outside):
            cube = wider
    return cube


def _has(cube: Cube, minterm: Minterm) -> bool:
    return all(sign is None or sign is own for sign, own in zip(cube, minterm, strict=True))


def _sign_literals(cube: Cube, literals: Sequence[Expr], holds: bool) -> Iterator[Expr]:
    """Yield the literals of a cube, or their opposites."""
    return (literal_of(one, sign is holds) for one, sign in zip(literals, cube, strict=True) if sign is not None)


def _conjuncts(parts: Iterable[Expr]) -> list[Expr]:
    """Return the parts of a conjunction; two bounds that leave one value are an equation."""
    return _pair_bounds(list(dict.fromkeys(parts)), Comparison.EQUAL)


def _disjuncts(parts: Iterable[Expr]) -> list[Expr]:
    """Return the parts of a disjunction; two bounds that leave one value out are an inequation."""
    return _pair_bounds(list(dict.fromkeys(parts)), Comparison.DIFFERENT)


def _pair_bounds(parts: list[Expr], sign: Comparison) -> list[Expr]:
    for part in parts:
        for other in parts:
            least, most = _least(part), _most(other)
            if least is None or most is None or least[0] != most[0]:
                continue
            value = least[1] if sign is Comparison.EQUAL else least[1] - 1
            if most[1] == (value if sign is Comparison.EQUAL else value - 1):
                found: Expr = Compare(sign, least[0], Const(value))
                rest = [found if one is part else one for one in parts if one is not other]
                return _pair_bounds(rest, sign)
    return parts


def _least(expr: Expr) -> tuple[Expr, int] | None:
    """Return a value and its least one where an expression says that."""
    match expr:
        case Compare(Comparison.GREATER, left, Const(int(bound))):
            return left, bound + 1
        case Compare(Comparison.AT_LEAST, left, Const(int(bound))):
            return left, bound
        case _:
            return None


def _most(expr: Expr) -> tuple[Expr, int] | None:
    match expr:
        case Compare(Comparison.LESS, left, Const(int(bound))):
            return left, bound - 1
        case Compare(Comparison.AT_MOST, left, Const(int(bound))):
            return left, bound
        case _:
            return None
