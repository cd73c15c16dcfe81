"""Calls: what the check of transactions knows of a procedure that runs inside one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.checkers.heap.transactions.frozen import Activation, Memory
from knaster.checkers.heap.transactions.protection import Locks, Phase
from knaster.program.types import Reference


class Entry(NamedTuple):
    """With what a procedure begins or goes on."""

    thread: int
    frame: Activation
    inside: bool  # an atomic region
    public: bool  # what it returns goes where others can see it
    phase: Phase
    mine: Locks
    memory: Memory
    old: frozenset[Reference]  # the cells that were there when the transaction began
    others: frozenset[Reference] | None  # what other threads hold; None where there are none


class Point(NamedTuple):
    """Where a procedure stands inside a transaction."""

    location: int
    inside: bool
    values: tuple[Any, ...]
    memory: Memory
    phase: Phase
    mine: Locks


class Left(NamedTuple):
    """What a call has left behind that returned or raised."""

    results: tuple[Any, ...]
    exception: str | None
    memory: Memory
    phase: Phase
    mine: Locks


class Halt(NamedTuple):
    """Where a transaction ends inside a call: its frames, the running one last."""

    frames: tuple[Activation, ...]
    memory: Memory
    mine: Locks


@dataclass(slots=True, eq=False)
class Running:
    """A procedure that runs inside a transaction, and what is known of it."""

    number: int
    entry: Entry
    points: dict[Point, int] = field(default_factory=dict)
    ends: dict[Left | Halt, int] = field(default_factory=dict)
    waits: set[bool] = field(default_factory=set)  # whether the program may end where it waits
    callers: list[Any] = field(default_factory=list)  # a Site or a Thread

    @property
    def kept(self) -> frozenset[Reference]:
        """The cells with which it began."""
        return frozenset(cell for cell, _ in self.entry.memory.cells)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A call that a point makes; `back` has the names of newer cells that the caller shows to the callee."""

    running: Running
    point: Point
    back: Mapping[Reference, Reference]


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """A thread of a row that runs a transaction; frames up to `depth` wait below."""

    row: int
    number: int
    depth: int
