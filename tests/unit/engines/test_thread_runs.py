"""Runs of threads as lassos: with a cycle, or resting where the stem ends."""

from __future__ import annotations

from knaster.engines.thread_runs import lasso_of_moves
from knaster.evidence.questions.question import Termination
from knaster.frontends.boolean import parse
from knaster.semantics.thread_graph import Move, ThreadGraph


def graph(text: str) -> ThreadGraph:
    return ThreadGraph(parse(text, "a.bp", "default", None))


def test_a_cycle_and_a_rest() -> None:
    found = graph("void main_1() begin L: goto L; end void main_2() begin assume(F); end\n")
    start = found.starts()[0]
    moves = [move for move in found.moves(start) if isinstance(move, Move)]
    lasso = lasso_of_moves(found, [], moves[:1], start, Termination())
    assert not lasso.stays and len(lasso.cycle.segments) == 1
    stays = lasso_of_moves(found, moves[:1], [], start, Termination(fair="weak"))
    assert stays.stays and stays.waits and stays.fair == "weak"
