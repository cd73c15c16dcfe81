"""The check of fair effects: the table is closed, and no accepted run goes around among its rows.

automaton   it accepts every word on which the formula does not hold (`temporal_automata`)
rows        of the model beside the automaton, as of every table of effects; no step of it fails, for that would end a
            run where the automaton is not asked
cycles      there is none with a row in which the automaton has accepted; for termination there is none at all
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.fair_table import read_question
from knaster.checkers.heap.effect_arcs import Arcs, Row
from knaster.checkers.heap.effect_table import check_effect_table
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.proofs.heap.fair_effects import FairEffects
from knaster.evidence.questions.heap_product import ACCEPTED, heap_product, why_no_product
from knaster.evidence.questions.question import Target, Temporal
from knaster.program.model import Program
from knaster.semantics.heap.failure import ASSERTION, ENDLESS, KINDS


def check_fair_effects(proof: FairEffects, program: Program, budget: Budget) -> None:
    """Raise `InternalError` unless a table proves that every run of a model is as its question asks."""
    meanings = read_question(proof.program, program, proof.question, proof.automaton, budget)
    about_formula = isinstance(proof.question, Temporal)
    if len(program.threads) != 1 or why_no_product(program, about_formula):
        raise InternalError("the table is not about such a model")
    product = heap_product(program, proof.automaton, meanings) if about_formula else program
    arcs = Arcs()
    targets = failures() if about_formula else ()
    check_effect_table(EffectTable(product, proof.table.roots), product, targets, budget, arcs)
    number = product.globals.index(ACCEPTED) if about_formula else -1

    def accepts(row: Row) -> bool:
        return proof.table.roots[row[0]].paths[row[1]].statics[number] is not False

    if arcs.endless_component(accepts if about_formula else None) is not None:
        raise InternalError("a run goes around in the table for ever")


def failures() -> tuple[Target, ...]:
    """Return the failures that end a run where the automaton is not asked."""
    return tuple(Target(kind, "", 0, 0, kind) for kind in KINDS if kind not in (ASSERTION, ENDLESS))
