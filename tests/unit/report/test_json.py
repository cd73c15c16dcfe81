"""JSON for programs: every output fits the schema and says what the trace says."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from knaster.api import check
from knaster.base.errors import Problem, Span
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.traces.trace import Trace
from knaster.program.state import State
from knaster.report.entries import AUTOMATIC_LIMIT, Form
from knaster.report.envelope import envelope, problems_to_json, schema
from knaster.report.json import nothing_known, result_to_json
from support.generators.boolean_programs import SMALL, random_program

VALIDATOR = jsonschema.Draft202012Validator(schema())
EXAMPLES = int(20 * float(os.environ.get("KNASTER_EXAMPLES", "1")))


def validated(text: str) -> Any:
    document = json.loads(text)
    VALIDATOR.validate(document)
    return document


def states(trace: Trace) -> list[State]:
    """Return the state before each step with every call expanded, and the last state; for short traces."""
    found: list[State] = []
    for path in trace.paths:
        todo = [iter(path.steps)]
        before = [path.start]
        while todo:
            step = next(todo[-1], None)
            if step is None:
                todo.pop()
                before.pop()
                continue
            found.append(before[-1])
            before[-1] = step.after
            if step.inside is not None:
                todo.append(iter(step.inside.steps))
                before.append(step.inside.start)
    return [*found, trace.paths[-1].end]


def test_random_results_fit_the_schema_and_the_trace() -> None:
    rng = Random(7)
    entries = 0
    for _ in range(EXAMPLES):
        program = random_program(rng, SMALL)
        result = check(program, ["all-labels", "asserts"])
        document = validated(result_to_json(result))
        validated(result_to_json(result, Form.CALLS))
        validated(result_to_json(result, Form.NONE))
        for target, (place, answer) in zip(document["targets"], result.answers, strict=True):
            assert target["reachable"] == isinstance(answer, Reachable)
            if not isinstance(answer, Reachable):
                continue
            assert answer.trace is not None
            if answer.trace.expanded_length <= AUTOMATIC_LIMIT:
                failing = place.location in program.procedure(place.procedure).failures
                expected = states(answer.trace)[:-1] if failing else states(answer.trace)
                for entry, state in zip(target["trace"], expected, strict=True):
                    assert all(state[name] == value for name, value in entry["state"].items())
                    entries += 1
    assert entries > EXAMPLES


def test_a_refusal_fits_the_schema() -> None:
    problems = [Problem("oh", Span(3, 4, 2), "so"), Problem("ah", Span(5, 1))]
    document = refusal("refused", problems)
    VALIDATOR.validate(document)
    assert document["errors"][0] == {"line": 3, "column": 4, "length": 2, "message": "oh", "hint": "so"}
    VALIDATOR.validate(refusal("undecided"))
    assert "errors" not in refusal("undecided")
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(refusal("undecided", problems))


def refusal(status: str, problems: Sequence[Problem] = ()) -> Any:
    body, errors = nothing_known("summaries"), problems_to_json(problems)
    return envelope("check", "a.bp", status, "UNKNOWN", "why", {"first": True}, body, errors)


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "MAYBE"},
        {"schema": 1},
        {"command": "chek"},
        {"status": "perhaps"},
        {"status": "answered"},
        {"options": {"limits": {}}},
        {"lines": []},
        {"bound": {"kind": "switches"}},
        {"extra": 1},
        {
            "status": "answered",
            "verdict": "FALSE",
            "targets": [{"name": "R", "line": 1, "reachable": False, "checked": True, "trace": None}],
        },
        {
            "status": "answered",
            "verdict": "TRUE",
            "targets": [{"name": "R", "line": 1, "reachable": None, "checked": True, "trace": None}],
        },
        {"targets": [{"name": "R", "line": 1, "reachable": True, "checked": True, "trace": [{"line": 1}]}]},
    ],
)
def test_the_schema_refuses_what_is_wrong(change: dict[str, object]) -> None:
    document = refusal("undecided") | change
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(document)


def test_runs_of_memory_are_json_too() -> None:
    text = (
        "int in(void);\nint main(void) { int a[2] = {0}; int *p = a; int i = in(); if (i == 77) p = 0; return *p; }\n"
    )
    result = check(text, file="t.c", property="memory")
    document = validated(result_to_json(result))
    trace = document["targets"][0]["trace"]
    assert {step["state"].get("i") for step in trace} >= {77}
    assert [one["value"] for one in document["inputs"]] == [77]
    assert [one.value for one in result.inputs] == [77]
