"""A proof that every run ends in a file: invariants, and the measures that decrease."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.ranking import check_ranking
from knaster.evidence.proofs.invariants import BROKEN, formula_of_json, formula_to_json, invariants_of_json
from knaster.evidence.proofs.invariants import to_fields as saved
from knaster.evidence.proofs.ranking_ranking import Ranking
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import Target
from knaster.program.expression import Expr
from knaster.program.model import Kind, Place, Program


def to_fields(proof: Ranking) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    measures = [
        [name, location, [formula_to_json(part) for part in measure]]
        for (name, location), measure in proof.measures.items()
    ]
    return {"ranking": {**saved(proof.invariants), "measures": measures, "ahead": proof.ahead}}


def check(document: Mapping[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget) -> None:
    """Raise `InternalError` or `ProofError` unless every run ends by these measures."""
    if program.kind is not Kind.INTEGERS:
        raise ProofError("this is no proof: it has measures over integers, and the program has no integers")
    if targets:
        raise ProofError("this is no proof: measures exclude no target")
    proof = ranking_of_json(document["ranking"], program)
    try:
        check_ranking(proof, program, budget)
    except BROKEN:  # formulas of another type than they should have
        raise ProofError("the proof does not hold: one of its formulas has no meaning") from None


def ranking_of_json(data: object, program: Program) -> Ranking:
    """Return measures; raise `ProofError` where they are none."""
    has_keys(data, {"invariants", "measures", "ahead"}, "'ranking'")
    assert isinstance(data, dict)
    expect(type(data["ahead"]) is bool, "'ahead' is no truth value")
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    measures: dict[Place, tuple[Expr, ...]] = {}
    for entry in list_of(data["measures"], "measures"):
        expect(isinstance(entry, list) and len(entry) == 3, "a measure has not three parts")
        name, location, parts = entry
        known = isinstance(name, str) and name in sizes and type(location) is int
        expect(known and 0 <= location < sizes[name] and (name, location) not in measures, "a measure is of no place")
        measures[name, location] = tuple(formula_of_json(part) for part in list_of(parts, "a measure"))
    return Ranking(program, invariants_of_json(data["invariants"], program), measures, data["ahead"])
