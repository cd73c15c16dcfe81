"""Several targets of C: all are decided, one that is hard hides no other, and what is decided is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.cli import main
from knaster.decide.choose import Method
from knaster.decide.several import decide_several, is_several
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown, Unreachable
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.program.model import Program

TEXT = """int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 3);
  assert(x == x);
  assert(x != 5);
  return 0;
}
"""


def test_every_assertion_is_decided_by_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.c"
    file.write_text(TEXT)
    assert main(["check", str(file), "--format", "json"]) == 10
    document = json.loads(capsys.readouterr().out)
    assert [target["reachable"] for target in document["targets"]] == [True, False, True]
    assert all(target["checked"] for target in document["targets"]) and document["options"]["first"] is False
    assert main(["check", str(file), "--format", "json", "--first"]) == 10
    document = json.loads(capsys.readouterr().out)
    assert None in [target["reachable"] for target in document["targets"]]  # one is enough
    assert document["options"]["first"] is True
    assert main(["check", str(file)]) == 10
    assert "1 of 3 hold, 2 fail (machine integers" in capsys.readouterr().out


class Hard:
    """An engine to which some targets are too hard, alone and together with others."""

    def __init__(self, program: Program, *hard: str) -> None:
        self.program = program
        self.hard = hard
        self.asked: list[tuple[list[str], float | None, int]] = []

    def __call__(self, method: Method, budget: Budget, program: Program, question: Question) -> Result:
        assert isinstance(question, Reach)
        names = [target.name for target in question.targets]
        self.asked.append((names, budget.seconds, getattr(method.options, "units")))  # noqa: B009
        hopeless = set(names) & set(self.hard)
        answers = tuple((target, self.answer(target, bool(hopeless))) for target in question.targets)
        return Result(program, question, method.name, {}, answers, {})

    def answer(self, target: Target, hopeless: bool) -> Answer:
        return Unknown("too hard") if hopeless else Unreachable(None, checked=True)


def question_of(program: Program) -> Reach:
    question = knaster.check(program, engine="search").question
    assert isinstance(question, Reach)
    return question


def test_one_that_is_hard_hides_no_other() -> None:
    program = knaster.parse(TEXT, file="x.c")
    question = question_of(program)
    assert is_several(program, question) and not is_several(program, replace(question, first=True))
    engine, ledger = Hard(program, "assert at line 5"), Ledger()
    method = Method("horn", ENGINES["horn"], make_options("horn", {"units": 900}))
    result = decide_several(program, question, method, Budget(), engine, ledger)
    assert [isinstance(answer, Unknown) for _, answer in result.answers] == [False, True, False]
    assert [names for names, _, _ in engine.asked][1:] == [[f"assert at line {line}"] for line in (4, 5, 6)]
    assert [units for _, _, units in engine.asked] == [300, 200, 200, 200]
    assert len(ledger.established.answers) == 2


def test_the_time_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.base.limits.clock", lambda: 0.0)
    program = knaster.parse(TEXT, file="x.c")
    engine = Hard(program, "assert at line 5")
    method = Method("horn", ENGINES["horn"], make_options("horn", {}))
    decide_several(program, question_of(program), method, Budget(90.0), engine, Ledger())
    assert [seconds for _, seconds, _ in engine.asked] == [30.0, 30.0, 45.0, 90.0]


def test_what_is_decided_is_kept_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("knaster.base.limits.clock", lambda: now[0])
    program = knaster.parse(TEXT, file="x.c")
    question = question_of(program)
    engine = Hard(program, "assert at line 5")

    def decide(method: Method, budget: Budget, program: Program, question: Question) -> Result:
        now[0] += 40.0
        return engine(method, budget, program, question)

    method = Method("horn", ENGINES["horn"], make_options("horn", {}))
    result = decide_several(program, question, method, Budget(70.0), decide, Ledger())
    assert len(engine.asked) == 2
    assert [type(answer) for _, answer in result.answers] == [Unreachable, Unknown, Unknown]


def test_the_answers_are_those_of_single_questions() -> None:
    together = dict(knaster.check(TEXT, file="x.c").answers)
    for target, answer in together.items():
        alone = knaster.check(TEXT, Reach((target,)), file="x.c")
        assert isinstance(answer, Reachable) == isinstance(alone.answers[0][1], Reachable)
