"""The words of the proof of an answer, from THE TABLE of proofs: why targets are unreachable, or why every run ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.table import kind_of
from knaster.report.sentence import Report

if TYPE_CHECKING:
    from knaster.report.envelope import Json


def lines_of_proof(report: Report, verbose: bool = False) -> list[str]:
    """Return what was proved of targets that are unreachable; nothing where the proof has no words for it."""
    return [] if _is_about_ends(report) else _lines(report, verbose)


def lines_of_ending(report: Report) -> list[str]:
    """Return why every run ends, such as what decreases in each loop; nothing where the proof has no words for it."""
    return _lines(report, False) if _is_about_ends(report) else []


def proof_to_json(report: Report) -> Json:
    """Return what was proved; null where the proof has no words for it."""
    kind = kind_of(report.proof)
    return kind.to_json(report.proof, report.program) if kind is not None else None


def _is_about_ends(report: Report) -> bool:
    return any(isinstance(answer, Terminates) for _, answer in report.answers)


def _lines(report: Report, verbose: bool) -> list[str]:
    kind = kind_of(report.proof)
    return kind.to_words(report.proof, report.program, verbose) if kind is not None else []
