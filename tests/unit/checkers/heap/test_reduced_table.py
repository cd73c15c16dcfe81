"""The check of a table that leaves out the order of threads and turns that can wait: lies about it are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.reduced_table import check_reduced_table
from knaster.evidence.proofs.heap.reduced_table import ReducedTable
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK
from support.kinds_of_proofs import result_with

FAILURES = [Target("assertion", "", 0, 0, ASSERTION), Target("deadlock", "", 0, 0, DEADLOCK)]
ALONE = """
class C { int k; };
class M {
  static int n;
  activate static void one() { C p; p = new C; p.k = 1; p.k = 2; n = p.k; }
  activate static void two() { C p; p = new C; p.k = 3; n = 2; assert(p.k == 3); }
};
"""


def check(given: ReducedTable) -> None:
    check_reduced_table(given, given.program, FAILURES, Budget())


def table(text: str = ALONE) -> ReducedTable:
    found = knaster.check(text, "failures", engine="explicit", reduction="persistent").proof
    assert isinstance(found, ReducedTable)
    return found


def test_what_was_proved_holds() -> None:
    locked = result_with("reduced_table").proof
    assert isinstance(locked, ReducedTable) and locked.symmetric
    check_reduced_table(locked, locked.program, FAILURES[:1], Budget())
    check(table())
    assert any(table().chosen)


def test_every_row_is_needed() -> None:
    given = table()
    for number in range(len(given.rows)):
        rows = given.rows[:number] + given.rows[number + 1 :]
        with pytest.raises(InternalError, match="does not hold"):
            check(replace(given, rows=rows, chosen=given.chosen[:number] + given.chosen[number + 1 :]))


def test_who_moves_alone_is_said_of_every_row() -> None:
    with pytest.raises(InternalError, match="does not say who moves alone"):
        check(replace(table(), chosen=()))
    with pytest.raises(InternalError, match="cannot"):
        check(replace(table(), chosen=(7, *table().chosen[1:])))


def test_a_step_that_concerns_others_is_not_taken_alone() -> None:
    given = table()
    refused = 0
    for number, chosen in enumerate(given.chosen):
        for thread in (1, 2) if not chosen and all(given.rows[number].threads) else ():
            with pytest.raises(InternalError, match=r"concerns others|cannot|for ever"):
                check(replace(given, chosen=(*given.chosen[:number], thread, *given.chosen[number + 1 :])))
            refused += 1
    assert refused


def test_nobody_is_put_off_for_ever() -> None:
    text = """
    class C { bool b; };
    class M {
      static bool x;
      activate static void one() { C p; p = new C; while (true) { p.b = !p.b; } }
      activate static void two() { x = true; assert(!x); }
    };"""
    full = knaster.check(text, "deadlock", engine="explicit", reduction="persistent").proof
    assert isinstance(full, ReducedTable)
    with pytest.raises(InternalError, match="put off for ever"):
        check_reduced_table(replace(full, chosen=(1,) * len(full.rows)), full.program, FAILURES, Budget())


def test_a_step_that_leads_nowhere_puts_others_off_for_ever() -> None:
    text = "class M { static bool x; activate static void one() { L: goto L; }"
    text += " activate static void two() { x = true; assert(!x); } };\n"
    full = knaster.check(text, "deadlock", engine="explicit", reduction="persistent").proof
    assert isinstance(full, ReducedTable)
    alone = replace(full, rows=full.rows[:1], chosen=(1,))
    with pytest.raises(InternalError, match="put off for ever"):
        check_reduced_table(alone, full.program, FAILURES, Budget())


ALIKE = """
struct S { bool b; C p; };
class C { bool k; };
class M {
  static C g; static bool h;
  static void work() {
    C p; S s; bool e;
    p = new C; s.p = p; s.b = choose(bool); h = false; if (s.b) { g = p; } e = s.p == g; assert(!e || s.b); }
  activate static void one() { async work(); async work(); }
};
"""


@pytest.mark.parametrize("reduction", ["all", "symmetry"])
def test_rows_of_threads_that_look_alike(reduction: str) -> None:
    """Every row is needed where threads choose, and hold cells that others know or do not know."""
    given = knaster.check(ALIKE, "asserts", engine="explicit", reduction=reduction).proof
    assert isinstance(given, ReducedTable) and given.symmetric
    chosen = given.chosen
    assert any(row.choosing > 1 for row in given.rows) and len(given.rows) < 300
    check_reduced_table(given, given.program, FAILURES[:1], Budget())
    for number in {*range(0, len(given.rows), 20), *(n for n, row in enumerate(given.rows) if row.choosing)}:
        rows = given.rows[:number] + given.rows[number + 1 :]
        with pytest.raises(InternalError, match="does not hold"):
            fewer = replace(given, rows=rows, chosen=chosen[:number] + chosen[number + 1 :])
            check_reduced_table(fewer, given.program, FAILURES[:1], Budget())


def test_numbers_of_threads_cannot_be_left_out() -> None:
    given = table(ALONE.replace("C p; p = new C; p.k = 3;", "C p; int l; l = self; p = new C; p.k = 3;"))
    with pytest.raises(InternalError, match="numbers of threads"):
        check(replace(given, symmetric=True))
