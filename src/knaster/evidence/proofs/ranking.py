"""A ranking: why every run ends, as a measure that decreases from each loop head or entry to the next.

A run that never ends passes loop heads, or entries of procedures that call each other, for ever: it steps over calls
that return and enters one that does not.  At each such point the proof has a tuple of integers over the values there;
every step from point to point decreases it lexicographically, in a component that is at least 0 before.  What else is
known at the points, and what callees guarantee, are invariants, which are checked as such.  `checkers.ranking` checks
all of it.

A. M. Turing, Checking a Large Routine (1949); R. W. Floyd, Assigning Meanings to Programs (1967).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.formulas import formula_of_json, formula_to_json
from knaster.evidence.proofs.invariants import Invariants, Meaning, invariants_of_json
from knaster.evidence.proofs.invariants import to_fields as invariants_to_fields
from knaster.evidence.proofs.invariants import to_json as invariants_to_json
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.frontends.languages import spelling_of
from knaster.program.expression import FALSE, Const, Expr
from knaster.program.model import Kind, Place, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget


@dataclass(frozen=True, slots=True)
class Ranking:
    """A tuple of integer expressions for each point, and the invariants that they need."""

    program: Program
    invariants: Invariants
    measures: Mapping[Place, tuple[Expr, ...]]
    ahead: bool = False  # only steps that another one can follow decrease them: a run that never ends has no other

    def __repr__(self) -> str:
        return f"<Ranking of {self.program.file}: {len(self.measures)} points>"

    def unreached_places(self) -> None:
        """Return nothing: which statements are never reached is not known."""


def to_fields(proof: Ranking, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    measures = [
        [name, location, [formula_to_json(part) for part in measure]]
        for (name, location), measure in proof.measures.items()
    ]
    return {"ranking": {**invariants_to_fields(proof.invariants, program), "measures": measures, "ahead": proof.ahead}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Ranking:
    """Return the measures of a document."""
    expect(program.kind is Kind.INTEGERS, "it has measures over integers, and the program has no integers")
    data = document["ranking"]
    has_keys(data, {"invariants", "measures", "ahead"}, "'ranking'")
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


def to_words(proof: Ranking, program: Program, verbose: bool) -> Iterator[str]:
    """Yield a line for each loop and recursion, with what decreases there."""
    spelling = spelling_of(program)
    rows = []
    for place, measure in _telling_measures(proof):
        never = proof.invariants.at.get(place) == FALSE
        why = "nothing: no run comes there" if never else "nothing: it is passed once"
        rows.append((*_where(program, place), ", then ".join(map(spelling.expression, measure)) or why))
    if not rows:
        yield "  there is no loop and no recursion"
        return
    width = max(len(spelling.routine), *(len(name) for _, name, _, _ in rows))
    yield f"  line  {spelling.routine:<{width}}  decreases"
    for line, name, kind, said in sorted(rows):
        yield f"  {line:>4}  {name:<{width}}  {said}{kind}"


def to_json(proof: Ranking, program: Program, meaning: Meaning | None = None) -> dict[str, Any]:
    """Return for programs what decreases at each loop head and entry, and the invariants that this needs."""
    spell = spelling_of(program).expression
    rows = [
        {"line": _where(program, place)[0], "function": place[0], "decreases": [spell(expr) for expr in measure]}
        for place, measure in _telling_measures(proof)
    ]
    return {**invariants_to_json(proof.invariants, program, meaning), "ranking": rows}


def _telling_measures(proof: Ranking) -> Iterator[tuple[Place, tuple[Expr, ...]]]:
    """Yield the measures as people want to see them: without components that only tell where the run is."""
    for place, measure in sorted(proof.measures.items()):
        yield place, tuple(expr for expr in measure if not isinstance(expr, Const))


def _where(program: Program, place: Place) -> tuple[int, str, str]:
    """Return the line and the procedure of a point, and a word where it is an entry."""
    procedure = program.procedure(place[0])
    if place[1] == procedure.entry and not any(edge.target == place[1] for edge in procedure.edges):
        return procedure.span.line, place[0], " (at each call)"
    lines = [edge.span.line for edge in procedure.leaving.get(place[1], ())]
    return min(lines, default=procedure.span.line), place[0], ""
