"""The shared Zing models: categories, Zing's own numbers of states, and the failures that the first line names."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.answer import Reachable, Result, Unreachable, Verdict
from knaster.semantics.heap.explore import explore
from support import SHARED

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the models lie in ../shared, which is not here"),
]
MODELS = sorted((SHARED / "models/zing").glob("*.zing"))
ENDLESS = {"figure1", "recursion", "par-recursion", "par-recursion-bad"}  # their states cannot be enumerated


def rows() -> list[dict[str, str]]:
    if not SHARED.is_dir():
        return []
    with open(SHARED / "benchmarks/verdicts-c-zing.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["path"].startswith("zing/")]


def category(result: Result) -> str:
    answer = result.answers[0][1]
    if isinstance(answer, Reachable):
        assert answer.failure is not None and answer.checked
        return answer.failure.category
    assert result.verdict is Verdict.TRUE
    return "pass"


def failing_lines(result: Result) -> list[int]:
    for target, answer in result.answers:
        if isinstance(answer, Reachable):
            assert answer.checked and answer.trace is not None and answer.failure is not None
            assert answer.failure.kind == "assertion" and answer.failure.line == target.line
    return sorted(target.line for target, answer in result.answers if isinstance(answer, Reachable))


def expected_lines(path: Path) -> list[int]:
    return [int(line) for line in re.findall(r"line (\d+)", path.read_text().split("\n")[0])]


@pytest.mark.parametrize("row", rows(), ids=lambda row: Path(row["path"]).stem)
def test_categories_and_numbers_of_states_are_those_of_zing(row: dict[str, str]) -> None:
    path = SHARED / "benchmarks" / row["path"]
    whole = knaster.check(path, engine="explicit", reduction="none")
    assert category(whole) == row["expected (true = property holds)"]
    if row["expected (true = property holds)"] == "pass":
        assert whole.stats["distinct_states"] == int(re.findall(r"(\d+) distinct", row["note"])[0])
    reduced = knaster.check(path, engine="explicit")
    assert category(reduced) == row["expected (true = property holds)"]
    if "LongRegressions" not in row["path"]:
        assert category(knaster.check(path, engine="transactions")) == row["expected (true = property holds)"]
    assert int(reduced.stats["states"]) <= int(whole.stats["states"])


@pytest.mark.slow
def test_the_transaction_manager_dereferences_null() -> None:
    path = SHARED / "benchmarks/zing/LongRegressions/TMCompletionEventBug/TMCompletionEventBug.zing"
    result = knaster.check(path)
    failure = result.failure
    assert category(result) == "runtime-error" and failure is not None
    assert (failure.kind, failure.line, failure.procedure) == ("null-dereference", 51, "___X_MyAutoResetEvent.___Set")


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("reduction", ["none", "local"])
def test_a_search_finds_the_failures_that_the_first_line_names(path: Path, reduction: str) -> None:
    result = knaster.check(path, "failures", engine="explicit", reduction=reduction, states=2000)
    assert failing_lines(result) == expected_lines(path)
    ends = all(isinstance(answer, Reachable | Unreachable) for _, answer in result.answers)
    assert ends == (path.stem not in ENDLESS)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_interpreter_finds_them_too(path: Path) -> None:
    found = explore(knaster.parse(path), limit=1500)
    assert sorted({failure.line for failure in found.failures}) == expected_lines(path)
    assert found.complete == (path.stem not in ENDLESS)


SEQUENTIAL = [path for path in MODELS if not path.stem.startswith("par-")]


@pytest.mark.parametrize("path", SEQUENTIAL, ids=lambda path: path.stem)
@pytest.mark.parametrize("engine", ["visible", "patterns", "auto"])
def test_summaries_find_the_failures_that_the_first_line_names(path: Path, engine: str) -> None:
    options: dict[str, Any] = {"edges": 200} if (engine, path.stem) == ("patterns", "advance") else {}
    result = knaster.check(path, "failures", engine=engine, **options)
    assert failing_lines(result) == expected_lines(path)
    if (engine, path.stem) == ("patterns", "advance"):  # what is written to entry cells is kept for ever
        assert result.verdict is Verdict.UNKNOWN and "more than 200 path edges" in result.reason
    else:
        assert all(isinstance(answer, Reachable | Unreachable) for _, answer in result.answers)
    if engine == "auto":
        assert result.stats["method"] == ("visible" if path.stem == "advance" else "patterns")


def test_threads_that_recurse_are_for_transactions() -> None:
    path = SHARED / "models/zing/par-recursion.zing"
    result = knaster.check(path, "failures", states=2000)
    assert result.verdict is Verdict.TRUE and result.stats["method"] == "transactions"
    bad = knaster.check(SHARED / "models/zing/par-recursion-bad.zing", engine="transactions")
    assert category(bad) == "assertion-failure"
    with pytest.raises(UsageError, match="line 6 starts another; use auto or transactions"):
        knaster.check(path, engine="patterns")
