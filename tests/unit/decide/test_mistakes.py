"""Engines that make mistakes: users get the answer of the next method and a note; tests and debuggers the error."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import knaster
from knaster import Evidence, Reach, Result, Verdict
from knaster.base.errors import InternalError, ProofError, UsageError
from knaster.base.limits import Budget
from knaster.checkers import kernel
from knaster.checkers.kernel import Word
from knaster.cli import main
from knaster.decide.asked import Asked, How, Source
from knaster.decide.check import check
from knaster.engines import table
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import Card, SymbolicOptions
from knaster.engines.contract import Findings, Mistake, Task, Undecided
from knaster.engines.integers.portfolio import portfolio
from knaster.engines.integers.ranking import engine as ranking
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.program.expression import Const
from knaster.version import VERSION

PROGRAM = parse("decl g;\nvoid main() begin\n g := F;\n if (g) then R: skip; fi\n Q: skip;\nend\n", "honest.bp")
Q, R = resolve_targets(PROGRAM, ["Q", "R"])
DOWN = "int nondet(void);\nint main(void) { int x = nondet(); while (x > 0) x = x > 5 ? 0 : -1; return 0; }\n"
Install = Callable[..., None]


@pytest.fixture(autouse=True)
def user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for mistakes."""
    monkeypatch.delenv("KNASTER_STRICT")
    monkeypatch.delenv("KNASTER_DEBUG", raising=False)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that makes some engines the only ones."""

    def put(**engines: Callable[[Task], Findings]) -> None:
        cards = {name: Card(name, "", (), run, SymbolicOptions) for name, run in engines.items()}
        monkeypatch.setattr(table, "ENGINES", cards)
        for module in ("choose", "mistakes"):
            monkeypatch.setattr(f"knaster.decide.{module}.ENGINES", cards)

    return put


def liar(task: Task) -> Findings:
    """Both are reachable, by the trace to one of them."""
    honest = summaries(task)
    assert honest.traces is not None
    trace = honest.traces([Q])[Q]
    return replace(honest, reached=frozenset((Q, R)), traces=lambda _: {Q: trace, R: trace}, visited=None)


def broken(task: Task) -> Findings:
    raise KeyError("x")


def silent(task: Task) -> Findings:
    return Findings(frozenset(), Undecided("it does not know"), {})


def ask(**more: object) -> Result:
    return knaster.check(PROGRAM, Reach((Q, R)), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("mistaken", [liar, broken])
def test_the_next_method_is_asked_and_the_answer_says_so(
    mistaken: Callable[[Task], Findings], install: Install
) -> None:
    install(liar=mistaken, honest=summaries)
    result = ask()
    assert result.engine == "honest"
    assert result.mistakes[0].startswith("the engine 'liar' made a mistake; please report it")
    assert VERSION in result.mistakes[0]
    reached = {target: isinstance(answer, Reachable) for target, answer in result.answers}
    assert reached == {Q: True, R: False} and all(answer.checked for _, answer in result.answers)
    assert result.mistakes[0] in json.loads(result.to_json())["notes"]
    assert "made a mistake" in result.to_text()


@pytest.mark.parametrize("checks", [True, False])
def test_after_a_refusal_of_the_kernel_only_what_it_checks_is_believed(
    checks: bool, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What our own checkers have accepted once too often they may accept again."""
    asked: list[str] = []

    def ask_kernel(*_: object) -> Word:
        asked.append("")
        if len(asked) == 1:
            raise ProofError("the proof does not hold, says the kernel: a state is missing")
        return Word(checks, "")

    monkeypatch.setattr(kernel, "ask_kernel", ask_kernel)
    install(liar=summaries, honest=summaries)
    if not checks:
        with pytest.raises(InternalError, match="a state is missing"):
            knaster.check(PROGRAM, Reach((R,)))
    found = knaster.check(PROGRAM, Reach((R,))) if checks else None
    assert len(asked) == 2 and (found is None or (found.verdict, found.engine) == (Verdict.TRUE, "honest"))
    asked.clear()
    (answers, notes) = (result := ask()).answers, result.mistakes
    assert [type(answer) for _, answer in answers] == [Reachable, Unreachable if checks else Unknown] and len(
        notes
    ) == 1


def test_whoever_looks_for_mistakes_is_shown_them(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install(liar=liar, honest=summaries)
    for name in ("KNASTER_STRICT", "KNASTER_DEBUG"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "1")
            with pytest.raises(InternalError):
                ask()


@pytest.mark.parametrize("others", [{}, {"silent": silent}, {"broken": broken}])
def test_where_nothing_else_answers_it_is_our_fault(
    others: dict[str, Callable[[Task], Findings]], install: Install
) -> None:
    install(liar=liar, **others)
    with pytest.raises(InternalError, match=r"\w"):
        ask()


def test_an_engine_that_answers_for_itself_is_not_replaced(install: Install) -> None:
    install(liar=liar, honest=summaries)
    with pytest.raises(InternalError):
        check(Source(PROGRAM), Asked(Reach((Q, R))), How("liar", others=False))


def test_what_a_user_asks_wrongly_is_no_mistake(install: Install) -> None:
    def refuses(task: Task) -> Findings:
        raise UsageError("not so")

    install(refuses=refuses, honest=summaries)
    with pytest.raises(UsageError):
        ask()


def test_nothing_that_was_not_checked_is_kept() -> None:
    ledger = Ledger()
    ledger.note({R: None})
    ledger.settle({Q: Reachable(None, checked=True)})
    ledger.doubt()
    assert set(ledger.established.answers) == {Q} and ledger.established.bound is None


def _never(task: Task, session: object) -> Ranking:
    """Return a proof whose measure does not decrease."""
    proof = ORIGINAL(task, session)  # type: ignore[arg-type]
    assert proof is not None
    return replace(proof, measures={place: (Const(1),) for place in proof.measures})


ORIGINAL = ranking._find_proof


def test_of_methods_in_turn_only_the_one_that_was_wrong_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ranking, "_find_proof", _never)
    file = tmp_path / "down.c"
    file.write_text(DOWN)
    assert main(["check", str(file), "--property", "termination"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "TRUE" in out and "the engine 'ranking' made a mistake; please report it" in out
    assert main(["check", str(file), "--property", "termination", "--engine", "ranking"]) == 0
    assert "the engine 'ranking' made a mistake" in " ".join(capsys.readouterr().out.split())


def test_a_turn_that_breaks_down_is_named() -> None:
    program = knaster.parse(DOWN, file="down.c")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_find_proof", broken_search)
        with pytest.raises(Mistake) as raised:
            portfolio(Task(program, knaster.Termination(), Budget(), SymbolicOptions()), 100_000)
    assert raised.value.method == "ranking"
    result = knaster.check(program, property="termination", evidence=Evidence())
    assert result.verdict is Verdict.TRUE and not result.mistakes


def broken_search(*_: object) -> None:
    raise AssertionError
