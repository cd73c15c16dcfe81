"""What was proved, in the words of the program: an invariant for each loop, a guarantee for each function.

Entry values are called as in ACSL: `\\old(x)`, and what a function returns `\\result`.  What says only that something
keeps its value is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from knaster.evidence.proofs.invariants_invariants import Invariants
from knaster.program.expression import FALSE, TRUE, Binary, Compare, Comparison, Expr, Operator, Var
from knaster.program.flat import built, flat
from knaster.program.model import Location, Program, old
from knaster.report.envelope import Json
from knaster.report.source import SourceText
from knaster.semantics.compiled import loop_heads

if TYPE_CHECKING:
    from knaster.evidence.proofs.path_edges_proof import Proof

SHOWN = 6  # parts of a formula that are shown to people who do not ask for all


def proof_to_json(program: Program, proof: Proof) -> Json:
    """Return what was proved; null where the proof has no words for it."""
    if not isinstance(proof, Invariants):
        return None
    words = _Words(program, proof)
    return {
        "invariants": [{"line": line, "function": name, "holds": holds} for line, name, holds in words.loops(True)],
        "functions": [
            {"function": name, "requires": requires, "guarantees": gives} for name, requires, gives in words.functions()
        ],
        "ranking": [],
    }


def proof_to_text(program: Program, proof: Proof, verbose: bool = False) -> Iterator[str]:
    """Yield what was proved, a line for each part of a formula; of places other than loops only where all is wanted."""
    if not isinstance(proof, Invariants):
        return
    words = _Words(program, proof)
    for line, name, holds in words.loops(everywhere=verbose):
        if holds == words.never:
            yield f"  line {line}, {name}: no run comes here"
            continue
        yield from _listed(f"line {line}, {name}: always", holds, verbose)
    for name, requires, gives in words.functions():
        if requires == words.never:
            yield f"  {name} is never called"
            continue
        if gives == words.never:
            gives = ["that it does not return"]
        if requires:
            yield from _listed(f"{name} requires", requires, verbose)
        yield from _listed(f"{name} guarantees", gives, verbose)


def _listed(head: str, parts: list[str], verbose: bool) -> Iterator[str]:
    if not parts:
        return
    limit = len(parts) if verbose else SHOWN
    yield f"  {head} {parts[0]}"
    for part in parts[1:limit]:
        yield f"  {'and':>{len(head)}} {part}"
    if len(parts) > limit:
        yield f"  {'and':>{len(head)}} {len(parts) - limit} more (--verbose shows them)"


class _Words:
    """The formulas of one proof as text."""

    def __init__(self, program: Program, proof: Invariants) -> None:
        self.program = program
        self.proof = proof
        self.spell = SourceText(program).spelling.expression
        self.never = [self.spell(FALSE)]

    def loops(self, everywhere: bool) -> Iterator[tuple[int, str, list[str]]]:
        """Yield the line, the function and the parts of the invariant of each loop, or of each place that has any."""
        found = []
        for name in sorted({name for name, _ in self.proof.at}):
            procedure = self.program.procedure(name)
            lines: dict[Location, int] = {}
            for edge in procedure.edges:
                lines[edge.source] = min(lines.get(edge.source, edge.span.line), edge.span.line)
            heads = loop_heads(procedure)
            for location in heads | (set(lines) - {procedure.entry} if everywhere else set()):
                formula = self.proof.at.get((name, location), TRUE)
                found.append((lines[location], name, location, self.parts(formula)))
        yield from ((line, name, parts) for line, name, _, parts in sorted(found) if parts)

    def functions(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Yield what each function requires and guarantees, in the order of the text; nothing of the entry."""
        for procedure in self.program.procedures:
            if procedure.name in self.proof.requires and procedure.name not in self.program.threads:
                leaves = self.parts(self.proof.at[procedure.name, procedure.exit])
                yield procedure.name, self.parts(self.proof.requires[procedure.name]), leaves

    def parts(self, formula: Expr) -> list[str]:
        """Return the parts of a conjunction as text, without those that say that something keeps its value."""
        return [self.spell(_result(part)) for part in _conjuncts(formula) if not _keeps(part)]


def _conjuncts(expr: Expr) -> Iterator[Expr]:
    todo = [expr]
    while todo:
        node = todo.pop()
        if isinstance(node, Binary) and node.operator is Operator.AND:
            todo += (node.right, node.left)
        elif node != TRUE:
            yield node


def _keeps(part: Expr) -> bool:
    match part:
        case Compare(Comparison.EQUAL, Var(now), Var(before)):
            return before == old(now)
        case _:
            return False


def _result(expr: Expr) -> Expr:
    """Return a formula in which a hidden result has the name that ACSL gives it."""
    return built([Var("\\result") if isinstance(row, Var) and row.name == "@0" else row for row in flat(expr)])
