"""Units after an edit inside procedures, where who calls whom is as before: only units that the edit reaches.

The results are those of `table.solve_units` (Lal 2009, section 4.2.3), which computes the digests of all units to find
which are as before; here the units that changed are given, and the others are not looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from knaster.pushdown.units.table import Solved, Table, Unit, Units, first_key, inside_key, summary_key


def solve_edited(units: Units, known: Table, order: Sequence[Unit], first: str, changed: Collection[str]) -> Solved:
    """Solve procedures whose text changed, and those to which something else passes from them.

    `known`, `order` and `first` are of the program before; procedures and their callees are the same.
    """
    work = _Edited(units, dict(known), list(order), first)
    work.summarize(changed)
    work.enter(changed)
    results: dict[str, Any] = {}
    for unit in work.order:
        results |= work.table[unit.inside][0]
    return Solved(results, work.table, work.order, work.first, work.summarized, work.entered)


class _Edited:
    """The table and its units, both changed on the way."""

    def __init__(self, units: Units, table: Table, order: list[Unit], first: str) -> None:
        self._units, self.table, self.order, self.first = units, table, order, first
        self.summarized: list[str] = []
        self.entered: list[str] = []
        self._place = {name: number for number, unit in enumerate(order) for name in unit.members}
        self._callers: dict[str, list[str]] = {name: [] for name in units.names}
        for name in units.names:
            for callee in units.callees(name):
                self._callers[callee].append(name)
        self._touched: set[int] = set()

    def summarize(self, changed: Iterable[str]) -> None:
        """Summarise units whose text changed, and callers of those whose summary did."""
        waiting = _Places(self._place[name] for name in changed)
        while waiting:
            number = waiting.take()
            self._touched.add(number)
            unit = self.order[number]
            outside = self._summaries(
                name for each in unit.members for name in self._units.callees(each) if self._place[name] != number
            )
            before, after = self.table.pop(unit.summary), dict(self._units.summarize(unit.members, outside))
            key = summary_key([self._units.digest(name) for name in unit.members], outside)
            self.table[key], self.order[number] = after, unit._replace(summary=key)
            self.summarized += unit.members
            for name in unit.members:
                if after[name] != before[name]:
                    waiting.add(place for place in map(self._place.__getitem__, self._callers[name]) if place != number)

    def enter(self, changed: Collection[str]) -> None:
        """Enter units whose text or summaries changed, and those that are entered in another way than before."""
        start = self._units.names[0]
        if start in changed:
            del self.table[self.first]
            self.first = first_key(self._units.digest(start))
            self.table[self.first] = self._units.start()
        waiting = _Places(-number for number in self._touched)
        while waiting:
            number = -waiting.take()
            unit = self.order[number]
            called = self._summaries(name for each in unit.members for name in (each, *self._units.callees(each)))
            how = self._entries(unit, number)
            key = inside_key([self._units.digest(name) for name in unit.members], called, how)
            if key == unit.inside:  # from another caller it is entered as it was from this one
                continue
            inside = self._units.enter(unit.members, called, how)
            before, after = self.table.pop(unit.inside)[1], dict(inside.passed)
            self.table[key], self.order[number] = [dict(inside.results), after], unit._replace(inside=key)
            self.entered += unit.members
            for name in {*before, *after}:
                if before.get(name) != after.get(name) and self._place[name] != number:
                    waiting.add([-self._place[name]])

    def _summaries(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self.table[self.order[self._place[name]].summary][name] for name in names}

    def _entries(self, unit: Unit, number: int) -> Mapping[str, Sequence[str]]:
        """Return with which texts the procedures of a unit are entered from outside of it."""
        entered: dict[str, set[str]] = {}
        if self._units.names[0] in unit.members:
            entered[self._units.names[0]] = {self.table[self.first]}
        for name in unit.members:
            for caller in {self._place[each] for each in self._callers[name]} - {number}:
                passed = self.table[self.order[caller].inside][1]
                if name in passed:
                    entered.setdefault(name, set()).add(passed[name])
        return {name: sorted(texts) for name, texts in entered.items()}


class _Places:
    """Places that wait for their turn, the smallest first, each once."""

    def __init__(self, places: Iterable[int]) -> None:
        self._heap: list[int] = []
        self._waiting: set[int] = set()
        self.add(places)

    def __bool__(self) -> bool:
        return bool(self._heap)

    def add(self, places: Iterable[int]) -> None:
        """Let places wait."""
        for place in places:
            if place not in self._waiting:
                self._waiting.add(place)
                heappush(self._heap, place)

    def take(self) -> int:
        """Return the smallest place."""
        return heappop(self._heap)
