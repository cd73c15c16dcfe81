"""The check of invariants: one list of obligations, made from the text, each answered by a solver.

R. W. Floyd, Assigning Meanings to Programs (1967); C. A. R. Hoare, Procedures and Parameters (1971).  What a procedure
requires holds where it is called and implies what is said of its entry; from each place the next ones are walked to
edge by edge, and what is said there holds; no target is passed.  Nothing of the engines is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.c.claims import InvariantClaims
from knaster.checkers.c.obligations import Fact, Goal, Kind, Obligation, claim
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.c.walk import Node, Region, Walk
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.program.expression import TRUE, Expr
from knaster.program.model import Location, Place, Program


def check_invariants(proof: Invariants, program: Program, targets: Sequence[Target], budget: Budget) -> str:
    """Return which solvers have answered; raise `InternalError` where the proof does not hold.

    Where no solver answers a question, `OutOfBudget` says so.
    """
    if proof.program != program:
        raise InternalError("the proof is of another program")
    if program.is_threaded:
        raise InternalError("invariants of one thread say nothing about several")
    if not all(target.has_place for target in targets):
        raise InternalError("invariants exclude places, and a target has none")
    making = Obligations(proof, budget)
    return Solvers(making.walk.names.types, budget).prove(making.all(targets))


class Obligations:
    """What has to be shown of invariants."""

    def __init__(self, proof: Invariants, budget: Budget, claims: InvariantClaims | None = None) -> None:
        self.proof = proof
        self.program = proof.program
        self.claims = InvariantClaims(proof) if claims is None else claims
        self.walk = Walk(self.program, self.claims, budget)
        self.claims.names = self.walk.names
        self.places = self._find_places()

    def _find_places(self) -> dict[str, frozenset[Location]]:
        """Return the places of each procedure: its entry and its exit are among them."""
        places: dict[str, set[Location]] = {name: set() for name in self.proof.requires}
        for name, location in self.proof.at:
            if name not in places:
                raise InternalError(f"the proof does not say what '{name}' requires")
            places[name].add(location)
        for name, own in places.items():
            procedure = self.program.procedure(name)
            for location in (procedure.entry, procedure.exit):
                if location not in own:
                    raise InternalError(f"the proof says nothing about location {location} of '{name}'")
        return {name: frozenset(own) for name, own in places.items()}

    def all(self, targets: Sequence[Target]) -> Iterator[Obligation]:
        """Yield everything."""
        yield self._start()
        for name in self.proof.requires:
            yield self._entry(name)
        for name, places in self.places.items():
            for location in sorted(places):
                region = self.region((name, location))
                yield from self._calls(region)
                yield from self._ends(region)
                yield from self._targets(region, targets)

    def region(self, place: Place) -> Region:
        """Return the walk from a place of the proof to the next ones."""
        return self.walk.region(self.begin(place), self.places[place[0]])

    def begin(self, place: Place) -> Node:
        """Return a place of the proof, with what is known there."""
        entry, now = self.walk.state(place[0]), self.walk.state(place[0])
        self.claims.entry = entry
        known = (self.claims.requirement(place[0], entry), self.claims.invariant(place, entry, now))
        return Node(place, TRUE, now, steps=tuple(claim(one) for one in known if one != TRUE))

    def obligation(self, node: Node, why: str, *conclusion: Expr) -> Obligation:
        """Return that a conclusion holds where a run gets to a node; without one, that no run does."""
        goals = tuple(Goal((claim(one),)) for one in conclusion)
        return Obligation(node.place, why, node.history(), goals, self.walk.names.types)

    def _start(self) -> Obligation:
        main = self.program.threads[0]
        state = self.walk.state(main)
        begun = self.walk.names.rename(self.program.init, state)
        known = Fact(TRUE, begun, Kind.HOLDS)
        node = Node((main, self.program.procedure(main).entry), TRUE, state, steps=(known,))
        return self.obligation(node, "what main requires holds at the start", self.claims.requirement(main, state))

    def _entry(self, name: str) -> Obligation:
        """Return that what is required implies the invariant at the entry."""
        procedure, now = self.program.procedure(name), self.walk.state(name)
        given = {each: now[each] for each in (*self.program.globals, *procedure.parameters)}
        entry = {**self.walk.state(name), **given}
        node = Node((name, procedure.entry), TRUE, now, steps=(claim(self.claims.requirement(name, entry)),))
        holds = self.claims.invariant(node.place, entry, now)
        return self.obligation(node, f"the invariant at the entry of '{name}' holds", holds)

    def _ends(self, region: Region) -> Iterator[Obligation]:
        for node in region.ends:
            why = f"the invariant holds at location {node.place[1]} of '{node.place[0]}'"
            yield self.obligation(node, why, self.claims.invariant(node.place, self.claims.entry, node.state))

    def _calls(self, region: Region) -> Iterator[Obligation]:
        for call in region.calls:
            name, line = call.callee.name, call.edge.span.line
            why = f"what '{name}' requires holds where line {line} calls it"
            yield self.obligation(call.node, why, self.claims.requirement(name, call.given))

    def _targets(self, region: Region, targets: Sequence[Target]) -> Iterator[Obligation]:
        asked: dict[Place, list[Expr]] = {}
        for target in targets:
            asked.setdefault(target.place, []).append(TRUE if target.condition is None else target.condition)
        for node in region.nodes:
            for condition in asked.get(node.place, ()):
                yield self._not_reached(node, condition)

    def _not_reached(self, node: Node, condition: Expr) -> Obligation:
        """Return that no run gets to a node in a state in which a condition can be true."""
        if condition != TRUE:
            known = Fact(node.at, self.walk.names.rename(condition, node.state), Kind.HOLDS)
            node = Node(node.place, node.at, node.state, node.arcs, (*node.steps, known))
        return self.obligation(node, f"location {node.place[1]} of '{node.place[0]}' is not reached")
