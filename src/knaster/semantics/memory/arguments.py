"""The arguments of main: `argv` points to texts of any length, as many as `argc` says, and to null after the last.

A text is made when it is first looked at, so a program that looks at none of them has no more runs than without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.memory import Address, Addresses
from knaster.program.types import Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.symbolic.symbols import Symbol
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine
    from knaster.semantics.memory.objects import Object

ARGUMENTS = "arguments"  # the kind of the array
_BYTE = Int(8, False)


def make_arguments(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Return a new array of arguments; nobody has looked at one of them yet."""
    count = given[0] if isinstance(given[0], Symbol) else force(given[0])
    return machine.allocate("argv", (count + 1) * machine.layout.pointer, ARGUMENTS, writable=False)


def argument_at(machine: Machine, found: Object, offset: Any, type: Any, span: Span) -> Any:
    """Return the raw pointer at an offset of the array; None where it has to be looked at number by number."""
    pointer = machine.layout.pointer
    if not isinstance(type, Addresses):
        raise Unclear("an argument of main is read as something else than a pointer")
    if offset + pointer == found.size:
        return 0
    if isinstance(offset, Symbol):
        return None
    if offset % pointer:
        raise Unclear("a part of a pointer is read as a pointer")
    length = machine.choose(Int(32, False), f"the length of argv[{offset // pointer}]", span)
    if not isinstance(length, Symbol):
        length = force(length)
    text = machine.allocate(f"the text of argv[{offset // pointer}]", length + 1, "global")
    machine.write(Address(text.base, length), _BYTE, 0)
    found.write(offset, pointer, text)
    return text
