"""One proof about a whole program from proofs about parts of it: what holds in a part holds in the program.

Locations and variables are the same, so every invariant of a part is said of the program as it stands.  Procedures that
a part leaves out change nothing of it: they say so.  A procedure that is also called by one that the part leaves out
promises what it did only for calls that satisfy what it required.  Where two proofs do not fit together, because one
sees through a procedure that the other speaks of, the result is none: its checker says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.evidence.proofs.invariants import Invariants
from knaster.program.algebra import conjunction
from knaster.program.effects import effects
from knaster.program.expression import TRUE, Binary, Compare, Comparison, Expr, Operator, Var, variables
from knaster.program.model import Call, Place, Procedure, Program, old
from knaster.semantics.python_code import loop_heads
from knaster.transform.cones.cone import procedures_called


def lift_invariants(program: Program, proofs: Sequence[Invariants]) -> Invariants:
    """Return invariants of a program from those of some of its parts; they are still to be checked."""
    lifting = _Lifting(program, proofs)
    requires: dict[str, Expr] = {}
    at: dict[Place, Expr] = {}
    for procedure in program.procedures:
        if procedure.name not in lifting.called or lifting.is_seen_through(procedure.name):
            continue
        requires[procedure.name] = conjunction(lifting.requirements(procedure))
        for location in sorted(lifting.places(procedure)):
            at[procedure.name, location] = conjunction(lifting.claims(procedure, location))
    return Invariants(program, requires, at)


class _Lifting:
    def __init__(self, program: Program, proofs: Sequence[Invariants]) -> None:
        self.program = program
        self.proofs = proofs
        self.called = procedures_called(program)
        self.changes = {name: effect.mod for name, effect in effects(program).items()}
        formulas = [formula for proof in proofs for formula in (*proof.requires.values(), *proof.at.values())]
        read = {name for formula in formulas for name in variables(formula)}
        self.mentioned = [name for name in program.globals if name in read or old(name) in read]
        self.open = [self._called_from_outside(proof) for proof in proofs]

    def _called_from_outside(self, proof: Invariants) -> frozenset[str]:
        """Return the procedures of a part that are also called, directly or not, by those that it leaves out."""
        kept = {procedure.name for procedure in proof.program.procedures}
        todo = [name for name in self.called if name not in kept]
        seen: set[str] = set(todo)
        while todo:
            for edge in self.program.procedure(todo.pop()).edges:
                if isinstance(edge.action, Call) and edge.action.procedure not in seen:
                    seen.add(edge.action.procedure)
                    todo.append(edge.action.procedure)
        return frozenset(seen & kept)

    def is_seen_through(self, name: str) -> bool:
        """Tell whether some part has a procedure, and no proof speaks of it."""
        kept = any(name == procedure.name for proof in self.proofs for procedure in proof.program.procedures)
        return kept and not any(name in proof.requires for proof in self.proofs)

    def requirements(self, procedure: Procedure) -> Iterator[Expr]:
        """Yield what is required of calls of a procedure."""
        for proof, open in zip(self.proofs, self.open, strict=True):
            if procedure.name in proof.requires and procedure.name not in open:
                yield proof.requires[procedure.name]

    def places(self, procedure: Procedure) -> set[int]:
        """Return where something is said of a procedure."""
        own = {place for proof in self.proofs for name, place in proof.at if name == procedure.name}
        return own | {procedure.entry, procedure.exit, *loop_heads(procedure)}

    def claims(self, procedure: Procedure, location: int) -> Iterator[Expr]:
        """Yield what is said of a place: that some globals keep their values, and what the proofs say."""
        changed = self.changes[procedure.name]
        for name in self.mentioned:
            if name not in changed:
                yield Compare(Comparison.EQUAL, Var(name), Var(old(name)))
        for proof, open in zip(self.proofs, self.open, strict=True):
            claim = proof.at.get((procedure.name, location), TRUE)
            required = proof.requires.get(procedure.name, TRUE)
            if claim != TRUE and procedure.name in open and required != TRUE:
                claim = Binary(Operator.IMPLIES, required, claim)
            if claim != TRUE:
                yield claim
