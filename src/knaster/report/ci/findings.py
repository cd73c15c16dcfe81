"""What a code review has to be told, from the JSON documents of `check`: each target that fails, each that is open."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple

Document = Mapping[str, Any]
RULES = {  # of each kind of finding: its name for people, and what it means
    "knaster/reach": ("Reachable target", "Some run of the program reaches this statement or fails this assertion."),
    "knaster/runtime-error": ("Run-time error", "Some run of the program fails here."),
    "knaster/deadlock": ("Deadlock", "In some run no thread can move, and some thread waits."),
    "knaster/termination": ("Endless run", "Some run of the program never ends."),
    "knaster/temporal": ("Temporal property", "Some run of the program violates the temporal property."),
}
UNDECIDED, REFUSED = "knaster/undecided", "knaster/refused"


class Finding(NamedTuple):
    """One thing to report: a violation has a rule of `RULES`, what is not decided or was refused one of the others."""

    rule: str
    file: str
    line: int  # from 1; 0 where it is about no line
    column: int  # likewise
    message: str
    steps: Sequence[Document] = ()  # the run, entry by entry, as in the JSON
    cycle: int | None = None  # the step at which a run that never ends goes around
    inputs: Sequence[Document] = ()
    fingerprint: str = ""

    @property
    def is_violation(self) -> bool:
        """Did a run violate something?"""
        return self.rule in RULES


class SourceLines:
    """The lines of files by name and number; empty where a file cannot be read any more, as standard input."""

    def __init__(self) -> None:
        self._lines: dict[str, Sequence[str]] = {}

    def __call__(self, file: str, line: int) -> str:
        """Return a line; empty where there is none."""
        if file not in self._lines:
            from knaster.base.errors import KnasterError
            from knaster.frontends.text.files import read_text

            try:
                self._lines[file] = read_text(file).splitlines()
            except (KnasterError, OSError):
                self._lines[file] = ()
        lines = self._lines[file]
        return lines[line - 1] if 0 < line <= len(lines) else ""


class Case(NamedTuple):
    """One target of one file: what fails, what is open, or None where it holds."""

    name: str
    finding: Finding | None
    file: str
    line: int = 0  # of the target, from 1; 0 where it has none

    @property
    def names(self) -> tuple[str, str]:
        """What people call it: FILE:TARGET, and FILE:LINE."""
        return f"{self.file}:{self.name}", f"{self.file}:{self.line}"


def list_cases(document: Document, read_line: Callable[[str, int], str]) -> list[Case]:
    """Return what one document says of each target; `read_line(file, line)` is the text of a line, if it can be had."""
    file, verdict = str(document["file"]), document.get("verdict")
    if document["status"] not in ("answered", "undecided"):
        errors = document.get("errors") or [{"line": 0, "column": 0, "message": document["reason"]}]
        return [
            _open_case(
                f"reading {index}",
                Finding(REFUSED, each.get("file", file), each["line"], each["column"], str(each["message"])),
            )
            for index, each in enumerate(errors, 1)
        ]
    cases = [_case(document, target) for target in document["targets"]]
    if (lasso := document.get("lasso")) is not None:
        cases.append(_open_case(_property_of(document), _endless(document, lasso)))
    elif not cases or (verdict == "UNKNOWN" and all(case.finding is None for case in cases)):
        open_question = Finding(UNDECIDED, file, 0, 0, str(document["reason"])) if verdict != "TRUE" else None
        cases.append(Case(_property_of(document), open_question, file))
    if files := document.get("files"):
        cases = [_in_its_file(case, files) for case in cases]
    return [case._replace(finding=mark) for case, mark in zip(cases, _with_fingerprints(cases, read_line), strict=True)]


def _open_case(name: str, finding: Finding) -> Case:
    return Case(name, finding, finding.file, finding.line)


def _in_its_file(case: Case, files: Sequence[Document]) -> Case:
    """Return a case of a program of several files, with lines of these files."""

    def placed(line: int) -> tuple[str, int]:
        own = next(file for file in reversed(files) if file["first"] <= max(line, files[0]["first"]))
        return str(own["name"]), line - int(own["first"]) + 1

    def moved(step: Document) -> Document:
        file, line = placed(step["line"])
        return {**step, "file": file, "line": line}

    if case.line:
        file, line = placed(case.line)
        case = case._replace(file=file, line=line)
    if (finding := case.finding) is None:
        return case
    steps, inputs = list(map(moved, finding.steps)), list(map(moved, finding.inputs))
    if finding.line:
        file, line = placed(finding.line)
        finding = finding._replace(file=file, line=line)
    return case._replace(finding=finding._replace(steps=steps, inputs=inputs))


def list_findings(documents: Iterable[Document], read_line: Callable[[str, int], str]) -> list[Finding]:
    """Return everything that is to be reported of several files, in their order."""
    cases = (case for document in documents for case in list_cases(document, read_line))
    return [case.finding for case in cases if case.finding is not None]


def _case(document: Document, target: Document) -> Case:
    file, name = str(document["file"]), str(target["name"])
    steps = target.get("trace") or ()
    if target["reachable"] is False:
        return Case(name, None, file, target["line"] or 0)
    if target["reachable"] is None:
        why = str(document["reason"]) or "not decided"
        return _open_case(name, Finding(UNDECIDED, file, target["line"] or 0, 0, f"{name}: {why}"))
    failure = target.get("failure") or {}
    line = target["line"] or failure.get("line") or next((step["line"] for step in reversed(steps) if step["line"]), 0)
    column = steps[-1]["column"] if steps and steps[-1]["line"] == line else 0
    rule = _rule_of(name, failure)
    says = (
        str(document["reason"]) if failure else f"{name} can{' fail' if name.startswith('assert') else ' be reached'}"
    )
    return _open_case(name, Finding(rule, file, line, column, says, steps, None, document.get("inputs") or ()))


def _rule_of(name: str, failure: Document) -> str:
    if "deadlock" in (name, failure.get("category")):
        return "knaster/deadlock"
    return "knaster/runtime-error" if failure and failure.get("kind") != "assertion" else "knaster/reach"


def _endless(document: Document, lasso: Document) -> Finding:
    stem, cycle = list(lasso["stem"]), list(lasso["cycle"])
    steps = [*stem[:-1], *cycle] if stem and cycle else [*stem, *cycle]
    first = cycle[0] if cycle else stem[-1]
    rule = "knaster/termination" if _property_of(document) == "termination" else "knaster/temporal"
    place = int(first["line"]), int(first["column"])
    inputs = document.get("inputs") or ()
    return Finding(rule, str(document["file"]), *place, str(document["reason"]), steps, len(steps) - len(cycle), inputs)


def _property_of(document: Document) -> str:
    return str(document.get("property") or document["options"].get("property") or "reach")


def _with_fingerprints(cases: Iterable[Case], read_line: Callable[[str, int], str]) -> list[Finding | None]:
    """Return the findings, each with a hash of what it is about and not of where: lines may move."""
    seen: dict[str, int] = {}
    marked: list[Finding | None] = []
    for case in cases:
        if (finding := case.finding) is None:
            marked.append(None)
            continue
        procedure = finding.steps[-1]["procedure"] if finding.steps else ""
        text = read_line(finding.file, finding.line).strip() or case.name
        about = "\0".join((finding.rule, finding.file, procedure, text))
        seen[about] = seen.get(about, 0) + 1
        digest = hashlib.sha256(f"{about}\0{seen[about]}".encode()).hexdigest()
        marked.append(finding._replace(fingerprint=digest))
    return marked
