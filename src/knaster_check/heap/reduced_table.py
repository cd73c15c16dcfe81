"""The check of a table that leaves out the order of threads, and threads whose turn can wait.

As in a reduced table of states (`state_table`), but for two things.  Where the table is symmetric, one state stands for
all that differ in the order of their threads; then nothing may ask for the number of a thread (C. N. Ip and D. L. Dill,
FMSD 1996).  From a row in which one thread is *chosen* only its steps lead to the table; they concern nobody else
(`unnoticed`), and one of them leads to a row further down.  So on the way from row to row all threads have their turn,
and what others can do meanwhile they can do then (P. Godefroid, LNCS 1032, 1996).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import groupby, islice, permutations, product
from typing import Any

from knaster_check.fitting import formulas
from knaster_check.heap.excluded import Excluded
from knaster_check.heap.form import Form
from knaster_check.heap.memory import Memory
from knaster_check.heap.state_table import Row, States
from knaster_check.heap.unnoticed import Unnoticed
from knaster_check.program import Program, Reference, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with, truth_of
from knaster_check.table import Tick, Verdict

MOST_ORDERS = 120  # of threads that look alike


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no target is reached."""
    expect(program.kind == "references", "it has a table, and the program has no references")
    expect(bool(targets), "the proof excludes no target")
    data = object_with(document["table"], ("representatives", "symmetric", "chosen"), "'table'")
    symmetric = truth_of(data["symmetric"], "'symmetric'")
    expect(not symmetric or not _asks_for_numbers(program), "the program asks for numbers of threads")
    states = list_of(data["representatives"], "states")
    chosen = [number_of(thread, "who moves alone") for thread in list_of(data["chosen"], "'chosen'", len(states))]
    try:
        table = Representatives(program, Excluded(targets), symmetric, tick)
        rows = [table.read(row, [0, 0]) for row in states]
        table.begin()
        for number, (row, thread) in enumerate(zip(rows, chosen, strict=True)):
            tick()
            if thread:
                table.expand_alone(number, row, thread)
            else:
                table.expand(row)
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    return Verdict("unreachable", targets, answered={"states expanded": len(rows)})


def _asks_for_numbers(program: Program) -> bool:
    texts = [formula for own in program.procedures.values() for edge in own.edges for formula in formulas(edge.action)]
    texts += [value for cell in program.cells.values() for _, value in cell.initial]
    return any(node[0] == "self" for formula in texts for node in formula)


class Representatives(States):
    """The states of a table, and the last row of each."""

    def __init__(self, program: Program, excluded: Excluded, symmetric: bool, tick: Tick) -> None:
        super().__init__(program, excluded, True, None, tick)
        self.symmetric = symmetric
        self.unnoticed = Unnoticed(self.machine)
        self.furthest: dict[Hashable, int] = {}
        self.count = 0
        self.arrived = -1  # the furthest row to which the steps of a row lead

    def read(self, data: object, pair: object) -> Row:
        """Return a row of the file, and note it."""
        row = super().read(data, pair)
        self.furthest[self.form(row.memory, row.choosing)] = self.count
        self.count += 1
        return row

    def form(self, memory: Memory, choosing: int) -> Hashable:
        """Return the same for states that differ in names, garbage and, in a symmetric table, the order of threads."""
        if not self.symmetric:
            return super().form(memory, choosing)
        return min((_spell(memory, choosing, order) for order in _orders(memory, choosing)), key=repr)

    def expand_alone(self, number: int, row: Row, thread: int) -> None:
        """Check the steps of the thread that is chosen."""
        able = not row.choosing and thread <= len(row.memory.threads) and self.machine.can_run(row.memory, thread)
        expect(able, "who is to move alone cannot")
        expect(self.unnoticed.has(row.memory, thread), "a thread moves alone whose step concerns others")
        self.arrived = -1
        self._go(row.memory.copy(), thread, None, 0)
        expect(self.arrived > number, "others may be put off for ever")

    def _arrive(self, memory: Memory, thread: int, started: range, switches: int) -> None:
        """See that a state is in the table, or that what nobody notices leads there; note how far down."""
        found = False
        for later in self._later(memory, thread, started):
            self.excluded.stand_all(later)
            found = self._has(later, 0, thread, switches) or found
        if not found:
            raise Refused("a step leads out of the table")

    def _has(self, memory: Memory, choosing: int, last: int, switches: int) -> bool:
        row = self.furthest.get(self.form(memory, choosing))
        self.arrived = max(self.arrived, -1 if row is None else row)
        return row is not None


def _orders(memory: Memory, choosing: int) -> Iterator[tuple[int, ...]]:
    """Yield orders of the threads that have not finished, by how they look; of those that look alike every order."""
    form = Form(memory.heap)
    for value in memory.statics.values():
        form.spell(value)
    form.cells()  # to which statics lead
    looks = []
    for number, frames in enumerate(memory.threads, start=1):
        if frames:
            places = [(frame.procedure.name, frame.location, frame.base) for frame in frames]
            values = [_outline(frame.values.values(), form.numbers) for frame in frames]
            looks.append((repr(places), repr(values), number == choosing, number))  # mutant(==): one order or the other
    alike = [[look[3] for look in group] for _, group in groupby(sorted(looks), lambda look: look[:3])]
    for parts in islice(product(*(permutations(group) for group in alike)), MOST_ORDERS):
        yield tuple(number for part in parts for number in part)


def _outline(values: Any, numbers: Mapping[Reference, int]) -> list[Hashable]:
    """Return values without the cells to which no static leads."""
    found: list[Hashable] = []
    for value in values:
        if isinstance(value, Reference):
            found.append(("cell", numbers.get(value)))
        elif isinstance(value, tuple):
            found.append(tuple(_outline(value, numbers)))
        else:
            found.append((value.__class__.__name__, value))
    return found


def _spell(memory: Memory, choosing: int, order: tuple[int, ...]) -> Hashable:
    """Return a state with its threads in an order."""
    form = Form(memory.heap)
    statics = tuple(form.spell(value) for value in memory.statics.values())
    threads = tuple(tuple(form.frame(frame) for frame in memory.threads[number - 1]) for number in order)
    return order.index(choosing) if choosing else None, statics, threads, form.cells()
