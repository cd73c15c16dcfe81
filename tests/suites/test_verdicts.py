"""Every upstream verdict of a sequential benchmark is reproduced; threaded ones are read."""

import csv
from typing import Any

import pytest

import knaster
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Verdict
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Concurrent, Program
from knaster.program.validate import validate
from support import SHARED
from support.trusting import SEQUENTIAL

BENCHMARKS = SHARED / "benchmarks"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks lie in ../shared, which is not here"),
]
EXPECTED = {"true": Verdict.TRUE, "false": Verdict.FALSE, "unreachable": Verdict.TRUE, "reachable": Verdict.FALSE}


def rows() -> list[dict[str, str]]:
    if not BENCHMARKS.is_dir():
        return []
    with open(BENCHMARKS / "verdicts.csv", newline="") as file:
        return list(csv.DictReader(file))


def read(row: dict[str, str]) -> Program:
    return knaster.parse(BENCHMARKS / row["path"], "boppo" if "boppo" in row["path"] else "default")


def is_sequential(program: Program) -> bool:
    actions = (edge.action for procedure in program.procedures for edge in procedure.edges)
    return len(program.threads) == 1 and not any(isinstance(action, Concurrent) for action in actions)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["path"])
def test_is_read_and_well_formed(row: dict[str, str]) -> None:
    program = read(row)
    assert validate(program) == []


METHODS: list[dict[str, Any]] = [
    *({"engine": engine} for engine in SEQUENTIAL),
    {"engine": "pushdown", "fast": True},
    {"engine": "pushdown", "fast": True, "direction": "pre"},
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: " ".join(map(str, method.values())))
def test_upstream_verdicts_of_sequential_programs(method: dict[str, Any]) -> None:
    judged = 0
    for row in rows():
        program = read(row)
        expected = EXPECTED.get(row["expected (true = property holds)"])
        label = row["note"].removeprefix("-l ") if row["note"].startswith("-l ") else None
        if expected is None or not is_sequential(program) or not resolve_targets(program, label):
            continue
        result = knaster.check(program, label, evidence=Evidence(proofs=True), **method)
        assert result.verdict is expected, row["path"]
        judged += 1
    assert judged >= 22


def test_projections_of_sequential_programs_are_empty_iff_nothing_is_reached() -> None:
    """Making a projection with witnesses also replays a trace through each of its statements."""
    judged = 0
    for row in rows():
        program = read(row)
        label = row["note"].removeprefix("-l ") if row["note"].startswith("-l ") else None
        if not is_sequential(program) or not resolve_targets(program, label):
            continue
        result = knaster.check(program, label, evidence=Evidence(traces=False, proofs=False))
        projection = knaster.project(program, label, annotate=True)
        assert bool(projection.nodes) == (result.verdict is Verdict.FALSE), row["path"]
        judged += 1
    assert judged >= 20
