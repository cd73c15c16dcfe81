"""The check of a table of states: it contains all that can happen, one step at a time.

The start is in the table.  From each state every step of every thread, and every alternative of a choice, leads to a
state of the table; in a reduced one also to a state from which steps that nobody notices lead there.  No step fails in
a way, and nobody stands at a place, that is excluded.  Within a bound a state counts with the thread that ran last, and
is there with no more switches than led to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from knaster_check.heap.excluded import Excluded
from knaster_check.heap.form import form_of
from knaster_check.heap.machine import Machine, Watch
from knaster_check.heap.memory import Fails, Memory, Vanishes
from knaster_check.heap.private import is_private
from knaster_check.heap.rows import read_state
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with, truth_of
from knaster_check.table import Tick, Verdict


def _delays(last: int, thread: int, ready: Sequence[int]) -> int:
    """Return how many threads are passed over that can run, where turns go round from the last thread."""
    if thread >= last:
        return sum(last <= each < thread for each in ready)
    return sum(each >= last or each < thread for each in ready)


def _switches(last: int, thread: int, ready: Sequence[int]) -> int:
    return int(last not in (0, thread))


def _preemptions(last: int, thread: int, ready: Sequence[int]) -> int:
    return int(last != thread and last in ready)


Bound = tuple[str, int] | None
Price = Callable[[int, int, Sequence[int]], int]  # of a step: who ran last (0: nobody), who runs, and who can
_PRICES: dict[str, Price] = {"switches": _switches, "delays": _delays, "preemptions": _preemptions}


class Row(NamedTuple):
    """A state: the thread that chooses (0: none), who ran last, and after how many switches (delays, preemptions)."""

    memory: Memory
    choosing: int
    last: int
    switches: int


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no target is reached, within the bound if there is one."""
    expect(program.kind == "references", "it has a table, and the program has no references")
    expect(bool(targets), "the proof excludes no target")
    data = document["table"]
    counted = next((kind for kind in _PRICES if kind in data), None)
    object_with(data, ("reduced", "states", *((counted, "ran") if counted else ())), "'table'")
    bound = None if counted is None else (counted, number_of(data[counted], counted))
    states = list_of(data["states"], "states")
    ran = list_of(data["ran"], "'ran'", len(states)) if bound else [[0, 0]] * len(states)
    try:
        table = States(program, Excluded(targets), truth_of(data["reduced"], "'reduced'"), bound, tick)
        rows = [table.read(row, pair) for row, pair in zip(states, ran, strict=True)]
        table.begin()
        for row in rows:
            tick()
            table.expand(row)
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    return Verdict("unreachable", targets, bound, {"states expanded": len(rows)})


class States:
    """The states of a table, and what follows them."""

    def __init__(self, program: Program, excluded: Excluded, reduced: bool, bound: Bound, tick: Tick) -> None:
        self.program = program
        self.machine = Machine(program, tick)
        self.excluded = excluded
        self.reduced = reduced
        self.price: Price | None = None if bound is None else _PRICES[bound[0]]
        self.most = None if bound is None else bound[1]
        self.known: dict[Hashable, int] = {}  # states with who ran last, and the least number of switches

    def read(self, data: object, pair: object) -> Row:
        """Return a row of the file, and note it."""
        last, switches = (number_of(part, "who ran last") for part in list_of(pair, "who ran last", 2))
        memory, choosing = read_state(self.machine, data)
        key = self.form(memory, choosing), last
        self.known[key] = min(switches, self.known.get(key, switches))
        return Row(memory, choosing, last, switches)

    def form(self, memory: Memory, choosing: int) -> Hashable:
        """Return the same for states that differ in names and garbage only."""
        return form_of(memory), choosing

    def begin(self) -> None:
        """Refuse where the start is not in the table."""
        start = self.machine.start()
        self.excluded.stand_all(start)
        expect(self.known.get((self.form(start, 0), 0)) == 0, "the start is not in the table")

    def expand(self, row: Row) -> None:
        """Check every step from a row."""
        memory, machine = row.memory, self.machine
        if row.choosing:
            try:
                number = len(machine.alternatives(memory, row.choosing))
            except Fails as fails:
                self.excluded.fail(fails.kind)
                return
            for alternative in range(number):
                self._go(memory.copy(), row.choosing, alternative, row.switches)
            return
        ready = [thread for thread in range(1, len(memory.threads) + 1) if machine.can_run(memory, thread)]
        if not ready and not all(machine.may_wait(frames[-1]) for frames in memory.threads if frames):
            self.excluded.fail("deadlock")
        for thread in ready:
            switches = row.switches + (self.price(row.last, thread, ready) if self.price is not None else 0)
            if self.most is None or switches <= self.most:
                self._go(memory.copy(), thread, None, switches)

    def _go(self, memory: Memory, thread: int, chosen: int | None, switches: int) -> None:
        """Run a thread to where others can run, or to its next choice, and see that the table has that state."""
        machine, before, watch = self.machine, len(memory.threads), Watch(self.machine)
        try:
            while True:
                if chosen is None and len(machine.alternatives(memory, thread)) > 1:
                    self.excluded.stand_all(memory)
                    expect(self._has(memory, thread, thread, switches), "a step leads out of the table")
                    return
                keeps = machine.step(memory, thread, chosen or 0)
                chosen = None
                self.excluded.stand_all(memory)
                if machine.has_failed(memory, thread):
                    raise Fails("assertion")
                if not keeps:
                    self._arrive(memory, thread, range(before + 1, len(memory.threads) + 1), switches)
                    return
                watch.look(memory)
        except Vanishes:
            return
        except Fails as fails:
            self.excluded.fail(fails.kind)

    def _arrive(self, memory: Memory, thread: int, started: range, switches: int) -> None:
        """See that a state is in the table, or in a reduced one that what nobody notices leads there."""
        for later in self._later(memory, thread, started if self.most is None else range(0)):
            self.excluded.stand_all(later)
            if self._has(later, 0, thread, switches):
                return
        raise Refused("a step leads out of the table")

    def _later(self, memory: Memory, thread: int, started: range) -> Iterator[Memory]:
        """Yield a memory, and in a reduced table those after steps that nobody notices, from no place twice."""
        yield memory
        for each in (thread, *started) if self.reduced else ():
            passed = set()
            while frames := memory.threads[each - 1]:
                place = frames[-1].procedure.name, frames[-1].location
                if place in passed or not is_private(self.machine, frames, each != thread):
                    break
                passed.add(place)
                after = memory.copy()
                try:
                    self.machine.step(after, each)
                except Fails:
                    break
                memory = after
                yield memory

    def _has(self, memory: Memory, choosing: int, last: int, switches: int) -> bool:
        least = self.known.get((self.form(memory, choosing), last if self.most is not None else 0))
        return least is not None and least <= (switches if self.most is not None else least)
