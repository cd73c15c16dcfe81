"""The check of a table that leaves out the order of threads, and threads whose turn can wait: by the interpreter.

Like the check of a table of states (`state_table`), but for two things.  Where the table is symmetric, states count as
equal that differ in the order of their threads; then the text may not ask for the number of a thread.  Where one
thread is chosen, its steps alone must lead to the table, what they touch may concern nobody else
(`unnoticed_moves`), and one of them must lead to a row further down: so nobody is put off for ever.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.edge_parts import expressions_of
from knaster.checkers.heap.form import Form
from knaster.checkers.heap.rows import configuration_of
from knaster.checkers.heap.state_table import StateChecker, copy_for
from knaster.checkers.heap.unnoticed_moves import UnnoticedMoves
from knaster.evidence.proofs.heap.reduced_table import ReducedTable
from knaster.evidence.proofs.heap.state_table import StateRow, StateTable
from knaster.evidence.questions.question import Target
from knaster.program.expression import Self, postorder
from knaster.program.model import Program
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration, Frame


def check_reduced_table(table: ReducedTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable."""
    if len(table.chosen) != len(table.rows):
        _refuse("it does not say who moves alone")
    if table.symmetric and _asks_for_numbers(program):
        _refuse("the program asks for numbers of threads")
    _Checker(table, program, targets, budget).run()


class _Checker(StateChecker):
    def __init__(self, table: ReducedTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
        super().__init__(StateTable(program, table.rows, True), program, targets, budget)
        self.symmetric, self.chosen = table.symmetric, table.chosen
        self.unnoticed = UnnoticedMoves(self.machine)
        self.furthest: dict[Hashable, int] = {}  # the last row of each state
        self.arrived = -1  # the furthest row to which the steps of a row lead

    def run(self) -> None:
        """Check the table."""
        for number, row in enumerate(self.table.rows):
            try:
                self.furthest[self.key(configuration_of(self.machine, row), row.choosing)] = number
            except (LookupError, ValueError, TypeError):
                break  # no state of the program, which is said where rows are checked
        super().run()

    def key(self, configuration: Configuration, choosing: int) -> Hashable:
        """Return the same for configurations that differ in names, garbage, and the order of threads only."""
        if not self.symmetric:
            return super().key(configuration, choosing)
        form = Form(configuration.heap, {})
        statics = form.spell_all(tuple(configuration.statics.values()), self.statics)
        form.cells()  # those that statics lead to are met first
        common = dict(form.numbers)
        ranked = sorted(
            (repr(self.outline(frames, common)), number != choosing, number)  # mutant: first or last of those alike
            for number, frames in enumerate(configuration.threads, start=1)
            if frames
        )
        order = [number for _, _, number in ranked]
        threads = tuple([self.spell(form, configuration.threads[number - 1]) for number in order])
        return order.index(choosing) + 1 if choosing else 0, statics, threads, form.cells()

    def outline(self, frames: list[Frame], common: dict[Reference, int]) -> list[Hashable]:
        """Return a stack without the cells to which no static leads."""
        return [
            (f.procedure, f.location, f.base, [_outline(value, common) for value in f.values.values()]) for f in frames
        ]

    def spell(self, form: Form, frames: list[Frame]) -> Hashable:
        """Return a stack with numbers for references."""
        return tuple(
            [
                (f.procedure, f.location, f.base, form.spell_all(tuple(f.values.values()), self.referring[f.procedure]))
                for f in frames
            ]
        )

    def expand(self, number: int, row: StateRow, last: int, switches: int) -> None:
        """Check the steps from a row: all of them, or those of the thread that is chosen."""
        thread = self.chosen[number]
        if not thread:
            super().expand(number, row, last, switches)
            return
        configuration = configuration_of(self.machine, row)
        if row.choosing or not 1 <= thread <= len(row.threads) or not self.machine.runnable(configuration, thread):
            _refuse("who is to move alone cannot")
        if not self.unnoticed.has(configuration, thread):
            _refuse("a thread moves alone whose step concerns others")
        self.arrived = -1
        self.go(copy_for(configuration, thread), thread, None)
        if self.arrived <= number:
            _refuse("others may be put off for ever")

    def member(self, configuration: Configuration, choosing: int) -> None:
        """See that the table has a state."""
        super().member(configuration, choosing)
        self.arrived = max(self.arrived, self.furthest[self.key(configuration, choosing)])


def _outline(value: object, common: dict[Reference, int]) -> object:
    if isinstance(value, Reference):
        return ("cell", common[value]) if value in common else None
    if isinstance(value, tuple):
        return [_outline(part, common) for part in value]
    return value


def _asks_for_numbers(program: Program) -> bool:
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    return any(isinstance(node, Self) for edge in edges for expr in expressions_of(edge) for node in postorder(expr))


def _refuse(problem: str) -> None:
    raise InternalError(f"the table of states does not hold: {problem}")
