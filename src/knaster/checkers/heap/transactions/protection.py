"""Protection: from what a step has touched, whether it commutes with all that other threads can do meanwhile.

It does where others cannot reach what it touches now, where nobody writes that as long as others can reach it, or where
whoever touches it holds one lock.  A table says which statics and classes are not so protected; of all others every
touch is noted, but of cells that others never could reach, and a touch that breaks the rule refutes the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum
from typing import Any

from knaster.base.errors import InternalError
from knaster.checkers.heap.transactions.touches import Touch
from knaster.program.types import Reference

Locks = frozenset[str]


class Phase(IntEnum):
    """How far a transaction is: only steps that commute both ways, then to the right, then committed."""

    CLEAN = 0
    OPEN = 1
    COMMITTED = 2


class Protection:
    """What was touched, by which locks, as long as others could reach it."""

    def __init__(self, unprotected: Collection[str], locks: Collection[str]) -> None:
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
    ) -> bool:
        """Note the touches of a step by a thread that holds some locks; tell whether it commutes both ways.

        `shared` are the cells that others could reach before it, None where there never were others.  Cells that were
        there when the transaction began (`old`) may have been within reach of others: who touches them is noted, too.
        """
        if shared is None:
            return True
        found = True
        for name, writes in notes:
            if name in self.locks:
                continue
            if isinstance(name, Reference):
                if name not in shared and name not in old:
                    continue
                protects = self._protects("class " + name.target, writes, mine) or name not in shared
            else:
                protects = self._protects(name, writes, mine)
            found = found and protects
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
