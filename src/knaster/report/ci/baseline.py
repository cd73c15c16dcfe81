"""Findings that are known: from an earlier SARIF log, or because somebody expects a target to fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from knaster.base.errors import KnasterError
from knaster.base.named_tuples import NamedTuple
from knaster.report.ci.findings import Document, list_cases

KEY = "knasterTarget/v1"


class Baseline(NamedTuple):
    """Fingerprints of known findings, and the targets that are expected to fail, as FILE:TARGET."""

    fingerprints: frozenset[str] = frozenset()
    expected: frozenset[str] = frozenset()

    def new_findings(self, document: Document, read_line: Callable[[str, int], str]) -> list[str]:
        """Return the names of the targets of a document that fail and are not known to."""
        new = []
        for name, finding in list_cases(document, read_line):
            if finding is None or not finding.is_violation or finding.fingerprint in self.fingerprints:
                continue
            names = {f"{finding.file}:{name}", f"{finding.file}:{finding.line}"}
            new += [] if names & self.expected else [name]
        return new

    def surprises(self, document: Document, read_line: Callable[[str, int], str]) -> list[str]:
        """Return the targets of a document that are expected to fail and do not."""
        holding = {f"{document['file']}:{name}" for name, finding in list_cases(document, read_line) if finding is None}
        return sorted(holding & self.expected)


def read_baseline(text: str, file: str, expected: Iterable[str] = ()) -> Baseline:
    """Return the findings of a SARIF log as known ones."""
    try:
        log = json.loads(text)
        results = [result for run in log["runs"] for result in run["results"]]
        marks = [result.get("partialFingerprints", {}).get(KEY) for result in results]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise KnasterError(f"{file}: this is no SARIF log; write one with --output sarif={file}") from None
    return Baseline(frozenset(mark for mark in marks if isinstance(mark, str)), frozenset(expected))
