"""Lassos of models that recurse: what a pattern does not read may differ in the first rounds."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.traces.lasso import Lasso


def lasso_of(text: str, asked: str, engine: str = "patterns") -> Lasso:
    ((_, answer),) = knaster.check(text, property=asked, engine=engine, file="a.zing").answers
    assert isinstance(answer, Diverges) and answer.checked and answer.lasso is not None
    return answer.lasso


def test_the_cycle_begins_where_it_comes_back() -> None:
    text = "class Main { static bool x; activate static void main() { f(); } static void f() { L: x = true; f(); } };\n"
    lasso = lasso_of(text, "termination")
    assert lasso.deeper and len(lasso.cycle.paths) > 1
    assert [step.edge.span.line for path in lasso.cycle.paths for step in path.steps] == [1, 1]


def test_calls_that_return_are_on_the_way() -> None:
    text = """class Main { static bool x;
      activate static void main() { while (true) { x = false; f(); f(); } }
      static void f() { bool c; c = choose(bool); if (c) { g(); } }
      static void g() { A: x = true; } };\n"""
    lasso = lasso_of(text, "G F at(A)")
    assert not lasso.deeper and not lasso.stays
    lasso = lasso_of(text, "F G !at(A)", "visible")
    inside = [step for path in lasso.cycle.paths for step in path.steps if step.inside is not None]
    assert inside and not lasso.deeper


def test_a_run_that_ends_stays() -> None:
    text = "class Main { static bool x; activate static void main() { x = true; f(); } static void f() { } };\n"
    lasso = lasso_of(text, "G {!Main.x}", "visible")
    assert lasso.stays and not lasso.deeper
