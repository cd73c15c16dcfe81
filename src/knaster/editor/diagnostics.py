"""What an editor shows of an answer: the records of the Language Server Protocol, as plain dictionaries.

Lines and columns of the protocol count from 0, and columns in units of UTF-16; ours count from 1, in characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from knaster.report.ci.findings import REFUSED, UNDECIDED, Finding, list_findings

ERROR, INFORMATION, HINT = 1, 3, 4
UNNECESSARY = 1  # a tag: editors show it grey
STEPS = 50  # of a trace
UNREACHED = "knaster/unreached"
Record = dict[str, Any]


class EditorText:
    """The lines of a text, and places in it."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")

    def read_line(self, _: str, line: int) -> str:
        """Return a line by its number from 1; empty where there is none."""
        return self.lines[line - 1].rstrip("\r") if 0 < line <= len(self.lines) else ""

    def position(self, line: int, column: int) -> Record:
        """Return a place; what lies outside is moved to the nearest place inside."""
        line = min(max(line, 1), len(self.lines))
        text = self.read_line("", line)[: max(column - 1, 0)]
        return {"line": line - 1, "character": len(text.encode("utf-16-le", "surrogatepass")) // 2}

    def range(self, line: int, column: int, length: int = 0) -> Record:
        """Return so many characters from a place on; without a length, the rest of the line without blanks."""
        text = self.read_line("", min(max(line, 1), len(self.lines)))
        column = column or len(text) - len(text.lstrip()) + 1
        end = column + length if length else len(text.rstrip()) + 1
        return {"start": self.position(line, column), "end": self.position(line, max(end, column))}


def list_diagnostics(document: Mapping[str, Any], text: str, uri: str) -> list[Record]:
    """Return what is to be shown of an answer as JSON."""
    lines = EditorText(text)
    if document["status"] not in ("answered", "undecided"):
        severity = INFORMATION if document["status"] == "usage" else ERROR  # as: there is no target
        return [_problem(each, lines, severity) for each in document.get("errors") or [_nowhere(document)]]
    findings = list_findings([document], lines.read_line)
    return [*(_finding(each, lines, uri) for each in findings), *_unreached(document, lines)]


def hover_text(document: Mapping[str, Any], line: int) -> str:
    """Return what was proved at a line, counted from 1; empty where nothing was."""
    said: Sequence[str] = document.get("facts", {}).get(str(line), ())
    return "\n\n".join(f"`{one}`" for one in said)


def _nowhere(document: Mapping[str, Any]) -> Record:
    return {"line": 1, "column": 0, "length": 0, "message": document["reason"], "hint": ""}


def _problem(problem: Mapping[str, Any], lines: EditorText, severity: int) -> Record:
    hint = f"\n{problem['hint']}" if problem.get("hint") else ""
    place = lines.range(problem["line"], problem["column"], problem["length"])
    return _record(place, severity, REFUSED, f"{problem['message']}{hint}")


def _finding(finding: Finding, lines: EditorText, uri: str) -> Record:
    severity = INFORMATION if finding.rule == UNDECIDED else ERROR
    shown = _record(lines.range(finding.line, finding.column), severity, finding.rule, finding.message)
    related = list(_steps(finding, lines, uri))
    return shown | ({"relatedInformation": related} if related else {})


def _steps(finding: Finding, lines: EditorText, uri: str) -> Iterator[Record]:
    """Yield the steps of a run, the first ones and the last ones where there are many."""
    numbers = list(range(len(finding.steps)))
    if len(numbers) > STEPS:
        numbers = [*numbers[: STEPS // 2], *numbers[-STEPS // 2 :]]
    for number in numbers:
        step = finding.steps[number]
        values = ", ".join(f"{name} = {value}" for name, value in list(step["state"].items())[:8])
        said = f"step {number + 1} of {len(finding.steps)}, {step['procedure']}{': ' * bool(values)}{values}"
        if number == finding.cycle:
            said += " (from here on for ever)"
        yield {"location": {"uri": uri, "range": lines.range(step["line"], step["column"])}, "message": said}


def _unreached(document: Mapping[str, Any], lines: EditorText) -> Iterator[Record]:
    for line in sorted({each["line"] for each in document.get("unreached") or ()}):
        shown = _record(lines.range(line, 0), HINT, UNREACHED, "no run reaches a statement of this line")
        yield shown | {"tags": [UNNECESSARY]}


def _record(place: Record, severity: int, code: str, message: str) -> Record:
    return {"range": place, "severity": severity, "code": code, "source": "knaster", "message": message}
