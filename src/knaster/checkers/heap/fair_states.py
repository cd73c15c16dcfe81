"""The check of fair states: they are all that a model and the automaton can be in, and no run that counts goes around.

automaton   it accepts every word on which the formula does not hold (`temporal_automata`)
rows        each is a state of the model; they contain the start and are closed under every step of every thread, by the
            interpreter; the ends of runs that fail are added
cycles      none, as in `fair_table`
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.fair_table import Cycles, Row, Step, read_question, steps_from
from knaster.checkers.heap.rows import check_state, configuration_of
from knaster.evidence.proofs.heap.fair_states import FairStates
from knaster.evidence.questions.question import Temporal
from knaster.program.model import Program
from knaster.semantics.heap.run_graph import HeapGraph, HeapNode


def check_fair_states(proof: FairStates, program: Program, budget: Budget) -> None:
    """Raise `InternalError` unless a table proves that every run of a model that counts is as its question asks."""
    meanings = read_question(proof.program, program, proof.question, proof.automaton, budget)
    graph = HeapGraph(program)
    rows: dict[Row, None] = {}
    for row, state in proof.rows:
        budget.check()
        check_state(graph.machine, row)
        rows[HeapNode(configuration_of(graph.machine, row), row.choosing, False), state] = None
    for start in graph.starts():
        if any((start, state) not in rows for state in proof.automaton.initial):
            raise InternalError("a state in which runs begin is not in the table")
    after: dict[Row, list[Step]] = {}
    todo = list(rows)
    rests = isinstance(proof.question, Temporal)
    for each in todo:  # grows by runs that have failed
        budget.check()
        after[each] = list(steps_from(graph, proof.automaton, meanings, rests, each))
        for target, _, _ in after[each]:
            if target not in rows:
                if not target[0].failed:
                    raise InternalError("a step leads out of the table")
                rows[target] = None
                todo.append(target)
    Cycles(graph, after, budget.check).refuse(proof.question.fair)
