"""The check of fair tables: the rows are all there are, and no accepted run that counts goes around among them.

automaton   it accepts every word on which the formula does not hold (`temporal_automata`)
rows        they contain every start and are closed under every move of every thread
cycles      from a row, what is reached from it and reaches it is its component (L. Fleischer, B. Hendrickson and A.
            Pinar, On identifying strongly connected components in parallel, 2000); none of them has an accepting
            step together with what makes its runs fair
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.runs.run_letters import letter_of
from knaster.checkers.temporal_automata import check_automaton
from knaster.evidence.proofs.fair_table import FairTable
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.model import Program
from knaster.semantics.run_graph import Node, RunGraph, ThreadNodes
from knaster.semantics.thread_graph import ThreadGraph

Row = tuple[Node, int]
Step = tuple[Row, int | None, bool]  # to which row, by which thread (None: the run rests), and whether it accepts


def check_fair_table(proof: FairTable, program: Program, budget: Budget) -> None:
    """Raise `InternalError` unless a table proves that every run of threads that counts is as its question asks."""
    meanings = read_question(proof.program, program, proof.question, proof.automaton, budget)
    graph = ThreadGraph(program)
    rows = set(proof.rows)
    for start in graph.starts():
        if any((start, state) not in rows for state in proof.automaton.initial):
            raise InternalError("a configuration in which runs begin is not in the table")
    after: dict[Row, list[Step]] = {}
    for row in proof.rows:
        budget.check()
        after[row] = list(steps_from(graph, proof.automaton, meanings, isinstance(proof.question, Temporal), row))
        if any(target not in rows for target, _, _ in after[row]):
            raise InternalError("a move leads out of the table")
    Cycles(graph, after, budget.check).refuse(proof.question.fair)


def read_question(
    own: Program, program: Program, question: Termination | Temporal, automaton: Automaton, budget: Budget
) -> Meanings:
    """Return what the atoms of a table's question mean; raise where its program or its automaton is another one."""
    if own is not program:
        raise InternalError("the table is one of another program")
    if isinstance(question, Temporal):
        check_automaton(automaton, question.formula, budget)
        return meanings_of(program, question)
    if automaton != EVERYTHING:
        raise InternalError("the automaton is not the one of termination")
    return {}


def steps_from(graph: RunGraph, automaton: Automaton, meanings: Meanings, rests: bool, row: Row) -> Iterator[Step]:
    """Yield the steps from a row; where the run `rests` and that counts, those of the automaton alone."""
    node, state = row
    letter = letter_of(graph, node, meanings)
    taken = [step for step in automaton.steps if step.source == state and step.takes(letter)]
    for move in graph.moves(node):
        after = graph.node(move.after)
        if move.is_silent:
            yield (after, state), move.thread, False
        else:
            yield from (((after, step.target), move.thread, bool(step.marks)) for step in taken)
    if rests and graph.rests(node):
        yield from (((node, step.target), None, bool(step.marks)) for step in taken)


class Cycles:
    """The graph of the rows."""

    def __init__(self, graph: ThreadNodes, after: dict[Row, list[Step]], check: Callable[[], None]) -> None:
        self.graph, self.after, self.check = graph, after, check
        self.before: dict[Row, list[Row]] = {row: [] for row in after}
        for row, steps in after.items():
            for target, _, _ in steps:
                self.before[target].append(row)

    def refuse(self, fair: str) -> None:
        """Raise where an accepted run that counts goes around among the rows."""
        inside = {row for row in self.after if self.graph.is_inside(row[0])}
        for rows, how in ((set(self.after), fair), (inside, "none")):
            todo = [rows]
            while todo:
                among = self._trim(todo.pop())
                if not among:
                    continue
                self.check()
                pivot = next(iter(among))
                ahead = self._reach(pivot, among, lambda row: (step[0] for step in self.after[row]))
                behind = self._reach(pivot, among, lambda row: iter(self.before[row]))
                component = ahead & behind
                todo += [ahead - component, behind - component, among - ahead - behind]
                todo += self._left(component, how)

    def _trim(self, rows: set[Row]) -> set[Row]:
        """Return the rows without those from which, or to which, no step leads among them."""
        count = {row: sum(step[0] in rows for step in self.after[row]) for row in rows}
        todo = [row for row, number in count.items() if not number]
        rows = set(rows)
        while todo:
            row = todo.pop()
            rows.discard(row)
            for earlier in self.before[row]:
                if earlier in rows:
                    count[earlier] -= 1  # mutant: what is trimmed is on no cycle; it is only speed
                    if not count[earlier]:
                        todo.append(earlier)
        return rows

    def _reach(self, pivot: Row, among: set[Row], neighbours: Callable[[Row], Iterator[Row]]) -> set[Row]:
        seen, todo = {pivot}, [pivot]
        while todo:
            for row in neighbours(todo.pop()):
                if row in among and row not in seen:
                    seen.add(row)
                    todo.append(row)
        return seen

    def _left(self, component: set[Row], fair: str) -> list[set[Row]]:
        """Return what has to be looked at again of a component in which nobody can stay; raise where one can."""
        steps = [step for row in component for step in self.after[row] if step[0] in component]
        if not any(accepts for _, _, accepts in steps):
            return []
        if fair != "none":
            moved = {thread for _, thread, _ in steps}
            outside = {row for row in component if not self.graph.is_inside(row[0])}
            for thread in range(max((self.graph.count(node) for node, _ in outside), default=0)):
                able = {row for row in outside if self._can_move(row[0], thread)}
                if thread in moved or not able or (fair == "weak" and able != outside):
                    continue
                return [component - able] if fair == "strong" else []
        raise InternalError("an accepted run that counts goes around among the rows of the table")

    def _can_move(self, node: Node, thread: int) -> bool:
        return thread < self.graph.count(node) and self.graph.can_move(node, thread)
