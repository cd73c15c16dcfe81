"""Undefined steps of programs over integers as places, against runs of the same text with memory: the same answers."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Unknown
from support.generators.c_programs import random_program, text

LARGE = {"0": "2147483647", "3": "2147483647", "4": "1073741824"}


def program(seed: int) -> str:
    """Return a random program of inputs of two values, with large numbers and divisors that may be 0."""
    found = text(random_program(seed)).replace("reach_error();", ";").replace("nondet_int()", "nondet_bool()")
    for small, large in LARGE.items():
        found = found.replace(f" {small})", f" {large})").replace(f"({small} ", f"({large} ")
    return found.replace(" % 2)", " % x0)").replace(" / 2)", " / (x0 - 1))").replace(" >> 2)", " >> x1)")


def answers(source: str, property: str, **options: str) -> dict[tuple[str, int], set[str]] | None:
    """Return the answers by kind and line, None where something is not decided."""
    result = knaster.check(source, file="a.c", property=property, engine="search", runs=500, **options)  # type: ignore[arg-type]
    if any(isinstance(answer, Unknown) for _, answer in result.answers):
        return None
    found: dict[tuple[str, int], set[str]] = {}
    for target, answer in result.answers:
        if target.kind and target.line and isinstance(answer, Reachable):
            found.setdefault((target.kind, target.line), set()).add(type(answer).__name__)
    return found


def differences(seed: int) -> str:
    source = program(seed)
    for property, checks in (("safety", "division,shift,bounds"), ("overflow", "overflow")):
        runs, places = answers(source, property, objects="always"), answers(source, property, checks=checks)
        if runs is None or places is None:
            continue
        if bool(runs) is not bool(places) or (property == "safety" and runs != places):
            return f"seed {seed}, {property}: runs {runs}, places {places}\n{source}"
    return ""


def test_a_few_programs() -> None:
    assert not list(filter(None, map(differences, range(1))))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_many_programs(block: int) -> None:
    assert not list(filter(None, map(differences, range(1000 + 20 * block, 1020 + 20 * block))))
