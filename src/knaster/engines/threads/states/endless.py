"""Decides termination and formulas of threads on sets: a fair run that is not as asked, or sets that shrink away."""

from __future__ import annotations

import time

from knaster.automata.automaton import Automaton
from knaster.automata.ltl import Formula
from knaster.base.limits import OutOfBudget
from knaster.bdd.store import Store
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.threads.states.abilities import Abilities
from knaster.engines.threads.states.lassos import Walks
from knaster.engines.threads.states.letters import Guards, Letters
from knaster.engines.threads.states.product import Sets, ThreadSets
from knaster.engines.threads.states.removals import inside_of, reasons_of, shrink
from knaster.engines.threads.states.steps import Key, Moves
from knaster.engines.vacuous_formulas import candidates_of, remarks_about
from knaster.engines.violations import automaton_against
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.threads.fair_sets import OUTSIDE, FairSets, Removal
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.layout.lanes import UNBEGUN, UNUSED, Point, make_lanes
from knaster.program.threads import most_started
from knaster.views.symbolic.formula_sets import possible


def find_endless(task: Task) -> Findings:
    """Decide whether every run of threads, or every fair one, is as the question asks."""
    started, question, most = time.perf_counter(), task.question, most_started(task.program)
    assert isinstance(question, Temporal | Termination)
    assert most is not None  # required
    automaton, meanings = EVERYTHING, {}
    if isinstance(question, Temporal):
        automaton, meanings = automaton_against(question.formula, task.budget), meanings_of(task.program, question)
    rests = isinstance(question, Temporal)
    statistics: dict[str, int | float | str] = {"automaton_states": automaton.states}
    try:
        lanes = make_lanes(task.program, most, False)
        moves = Moves(lanes, Store(lanes.size, task.nodes))
        letters = Letters(moves, meanings)
        abilities = Abilities(moves, letters, task.budget.check)
        product = ThreadSets(moves, Guards(automaton, letters), letters, abilities, rests)
        product.check = task.budget.check
        reached = product.reach(_starts(product, automaton))
        task.budget.tell(f"configurations that are reached: {product.store.nodes} nodes")
        removals, inside, left = _shrink(product, reached, question.fair)
        statistics |= {"rounds": len(removals) + len(inside), "nodes": product.store.nodes, "variables": lanes.size}
        statistics["fixpoint_seconds"] = time.perf_counter() - started
        if left:
            reasons = reasons_of(
                "none" if OUTSIDE not in {part for _, part in left} else question.fair, len(lanes.lanes)
            )
            lasso = Walks(product, automaton, meanings, rests).find(reached, left, reasons, question)
            return Findings(frozenset(), None, statistics, ends=Diverges(lasso))
        remarks = _remarks(product, reached, question) if isinstance(question, Temporal) else ()
    except OutOfBudget as spent:
        return Findings(frozenset(), Undecided.because(spent), statistics)
    proof = FairSets(task.program, question, automaton, product.store, lanes, reached, removals, inside)
    return Findings(frozenset(), None, statistics, ends=Terminates(proof), remarks=remarks)


def _remarks(product: ThreadSets, reached: Sets, question: Temporal) -> tuple[str, ...]:
    """Return what never happens, beside the automaton or, where that has stopped, in any run."""
    letters, store = product.letters, product.store

    def happens(sets: Sets, formula: Formula) -> bool:
        where = letters.meaning(formula)
        return any(not store.is_false(states & where) for states in sets.values())

    left = [each for each in candidates_of(question.formula) if not happens(reached, each[0])]
    if left:
        alone = ThreadSets(product.moves, Guards(EVERYTHING, letters), letters, product.abilities, False)
        alone.check = product.check
        every = alone.reach(_starts(alone, EVERYTHING))
        left = [each for each in left if not happens(every, each[0])]
    return remarks_about(left)


def _starts(product: ThreadSets, automaton: Automaton) -> Sets:
    """Return the configurations in which runs begin, one thread having begun, at initial states of the automaton."""
    moves, store = product.moves, product.store
    shared = {name: store.var(variable) for name, variable in moves.lanes.shared.items()}
    start = possible(store, moves.program.init, lambda variable: shared[variable.name])
    for lane, own in enumerate(moves.lanes.lanes):
        start &= moves.code(lane, UNUSED if own.entry is None else Point((), own.entry, UNBEGUN))
    found: Sets = {}
    for lane in range(len(moves.program.threads)):
        for (_, _, point), states in product.split(lane, {(0, OUTSIDE): start}).items():
            for move in moves.leaving_key(lane, Key(point, False)):
                begun = {(state, False, move.target.point): move.image(states) for state in automaton.initial}
                product.add(found, product.join(lane, begun))
    return found


def _shrink(product: ThreadSets, reached: Sets, fair: str) -> tuple[tuple[Removal, ...], tuple[Removal, ...], Sets]:
    """Take away what no run that counts can stay in; where only fair ones count, inside sections by itself too."""
    removals, left = shrink(product, reached, reasons_of(fair, len(product.lanes)))
    inside: list[Removal] = []
    if not left and fair != "none":
        inside, left = shrink(product, inside_of(reached), reasons_of("none", 0))
    return tuple(removals), tuple(inside), left
