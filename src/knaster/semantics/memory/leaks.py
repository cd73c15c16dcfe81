"""Objects of the heap that live when main has returned: any (`LEAK`), or one that no global leads to (`LOST`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.program.memory import Address, Fragment
from knaster.semantics.memory.failure import LEAK, LOST, Fault
from knaster.semantics.memory.objects import HEAP

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Machine


def leak_of(machine: Machine) -> Fault | None:
    """Return what is left in the heap after a run has ended, where that is asked for."""
    if machine.frames or not machine.strict & {LEAK, LOST}:  # mutant(&): only speed, both are asked for below
        return None
    span = machine.codes.code(machine.program.threads[0]).procedure.span
    left = {base: found for base, found in machine.objects.items() if found.kind == HEAP and found.alive}
    if LOST in machine.strict:
        known = _reachable(machine)
        for base, found in left.items():
            if base not in known:
                return Fault(LOST, span, f"nothing leads to {found.name} any more, and it was not freed")
    if LEAK in machine.strict and left:
        return Fault(LEAK, span, f"{next(iter(left.values())).name} is never freed")
    return None


def _reachable(machine: Machine) -> set[int]:
    """Return the objects that living globals lead to."""
    todo = [address.base for address in machine.globals.values() if address.base > 0]  # mutant(>): none is null
    found = set(todo)
    while todo:
        for _, raw in machine.objects[todo.pop()].cells.values():
            base = _base_of(raw)
            if base > 0 and base not in found:
                found.add(base)
                todo.append(base)
    return found


def _base_of(raw: Any) -> int:
    if isinstance(raw, Fragment):
        raw = raw.address
    return raw.base if isinstance(raw, Address) else 0
