"""The check of ranks: no run is accepted by the automaton, and that accepts whatever the question excludes.

    automaton   it accepts every word on which the formula does not hold (`temporal_automata`)
    summaries   the path edges of the product are closed under every step (`path_edges`)
    ranks       along every step between heads the rank does not grow, along an accepting one it falls

The sets of a place are Z1, Z2, ...; Z0 is everything and behind the last is the empty set.  A step is a step inside
a procedure, a call that returns, or a call that is entered.  For each i and each step: what is in Zi afterwards was
in Zi before, and in Zi+1 where the step is accepting.
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, exists
from knaster.checkers.path_edges import PathEdgeChecker, Valuation, check_path_edges
from knaster.checkers.temporal_automata import check_automaton
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.proofs.ranks import Ranks
from knaster.evidence.questions.product import EVERYTHING, Product
from knaster.evidence.questions.question import Termination
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Call, Edge, Place, Procedure, Program

NOW = Copy.NOW


def check_ranks(proof: Ranks, program: Program, budget: Budget) -> None:
    """Raise `InternalError` unless ranks prove that every run is as their question asks."""
    if proof.program is not program:
        raise InternalError("the ranks are those of another program")
    if isinstance(proof.question, Termination):
        if proof.automaton != EVERYTHING:
            raise InternalError("the automaton is not the one of termination")
    else:
        check_automaton(proof.automaton, proof.question.formula, budget)
    product = proof.product()
    certificate = Certificate(
        product.program, proof.certificate.store, proof.certificate.vocabulary, proof.certificate.path_edges
    )
    check_path_edges(certificate, product.program, (), budget)
    _RankChecker(proof, product, certificate, budget).check()


class _RankChecker(PathEdgeChecker):
    """Ranks under examination; the path edges hold."""

    def __init__(self, proof: Ranks, product: Product, certificate: Certificate, budget: Budget) -> None:
        super().__init__(certificate, budget)
        self.product, self.ranks = product, proof.sets

    def check(self) -> None:
        """Check the form of the sets, then every step."""
        everything = self.store.cube(range(self.store.variables))
        for (name, _), sets in self.ranks.items():
            slots = self.vocabulary[name].slots.values()
            foreign = exists(everything, self.store.cube(variable(slot, NOW) for slot in slots))
            if any(exists(states, foreign) != states for states in sets):
                raise InternalError(f"a rank in '{name}' depends on what is no variable of it")
        for procedure in self.program.procedures:
            for edge in procedure.edges:
                if self.sets[procedure.name][edge.source] != self.store.false:
                    self.budget.check()
                    self._check_step(procedure, edge)

    def _check_step(self, procedure: Procedure, edge: Edge) -> None:
        source = procedure.name, edge.source
        accepting = id(edge) in self.product.accepting
        premise, after = self.follow(procedure, edge)
        self._compare(source, (procedure.name, edge.target), premise, after, accepting)
        if not isinstance(edge.action, Call):
            return
        now, choices = self._valuation(procedure.name, NOW), iter(self._fresh())
        arguments = [self._value(argument, now, now, choices) for argument in edge.action.arguments]
        premise, start = self.enter(self.sets[procedure.name][edge.source], edge.action, now, arguments, choices)
        entry = self.procedures[edge.action.procedure].entry
        self._compare(source, (edge.action.procedure, entry), premise, start, accepting)

    def _inside(self, name: str, states: Bdd, after: Valuation) -> Bdd:
        """Return where a valuation is in a set of states."""
        return self._substitute(name, states, self._valuation(name, Copy.ENTRY), after)

    def _compare(self, source: Place, target: Place, premise: Bdd, after: Valuation, accepting: bool) -> None:
        """Check that the rank does not grow along some steps, and falls where they are accepting."""
        before, behind = self.ranks.get(source, ()), (self.store.true, *self.ranks.get(target, ()))
        for rank, states in enumerate(behind):
            wanted = rank + accepting
            known = self.store.true if not wanted else before[wanted - 1] if wanted <= len(before) else self.store.false
            if known == self.store.true:
                continue  # mutant: everything is in it
            there = self._inside(target[0], states, after) if rank else states
            # mutant: only words
            what = "does not fall along an accepting step" if accepting else "grows along a step"
            self._require(premise & there, known, f"a rank {what} of '{source[0]}'")
