"""The turns of `auto`: what comes when, and what is said of a program that is too large for proofs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import knaster
from knaster.base.limits import OutOfBudget, OutOfTime
from knaster.base.options import Options
from knaster.checkers.checked import Checked
from knaster.engines.contract import Findings, Spent, Task, Undecided
from knaster.engines.integers import portfolio
from knaster.engines.integers.horn import engine as horn
from knaster.engines.integers.horn.attempt import Attempt, Stage
from knaster.engines.integers.portfolio import LARGE, MOST, SHALLOW, Turn, ending_turns, join_reasons, reach_turns
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.semantics.tabulation import Tabulation

TEXT = "int f(void);\nint main() { int x = f(), y = f(); if (x * y == 1000003) { ERROR: ; } while (y) y = y * x; }\n"
PRODUCT = """int f(void);
int main() { int x = f(), y = f(), s = 0, i = 0; while (i < x) { s += y; i++; } if (x > 0 && s != x * y) { ERROR: ; } }
"""


@pytest.mark.parametrize(
    ("edges", "methods"),
    [
        (SHALLOW, ["search", "horn", "search", "unrolled", "horn", "unrolled", "yasm", "horn"]),
        (LARGE, ["search", "horn", "unrolled", "yasm", "horn"]),
        (LARGE + 1, ["search", "unrolled", "yasm", "horn"]),
        (MOST + 1, ["search"]),
    ],
)
def test_predicates_come_first_where_a_program_is_large(edges: int, methods: list[str]) -> None:
    assert [turn.name for turn in reach_turns(200_000_000, edges, (1_000, 10_000))] == methods


@pytest.mark.slow
def test_the_second_search_goes_on_where_the_first_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[tuple[int, int]] = []
    explore = Tabulation.explore

    def noted(self: Tabulation, limit: int) -> bool:
        limits.append((len(self.nodes), limit))
        return explore(self, limit)

    monkeypatch.setattr(Tabulation, "explore", noted)
    monkeypatch.setattr(portfolio, "FEW", 40)
    monkeypatch.setattr(portfolio, "STATES", 60)
    monkeypatch.setattr(portfolio, "_GLANCE", 1_000)
    result = knaster.check(PRODUCT, file="test.c", units=1_000)
    assert result.verdict.value == "UNKNOWN"
    assert [limit for _, limit in limits] == [40, 60] and limits[1][0] >= 40


def test_only_search_looks_for_endless_runs_of_what_is_too_large() -> None:
    assert [turn.name for turn in ending_turns(200_000_000, MOST + 1)] == ["search"]
    assert {turn.name for turn in ending_turns(200_000_000, MOST)} == {
        "search",
        "ranking",
        "recurrence",
        "unrolled",
        "yasm",
    }


@pytest.mark.parametrize("asked", ["reach", "termination"])
def test_the_reason_says_that_a_program_is_too_large(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "MOST", 5)
    monkeypatch.setattr(portfolio, "STATES", 10)
    monkeypatch.setattr(portfolio, "FEW", 10)
    monkeypatch.setattr(portfolio, "_FIRST", 10)
    result = knaster.check(TEXT, file="test.c", property=asked)
    assert result.verdict.value == "UNKNOWN"
    assert "edges, and proofs are tried up to 5" in str(result.reason)


@pytest.mark.slow
def test_the_second_turn_of_horn_clauses_goes_on_where_the_first_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[None] = []
    sizes: list[int] = []
    run = Attempt.run

    def noted(self: Attempt, units: int) -> Checked | tuple[Target, Trace] | str:
        sizes.append(units)
        return run(self, units)

    monkeypatch.setattr(portfolio, "STATES", 10)
    monkeypatch.setattr(portfolio, "FEW", 10)
    monkeypatch.setattr(portfolio, "_SLICE", 100_000)
    monkeypatch.setattr(horn, "SLICE", 1_000)
    monkeypatch.setattr(horn, "_proof_from_runs", lambda *_: looked.append(None))
    monkeypatch.setattr(Attempt, "run", noted)
    result = knaster.check(PRODUCT, file="test.c", units=300_000)
    assert result.verdict.value == "UNKNOWN" and result.reason
    assert len(looked) == 1 and sizes.count(1_000) <= len(Stage)


@pytest.mark.slow  # half a minute of processor time, most of it for reading the text
def test_a_hundred_thousand_lines_are_too_large() -> None:
    lines = ["x = x + 1;", "if (x > 7) y = y + 2;", "y = x - y;", "x = y & 255;"] * 25_000
    begin = "int f(void);\nint main() { int x = f(), y = 0;\n"
    text = begin + "\n".join(lines) + "\nif (x == 256) { ERROR: ; } }\n"
    result = knaster.check(text, file="test.c")
    assert result.verdict.value == "UNKNOWN" and "edges, and proofs are tried up to" in str(result.reason)


def test_all_methods_say_why_and_what_is_known_is_said_at_last() -> None:
    predicates = Undecided("no predicates", also_known=("with x > 0 not",))
    said = [Undecided("no run"), Undecided("no model"), predicates]
    assert join_reasons(said).sentence == "no run; no model; no predicates; known all the same: with x > 0 not"
    late = [said[0], Undecided("the time limit of 5 s was reached", late=True), predicates]
    assert join_reasons(late).sentence == "the time limit of 5 s was reached; known all the same: with x > 0 not"
    assert join_reasons(late).late and not join_reasons(said).late
    assert join_reasons([Undecided("the same")] * 2).sentence == "the same"


def test_only_a_field_says_that_the_time_is_over() -> None:
    worded = [Undecided("the time limit of the other is none of ours"), Undecided("no model")]
    assert join_reasons(worded).sentence == "the time limit of the other is none of ours; no model"
    assert Undecided.because(OutOfTime("it is over")).late and not Undecided.because(OutOfBudget("too many")).late


@pytest.mark.parametrize("asked", ["reach", "termination"])
def test_what_predicates_know_is_said_whoever_comes_last(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(unknown: Undecided) -> Callable[[Task], Findings]:
        return lambda _: Findings(frozenset(), unknown, {}, spent=Spent(exhausted=True))

    def turns(*_: int) -> list[Turn]:
        predicates = Undecided("no predicates", also_known=("with x <= 5 not",))
        said = (Undecided("no run"), predicates, Undecided("no model"), Undecided("no run at all"))
        return [
            Turn(name, lost(one), Options())
            for name, one in zip(("search", "yasm", "horn", "search"), said, strict=True)
        ]

    monkeypatch.setattr(portfolio, "reach_turns", turns)
    monkeypatch.setattr(portfolio, "ending_turns", turns)
    result = knaster.check(TEXT, file="test.c", property=asked)
    assert result.verdict.value == "UNKNOWN"
    assert result.reason == "no run at all; no predicates; no model; known all the same: with x <= 5 not"
