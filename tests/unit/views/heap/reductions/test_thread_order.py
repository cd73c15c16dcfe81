"""The order of threads: states that differ in it only are one, runs have the numbers that threads really have."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.answer import Verdict
from knaster.evidence.proofs.heap.reduced_table import ReducedTable
from knaster.frontends.zing import parse
from knaster.views.heap.reductions.thread_order import ThreadOrder, asks_for_numbers
from knaster.views.heap.turns import Turns

WORKERS = """class C {{ int k; }};
class M {{
  static int n;
  activate static void main() {{ {starts} }}
  static void work() {{
    C own; int seen;
    own = new C;
    n = n + 1;
    own.k = n;
    seen = n;
    assert(seen {relation} own.k);
  }}
}};
"""


def workers(count: int, relation: str = ">=") -> str:
    return WORKERS.format(starts="async work(); " * count, relation=relation)


def test_workers_are_not_told_apart() -> None:
    found = {each: knaster.check(workers(3), engine="explicit", reduction=each) for each in ("local", "symmetry")}
    assert {result.verdict for result in found.values()} == {Verdict.TRUE}
    assert all(result.answers[0][1].checked for result in found.values())
    assert isinstance(found["symmetry"].proof, ReducedTable) and found["symmetry"].proof.symmetric
    assert int(found["symmetry"].stats["states"]) * 3 < int(found["local"].stats["states"])


def test_a_run_of_sorted_threads_is_one() -> None:
    result = knaster.check(workers(3, "=="), engine="explicit", reduction="symmetry")
    assert result.verdict is Verdict.FALSE and result.answers[0][1].checked


def test_threads_that_end_are_left_out() -> None:
    text = """
    class M {
      activate static void main() { while (true) { async work(); } }
      static void work() { ; }
    };"""
    few: dict[str, Any] = {"engine": "explicit", "states": 200}
    assert knaster.check(text, "deadlock", reduction="local", **few).verdict is Verdict.UNKNOWN
    result = knaster.check(text, "deadlock", reduction="symmetry", **few)
    assert result.verdict is Verdict.TRUE and result.answers[0][1].checked


def test_who_chooses_is_found_again() -> None:
    turns = Turns(parse(workers(2)), True, lambda *_: False, lambda *_: None)
    order, start = ThreadOrder(turns.interned), turns.start()
    one, other = start[2], turns.interned.stacks.number((*turns.interned.stacks.parts[start[2]],) * 2)
    assert order.sort((1, start[1], other, 0, one)) == ((2, start[1], one, other), (3, 1))
    assert order.sort((0, start[1], one, other)) == ((0, start[1], one, other), (1, 2))


def test_numbers_that_are_asked_for() -> None:
    asking = parse("class M { activate static void main() { int n; n = self; } };")
    assert asks_for_numbers(asking) and not asks_for_numbers(parse(workers(2)))


@pytest.mark.parametrize("other", [{"switches": 2}, {"fingerprints": True}, {"random": 5}, {"delays": 1}])
def test_what_does_not_go_together_is_refused(other: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--reduction symmetry does not go together with"):
        knaster.check(workers(2), engine="explicit", reduction="symmetry", **other)
