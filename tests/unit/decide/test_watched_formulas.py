"""Safety formulas about C have one answer: a violation that was replayed, or that there is none."""

from __future__ import annotations

import knaster
from knaster.decide.watched_formulas import watch_question
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.evidence.questions.question import Termination
from knaster.frontends.languages import load

TEXT = "int x; int main(void) { while (x < 3) { A: x = x + 1; } B: x = 0; return 0; }\n"


def test_one_answer() -> None:
    result = knaster.check(TEXT, file="p.c", property="!at(B) W at(A)")
    ((target, answer),) = result.answers
    assert isinstance(answer, Unreachable) and answer.checked and target.kind == "violation"
    assert result.reason == "!at(B) W at(A) holds on every run"
    result = knaster.check(TEXT, file="p.c", property="!at(A) W at(B)")
    ((target, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.checked and target.line == 1
    assert result.reason == "!at(A) W at(B) does not hold on every run"
    assert answer.trace is not None and "monitor" not in dict(answer.trace.paths[0].start)


def test_other_questions_are_left_alone() -> None:
    assert watch_question(load(TEXT, file="p.c"), Termination()) is None
    assert watch_question(load("void main() begin skip; end\n", file="p.bp"), Termination()) is None
