"""Findings that are known: from an earlier SARIF log, or because somebody expects a target to fail."""

from __future__ import annotations

import json
from collections.abc import Iterable

from knaster.base.errors import KnasterError
from knaster.base.named_tuples import NamedTuple
from knaster.report.ci.findings import Case

KEY = "knasterTarget/v1"


class Baseline(NamedTuple):
    """Fingerprints of known findings, and the targets that are expected to fail, as FILE:TARGET or FILE:LINE."""

    fingerprints: frozenset[str] = frozenset()
    expected: frozenset[str] = frozenset()

    def new_findings(self, cases: Iterable[Case]) -> list[str]:
        """Return the names of the targets that fail and are not known to."""
        found = ((case, case.finding) for case in cases)
        return [
            case.name
            for case, finding in found
            if finding is not None
            and finding.is_violation
            and finding.fingerprint not in self.fingerprints
            and self.expected.isdisjoint(case.names)
        ]

    def surprises(self, cases: Iterable[Case]) -> list[str]:
        """Return what is expected to fail and does not."""
        return sorted({name for case in cases if case.finding is None for name in case.names if name in self.expected})


def read_baseline(text: str, file: str, expected: Iterable[str] = ()) -> Baseline:
    """Return the findings of a SARIF log as known ones."""
    try:
        log = json.loads(text)
        results = [result for run in log["runs"] for result in run["results"]]
        marks = [result.get("partialFingerprints", {}).get(KEY) for result in results]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise KnasterError(f"{file}: this is no SARIF log; write one with --output sarif={file}") from None
    return Baseline(frozenset(mark for mark in marks if isinstance(mark, str)), frozenset(expected))
