"""An answer for programs: one JSON object for each file, as `schema.json` and docs/output.md describe it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from knaster.errors import Problem
from knaster.program.model import Program
from knaster.program.types import Reference, Value
from knaster.results.answer import Reachable, Unknown, Verdict
from knaster.results.render.entries import Form, list_entries
from knaster.results.render.report import Report
from knaster.results.trace import Trace

SCHEMA = 1
Json = bool | int | float | str | None | Sequence["Json"] | Mapping[str, "Json"]


def schema() -> Json:
    """Return the JSON Schema of the output."""
    text = (Path(__file__).parents[1] / "schema.json").read_text("utf-8")
    document: Json = json.loads(text)
    return document


def result_to_json(report: Report, form: Form | None = None) -> str:
    """Return the answer as one JSON object on one line."""
    notes = list(report.notes)
    targets: list[Json] = []
    for target, answer in report.answers:
        trace: Json = None
        if isinstance(answer, Reachable) and answer.trace is not None and form is not Form.NONE:
            trace, note = trace_to_json(report.program, answer.trace, form)
            notes += [f"{target.name}: {note}"] if note else []
        reachable = None if isinstance(answer, Unknown) else isinstance(answer, Reachable)
        targets.append({"name": target.name, "line": target.line, "reachable": reachable, "trace": trace})
    return _object(report.file, report.verdict, report.reason, targets, report.engine, report.stats, notes)


def refusal_to_json(file: str, reason: str, engine: str, problems: Iterable[Problem] = ()) -> str:
    """Return a run without an answer as one JSON object on one line: nothing is known of any target."""
    errors: list[Json] = [
        {"line": p.span.line, "column": p.span.column, "message": p.message, "hint": p.hint} for p in problems
    ]
    return _object(file, Verdict.UNKNOWN, reason, [], engine, {}, [], errors)


def trace_to_json(program: Program, trace: Trace, form: Form | None = None) -> tuple[list[Json], str]:
    """Return the entries of a trace and, where some calls are folded, a remark."""
    listing = list_entries(program, trace, form)
    entries: list[Json] = [
        {
            "line": entry.span.line,
            "column": entry.span.column,
            "procedure": entry.procedure,
            "depth": entry.depth,
            "edge": entry.kind.value,
            "state": {name: value_to_json(value) for name, value in entry.state.items()},
        }
        for entry in listing
    ]
    return entries, listing.note


def value_to_json(value: Value) -> Json:
    """Return a value: truth values as 1 and 0, arrays as lists, null as null, references by name."""
    if value is None or isinstance(value, int):
        return None if value is None else int(value)
    if isinstance(value, Reference):
        return f"{value.target}#{value.number}"
    return [value_to_json(part) for part in value]


def _object(
    file: str,
    verdict: Verdict,
    reason: str,
    targets: Sequence[Json],
    engine: str,
    stats: Mapping[str, int | float | str],
    notes: Sequence[str],
    errors: Sequence[Json] = (),
) -> str:
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "file": file,
        "verdict": verdict.value,
        "reason": reason,
        "targets": list(targets),
        "engine": engine,
        "stats": dict(stats),
        "notes": list(notes),
    }
    if errors:
        document["errors"] = list(errors)
    return json.dumps(document, ensure_ascii=True, allow_nan=False)
