"""Protection: from what a step has touched, whether it commutes with all that other threads can do meanwhile.

It does where others cannot reach what it touches now, where nobody writes that as long as others can reach it, or where
whoever touches it holds one lock.  A table says which statics and classes are not so protected; of all others every
touch is noted, but of cells that others never could reach, and a touch that breaks the rule refutes the table.  Of
channels that are not so protected `channel_use` knows whether one thread alone sends or receives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum
from typing import Any

from knaster.base.errors import InternalError
from knaster.checkers.heap.transactions.channel_use import Act, ChannelUse
from knaster.checkers.heap.transactions.touches import Touch
from knaster.program.types import Reference

Locks = frozenset[str]


class Phase(IntEnum):
    """How far a transaction is: only steps that commute both ways, then to the right, then committed."""

    CLEAN = 0
    OPEN = 1
    COMMITTED = 2


class Commutes(IntEnum):
    """To which sides a step commutes."""

    BOTH = 0
    RIGHT = 1
    LEFT = 2
    NEITHER = 3


class Protection:
    """What was touched, by which locks, as long as others could reach it."""

    def __init__(self, unprotected: Collection[str], locks: Collection[str], channels: ChannelUse) -> None:
        self.channels = channels
        self.unprotected = frozenset(unprotected)
        self.locks = frozenset(locks)
        self.common: dict[str, Locks] = {}
        self.written: set[str] = set()

    def commutes(
        self,
        notes: Iterable[Touch],
        mine: Locks,
        shared: Collection[Reference] | None,
        old: Collection[Reference],
        statics: Mapping[str, Any],
        act: Act,
        thread: int,
    ) -> Commutes:
        """Note the touches of a step by a thread that holds some locks; tell to which sides it commutes.

        `shared` are the cells that others could reach before it, None where there never were others.  Cells that were
        there when the transaction began (`old`) may have been within reach of others: who touches them is noted, too.
        The step does `act` with the channels that it touches.
        """
        found = Commutes.BOTH
        if shared is None:
            return found
        for name, writes in notes:
            if name in self.locks:
                continue
            if isinstance(name, Reference):
                if name not in shared and name not in old:
                    continue
                if self._protects("class " + name.target, writes, mine):
                    continue
                alone = self.channels.is_alone(name, statics, act, thread)
                if name in shared:
                    side = Commutes.LEFT if act is Act.SEND else Commutes.RIGHT
                    found = max(found, side if alone else Commutes.NEITHER)
            elif not self._protects(name, writes, mine):
                found = Commutes.NEITHER
        return found

    def _protects(self, kind: str, writes: bool, mine: Locks) -> bool:
        if kind in self.unprotected:
            return False
        common = self.common[kind] = self.common.get(kind, mine) & mine
        if writes:
            self.written.add(kind)
        if kind in self.written and not common:
            raise InternalError(f"the table of transactions does not hold: '{kind}' is not protected")
        return True


def reach(heap: Mapping[Reference, Any], values: Iterable[Any]) -> set[Reference]:
    """Return the cells that some values lead to."""
    found: set[Reference] = set()
    todo = list(values)
    while todo:
        value = todo.pop()
        if type(value) is Reference:
            if value not in found:
                found.add(value)
                todo.append(heap[value])
        elif type(value) is tuple:
            todo += value
    return found
