"""One thread among others that keep their guarantees: what its program does, and what is no guarantee."""

from __future__ import annotations

import pytest

from knaster.base.limits import Budget
from knaster.engines.contract import Task
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.program.algebra import conjunction
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Choice,
    Compare,
    Comparison,
    Const,
    Expr,
    IntegerOperator,
    Var,
)
from knaster.program.types import Int
from knaster.transform.memory_threads.guaranteed_threads import (
    GuaranteedThread,
    Guarantees,
    before,
    broken_target,
    known_to_several,
    place_of,
    reduce_guaranteed,
)
from knaster.transform.memory_threads.shared_program import share
from knaster.transform.regions.refusal import Refused
from support.c_thread_texts import two_threads

pytest.importorskip("clang.cindex")
TEXT = two_threads("x = 1;", "assert(x < 2);", before="y = 5;")


def _same(name: str) -> Expr:
    return Compare(Comparison.EQUAL, Var(name), Var(before(name)))


ALL = ("x", "#started.2", "#started.3")
KEEPS = conjunction([_same(name) for name in ALL])
STARTS = _same("x")
SETS = conjunction([Compare(Comparison.EQUAL, Var("x"), Const(1)), _same("#started.2"), _same("#started.3")])


def _threads(*steps: Expr, shows: bool = False, text: str = TEXT) -> tuple[GuaranteedThread, ...]:
    program = load(text, file="a.c")
    return reduce_guaranteed(program, default_targets(program), Guarantees(steps, shows))


def _is_proved(thread: GuaranteedThread, *targets: Target) -> bool:
    """Tell whether invariants exclude targets of the program of a thread."""
    task = Task(thread.program, Reach(targets), Budget(), make_options("horn", {"units": 150_000}))
    found = ENGINES["horn"].find(task)
    return found.unknown is None and not found.reached


def test_what_several_threads_know() -> None:
    program = load(TEXT, file="a.c")
    assert set(known_to_several(share(program, default_targets(program)))) == set(ALL)
    early = two_threads("assert(y == 5);", "", before="y = 5;")
    program = load(early, file="a.c")
    assert "y" in known_to_several(share(program, default_targets(program)))  # main writes before it starts any


def test_guarantees_that_are_kept() -> None:
    threads = _threads(STARTS, SETS, KEEPS)
    assert [thread.number for thread in threads] == [1, 2, 3]
    assert [thread.written for thread in threads] == [("#started.2", "#started.3"), ("x",), ()]
    assert [bool(thread.targets) for thread in threads] == [False, False, True]
    assert all(_is_proved(thread, *thread.excluded(default_targets(load(TEXT, file="a.c")))) for thread in threads)


@pytest.mark.slow
def test_guarantees_that_are_broken() -> None:
    first, second, third = _threads(KEEPS, KEEPS, KEEPS)
    assert not _is_proved(first, first.broken)
    assert _is_proved(second, second.broken) and _is_proved(third, third.broken)  # nobody starts them
    assert second.broken.name == broken_target("one@2")
    _, second, _ = _threads(STARTS, KEEPS, FALSE)
    assert not _is_proved(second, second.broken)


@pytest.mark.slow
def test_what_others_may_do_is_heeded() -> None:
    _, _, third = _threads(STARTS, TRUE, KEEPS)
    assert _is_proved(third, third.broken) and not _is_proved(third, third.targets[0][0])


def test_threads_show_where_they_stand() -> None:
    """A thread that has not begun has taken no step: who waits for it sees it begin whatever happened before."""
    first, second, _ = _threads(TRUE, TRUE, TRUE, shows=True)
    assert {place_of(1), place_of(2), place_of(3)} <= set(first.shared) and place_of(2) in second.written
    assert first.ended == first.idle and len(second.idle - second.ended) == 1  # where it waits to begin


@pytest.mark.parametrize(
    "wrong",
    [
        Var("nobody"),
        Compare(Comparison.EQUAL, Var("x"), Choice(Int(32))),
        Var("x"),
        Compare(Comparison.EQUAL, Var("x", primed=True), Const(1)),
        Compare(Comparison.EQUAL, Arithmetic(IntegerOperator.DIVIDE, Const(1), Var("x"), Int(32)), Const(1)),
        Compare(Comparison.EQUAL, Var("y"), Const(5)),
    ],
    ids=["unknown", "choice", "number", "primed", "undefined", "private"],
)
def test_what_has_no_truth_value_is_no_guarantee(wrong: Expr) -> None:
    with pytest.raises(Refused, match="no formula about the shared variables"):
        _threads(TRUE, wrong, TRUE)


def test_each_thread_has_one() -> None:
    with pytest.raises(Refused, match="not every thread"):
        _threads(TRUE, TRUE)
