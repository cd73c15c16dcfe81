"""What functions of the C library do to memory: allocation, copies of bytes, and arguments without names.

Each takes the machine, the activation, the arguments and where the call stands.  `malloc` never fails (SV-COMP's rule)
but for requests beyond the largest pointer difference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.memory import NULL, Address, Addresses, Snapshot
from knaster.program.types import Int
from knaster.semantics.memory.failure import BOUNDS, FREE, OVERLAP, VALUE, Fault, Stopped, Unclear
from knaster.semantics.memory.objects import HEAP, LOCAL
from knaster.semantics.memory.symbolic.symbols import Symbol
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

Does = Callable[["Machine", "Frame", tuple[Any, ...], Span], Any]
MOST_BYTES = 1 << 24  # that are copied or set one by one
_BYTE = Int(8, False)


def _request(machine: Machine, size: Any, span: Span, zeroed: bool) -> Any:
    if not isinstance(size, int | Symbol):
        raise Unclear("the size of a new object was made from a pointer")
    if size >= 1 << 8 * machine.layout.pointer - 1:
        return NULL
    return machine.allocate(f"the object of line {span.line}", size, HEAP, zeroed)


def malloc(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Return a new object of the heap."""
    return _request(machine, given[-1], span, False)


def calloc(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Return a new object of the heap, all of whose bytes are 0."""
    return _request(machine, given[0] * given[1], span, True)


def realloc(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Return an object of another size with the same bytes; the one before is dead."""
    before, size = given
    if before == NULL:
        return _request(machine, size, span, False)
    _check_free(machine, before, span)
    after = _request(machine, size, span, False)
    if after != NULL:
        own = machine.objects[before.base]
        kept = force(min(size, own.size))
        machine.objects[after.base].restore(0, own.snapshot(0, kept))
        machine.kill(before.base)
    return after


def free(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Let an object of the heap die."""
    if given[0] != NULL:
        _check_free(machine, given[0], span)
        machine.kill(given[0].base)


def _check_free(machine: Machine, address: Address, span: Span) -> None:
    found = machine.objects.get(address.base)
    if found is None or found.kind != HEAP:
        raise Fault(FREE, span, "something is freed that is not of the heap")
    if not found.alive:
        raise Fault(FREE, span, f"{found.name} is freed twice")
    if address.offset != 0:
        raise Fault(FREE, span, f"a pointer into the middle of {found.name} is freed")


def alloca(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Return a new object that lives until the function ends."""
    if not isinstance(given[0], int | Symbol):
        raise Unclear("the size of a new object was made from a pointer")
    found = machine.allocate(f"the object of line {span.line}", given[0], LOCAL)
    frame.owned.append(found.base)
    return found


def _ranges(machine: Machine, given: tuple[Any, ...], span: Span) -> int:
    """Return how many bytes are moved between two places that both may be used."""
    size = given[2]
    if not isinstance(size, int):
        raise Unclear("a number of bytes was made from a pointer")
    machine.usable(given[1], size, span)  # also where there is nothing to move (C17 7.24.1)
    machine.usable(given[0], size, span)
    return size


def memmove(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Copy bytes, as if by way of another place."""
    size = _ranges(machine, given, span)
    if size:
        source, offset = machine.objects[given[1].base], force(given[1].offset)
        machine.settle(source, offset, size, span)
        seen = source.snapshot(offset, size)
        _put(machine, given[0], seen, span)
    return given[0]


def memcpy(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Copy bytes between places that do not overlap."""
    size = _ranges(machine, given, span)
    one, other = given[0], given[1]
    if size and one.base == other.base and abs(one.offset - other.offset) < size:  # mutant(-): its size only
        machine.lapse(OVERLAP, span)
    return memmove(machine, frame, given, span)


def _put(machine: Machine, place: Address, seen: Snapshot, span: Span) -> None:
    from knaster.program.memory import Chunk

    machine.store(place, Chunk(seen.size), seen, span)


def memset(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Let every byte of a place be the same."""
    place, value, size = given
    if not isinstance(size, int) or not isinstance(value, int):
        raise Unclear("memset is given a number that was made from a pointer")
    if size > MOST_BYTES:
        raise Unclear(f"more than {MOST_BYTES:,} bytes are set")
    machine.usable(place, size, span)
    if size:
        words, rest = divmod(size, 8)
        byte = value & 255
        word = int.from_bytes(bytes([byte] * 8), "little")
        cells = [(8 * index, 8, word) for index in range(words)]
        cells += [(8 * words + index, 1, byte) for index in range(rest)]
        _put(machine, place, Snapshot(size, tuple(cells)), span)
    return place


def memcmp(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Compare bytes, all of which must be there, also behind the first that differ."""
    one, other, size = given
    machine.usable(one, size, span)
    machine.usable(other, size, span)
    for index in range(size):
        first = machine.load(Address(one[0], one[1] + index), _BYTE, span)
        second = machine.load(Address(other[0], other[1] + index), _BYTE, span)
        if first != second:
            if not (isinstance(first, int) and isinstance(second, int)):
                raise Unclear("parts of pointers are compared")
            return -1 if first < second else 1  # mutant(<): they differ
    return 0


def stop(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """End the run."""
    raise Stopped


def va_start(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Let a list stand before the first argument without a name."""
    base = machine.allocate("the arguments", len(frame.extra), LOCAL).base
    frame.owned.append(base)
    machine.objects[base].cells = {at: (1, value) for at, value in enumerate(frame.extra)}
    machine.store(given[0], Addresses(machine.layout.pointer), Address(base, 0), span)


def va_arg(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Return the next argument without a name, which must be of the type that is asked for, and go on in the list.

    Each argument stands behind the number of its type.
    """
    kind = Addresses(machine.layout.pointer)
    place = machine.load(given[0], kind, span)
    found = machine.objects.get(place.base)
    if found is None or not found.alive or place.offset >= found.size:
        raise Fault(VALUE if found is None else BOUNDS, span, "there is no such argument")
    if found.cells[place.offset][1] != given[1]:
        raise Fault(VALUE, span, "an argument is taken as one of another type")
    machine.store(given[0], kind, Address(place.base, place.offset + 2), span)
    return found.cells[place.offset + 1][1]


def va_copy(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Let a list stand where another one stands."""
    kind = Addresses(machine.layout.pointer)
    machine.store(given[0], kind, machine.load(given[1], kind, span), span)


def nothing(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    """Do nothing."""


LIBRARY: dict[str, Does] = {
    "malloc": malloc,
    "calloc": calloc,
    "realloc": realloc,
    "free": free,
    "cfree": free,
    "alloca": alloca,
    "__builtin_alloca": alloca,
    "aligned_alloc": malloc,
    "memalign": malloc,
    "valloc": malloc,
    "memcpy": memcpy,
    "__builtin_memcpy": memcpy,
    "memmove": memmove,
    "__builtin_memmove": memmove,
    "memset": memset,
    "__builtin_memset": memset,
    "memcmp": memcmp,
    "__builtin_memcmp": memcmp,
    "exit": stop,
    "va_start": va_start,
    "va_arg": va_arg,
    "va_copy": va_copy,
    "va_end": nothing,
}
