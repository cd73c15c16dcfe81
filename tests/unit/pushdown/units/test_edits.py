"""Units after an edit: the same results and tables as from the digests of all units, and not more is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from knaster.pushdown.units.edits import solve_edited
from knaster.pushdown.units.table import Inside, digest_of, solve_units


class Counting:
    """Procedures with numbers: summaries add up callees, entries add up callers."""

    def __init__(self, calls: Mapping[str, Sequence[str]], numbers: Mapping[str, int]) -> None:
        self._calls, self._numbers, self.names = calls, numbers, tuple(calls)

    def callees(self, name: str) -> Sequence[str]:
        return self._calls[name]

    def digest(self, name: str) -> str:
        return digest_of([name, self._numbers[name]])

    def start(self) -> str:
        return str(self._numbers[self.names[0]] % 2)

    def summarize(self, members: Sequence[str], outside: Mapping[str, str]) -> Mapping[str, str]:
        total = sum(map(self._numbers.__getitem__, members)) + sum(map(int, outside.values()))
        return {name: str((total + self._numbers[name]) % 3) for name in members}

    def enter(
        self, members: Sequence[str], summaries: Mapping[str, str], entered: Mapping[str, Sequence[str]]
    ) -> Inside:
        total = sum(int(text) for texts in entered.values() for text in texts) + sum(map(int, summaries.values()))
        results = {name: [total, self._numbers[name], sorted(entered.items())] for name in members}
        called = {callee for name in members for callee in self._calls[name] if self._numbers[name] % 4}
        return Inside(results, {name: str((total + len(name)) % 2) for name in called})


@pytest.mark.parametrize("seed", range(60))
def test_the_same_as_by_digests(seed: int) -> None:
    rng = Random(f"edits of units {seed}")
    names = [f"p{number}" for number in range(rng.randrange(1, 12))]
    calls = {name: rng.sample(names, rng.randrange(min(4, len(names)) + 1)) for name in names}
    numbers = {name: rng.randrange(8) for name in names}
    known = solve_units(Counting(calls, numbers), {})
    for _ in range(5):
        changed = rng.sample(names, rng.randrange(min(3, len(names)) + 1))
        numbers = {name: number + (1 + rng.randrange(6)) * (name in changed) for name, number in numbers.items()}
        units = Counting(calls, numbers)
        fresh, again = solve_units(units, {}), solve_units(units, known.table)
        made = solve_edited(units, known.table, known.order, known.first, changed)
        assert (made.results, made.table, made.order, made.first) == (
            fresh.results,
            fresh.table,
            fresh.order,
            fresh.first,
        )
        assert sorted(made.summarized) == sorted(again.summarized) and sorted(made.entered) == sorted(again.entered)
        known = made
