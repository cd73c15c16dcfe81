"""The check of ranks: no run of a Boolean program is one that an automaton accepts.

    automaton   it accepts every infinite run, or every word on which the formula does not hold (`automaton`)
    sets        the path edges of the product are closed under every step (`product`, `path_edges`)
    ranks       along every step the rank does not grow, along an accepting one it falls

The rank of a state at a place is the last i for which it is in the i-th set of the place, 0 where it is in none.  A
step is one inside a procedure, a call that returns, or one that is entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit, Literal, Valuation, View
from knaster_check.boolean.obligations import Obligations
from knaster_check.boolean.path_edges import NOW, Here, PathEdges
from knaster_check.program import Program, Target
from knaster_check.refused import expect, list_of, number_of, object_with, text_of
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.letters import Place
from knaster_check.temporal.product import Product, make_product
from knaster_check.temporal.question import read_question

_FIELDS = ("formula", "states", "initial", "steps", "procedures", "nodes", "ranks")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run ends, or that a formula holds on every run."""
    expect(program.kind == "boolean" and not program.is_threaded, "ranks are of sequential Boolean programs")
    expect(not targets, "ranks exclude no target")
    data = object_with(document["ranking_of_heads"], _FIELDS, "'ranking_of_heads'")
    question = read_question(program, data, tick)
    product = make_product(program, question.automaton, question.meanings, question.formula is not None)
    proof = Ranks(product, data, Obligations(tick))
    proof.check_start()
    for procedure in product.program.procedures.values():
        proof.check_procedure(procedure)
    return question.affirm(proof.obligations.answered)


class Ranks(PathEdges):
    """The sets and ranks of a proof, for a product."""

    def __init__(self, product: Product, data: Mapping[str, Any], obligations: Obligations) -> None:
        super().__init__(product.program, data, obligations)
        self.accepting = product.accepting
        self.ranks: dict[Place, list[int]] = {}
        for row in list_of(data["ranks"], "ranks"):
            name, location, numbers = list_of(row, "a rank", 3)
            expect(text_of(name, "a rank") in self.program.procedures, f"there is no procedure '{name}'")
            place = name, number_of(location, "a rank", self.program.procedures[name].size)
            expect(place not in self.ranks, "a place has ranks twice", f"'{name}'")
            self.ranks[place] = self.functions.numbers(numbers)

    def look_at_step(self, here: Here, number: int, target: Place, premises: list[Literal], after: Valuation) -> None:
        """Refuse where a rank grows along a step, or does not fall along an accepting one."""
        name, edge = here.procedure.name, here.procedure.edges[number]
        falls = (name, number) in self.accepting
        views = self._view(here.circuit, name, here.now), self._view(here.circuit, target[0], after)
        before = self.ranks.get((name, edge.source), [])
        # mutant: which words are said
        reason = "a rank does not fall along an accepting step" if falls else "a rank grows along a step"
        for rank, function in enumerate([1, *self.ranks.get(target, [])]):  # every state has the rank 0
            wanted = rank + falls
            known = TRUE if not wanted else views[0].of(before[wanted - 1]) if wanted <= len(before) else FALSE
            there = [*premises, views[1].of(function)]
            self.obligations.require(here.circuit, there, known, reason, f"'{name}', line {edge.line}")

    def _view(self, circuit: Circuit, name: str, now: Valuation) -> View:
        """Return sets of states of a procedure: they speak of values now alone."""
        slots = self.vocabulary[name].slots
        return View(circuit, self.functions, {3 * slot + NOW: now[each] for each, slot in slots.items()})
