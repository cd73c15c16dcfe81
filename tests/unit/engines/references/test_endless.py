"""Infinite runs by summaries: recursion is decided, heaps may grow, and what is not followed is said."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.heap.fair_effects import FairEffects

DRIVER = """class Main {
  static bool locked; static bool error;
  activate static void main() { ACQUIRE: locked = true; transfer(); RELEASE: locked = false; }
  static void transfer() {
    bool give; error = choose(bool);
    if (error) {
      give = choose(bool); if (give) { GIVEUP: return; }
      RETRY: transfer();
    }
  }
};
"""
GROWS = """class Node { Node next; };
class Main {
  static Node list;
  activate static void main() { push(); }
  static void push() { Node n = new Node; n.next = list; list = n; L: push(); }
};
"""
ENGINES = ("visible", "patterns")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ("termination", "FALSE"),
        ("G (at(ACQUIRE) -> F at(RELEASE))", "FALSE"),
        ("(G F {!Main.error}) -> F at(RELEASE)", "TRUE"),
        ("G (at(GIVEUP) -> F at(RELEASE))", "TRUE"),
        ("G (at(RELEASE) -> X F ended)", "TRUE"),
        ("G !ended", "FALSE"),
        ("F G {Main.error}", "FALSE"),
    ],
)
def test_a_driver_that_calls_itself(engine: str, asked: str, verdict: str) -> None:
    result = knaster.check(DRIVER, property=asked, engine=engine, file="a.zing")
    ((_, answer),) = result.answers
    assert result.verdict.value == verdict and answer.checked
    if isinstance(answer, Terminates):
        assert isinstance(answer.proof, FairEffects)
    elif asked == "termination":
        assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.deeper


def test_a_heap_that_grows() -> None:
    result = knaster.check(GROWS, property="G F at(L)", engine="patterns", file="a.zing")
    assert result.verdict.value == "TRUE" and result.answers[0][1].checked
    result = knaster.check(GROWS, property="termination", engine="patterns", file="a.zing")
    assert result.verdict.value == "UNKNOWN" and "no cycle was found" in result.reason
    result = knaster.check(GROWS, property="termination", engine="visible", calls=20, file="a.zing")
    assert result.verdict.value == "UNKNOWN" and "more than 20" in result.reason


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("raise E;", "raises an exception"),
        ("select { wait(b) -> ; }", "may wait"),
        ("if (b) { main(); }", "calls 'main'"),
        ("x = 1 / x;", "a step may fail (division-by-zero)"),
    ],
)
def test_what_is_not_followed(engine: str, body: str, why: str) -> None:
    text = f"class Main {{ static bool b; static int x; activate static void main() {{ b = b; {body} }} }};\n"
    result = knaster.check(text, property="F {Main.b}", engine=engine, file="a.zing")
    assert result.verdict.value == "UNKNOWN" and why in result.reason


@pytest.mark.parametrize("engine", ENGINES)
def test_a_step_that_fails_ends_a_run(engine: str) -> None:
    text = "class Main { static int x; activate static void main() { f(); } static void f() { x = 1 / x; f(); } };\n"
    assert knaster.check(text, property="termination", engine=engine, file="a.zing").verdict.value == "TRUE"
    failing = text.replace("x = 1 / x", "assert(x == 1)")
    for asked, verdict in {
        "F ended": "TRUE",
        "X X ended": "TRUE",
        "X ended": "FALSE",
        "termination": "TRUE",
    }.items():
        assert knaster.check(failing, property=asked, engine=engine, file="a.zing").verdict.value == verdict


def test_auto_asks_summaries_where_states_are_too_many() -> None:
    result = knaster.check(DRIVER, property="termination", file="a.zing", states=50)
    assert result.verdict.value == "FALSE" and result.stats["method"] == "visible"
