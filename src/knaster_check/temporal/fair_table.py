"""The check of a fair table: no run of threads that counts is one that an automaton accepts.

    automaton   it accepts every infinite run, or every word on which the formula does not hold (`automaton`)
    rows        pairs of a node and a state of the automaton; they contain every start and are closed under every move
    cycles      in none of them goes an accepted run around that is fair

A run that goes around in a cycle is *weakly* fair where each thread moves there, or cannot move at some node of it;
*strongly* where each thread moves there, or can move at none.  Who can move is asked outside sections only, and a run
that stays in one section for ever is fair.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from knaster_check.graphs import components
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.automaton import Automaton
from knaster_check.temporal.letters import Meaning, letter
from knaster_check.temporal.ranks import read_question
from knaster_check.temporal.thread_graph import Node, ThreadGraph

_FIELDS = ("formula", "fair", "states", "initial", "steps", "rows")
Row = tuple[Node, int]


class Step(NamedTuple):
    """A step between rows: by which thread (None: the run rests), and whether it is accepting."""

    target: Row
    thread: int | None
    accepts: bool


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run of threads that counts ends, or is as a formula says."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(not targets, "a fair table excludes no target")
    data = object_with(document["fair_table"], _FIELDS, "'fair_table'")
    expect(data["fair"] in ("none", "weak", "strong"), "there is no such fairness")
    automaton, meanings = read_question(program, data, tick)
    table = _Table(program, automaton, meanings, data["formula"] is not None)
    for row in list_of(data["rows"], "rows"):
        *node, state = list_of(row, "a row", 5)
        table.after[table.graph.read(*node), number_of(state, "a state", automaton.states)] = []
    table.check_closed(tick)
    rows = set(table.after)
    table.check_cycles(rows, data["fair"], tick)
    table.check_cycles({row for row in rows if table.graph.is_inside(row[0])}, "none", tick)
    claim = "ends" if data["formula"] is None else "holds"
    answered = {"rows expanded": len(rows)}
    return Verdict(claim, answered=answered, formula=data["formula"] or "", fair=data["fair"])


class _Table:
    """The rows of a proof, and the steps from each."""

    def __init__(self, program: Program, automaton: Automaton, meanings: dict[str, Meaning], rests: bool) -> None:
        self.graph, self.automaton, self.meanings, self.rests = ThreadGraph(program), automaton, meanings, rests
        self.steps = automaton.leaving()
        self.after: dict[Row, list[Step]] = {}

    def check_closed(self, tick: Tick) -> None:
        """Refuse where a start is missing, or a move leads out of the rows."""
        for start in self.graph.starts():
            known = all((start, state) in self.after for state in self.automaton.initial)
            expect(known, "a node in which runs begin is not in the table")
        for row in self.after:
            tick()
            self.after[row] = self._steps(*row)
            expect(all(step.target in self.after for step in self.after[row]), "a move leads out of the table")

    def _steps(self, node: Node, state: int) -> list[Step]:
        graph, shared = self.graph, dict(zip(self.graph.program.globals, node.shared, strict=True))
        true = letter(self.meanings, list(graph.standing(node)), shared, graph.is_over(node))
        values = {atom: atom in true for atom in self.meanings}
        taken = [step for step in self.steps[state] if step.takes(values)]
        found = []
        for move in graph.moves(node):
            if move.silent:
                found.append(Step((move.after, state), move.thread, False))
            else:
                found += [Step((move.after, step.target), move.thread, step.accepts) for step in taken]
        if self.rests and graph.rests(node):
            found += [Step((node, step.target), None, step.accepts) for step in taken]
        return found

    def check_cycles(self, rows: Collection[Row], fair: str, tick: Tick) -> None:
        """Refuse where an accepted run that is fair goes around among rows."""
        todo = [rows]
        while todo:
            among = set(todo.pop())
            graph = {row: [step.target for step in self.after[row] if step.target in among] for row in among}
            for part in components(graph):
                tick()
                todo += self._smaller(set(part), fair)

    def _smaller(self, cycle: set[Row], fair: str) -> list[set[Row]]:
        """Return what is to be looked at again of a cycle in which no fair run can stay; refuse where one can."""
        steps = [step for row in cycle for step in self.after[row] if step.target in cycle]
        if not any(step.accepts for step in steps):
            return []
        outside = {row for row in cycle if not self.graph.is_inside(row[0])} if fair != "none" else set()
        moved = {step.thread for step in steps}
        for thread in range(max((len(node.stacks) for node, _ in outside), default=0)):
            able = {row for row in outside if thread not in moved and self.graph.can_move(row[0], thread)}
            if able and (fair == "strong" or able == outside):
                return [cycle - able] if fair == "strong" else []
        raise Refused("an accepted run that counts goes around among the rows")
