"""The check of a table of states: every state of it is needed, and nothing that is excluded happens."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.state_table import _price, check_state_table
from knaster.evidence.proofs.heap.state_table import StateTable
from knaster.evidence.questions.question import Bound, Target
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK
from support.kinds_of_proofs import result_with

ASSERTIONS = [Target("assertion", "", 0, 0, ASSERTION)]


def table(bounded: bool = False) -> StateTable:
    found = result_with("state_table", bounded).proof
    assert isinstance(found, StateTable)
    return found


def check(given: StateTable, targets: list[Target] = ASSERTIONS) -> None:
    check_state_table(given, given.program, targets, Budget())


@pytest.mark.parametrize("bounded", [False, True])
def test_what_was_proved_holds(bounded: bool) -> None:
    check(table(bounded))


def test_every_row_is_needed() -> None:
    rows = table().rows
    for number in range(len(rows)):
        with pytest.raises(InternalError, match="does not hold"):
            check(replace(table(), rows=rows[:number] + rows[number + 1 :]))


def test_a_place_that_is_reached() -> None:
    with pytest.raises(InternalError, match="does not exclude 'here'"):
        check(table(), [Target("here", "work", 1, 10)])


def test_who_ran_is_said_of_every_row() -> None:
    bounded = table(True)
    with pytest.raises(InternalError, match="counts something else"):
        check(replace(bounded, ran=bounded.ran[1:]))
    assert bounded.bound == Bound("switches", 1)
    with pytest.raises(InternalError, match="does not hold"):
        check(replace(bounded, bound=Bound("switches", 2)))  # no states of two switches are there


CHOOSING = """class Main { static int x; static bool b;
activate static void main() { async work(); b = choose(bool); x = 0; if (b) { x = 1; } assert(x < 5); }
static void work() { int i; i = 1; i = i + 1; x = i; } };
"""
THREE = """class Main { static int x; static int y;
activate static void main() { async work(); async rest(); x = 1; }
static void work() { atomic { y = 1; HERE: y = 2; y = 0; } }
static void rest() { int i; i = 1; i = 2; x = 0; } };
"""


SPIN = """class Main { static int x; activate static void main() { async spin(); async work(); x = 1; assert(x < 5); }
static void spin() { int i; while (true) { i = (i + 1) % 3; } } static void work() { int k; k = 3; x = 2; } };
"""


@pytest.mark.parametrize("text", [CHOOSING, THREE, SPIN])
@pytest.mark.parametrize("bound", ["", "switches", "delays", "preemptions"])
def test_rows_of_choices_and_started_threads_are_needed(text: str, bound: str) -> None:
    proof = knaster.check(text, file="a.zing", **({bound: 1} if bound else {})).proof  # type: ignore[arg-type]
    assert isinstance(proof, StateTable) and proof.reduced
    check(proof)
    needed = 0
    for number in range(len(proof.rows)):
        ran = proof.ran[:number] + proof.ran[number + 1 :]
        try:
            check(replace(proof, rows=proof.rows[:number] + proof.rows[number + 1 :], ran=ran))
        except InternalError:
            needed += 1
    assert needed == len(proof.rows)


def test_a_place_inside_an_atomic_region_of_the_second_of_three_threads() -> None:
    text = THREE.replace("async work(); async rest(); ", "").replace("static void work", "activate static void work")
    result = knaster.check(text.replace("static void rest", "activate static void rest"), file="a.zing")
    proof = result.proof
    assert isinstance(proof, StateTable) and all(len(row.threads) == 3 for row in proof.rows)
    (place,) = (at for label, at in result.program.procedure("work").labels if label == "HERE")
    with pytest.raises(InternalError, match="does not exclude 'here'"):
        check(proof, [Target("here", "work", place, 1)])


@pytest.mark.parametrize(("end", "allowed"), [("end", True), ("", False)])
def test_a_thread_that_waits_for_ever_is_a_deadlock_unless_it_may_end(end: str, allowed: bool) -> None:
    text = "class Main { static bool b; static int x; activate static void main() { async work(); "
    text += f"assert(x < 5); select {end} {{ wait(b) -> x = 1; }} }} static void work() {{ x = 2; }} }};\n"
    proof = knaster.check(text, "asserts", file="a.zing").proof
    assert isinstance(proof, StateTable)
    deadlock = [Target("deadlock", "", 0, 0, DEADLOCK)]
    if allowed:
        check(proof, deadlock)
    else:
        with pytest.raises(InternalError, match="does not exclude"):
            check(proof, deadlock)


@pytest.mark.parametrize(
    ("kind", "last", "thread", "runnable", "price"),
    [
        ("switches", 0, 2, (1, 2), 0),
        ("switches", 2, 2, (1, 2), 0),
        ("switches", 1, 2, (1, 2), 1),
        ("preemptions", 0, 1, (1, 2), 0),
        ("preemptions", 1, 1, (1, 2), 0),
        ("preemptions", 1, 2, (1, 2), 1),
        ("preemptions", 1, 2, (2,), 0),
        ("delays", 0, 1, (1, 2, 3), 0),
        ("delays", 1, 1, (1, 2, 3), 0),
        ("delays", 1, 2, (1, 2, 3), 1),
        ("delays", 1, 3, (1, 2, 3), 2),
        ("delays", 1, 3, (2, 3), 1),
        ("delays", 2, 1, (1, 2, 3), 2),
        ("delays", 3, 2, (1, 2, 3), 2),
        ("delays", 3, 1, (1, 2), 0),
        ("delays", 3, 2, (1, 2), 1),
    ],
)
def test_what_a_step_adds_to_what_is_counted(
    kind: str, last: int, thread: int, runnable: tuple[int, ...], price: int
) -> None:
    assert _price(kind, last, thread, runnable) == price
