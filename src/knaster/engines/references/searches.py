"""Searches: what a fixed point over the tables of a program with references is, for those who make something of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from knaster.base.records import dataclass
from knaster.views.heap.overlay import Location


@dataclass(frozen=True, slots=True)
class Names:
    """How the entry cells of a callee are called by its caller."""

    map: dict[int, int]
    kept: int
    procedure: int


class Search(Protocol):
    """A fixed point over the tables that it was made with."""

    def run(self, tick: Callable[[], None]) -> None:
        """Work until nothing is new."""

    def read(self) -> Mapping[int, Collection[Location]] | None:
        """Return what each root has read of its entry; None where that counts as everything."""
