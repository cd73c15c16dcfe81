"""Invariants as a proof: what holds at the loops of a program over integers, what procedures require and guarantee.

An invariant speaks of the values now and, as ACSL's `\\old`, of those that globals and parameters had when the
activation began.  What holds at the exit of a procedure is its guarantee; what it requires of its entry values is what
keeps it away from targets.  `checkers.invariants` checks it.  For people it is written in ACSL (`acsl`); what says only
that something keeps its value is left out, and what speaks of a value in the middle of a statement.

R. W. Floyd, Assigning Meanings to Programs (1967); C. A. R. Hoare, Procedures and Parameters (1971).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.acsl import Context, Offset, Words
from knaster.evidence.proofs.formulas import formula_of_json, formula_to_json
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.program.algebra import conjuncts
from knaster.program.expression import TRUE, Compare, Comparison, Expr, Var
from knaster.program.flat import build_tree, flat
from knaster.program.model import Assign, Call, Kind, Location, Place, Procedure, Program, old
from knaster.semantics.python_code import loop_heads

if TYPE_CHECKING:
    from knaster.base.limits import Budget

SHOWN = 6  # parts of a formula that are shown to people who do not ask for all


@dataclass(frozen=True, slots=True)
class Invariants:
    """Invariants by place, and what each procedure requires.

    The places are at least the entry, the exit and the loop heads of each procedure that requires something.  One that
    is left out is without loops and recursion, and seen through by its callers; or it is never called.
    """

    program: Program
    requires: Mapping[str, Expr]  # over entry values
    at: Mapping[Place, Expr]  # over entry values and values now

    def __repr__(self) -> str:
        return f"<Invariants of {self.program.file}: {len(self.at)} places>"

    def unreached_places(self) -> None:
        """Return nothing: which statements are never reached is not known."""


def of_entry(expr: Expr) -> Expr:
    """Return a formula about the values now as one about entry values."""
    rows = flat(expr)
    return build_tree([Var(old(r.name)) if isinstance(r, Var) and not r.name.startswith("\\") else r for r in rows])


def to_fields(proof: Invariants, program: Program) -> dict[str, Any]:
    """Return invariants as fields of a document."""
    requires = [[name, formula_to_json(formula)] for name, formula in proof.requires.items()]
    at = [[name, location, formula_to_json(formula)] for (name, location), formula in proof.at.items()]
    return {"invariants": {"requires": requires, "at": at}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Invariants:
    """Return the invariants of a document."""
    expect(program.kind is Kind.INTEGERS, "it has invariants over integers, and the program has no integers")
    return invariants_of_json(document["invariants"], program)


def invariants_of_json(data: object, program: Program) -> Invariants:
    """Return invariants; raise `ProofError` where they are none."""
    has_keys(data, {"requires", "at"}, "'invariants'")
    assert isinstance(data, dict)
    names = {procedure.name: procedure for procedure in program.procedures}
    requires: dict[str, Expr] = {}
    for entry in list_of(data["requires"], "requirements"):
        expect(isinstance(entry, list) and len(entry) == 2, "a requirement has not two parts")
        name, formula = entry
        expect(isinstance(name, str) and name in names and name not in requires, "a requirement is of no procedure")
        requires[name] = formula_of_json(formula)
    at: dict[Place, Expr] = {}
    for entry in list_of(data["at"], "invariants"):
        expect(isinstance(entry, list) and len(entry) == 3, "an invariant has not three parts")
        name, location, formula = entry
        known = isinstance(name, str) and name in names and type(location) is int
        expect(known and 0 <= location < names[name].size and (name, location) not in at, "an invariant is of no place")
        at[name, location] = formula_of_json(formula)
    return Invariants(program, requires, at)


def to_json(proof: Invariants, program: Program, meaning: Meaning | None = None) -> dict[str, Any]:
    """Return for programs what was proved; `meaning` says what variables of a reduced program stand for."""
    words = _Words(program, proof, meaning)
    return {
        "invariants": [{"line": line, "function": name, "holds": holds} for line, name, holds in words.loops(True)],
        "functions": [
            {"function": name, "requires": requires, "guarantees": gives} for name, requires, gives in words.functions()
        ],
        "ranking": [],
    }


def to_words(proof: Invariants, program: Program, verbose: bool, meaning: Meaning | None = None) -> Iterator[str]:
    """Yield what was proved, a line for each part of a formula; of places other than loops only where all is wanted."""
    words = _Words(program, proof, meaning)
    for line, name, holds in words.loops(everywhere=verbose):
        if holds == words.never:
            yield f"  line {line}, {name}: no run comes here"
            continue
        yield from _list_parts(f"line {line}, {name}: always", holds, verbose)
    for name, requires, gives in words.functions():
        if requires == words.never:
            yield f"  {name} is never called"
            continue
        if gives == words.never:
            gives = ["that it does not return"]
        if requires:
            yield from _list_parts(f"{name} requires", requires, verbose)
        yield from _list_parts(f"{name} guarantees", gives, verbose)


def _list_parts(head: str, parts: list[str], verbose: bool) -> Iterator[str]:
    if not parts:
        return
    limit = len(parts) if verbose else SHOWN
    yield f"  {head} {parts[0]}"
    for part in parts[1:limit]:
        yield f"  {'and':>{len(head)}} {part}"
    if len(parts) > limit:
        yield f"  {'and':>{len(head)}} {len(parts) - limit} more (--verbose shows them)"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What variables of a reduced program stand for: pointers, and objects that only some procedures can name."""

    offsets: Mapping[str, Mapping[str, Offset]]  # by procedure, and by variable
    owners: Mapping[str, str]  # the procedures to which variables belong that are those of the program

    def visible(self, names: Collection[str], procedure: str) -> list[str]:
        """Return the variables among some that a procedure can name."""
        return [name for name in names if self.owners.get(name, procedure) == procedure]


class _Words:
    """The formulas of one proof as text: those about C as predicates of ACSL."""

    def __init__(self, program: Program, proof: Invariants, meaning: Meaning | None) -> None:
        self.program = program
        self.proof = proof
        self.meaning = meaning or Meaning({}, {})
        self.never = ["\\false"]

    def loops(self, everywhere: bool) -> Iterator[tuple[int, str, list[str]]]:
        """Yield the line, the function and the parts of the invariant of each loop, or of each place that has any."""
        found = set()
        for name in sorted({name for name, _ in self.proof.at}):
            procedure = self.program.procedure(name)
            words = self._words(procedure)
            visible = self.meaning.visible(self.program.scope(procedure), name)
            lines: dict[Location, int] = {}
            for edge in procedure.edges:
                lines[edge.source] = min(lines.get(edge.source, edge.span.line), edge.span.line)
            heads = loop_heads(procedure)
            for location in heads | (set(lines) - {procedure.entry} if everywhere else set()):
                formula = self.proof.at.get((name, location), TRUE)
                said = _said(words, formula, Context.INSIDE, visible)
                found.add((lines[location], name, location if location in heads else -1, tuple(said)))
        yield from ((line, name, list(parts)) for line, name, _, parts in sorted(found) if parts)

    def functions(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Yield what each function requires and guarantees, in the order of the text; nothing of the entry."""
        for procedure in self.program.procedures:
            if procedure.name in self.proof.requires and procedure.name not in self.program.threads:
                words = self._words(procedure)
                shared = self.meaning.visible(self.program.globals, "")
                leaves = self.proof.at[procedure.name, procedure.exit]
                yield (
                    procedure.name,
                    _said(words, self.proof.requires[procedure.name], Context.REQUIRES, shared),
                    _said(words, leaves, Context.ENSURES, shared),
                )

    def _words(self, procedure: Procedure) -> Words:
        fixed = set(procedure.parameters)
        for edge in procedure.edges:
            if isinstance(edge.action, Assign | Call):
                fixed -= {target for target in edge.action.targets if target is not None}
        offsets = self.meaning.offsets.get(procedure.name, {})
        return Words(self.program.types_in(procedure), procedure.parameters, fixed, offsets)


def _said(words: Words, formula: Expr, context: Context, visible: Collection[str]) -> list[str]:
    """Return the parts of a conjunction, without those that say that something keeps its value."""
    parts = [words.predicate(part, context, visible) for part in conjuncts(formula) if not _keeps(part)]
    return list(dict.fromkeys(part for part in parts if part is not None))


def _keeps(part: Expr) -> bool:
    match part:
        case Compare(Comparison.EQUAL, Var(now), Var(before)):
            return before == old(now)
        case _:
            return False
