"""Persistent sets: a thread moves alone only where that concerns no other thread, and nobody is put off for ever."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Verdict
from knaster.evidence.proofs.heap.reduced_table import ReducedTable
from knaster.frontends.zing import parse
from knaster.views.heap.reductions.persistent_sets import PersistentSets
from knaster.views.heap.turns import Turns

OWN = """class C { int k; C f; };
class M {
  static int n; static C c = new C; static C d = new C;
  activate static void one() { BODY }
  activate static void two() { int m; m = n; n = 1; c.k = 1; look(); }
  static void look() { int m; C e; e = d; m = e.k; }
};
"""


@pytest.mark.parametrize(
    ("body", "alone"),
    [
        ("C p; p = new C; p.k = 2;", True),
        ("int l; l = n;", False),
        ("n = 2;", False),
        ("int l; l = c.k;", False),
        ("int l; l = d.k;", False),  # the field has the name of one that is written
        ("C p; p = d.f;", False),  # nobody writes that, but a cell counts as a whole
        ("bool l; l = choose(bool); if (l) { n = 1; }", True),
        ("bool l; atomic { l = choose(bool); if (l) { n = 1; } }", False),
        ("async two();", False),
        ("assume(true == false);", False),
    ],
)
def test_who_may_move_alone(body: str, alone: bool) -> None:
    turns = Turns(parse(OWN.replace("BODY", body)), True, lambda *_: False, lambda *_: None)
    threads = list(PersistentSets(turns).threads(turns.start()))
    assert (1 in threads) == alone


def test_fewer_states_and_a_checked_table() -> None:
    loops = "C p; int i; p = new C; while (i < 2) { p.k = p.k + 1; i = i + 1; } n = n + p.k;"
    text = f"\nclass C {{ int k; }}; class M {{ static int n; activate static void one() {{ {loops} }} "
    text += f"activate static void two() {{ {loops} assert(n > 0); }} }};"
    found = {each: knaster.check(text, engine="explicit", reduction=each) for each in ("local", "persistent", "all")}
    assert {result.verdict for result in found.values()} == {Verdict.TRUE}
    assert all(result.answers[0][1].checked for result in found.values())
    assert isinstance(found["persistent"].proof, ReducedTable) and any(found["persistent"].proof.chosen)
    assert int(found["persistent"].stats["states"]) * 2 < int(found["local"].stats["states"])
