"""Runs of threads of C that never end, by the kernel: those that come back are accepted, others are not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import knaster
from knaster.checkers.files import fingerprint, proof_to_text
from knaster_check import Refused
from knaster_check.refused import Unsupported
from support.kernel import kernel

pytest.importorskip("clang.cindex")
HEAD = """#include <pthread.h>
#include <stdatomic.h>
_Bool in(void); atomic_int g; unsigned char k; pthread_mutex_t m;
"""
START = "int main() { pthread_t a; pthread_create(&a, 0, f, 0);"
SPIN = f"{HEAD}void *f(void *a) {{ g = 1; return 0; }}\n{START} while (!g) k += 128; return 0; }}\n"
LOCK = f"""{HEAD}void *f(void *a) {{ while (1) {{ pthread_mutex_lock(&m); k = !k; pthread_mutex_unlock(&m); }} }}
{START} pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }}
"""
READS = f"{HEAD}void *f(void *a) {{ return 0; }}\n{START} while (!in()) {{ int old = k; k = !old; }} return 0; }}\n"


@cache
def saved(text: str, fair: str = "none") -> tuple[Any, str]:
    result = knaster.check(text, file="p.c", property="termination", fair=fair)
    return result.program, proof_to_text(result)


def changed(text: str, fair: str, change: Callable[[dict[str, Any]], object]) -> tuple[Any, dict[str, Any]]:
    program, proof = saved(text, fair)
    document = json.loads(proof)
    change(document["run_of_threads"])
    return program, copy.deepcopy(document)


@pytest.mark.parametrize(("text", "fair"), [(SPIN, "none"), (LOCK, "weak"), (READS, "none"), (READS, "strong")])
def test_a_run_that_comes_back_is_accepted(text: str, fair: str) -> None:
    verdict = kernel(*saved(text, fair))
    assert (verdict.claim, verdict.fair) == ("endless", fair) and verdict.answered["replayed"] > 0


@pytest.mark.parametrize(("text", "fair", "claimed"), [(SPIN, "none", "weak"), (LOCK, "weak", "strong")])
def test_one_that_is_not_fair_is_refused(text: str, fair: str, claimed: str) -> None:
    with pytest.raises(Refused, match="not fair"):
        kernel(*changed(text, fair, lambda data: data.update(fair=claimed)))


def _shorten(data: dict[str, Any]) -> None:
    data["cycle"][-1][1].pop()


def _again(data: dict[str, Any]) -> None:
    data["cycle"][0][1][0][1] += 1


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no cycle": lambda data: data.update(cycle=[]),
    "a cycle without a line": lambda data: data.update(cycle=[[1, []]]),
    "no stem": lambda data: data.update(stem=[]),
    "a cycle that is the stem": lambda data: data.update(cycle=data["stem"]),
    "a line less": _shorten,
    "a line more": _again,
    "it stays": lambda data: data.update(stays=True),
    "it goes deeper": lambda data: data.update(deeper=True),
    "it waits": lambda data: data.update(waits=True),
    "a formula": lambda data: data.update(formula="G {g}"),
    "another fairness": lambda data: data.update(fair="much"),
    "no inputs": lambda data: data.update(inputs=[]),
    "other inputs": lambda data: data.update(inputs=[True] * len(data["inputs"])),
    "another thread": lambda data: data.update(cycle=[[9, lines] for _, lines in data["cycle"]]),
    "the other thread": lambda data: data.update(cycle=[[2, lines] for _, lines in data["cycle"]]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_run_is_not_believed(change: str) -> None:
    with pytest.raises(Refused):
        kernel(*changed(READS, "none", CHANGES[change]))


@pytest.mark.parametrize("more", [[], [True]])
def test_a_run_that_comes_back_in_its_second_round_is_accepted(more: list[bool]) -> None:
    """The first round sets a variable; the second reads the inputs of the first, not what the file has behind them."""
    text = READS.replace("int old = k; k = !old;", "k |= 1;")

    def begin_earlier(data: dict[str, Any]) -> None:
        assert data["stem"].pop() == data["cycle"][0] and data["inputs"] == [False] * 3
        data["inputs"] = [False, False, *more]

    assert kernel(*changed(text, "none", begin_earlier)).claim == "endless"


def test_a_run_that_counts_does_not_come_back() -> None:
    """The second round is another one, too: the kernel says nothing."""
    program, proof = saved(SPIN)
    other = knaster.parse(SPIN.replace("+= 128", "+= 1"), file="p.c")
    document = {**json.loads(proof), "program": fingerprint(other)}
    with pytest.raises(Unsupported, match="another state"):
        kernel(other, document)
    assert program != other
