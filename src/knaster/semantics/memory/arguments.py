"""The arguments of main: `argv` points to texts of any length, as many as `argc` says, and to null after the last.

A text is made when it is first looked at, so a program that looks at none of them has no more runs than without them.
None of its bytes before the end is 0: as long as nobody writes into it, its length is known without reading it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.memory import Address, Addresses
from knaster.program.types import Int
from knaster.semantics.memory.failure import Stopped, Unclear
from knaster.semantics.memory.symbolic.symbols import Symbol, both, compare_symbols
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine
    from knaster.semantics.memory.objects import Object

ARGUMENTS = "arguments"  # the kind of the array
TEXT = "argument"  # the kind of a text; it is writable once something was written into it
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
    text = machine.allocate(f"the text of argv[{offset // pointer}]", length + 1, TEXT, writable=False)
    machine.write(Address(text.base, length), _BYTE, 0)
    found.write(offset, pointer, text)
    return text


def refuse_end(found: Object, byte: Any, condition: Any = True) -> None:
    """End the run where a byte of a text that nobody wrote is 0, if a condition holds: its end stands elsewhere."""
    if found.kind != TEXT:
        return
    if both(condition, compare_symbols(Comparison.EQUAL, byte, 0) if isinstance(byte, Symbol) else byte == 0):
        raise Stopped


def untouched_length(machine: Machine, place: Any, span: Span) -> Any:
    """Return how many bytes are left of a text of `argv` into which nobody wrote; None where it is something else."""
    found = machine.objects.get(place[0])
    if found is None or found.kind != TEXT or found.writable:
        return None
    machine.usable(place, 1, span)
    return found.size - 1 - place[1]
