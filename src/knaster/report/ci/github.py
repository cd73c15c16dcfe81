"""Answers as workflow commands of GitHub Actions, which it shows as annotations at the lines of a pull request."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knaster.base.visible import make_visible
from knaster.report.ci.findings import REFUSED, RULES, UNDECIDED, Document, Finding, list_findings

_TITLES = {UNDECIDED: "Not decided", REFUSED: "Refused", **{rule: title for rule, (title, _) in RULES.items()}}


def write_github(documents: Sequence[Document], read_line: Callable[[str, int], str]) -> str:
    """Return a summary and a command for each finding; few are shown for each step, so the summary comes first."""
    findings = list_findings(documents, read_line)
    failing = len({one.file for one in findings if one.is_violation})
    undecided = sum(one.rule == UNDECIDED for one in findings)
    files = f"{len(documents)} file{'s' if len(documents) != 1 else ''}"
    questions = f"{undecided} question{'s' if undecided != 1 else ''}"
    summary = f"knaster: {files}, {failing} with a violation, {questions} not decided"
    return "\n".join([summary, *map(_command, findings)]) + "\n"


def _command(finding: Finding) -> str:
    kind = "error" if finding.is_violation or finding.rule == REFUSED else "warning"
    place = [f"file={_property(finding.file)}"]
    place += [f"line={finding.line}"] * (finding.line > 0) + [f"col={finding.column}"] * (finding.column > 0)
    title = f"title={_property(_TITLES[finding.rule])}"
    return f"::{kind} {','.join([*place, title])}::{_data(finding.message)}"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return make_visible(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
