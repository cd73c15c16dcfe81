"""The columns of a run say at each step what the entries of its trace say."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import knaster
from knaster.frontends.boolean.printer import to_text
from knaster.report.entries import Form, list_entries, texts_of
from knaster.report.source import SourceText
from knaster.report.stepper.page import stepped_page
from knaster.report.stepper.steps import StepRow, columns_of
from support import ROOT
from support.generators.boolean_programs import random_program
from support.pages import data_of, values_at

EXAMPLES = ROOT / "examples"


def compare(result: Any, form: Form | None = None) -> int:
    """Hold the page of a result against its JSON and its entries; return the number of steps."""
    data, document = data_of(stepped_page(result, form)), json.loads(result.to_json())
    listed = next(target["trace"] for target in document["targets"] if target["trace"])
    entries = list(list_entries(result.program, result.trace, form))
    if form is None:
        assert data["line"] == [entry["line"] for entry in listed]
        assert data["depth"] == [entry["depth"] for entry in listed]
    assert data["line"] == [entry.span.line for entry in entries]
    spell = SourceText(result.program).spelling.value
    for number, entry in enumerate(entries):
        assert values_at(data, number) == dict(texts_of(entry, spell)), number
    return len(entries)


@pytest.mark.parametrize(
    ("file", "target"),
    [
        ("figure1.bp", "R"),
        ("lock.bp", None),
        ("threads/par-recursion-bad.bp", None),
        ("zing/philosophers-deadlock.zing", None),
        ("zing/figure-10-bad.zing", None),
    ],
)
def test_a_page_shows_the_values_of_the_trace(file: str, target: str | None) -> None:
    assert compare(knaster.check(EXAMPLES / file, target)) > 4


def test_random_programs() -> None:
    steps = 0
    for seed in range(24):
        result = knaster.check(to_text(random_program(Random(seed))), "all-labels")
        if result.trace is not None:
            steps += compare(result)
            compare(result, Form.FULL)
    assert steps > 15


def test_values_that_are_news_are_there_though_they_are_the_same() -> None:
    result = knaster.check(EXAMPLES / "figure1.bp", "R")
    assert result.trace is not None
    entries = list(list_entries(result.program, result.trace))
    plain = columns_of(result.program, [StepRow(entry, ()) for entry in entries])
    told = columns_of(result.program, [StepRow(entry, entry.state) for entry in entries])
    assert len(told["changes"][3]) > len(plain["changes"][3])
