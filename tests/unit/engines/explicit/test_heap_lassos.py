"""Termination and formulas of Zing models: fairness, deadlocks, failures, and what is said of them."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Diverges, Verdict
from knaster.report.sentence import sentence

BUSY = """class Node { Node next; };
class Main {
  static bool stop;
  static int n;
  static Node last;
  activate static void one() { while (!stop) { last = new Node; n = 1 - n; } DONE: n = 0; }
  activate static void two() { stop = true; }
};
"""
LOCK = """class Main {
  static bool lock;
  activate static void one() {
    while (true) { atomic { select { wait(!lock) -> lock = true; } } lock = false; }
  }
  activate static void two() { atomic { select { wait(!lock) -> lock = true; } } R: lock = false; }
};
"""
STUCK = "class Main { static bool x; activate static void main() { select { wait(x) -> ; } } };\n"
NULL = "class C { C f; };\nclass Main { static C g; activate static void main() { x: g.f = null; } };\n"
REGION = "class Main { static bool x; activate static void main() { atomic { while (!x) { x = x; } } } };\n"


@pytest.mark.parametrize(
    ("text", "asked", "fair", "true"),
    [
        (BUSY, "termination", "none", False),
        (BUSY, "termination", "weak", True),
        (BUSY, "F DONE", "weak", True),
        (BUSY, "G F {Main.last != null}", "none", False),
        (BUSY, "G {Main.n <= 1}", "none", True),
        (LOCK, "F R", "weak", False),
        (LOCK, "F R", "strong", True),
        (STUCK, "termination", "none", True),
        (STUCK, "F ended", "none", False),
        (NULL, "F (x & X ended)", "none", True),
        (NULL, "G !ended", "none", False),
        (REGION, "termination", "strong", False),
    ],
)
def test_answers(text: str, asked: str, fair: str, true: bool) -> None:
    result = knaster.check(text, property=asked, fair=fair, file="a.zing")
    assert result.stats["method"] == "explicit" and result.verdict is (Verdict.TRUE if true else Verdict.FALSE)
    assert all(answer.checked for _, answer in result.answers)


def test_deadlocks_and_failures_are_said() -> None:
    for text, asked, said in (
        (STUCK, "F ended", "one comes to a deadlock"),
        (NULL, "G !ended", "one ends where a step fails"),
    ):
        assert said in sentence(knaster.check(text, property=asked, file="a.zing"))


def test_limits_leave_it_open() -> None:
    assert "limit of 3 states" in knaster.check(BUSY, property="termination", states=3, file="a.zing").reason


def test_a_cycle_comes_back_with_other_names() -> None:
    ((_, answer),) = knaster.check(BUSY, property="termination", file="a.zing").answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    first, last = answer.lasso.cycle.paths[0].start["Main.last"], answer.lasso.cycle.paths[-1].end["Main.last"]
    assert first != last
