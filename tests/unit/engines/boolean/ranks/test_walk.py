"""Walks: a cycle with an accepting step that leads back to its first head."""

from __future__ import annotations

from itertools import pairwise

from knaster.base.limits import Budget
from knaster.engines.boolean.ranks.fixpoint import find_chain
from knaster.engines.boolean.ranks.walk import Walk
from knaster.evidence.questions.product import CALLING, RUN
from support.heads import heads_of
from support.temporal_programs import questions


def test_cycles_close_and_accept() -> None:
    seen = 0
    for _, text, asked, true in questions():
        if true:
            continue
        heads = heads_of(text, asked)
        good = find_chain(heads, Budget())[-1]
        walk = Walk(heads, good, Budget())
        way, moves = walk.find_cycle((RUN, CALLING), heads.symbolic.initial())
        assert any(move.step.accepting for move in moves) and heads.product.is_original(moves[0].place)
        assert walk.key(moves[0].place, moves[0].cube) == walk.key(moves[-1].step.target, moves[-1].after)
        assert all(move.step.target == after.place for move, after in pairwise(moves))
        assert not way or way[-1].step.target == moves[0].place
        seen += 1
    assert seen > 10
