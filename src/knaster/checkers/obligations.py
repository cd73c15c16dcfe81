"""What invariants claim along a way through a program, as formulas: the common ground of those who ask about them."""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.expression import FALSE, TRUE, Expr
from knaster.program.model import Place, old
from knaster.smt.terms import Formula, Sides, State, Unsuitable
from knaster.views.steps.chains import Inside, Way
from knaster.views.steps.formula import Blocks


class Claims:
    """The claims of one proof over the variables of some blocks, and over entry values that have names of their own."""

    def __init__(self, proof: Invariants, blocks: Blocks) -> None:
        self.proof = proof
        self.blocks = blocks
        self.entry = {name: blocks.copy(name, f"{name}~") for name in proof.requires}

    def along(self, way: Way) -> list[Formula]:
        """Return what is known at the end of a way."""
        entry, now = self.entry[way.procedure], self.blocks.variables[way.procedure]
        known = [*self.requires(way.procedure, entry), *self.invariant((way.procedure, way.source), entry, now)]
        known += [*self.blocks.ranges(now), *self.blocks.ranges(entry), *way.guard]
        for inside in way.calls:
            known += self._returned(inside)
        return known

    def _returned(self, inside: Inside) -> list[Formula]:
        """Return what is known after a call: the guarantee of the callee, none where it is never called."""
        name = inside.call.callee
        if name not in self.proof.requires:
            return self._formula(FALSE, {})
        place = (name, self.blocks.program.procedure(name).exit)
        return [*self.invariant(place, inside.given, inside.leave), *self.blocks.ranges(inside.leave)]

    def requires(self, name: str, entry: State) -> list[Formula]:
        """Return what a procedure requires of entry values."""
        return self._formula(self.proof.requires.get(name, FALSE), {old(given): term for given, term in entry.items()})

    def invariant(self, place: Place, entry: State, now: State) -> list[Formula]:
        """Return the invariant of a place."""
        return self._formula(self.proof.at[place], {**now, **{old(name): term for name, term in entry.items()}})

    def _formula(self, expr: Expr, state: State) -> list[Formula]:
        """Return a formula of the proof; it must be exact and read no input."""
        if expr == TRUE:
            return []
        sides = Sides()
        try:
            found = self.blocks.translation.formula(expr, state, sides)
        except KeyError as name:
            raise InternalError(f"the proof speaks of {name}, which is not known there") from None
        if sides.inputs:
            raise InternalError("the proof speaks of inputs")
        if not sides.exact:
            raise Unsuitable("the proof has a formula that is not exact")
        return [found]
