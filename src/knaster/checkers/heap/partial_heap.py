"""Partial memories, of which not everything is known: whoever reads what is not known is told so.

They stand for all memories that agree where something is known.  So what the interpreter does on one of them, without
reading what is not known, it does on all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster.base.errors import InternalError
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration, Frame


class PartialStatics(dict[str, Any]):
    """Statics; those that are `UNREAD` can be written only."""

    def __getitem__(self, name: str) -> Any:
        value = dict.__getitem__(self, name)
        return _refuse_unread() if value is UNREAD else value


class PartialHeap(dict[Reference, Any]):
    """Cells; slots that are `UNREAD` can be written only."""

    def __getitem__(self, cell: Reference) -> Any:
        slots = dict.__getitem__(self, cell)
        if slots is UNREAD:
            _refuse_unread()
        return PartialSlots(slots) if any(slot is UNREAD for slot in slots) else slots


class PartialSlots(tuple[Any, ...]):
    """The slots of a cell, some of them not known; a slice of it says nothing about them."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        value = tuple.__getitem__(self, index)
        return _refuse_unread() if value is UNREAD else value

    def __iter__(self) -> Iterator[Any]:
        return iter(_refuse_unread())

    def __contains__(self, value: object) -> bool:
        return bool(_refuse_unread())


def _refuse_unread() -> Any:
    raise InternalError("the table of effects does not hold: a step reads what its pattern does not have")


def partial(
    statics: Mapping[str, Any], cells: Mapping[Reference, Any], frames: list[Frame], made: dict[str, int]
) -> Configuration:
    """Return a configuration of one thread with such a memory."""
    return Configuration(PartialStatics(statics), PartialHeap(cells), [frames], made)
