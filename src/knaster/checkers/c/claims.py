"""Claims: from invariants, what they say at a node of a walk, over the names of that walk."""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.checkers.c.names import Names
from knaster.checkers.c.walk import Claims, Node, State
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.expression import FALSE, TRUE, Expr
from knaster.program.model import Place, Procedure, old


class InvariantClaims(Claims):
    """The claims of a proof; `names` are those of the walk, and `entry` the entry values where it began."""

    def __init__(self, proof: Invariants) -> None:
        self.proof = proof
        self.names = Names()
        self.entry: State = {}
        self.passes = False  # whether what the proof says of places on the way is known there

    def speaks_of(self, name: str) -> bool:
        """Tell whether the proof says something about a procedure."""
        return name in self.proof.requires

    def guarantee(self, callee: Procedure, given: State, leave: State) -> Expr:
        """Return the guarantee of a callee."""
        return self.invariant((callee.name, callee.exit), given, leave)

    def claim_at(self, node: Node) -> Expr:
        """Return what is known at a place on the way."""
        return (
            self.invariant(node.place, self.entry, node.state) if self.passes and node.place in self.proof.at else TRUE
        )

    def requirement(self, name: str, entry: State) -> Expr:
        """Return what a procedure requires of its entry values; false of one that is never called."""
        return self.instantiate(
            self.proof.requires.get(name, FALSE), {old(each): value for each, value in entry.items()}
        )

    def invariant(self, place: Place, entry: State, now: State) -> Expr:
        """Return the invariant of a place."""
        return self.instantiate(self.proof.at[place], {**now, **{old(each): value for each, value in entry.items()}})

    def instantiate(self, expr: Expr, state: State) -> Expr:
        """Return a formula of the proof over the values of a state."""
        before = len(self.names.inputs)
        try:
            found = self.names.rename(expr, state)
        except KeyError as name:
            raise InternalError(f"the proof speaks of {name}, which is not known there") from None
        if len(self.names.inputs) > before:
            raise InternalError("the proof speaks of inputs")
        return found
