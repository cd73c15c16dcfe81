"""The check of rows, a node and a state of an automaton each: closed, and no accepted run that counts goes around.

rows     they contain every start and are closed under every move
cycles   in none of them goes an accepted run around that is fair (`graph`)
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from knaster_check.graphs import components
from knaster_check.refused import Refused, expect
from knaster_check.temporal.graph import Graph, Node, letter_of
from knaster_check.temporal.question import Question
from knaster_check.work import Tick

Row = tuple[Node, int]


class Step(NamedTuple):
    """A step between rows: by which thread (None: the run rests), and whether it is accepting."""

    target: Row
    thread: int | None
    accepts: bool


class FairRows:
    """The rows of a proof, and the steps from each; that a run rests counts in a question about a formula.

    Nodes that are `implied` need no row.
    """

    def __init__(self, graph: Graph, question: Question, implied: Callable[[Node], bool] = lambda node: False) -> None:
        self.graph, self.question, self.implied = graph, question, implied
        self.steps = question.automaton.leaving()
        self.after: dict[Row, list[Step]] = {}

    def check(self, tick: Tick) -> None:
        """Refuse rows that are not closed, or among which an accepted run that counts goes around."""
        self._check_closed(tick)
        rows = set(self.after)
        self._check_cycles(rows, self.question.fair, tick)
        self._check_cycles({row for row in rows if self.graph.is_inside(row[0])}, "none", tick)

    def _check_closed(self, tick: Tick) -> None:
        for start in self.graph.starts():
            known = all((start, state) in self.after for state in self.question.automaton.initial)
            expect(known, "a node in which runs begin is not in the table")
        todo = list(self.after)
        for row in todo:  # grows by what is implied
            tick()
            self.after[row] = self._steps(*row)
            for step in self.after[row]:
                if step.target not in self.after:
                    expect(self.implied(step.target[0]), "a move leads out of the table")
                    self.after[step.target] = []
                    todo.append(step.target)

    def _steps(self, node: Node, state: int) -> list[Step]:
        meanings = self.question.meanings
        true = letter_of(self.graph, node, meanings)
        values = {atom: atom in true for atom in meanings}
        taken = [step for step in self.steps[state] if step.takes(values)]
        found = []
        for move in self.graph.moves(node):
            if move.silent:
                found.append(Step((move.after, state), move.thread, False))
            else:
                found += [Step((move.after, step.target), move.thread, step.accepts) for step in taken]
        if self.question.formula is not None and self.graph.rests(node):
            found += [Step((node, step.target), None, step.accepts) for step in taken]
        return found

    def _check_cycles(self, rows: Collection[Row], fair: str, tick: Tick) -> None:
        todo = [rows]
        while todo:
            among = set(todo.pop())
            ways = {row: [step.target for step in self.after[row] if step.target in among] for row in among}
            for part in components(ways):
                tick()
                todo += self._smaller(set(part), fair)

    def _smaller(self, cycle: set[Row], fair: str) -> list[set[Row]]:
        """Return what is to be looked at again of a cycle in which no fair run can stay; refuse where one can."""
        steps = [step for row in cycle for step in self.after[row] if step.target in cycle]
        if not any(step.accepts for step in steps):
            return []
        outside = {row for row in cycle if not self.graph.is_inside(row[0])} if fair != "none" else set()
        moved = {step.thread for step in steps}
        for thread in range(max((self.graph.count(node) for node, _ in outside), default=0)):
            able = {row for row in outside if thread not in moved and self.graph.can_move(row[0], thread)}
            if able and (fair == "strong" or able == outside):
                return [cycle - able] if fair == "strong" else []
        raise Refused("an accepted run that counts goes around among the rows")
