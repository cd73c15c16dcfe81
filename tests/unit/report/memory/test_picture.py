"""Pictures of memory: objects, names of their parts, and where pointers lead."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.traces.trace import Trace
from knaster.report.entries import Form, list_entries
from knaster.report.heap.drawing import heap_to_dot
from knaster.report.memory.picture import picture, pictures
from support import ROOT

pytest.importorskip("clang.cindex")


@pytest.fixture(scope="module")
def result() -> knaster.Result:
    text = (ROOT / "examples" / "lists" / "reverse-bad.c").read_text("utf-8")
    return knaster.check(text, file="a.c", property="memory", engine="search", runs=20)


def trace_of(result: knaster.Result) -> Trace:
    assert isinstance(result.trace, Trace)
    return result.trace


def test_the_end_of_a_run(result: knaster.Result) -> None:
    drawn = picture(result.program, trace_of(result))
    assert [box.title for box in drawn.boxes] == ["main", "heap#1"]
    assert {row.shown for row in drawn.boxes[1].rows} == {"data 0", "next ∅"}
    assert {row.name for row in drawn.boxes[0].rows if row.target == 1} == {"head", "reversed"}
    assert "heap#1|<f0> data" in heap_to_dot(drawn)


def test_what_a_step_changes_is_marked(result: knaster.Result) -> None:
    steps = dict(pictures(result.program, trace_of(result), {step: step for step in range(1, 100)}))
    changed = {
        (box.title, row.name) for each in steps.values() for box in each.boxes for row in box.rows if row.changed
    }
    assert {("main", "head"), ("main", "reversed")} <= changed


def test_steps_are_counted_as_entries_are(result: knaster.Result) -> None:
    entries = list(list_entries(result.program, trace_of(result), Form.FULL))
    captions = [picture(result.program, trace_of(result), step).caption for step in range(1, len(entries) + 1)]
    assert captions == [f"before step {step}, line {entry.span.line}" for step, entry in enumerate(entries, 1)]
    assert picture(result.program, trace_of(result)).caption == "at the end"


def test_a_step_that_is_not_there(result: knaster.Result) -> None:
    with pytest.raises(UsageError, match="there is no step 99"):
        picture(result.program, trace_of(result), 99)
