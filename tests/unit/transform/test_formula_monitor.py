"""Monitors of safety formulas: which there are, and why there are no others."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.evidence.questions.question import Temporal
from knaster.frontends.languages import load
from knaster.transform.formula_monitor import Watch, why_no_monitor

TEXT = "int x; int main(void) { A: x = 1; B: x = 2; return 0; }\n"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("F at(B)", "no prefix"),
        ("G F {x > 1}", "no prefix"),
        ("G ({x==1} | {x==2} | {x==3} | {x==4} | {x==5})", "more than 4"),
        ("X false & at(A)", "no run can"),
        ("G !at(A)", ""),
        ("G (at(A) -> X {x > 0})", ""),
        ("G !ended", ""),
    ],
)
def test_what_is_not_decided_is_said(asked: str, why: str) -> None:
    program, question = load(TEXT, file="p.c"), Temporal(parse_ltl(asked), asked)
    found = why_no_monitor(program, question)
    assert why in found and bool(why) == bool(found)
    if why:
        result = knaster.check(TEXT, file="p.c", property=asked)
        assert result.verdict.value == "UNKNOWN" and why in result.reason


def test_ends() -> None:
    program = load(TEXT, file="p.c")
    watch = Watch(program, Temporal(parse_ltl("G (in(main) | {x == 2})")))
    (first, *_), atoms = watch.states, {"in(main)", "{x == 2}"}
    assert watch.minds_ends() and watch.ends_badly(first, frozenset()) and not watch.ends_badly(first, frozenset(atoms))
    assert not Watch(program, Temporal(parse_ltl("G !at(A)"))).minds_ends()


def test_runs_that_block_are_none() -> None:
    text = "void __VERIFIER_assume(int); " + TEXT.replace("return", "__VERIFIER_assume(x == 3); return")
    result = knaster.check(text, file="p.c", property="G {x < 2}")
    assert result.verdict.value == "UNKNOWN" and "may block" in result.reason
