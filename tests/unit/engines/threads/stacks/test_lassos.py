"""Threads that recurse within switches: lassos are facts, and what holds holds within the bound that is said."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.automaton import Automaton, Step
from knaster.engines.threads.stacks.lassos import accepts_for_ever
from knaster.evidence.answers.answer import Diverges

ENDLESS = """decl x := 0, y := 0;
void main_1() begin f(); D: skip; end
void f() begin if (!x) then f(); fi y := 1; end
void main_2() begin assume(y); x := 1; end
"""
HANDS_ON = """decl x := 0;
void main_1() begin f(); D: skip; end
void f() begin if (x) then f(); fi end
void main_2() begin x := 1; end
"""
WAITS = """decl x := 0;
void main_1() begin f(); D: skip; end
void f() begin if (*) then f(); fi assume(x); end
void main_2() begin if (*) then x := 1; fi end
"""
LOOPS = WAITS.replace("assume(x);", "assume(!x);").replace("D: skip;", "D: while (1) do L: skip; od")


@pytest.mark.parametrize(
    ("text", "asked", "switches", "said"),
    [
        (ENDLESS, "termination", 0, "never ends"),
        (ENDLESS, "F D", 2, "does not hold"),
        (ENDLESS, "G (at(D) -> {y})", 1, "holds on every run with at most 1 switch;"),
        (HANDS_ON, "termination", 0, "every run with at most 0 switches ends"),
        (HANDS_ON, "termination", 1, "never ends"),
        (LOOPS, "F G !L", 0, "does not hold"),
        (WAITS, "termination", 0, "never ends"),
        (WAITS, "F (D | ended)", 1, "does not hold"),  # it waits for ever
    ],
)
def test_answers(text: str, asked: str, switches: int, said: str) -> None:
    result = knaster.check(text, property=asked, switches=switches)
    assert result.engine == "stacks" and said in result.reason
    for _, answer in result.answers:
        assert not isinstance(answer, Diverges) or answer.checked


def test_without_a_bound_some_switches_are_tried() -> None:
    assert "with at most 3 switches; runs with more" in knaster.check(ENDLESS, property="G (at(D) -> {y})").reason


def test_a_run_that_is_not_fair_leaves_it_open() -> None:
    assert knaster.check(ENDLESS, property="F D", fair="weak").verdict.value == "FALSE"  # main_2 cannot move
    result = knaster.check(ENDLESS.replace("assume(y); ", ""), property="F D", fair="weak")
    assert "not a weakly fair run" in result.reason


def test_the_stack_grows_in_the_report() -> None:
    from knaster.report.sentence import sentence

    result = knaster.check(ENDLESS, property="termination")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.lasso.deeper
    assert "one frame deeper each time" in sentence(result)


def test_a_letter_for_ever() -> None:
    p, not_p = frozenset({("p", True)}), frozenset({("p", False)})
    marked = frozenset({0})
    automaton = Automaton(2, (0,), (Step(0, p, 1, frozenset()), Step(1, p, 1, marked), Step(1, not_p, 0, marked)))
    assert accepts_for_ever(automaton, 0, frozenset({"p"})) and accepts_for_ever(automaton, 1, frozenset({"p"}))
    assert not accepts_for_ever(automaton, 1, frozenset())
