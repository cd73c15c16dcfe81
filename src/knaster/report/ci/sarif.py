"""Answers as SARIF 2.1.0, the form in which code hosts take the findings of analyses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from knaster.base.visible import make_visible
from knaster.report.ci.findings import REFUSED, RULES, Document, Finding, list_findings
from knaster.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_STEPS = 1_000  # of a run: code hosts show no more
MOST_RELATED = 100
Object = dict[str, Any]


def write_sarif(documents: Sequence[Document], read_line: Callable[[str, int], str]) -> str:
    """Return one log with one run for all files."""
    findings = list_findings(documents, read_line)
    failed = any(finding.rule == REFUSED for finding in findings)
    rules = sorted({finding.rule for finding in findings if finding.is_violation})
    run: Object = {
        "tool": {"driver": {"name": "Knaster", "version": VERSION, "rules": [_rule(name) for name in rules]}},
        "invocations": [
            {
                "executionSuccessful": not failed,
                "toolExecutionNotifications": [_notification(one) for one in findings if not one.is_violation],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the folder in which the check ran"}}},
        "results": [_result(one, rules.index(one.rule)) for one in findings if one.is_violation],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str) -> Object:
    title, about = RULES[name]
    return {
        "id": name,
        "name": title.title().replace(" ", "").replace("-", ""),
        "shortDescription": {"text": title},
        "fullDescription": {"text": about},
        "help": {"text": about},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["correctness"], "precision": "very-high", "problem.severity": "error"},
    }


def _result(finding: Finding, index: int) -> Object:
    left_out = max(0, len(finding.steps) - MOST_STEPS)
    message = finding.message + (f"; the first {left_out} steps of its run are left out" if left_out else "")
    result: Object = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": "error",
        "message": _message(message),
        "locations": [_location(finding.file, finding.line, finding.column)],
        "partialFingerprints": {"knasterTarget/v1": finding.fingerprint},
    }
    if finding.steps:
        result["codeFlows"] = [{"threadFlows": list(_thread_flows(finding, left_out))}]
    if finding.inputs:
        result["relatedLocations"] = [
            {
                **_location(one.get("file", finding.file), one["line"], 0),
                "message": _message(f"{one['function']}() = {one['value']}"),
            }
            for one in finding.inputs[:MOST_RELATED]
        ]
    return result


def _thread_flows(finding: Finding, first: int) -> Iterator[Object]:
    """Yield the run as one flow for each thread, in the order in which threads first move."""
    flows: dict[Any, list[Object]] = {}
    before: dict[tuple[Any, str], Mapping[str, Any]] = {}
    for order, step in enumerate(finding.steps, 1):
        thread, frame = step.get("thread"), (step.get("thread"), step["procedure"])
        state = step.get("state") or {}
        changed = {name: value for name, value in state.items() if before.get(frame, {}).get(name, _NONE) != value}
        before[frame] = state
        if order > first:
            flows.setdefault(thread, []).append(_step(finding, order, step, changed))
    for thread, steps in flows.items():
        yield {"id": f"thread {thread}", "locations": steps}


_NONE = object()


def _step(finding: Finding, order: int, step: Document, changed: Mapping[str, Any]) -> Object:
    location = _location(step.get("file", finding.file), step["line"], step["column"])
    words = ", ".join(f"{name}={_text(value)}" for name, value in changed.items())
    if finding.cycle is not None and order == finding.cycle + 1:
        words = "; ".join(filter(None, ("from here on again and again", words)))
    if words:
        location["message"] = _message(words)
    shown: Object = {
        "location": location,
        "nestingLevel": int(step.get("depth") or 0),
        "executionOrder": order,
        "importance": "essential" if words else "important",
    }
    if changed:
        shown["state"] = {name: _message(_text(value)) for name, value in changed.items()}
    return shown


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _notification(finding: Finding) -> Object:
    return {
        "descriptor": {"id": finding.rule},
        "level": "error" if finding.rule == REFUSED else "warning",
        "message": _message(finding.message),
        "locations": [_location(finding.file, finding.line, finding.column)],
    }


def _message(text: str) -> Object:
    return {"text": make_visible(text)}


def _location(file: str, line: int, column: int) -> Object:
    physical: Object = {"artifactLocation": {"uri": quote(file.replace("\\", "/"))}}
    if not file.startswith("/"):
        physical["artifactLocation"]["uriBaseId"] = "SRCROOT"
    if line > 0:
        physical["region"] = {"startLine": line, **({"startColumn": column} if column > 0 else {})}
    return {"physicalLocation": physical}
