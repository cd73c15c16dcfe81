"""A proof of one target, handed over as one of a place that every run reaches: refused, of whatever kind it is."""

from __future__ import annotations

import json

import pytest

from knaster.checkers.files import proof_to_text
from knaster.evidence.answers.answer import Result
from knaster_check import Refused
from support.kernel import kernel
from support.kinds_of_proofs import BOUNDED, result_with

EXCLUDE = ("path_edges", "configurations", "interference", "stack_table", "state_table", "effect_table", "invariants")
CASES = [*((kind, False) for kind in EXCLUDE), *((kind, True) for kind in BOUNDED)]


def entries(result: Result) -> list[dict[str, object]]:
    """Return the first statement of each thread as a target."""
    found = []
    for name in dict.fromkeys(result.program.threads):
        procedure = result.program.procedure(name)
        lines = [edge.span.line for edge in procedure.edges if edge.source == procedure.entry]
        found.append({"name": f"line {lines[0]}", "procedure": name, "location": procedure.entry})
    return found


@pytest.mark.parametrize(("kind", "bounded"), CASES)
def test_a_place_that_every_run_reaches_is_not_excluded(kind: str, bounded: bool) -> None:
    result = result_with(kind, bounded)
    document = json.loads(proof_to_text(result))
    assert kernel(result.program, document).claim == "unreachable"
    for entry in entries(result):
        for targets in ([entry], [*document["targets"], entry]):
            with pytest.raises(Refused):
                kernel(result.program, {**document, "targets": targets})


@pytest.mark.parametrize(("kind", "bounded"), CASES)
def test_a_proof_of_nothing_is_none(kind: str, bounded: bool) -> None:
    result = result_with(kind, bounded)
    document = json.loads(proof_to_text(result))
    with pytest.raises(Refused):
        kernel(result.program, {**document, "targets": []})


def places(result: Result) -> list[dict[str, object]]:
    """Return every statement that somebody runs as a target, by its line."""
    found = []
    for procedure in result.program.procedures:
        if procedure.name == "main" and "main" not in result.program.threads:
            continue  # nobody runs it
        first = {}
        for edge in sorted(procedure.edges, key=lambda edge: -edge.source):
            first[edge.span.line] = edge.source
        found += [{"name": f"line {line}", "procedure": procedure.name, "location": at} for line, at in first.items()]
    return found


@pytest.mark.parametrize(("kind", "bounded"), CASES)
def test_what_is_excluded_no_run_reaches(kind: str, bounded: bool) -> None:
    """Of all places, a proof excludes at most those that the engine says are unreachable."""
    result = result_with(kind, bounded)
    document = json.loads(proof_to_text(result))
    excluded = []
    for place in places(result):
        try:
            kernel(result.program, {**document, "targets": [place]})
            excluded.append((place["procedure"], place["location"]))
        except Refused:
            continue
    assert {(row["procedure"], row["location"]) for row in document["targets"] if row["procedure"]} >= set(excluded)
