from __future__ import annotations

import re
from typing import Any

import pytest

import knaster
from benchmarks.arithmetic import equals, minus, number, plus
from benchmarks.families import FAMILIES, TARGET
from benchmarks.models import driver
from benchmarks.recursive import ackermann_value
from knaster.evidence.answers.answer import Verdict
from knaster.frontends.boolean import parse
from knaster.program.model import Call, Program
from knaster.semantics.explore import explore, reachable_locations

SMALL = {
    "template": 3,
    "even-odd": 3,
    "mccarthy": 4,
    "ackermann": 2,
    "tree-walk": 3,
    "mutual": 3,
    "variables": 8,
    "driver": 300,
    "straight": 60,
}


def targets(program: Program) -> list[tuple[str, int]]:
    return [(each.name, place) for each in program.procedures for label, place in each.labels if label == TARGET]


LARGE = {"mccarthy", "driver"}  # for the oracle
ORACLE = [pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name for name in FAMILIES]


@pytest.mark.parametrize("reachable", [False, True])
@pytest.mark.parametrize("name", ORACLE)
def test_the_known_answer_is_the_oracles(name: str, reachable: bool) -> None:
    program = parse(FAMILIES[name].instance(SMALL[name], reachable).text)
    (target,) = targets(program)
    assert (target in reachable_locations(program)) == reachable


METHODS: list[dict[str, Any]] = [{"engine": "summaries"}, {"engine": "pushdown"}, {"engine": "pushdown", "fast": True}]


@pytest.mark.parametrize("reachable", [False, True])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: " ".join(map(str, method.values())))
@pytest.mark.parametrize("name", FAMILIES)
def test_the_known_answer_is_ours(name: str, method: dict[str, Any], reachable: bool) -> None:
    result = knaster.check(FAMILIES[name].instance(2 * SMALL[name], reachable).text, TARGET, **method)
    assert result.verdict is (Verdict.FALSE if reachable else Verdict.TRUE)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_size_always_gives_the_same_text(name: str) -> None:
    family = FAMILIES[name]
    assert family.generate(SMALL[name], True) == family.generate(SMALL[name], True)
    assert family.generate(SMALL[name], True) != family.generate(SMALL[name], False)


def test_the_template_has_the_papers_shape() -> None:
    program = parse(FAMILIES["template"].instance(20, reachable=True).text)
    assert [each.name for each in program.procedures] == ["main", *(f"level{level}" for level in range(1, 21))]
    assert len(program.globals) + sum(len(each.locals) for each in program.procedures) == 3 * 20 + 1
    assert max(len(program.scope(each)) for each in program.procedures) == 4
    calls = {
        each.name: [edge.action.procedure for edge in each.edges if isinstance(edge.action, Call)]
        for each in program.procedures
    }
    assert calls["main"] == ["level1", "level1"]
    assert all(calls[f"level{level}"] == [f"level{level + 1}"] * 2 for level in range(1, 20))
    assert calls["level20"] == []


def test_every_level_of_the_template_negates_g() -> None:
    program = parse(FAMILIES["template"].instance(3).text)
    summaries = explore(program).summaries
    for level in range(1, 4):
        for g in (False, True):
            assert {valuation[0] for valuation in summaries[f"level{level}", (g,)]} == {not g}


def test_the_driver_has_the_promised_size() -> None:
    text = driver(10_000, reachable=False)
    program = parse(text)
    assert 148 <= len(program.procedures) <= 152
    assert len(program.globals) == 5
    assert 9_500 <= sum(each.exit for each in program.procedures) <= 10_500


@pytest.mark.parametrize("size", FAMILIES["variables"].sizes)
def test_many_variables_stand_in_one_scope(size: int) -> None:
    program = parse(FAMILIES["variables"].instance(size).text)
    assert len(program.scope(program.procedure("main"))) == size


def test_straight_line_code_has_one_branch() -> None:
    text = FAMILIES["straight"].instance(500).text
    assert len(re.findall(":=", text)) == 500
    assert len(re.findall(r"\bif\b", text)) == 1


@pytest.mark.parametrize(("m", "n", "value"), [(0, 3, 4), (1, 2, 4), (2, 3, 9), (3, 1, 13), (3, 2, 29 % 16)])
def test_ackermanns_values_are_the_known_ones(m: int, n: int, value: int) -> None:
    assert ackermann_value(4, m, n) == value


def test_mccarthys_function_is_91_on_seven_bits() -> None:
    text = FAMILIES["mccarthy"].instance(7, reachable=True).text
    n = number("n", 7)
    assert f"return {', '.join(minus(n, 10))};" in text
    assert f"M({', '.join(plus(n, 11))})" in text
    assert equals(number("r", 7), 91) in text
