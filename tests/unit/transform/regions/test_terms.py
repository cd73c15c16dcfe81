"""Pointers as numbers: where they point after moves, and numbers that are far away."""

from __future__ import annotations

from knaster.program.evaluate import evaluate
from knaster.program.expression import Const, Var
from knaster.transform.regions.pointer_sets import OBJECT, Base
from knaster.transform.regions.terms import FAR, UNMOVED, Shift, Term, choose, move, outside

A = frozenset((Base(OBJECT, "", "a"),))


def offset(term: Term, **values: int) -> int:
    """Return how many bytes a pointer is into its object."""
    index = evaluate(term.index, values, iter(()))
    assert isinstance(index, int)
    return term.residue + term.stride * index


def test_moves_add_up() -> None:
    start = Term(A, Const(3))
    moved = move(move(move(start, Const(2), None, 4, True), Var("i"), (-9, 9), 12, True), Var("j"), (0, 9), -4, True)
    assert (moved.stride, moved.reach) == (4, 36)
    assert offset(moved, i=2, j=5) == 8 + 24 - 20


def test_what_is_far_away_stays_far_away() -> None:
    moved = move(Term(A, Const(3)), Var("i"), None, 4, True)
    assert len(moved.clipped) == 2 and moved.reach == FAR
    assert offset(moved, i=1 << 62) == 4 * FAR and offset(moved, i=-(1 << 63)) == -4 * FAR and offset(moved, i=7) == 28
    beyond = outside(moved.index, 0, 9, moved.reach)
    assert evaluate(beyond, {"i": 1 << 63}, iter(())) and not evaluate(beyond, {"i": 9}, iter(()))


def test_one_or_the_other() -> None:
    one, other = Term(A, Const(3), 4), move(Term(A, Const(3), 12), Var("i"), (0, 5), 16, True)
    both = choose(Var("c"), one, other)
    assert offset(both, c=1, i=2) == 4 and offset(both, c=0, i=2) == 44


def test_how_far_a_null_pointer_was_moved() -> None:
    start = Term(A, Const(0))
    part = move(start, Const(8), None, 1, True)
    assert start.shift == UNMOVED and part.shift == Shift(8)
    for scale, low, high in ((4, -13, 9), (-3, -7, 20), (5, 1, 4), (1, -2, -1)):
        moved = move(part, Var("i"), (-9, 9), scale, True).shift
        assert moved is not None
        inside = moved.between(low, high)
        for i in range(-12, 13):
            assert bool(evaluate(inside, {"i": i}, iter(()))) == (low <= 8 + scale * i <= high), (scale, i)
    twice = move(move(start, Var("i"), (0, 9), 4, True), Var("j"), (0, 9), 4, True)
    assert twice.shift is None and choose(Var("c"), start, part).shift is None
