"""What is left in the heap when a program has ended: an object ("leak"), one to which no global leads ("lost")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster_check.memory.machine import Machine
from knaster_check.memory.objects import HEAP
from knaster_check.memory.values import Address, Piece


def leaks_of(machine: Machine) -> Iterator[str]:
    """Yield the kinds of what is left."""
    left = {base for base, found in machine.objects.items() if found.kind == HEAP and found.alive}
    if left:
        yield "leak"
    if left - _reached(machine):
        yield "lost"


def _reached(machine: Machine) -> set[int]:
    """Return the objects to which a way leads from a global."""
    # mutant(>): no global is null
    todo = [address.base for address in machine.globals.values() if address.base > 0]
    found = set(todo)
    while todo:
        for byte in machine.objects[todo.pop()].bytes.values():
            base = _base_of(byte)
            if base > 0 and base not in found:
                found.add(base)
                todo.append(base)
    return found


def _base_of(byte: Any) -> int:
    whole = byte.whole if isinstance(byte, Piece) else byte
    return whole.base if isinstance(whole, Address) else 0
