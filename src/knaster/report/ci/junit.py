"""Answers as JUnit's XML: one suite for each file, one case for each target."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from knaster.base.visible import make_visible
from knaster.report.ci.findings import REFUSED, Case, Document, Finding, list_cases

MOST_STEPS = 1_000
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(documents: Sequence[Document], read_line: Callable[[str, int], str]) -> str:
    """Return one document of suites."""
    suites = [(document, list_cases(document, read_line)) for document in documents]
    every = [case for _, cases in suites for case in cases]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="knaster" {_sums(every)}>']
    for document, cases in suites:
        seconds = float((document.get("stats") or {}).get("seconds") or 0)
        file = str(document["file"])
        lines.append(f'<testsuite name={_attribute(file)} {_sums(cases)} time="{seconds:.3f}">')
        for case in cases:
            lines += _case(file, case)
        lines.append("</testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _sums(cases: Sequence[Case]) -> str:
    found = [case.finding for case in cases if case.finding is not None]
    failures = sum(one.is_violation for one in found)
    errors = sum(one.rule == REFUSED for one in found)
    skipped = len(found) - failures - errors
    return f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'


def _case(file: str, case: Case) -> Iterator[str]:
    finding = case.finding
    line = f' line="{case.line}"' if case.line else ""
    head = f"<testcase classname={_attribute(file)} name={_attribute(case.name)} file={_attribute(file)}{line}"
    if finding is None:
        yield f"{head}/>"
        return
    yield f"{head}>"
    message, rule = _attribute(finding.message), _attribute(finding.rule)
    if finding.is_violation:
        yield f"<failure message={message} type={rule}>{_plain(_run(finding))}</failure>"
    elif finding.rule == REFUSED:
        yield f"<error message={message} type={rule}/>"
    else:
        yield f"<skipped message={message}/>"
    yield "</testcase>"


def _run(finding: Finding) -> str:
    steps = finding.steps[-MOST_STEPS:]
    left_out = len(finding.steps) - len(steps)
    lines = [f"{left_out} steps are left out"] if left_out else []
    several = len({step.get("thread") for step in finding.steps}) > 1
    for step in steps:
        thread = f"thread {step['thread']}, " if several else ""
        values = " ".join(f"{name}={value}" for name, value in (step.get("state") or {}).items())
        indent = "  " * int(step.get("depth") or 0)
        lines.append(
            f"{step.get('file', finding.file)}:{step['line']}: {thread}{indent}{step['procedure']}  {values}".rstrip()
        )
    return "\n".join([finding.message, *lines])


def _plain(text: str) -> str:
    return escape("\n".join(_NOT_XML.sub("?", make_visible(line)) for line in text.split("\n")))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("?", make_visible(text)))
