"""Threads of C one at a time: what is proved for every number of switches, and what is left open."""

from __future__ import annotations

import pytest

import knaster
from knaster.engines.threads.modular import threads_of_c
from knaster.evidence.proofs.memory.guaranteed_threads import GuaranteedThreads
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")

GROWS = two_threads("int k = 0; while (any()) { if (k < 1000) k++; x = k; }", "int o = x, n = x; assert(n >= o);")
FLAG = two_threads("int v = any(); if (v < 0) v = 0; x = v; y = 1;", "if (y) assert(x >= 0);", before="x = -1;")
EARLY = two_threads("assert(y == 5);", "", before="y = 5;")


def _ask(text: str, **how: object) -> knaster.Result:
    return knaster.check(text, file="a.c", property="reach", engine="modular", **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [GROWS, EARLY], ids=["grows", "early"])
def test_proofs_for_every_number_of_switches(text: str) -> None:
    result = _ask(text, units=5_000_000)
    assert result.verdict is knaster.Verdict.TRUE
    ((_, answer),) = result.answers
    assert isinstance(answer, knaster.Unreachable) and answer.checked and answer.bound is None
    assert isinstance(answer.proof, GuaranteedThreads)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        two_threads("x = 1; x = 0;", "assert(x == 0);"),
        two_threads("x = 1; y = 1;", "int a = x, b = y; assert(a == b);"),
        FLAG.replace("x = v; y = 1;", "y = 1; x = v;"),
        EARLY.replace("y = 5", "y = 4"),
    ],
    ids=["seen", "between", "order", "early"],
)
def test_what_can_fail_is_left_open(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never FALSE, also where threads show where they stand: one begins when it is started, not before."""
    for way in threads_of_c.WAYS[::2]:
        monkeypatch.setattr(threads_of_c, "WAYS", (way,))
        assert _ask(text, units=400_000).verdict is knaster.Verdict.UNKNOWN


@pytest.mark.slow
def test_a_flag_that_is_set_after_the_data() -> None:
    assert _ask(FLAG).verdict is knaster.Verdict.TRUE


@pytest.mark.slow
def test_each_target_that_can_be_proved_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_of_c, "WAYS", threads_of_c.WAYS[:1])
    text = two_threads("x = 1;", "assert(x < 2); assert(x == 0);")
    result = _ask(text, units=4_000_000)
    assert [type(answer).__name__ for _, answer in result.answers] == ["Unreachable", "Unknown"]


def test_a_thread_that_shows_where_it_stands_begins_when_it_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was taken to begin before main does anything; then nobody heeded what it does later."""
    monkeypatch.setattr(threads_of_c, "WAYS", threads_of_c.WAYS[2:3])
    assert _ask(two_threads("x = 1;", "", "assert(x == 0);")).verdict is knaster.Verdict.UNKNOWN


def test_what_is_no_program_over_integers_is_refused_by_name() -> None:
    text = two_threads("", "assert(x == 0);", before="pthread_cond_t c; pthread_cond_signal(&c);")
    result = _ask(text)
    assert result.verdict is knaster.Verdict.UNKNOWN and "'pthread_cond_signal'" in result.reason


def test_auto_asks_it_where_states_have_no_end() -> None:
    text = two_threads("x = 0; assert(x != 1);", "", "x = 2; int k = 0; while (1) k++;")
    result = knaster.check(text, file="a.c", property="reach", states=200)
    assert result.verdict is knaster.Verdict.TRUE and result.stats["method"] == "modular"
