"""The program of all interleavings: where control can get, and what is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.transform.memory_threads.interleavings import FIRST, reduce_interleavings
from knaster.transform.regions.refusal import Refused
from support.c_thread_texts import COUNTER, two_threads

pytest.importorskip("clang.cindex")


def test_one_procedure_has_all_threads() -> None:
    program = load(COUNTER, file="a.c")
    reduced = reduce_interleavings(program, default_targets(program))
    assert reduced.program.threads == (FIRST,) and [each.name for each in reduced.program.procedures] == [FIRST]
    assert {number for number, _ in reduced.standing.values()} == {1, 2, 3}


def test_calls_that_nobody_notices_stay_calls() -> None:
    text = two_threads("x = square(3);", "", "pthread_join(a, 0); assert(x == 9);").replace(
        "void *one", "int square(int n) { return n * n; }\nvoid *one", 1
    )
    program = load(text, file="a.c")
    reduced = reduce_interleavings(program, default_targets(program))
    assert [each.name for each in reduced.program.procedures] == [FIRST, "square@2"]
    assert knaster.check(text, file="a.c", property="reach", engine="interleaved").verdict.name == "TRUE"


def test_recursion_is_refused_where_others_notice_it() -> None:
    text = two_threads("deep(any());", "x = 1;").replace(
        "void *one", "void deep(int n) { x = n; if (n > 0) deep(n - 1); }\nvoid *one", 1
    )
    program = load(text, file="a.c")
    with pytest.raises(Refused, match="'deep@2' calls itself"):
        reduce_interleavings(program, default_targets(program))


def test_an_object_that_ends_while_another_thread_points_to_it_is_refused() -> None:
    text = two_threads("*(int *)p = 1;", "", "start();").replace(
        "int main", "void start(void) { int n; pthread_t a; pthread_create(&a, 0, one, &n); }\nint main", 1
    )
    program = load(text, file="a.c")
    with pytest.raises(Refused, match="'n' may end while another thread points to it"):
        reduce_interleavings(program, default_targets(program))
