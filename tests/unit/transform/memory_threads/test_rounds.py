"""The program for so many rounds, and how its runs become runs of the threads."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.transform.memory_threads.rounds import FIRST, reduce_rounds
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")
PING = two_threads("x = 1; __VERIFIER_assume(y == 1); x = 2;", "__VERIFIER_assume(x == 1); y = 1;", "assert(x != 2);")


def test_copies_are_there_for_each_round() -> None:
    program = load(PING, file="a.c")
    reduced = reduce_rounds(program, default_targets(program), 3)
    assert reduced.program.threads == (FIRST,) and not reduced.program.is_threaded
    assert {"x #0", "x #1", "x #2", "x #guess 1", "x #guess 2"} <= set(reduced.program.globals)
    assert {target.procedure for target, _ in reduced.targets} == {FIRST}


@pytest.mark.parametrize(("rounds", "found"), [(1, False), (2, False), (3, True), (4, True)])
def test_a_bug_is_found_with_enough_rounds(rounds: int, found: bool) -> None:
    """One, two, one, and then main: main's turn comes first in a round, so the third one is needed."""
    result = knaster.check(PING, file="a.c", property="reach", engine="rounds", rounds=rounds)
    assert (result.verdict is knaster.Verdict.FALSE) is found
    if found:
        assert result.trace is not None and [segment.thread for segment in result.trace.segments] == [1, 2, 3, 2, 1]
    else:
        ((_, answer),) = result.answers
        assert isinstance(answer, knaster.Unreachable) and answer.checked
        assert answer.bound is not None and (answer.bound.kind, answer.bound.number) == ("rounds", rounds)


def test_a_bound_that_grows_is_told_in_switches() -> None:
    text = two_threads("x = any();", "y = x;", "int v = x; assert(v < 5 || v > 4);")
    result = knaster.check(text, file="a.c", property="reach", engine="rounds")
    ((_, answer),) = result.answers
    assert result.verdict is knaster.Verdict.UNKNOWN and isinstance(answer, knaster.Unreachable)
    assert answer.bound is not None and (answer.bound.kind, answer.bound.number) == ("switches", 3)


def test_where_main_has_ended_nobody_goes_on() -> None:
    text = two_threads("__VERIFIER_assume(y == 1); assert(x == 0);", "", "x = 1; y = 1; x = 0;")
    assert knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=2).verdict.name == "FALSE"
    text = two_threads("__VERIFIER_assume(y == 1); assert(x == 1);", "", "x = 1; y = 1;")
    assert knaster.check(text, file="a.c", property="reach", engine="rounds", rounds=3).verdict.name == "UNKNOWN"
