"""All runs of a program over integers in a file: the states at which they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.all_runs import AllRuns, check_all_runs
from knaster.evidence.proofs.invariants import BROKEN
from knaster.evidence.proofs.reading import expect, has_keys, list_of, values
from knaster.evidence.questions.question import Target
from knaster.program.model import Kind, Program


def to_fields(proof: AllRuns) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    return {"runs": {"states": [[name, list(given), at, list(now)] for name, given, at, now in proof.states]}}


def check(document: Mapping[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget) -> None:
    """Raise `InternalError` or `ProofError` unless the states exclude the targets, or, without any, every run ends."""
    if program.kind is not Kind.INTEGERS:
        raise ProofError("this is no proof: it has states of integers, and the program has no integers")
    proof = runs_of_json(document["runs"], program)
    try:
        check_all_runs(proof, program, targets, budget, ends=not targets)
    except BROKEN:
        raise ProofError("the proof does not hold: one of its states is none of the program") from None


def runs_of_json(data: object, program: Program) -> AllRuns:
    """Return states; raise `ProofError` where they are none."""
    has_keys(data, {"states"}, "'runs'")
    assert isinstance(data, dict)
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    states = []
    for entry in list_of(data["states"], "states"):
        expect(isinstance(entry, list) and len(entry) == 4, "a state has not four parts")
        name, given, location, now = entry
        known = isinstance(name, str) and name in sizes and type(location) is int and 0 <= location < sizes[name]
        expect(known, "a state is of no place")
        states.append((name, values(given), location, values(now)))
    return AllRuns(program, tuple(states))
