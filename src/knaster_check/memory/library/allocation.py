"""Functions of the C library that make objects and end them; and lists of arguments without names.

A request never fails, unless it is larger than the largest difference of pointers: that is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Over, Place, Undefined
from knaster_check.memory.objects import HEAP, LIST, LOCAL
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine


def request(machine: Machine, size: Any, zeroed: bool = False) -> Address:
    """Return the address of a new object of the heap."""
    if not isinstance(size, int):
        raise Unsupported("the size of a new object was made from a pointer")
    if size >= 1 << 8 * machine.pointer - 1:
        return NULL
    return machine.allocate(size, HEAP, zeroed)


def _malloc(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return request(machine, values[-1])  # an alignment may come first


def _calloc(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return request(machine, values[0] * values[1], True)


def _free(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if values[0] != NULL:
        _check_free(machine, values[0], place)
        machine.objects[values[0].base].die()


def _realloc(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    before, size = values
    if before == NULL:
        return request(machine, size)
    _check_free(machine, before, place)
    after = request(machine, size)
    if after != NULL:
        old = machine.objects[before.base]
        machine.objects[after.base].put_image(0, old.image(0, min(size, old.size)))
        old.die()
    return after


def _check_free(machine: Machine, where: Any, place: Place) -> None:
    """Undefined unless an address is the beginning of a living object of the heap."""
    found = machine.objects.get(where.base)
    if found is None or found.kind != HEAP or not found.alive or where.offset != 0:
        raise Undefined("invalid-free", place)


def _alloca(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if not isinstance(values[0], int):
        raise Unsupported("the size of a new object was made from a pointer")
    found = machine.allocate(values[0], LOCAL)
    frame.owned.append(found.base)
    return found


def _exit(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    raise Over


def _va_start(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    found = machine.allocate(len(frame.further), LIST)
    machine.objects[found.base].bytes = dict(enumerate(frame.further))  # an argument in each byte
    frame.owned.append(found.base)
    machine.store(values[0], ("address", machine.pointer), found, place)


def rest_of_list(machine: Machine, where: Any, place: Place) -> tuple[Address, list[tuple[Any, Any]]]:
    """Return where a list stands, and what is left in it: for each argument the number of its type, and itself."""
    at = machine.load(where, ("address", machine.pointer), place)
    found = machine.objects.get(at.base)
    if found is None:
        raise Undefined("value", place)
    if found.kind != LIST:
        raise Unsupported("something is used as a list of arguments that is none")
    if not found.alive:
        raise Undefined("bounds", place)
    return at, [(found.bytes[index], found.bytes[index + 1]) for index in range(at.offset, found.size, 2)]


def _va_arg(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    at, left = rest_of_list(machine, values[0], place)
    if not left:
        raise Undefined("bounds", place)
    (type, value), wanted = left[0], values[1]
    if type != wanted:
        raise Undefined("value", place)
    machine.store(values[0], ("address", machine.pointer), Address(at.base, at.offset + 2), place)
    return value


def _va_copy(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    type = ("address", machine.pointer)
    machine.store(values[0], type, machine.load(values[1], type, place), place)


def _nothing(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return None


ALLOCATION: dict[str, Function] = {
    **dict.fromkeys(("malloc", "aligned_alloc", "memalign", "valloc"), _malloc),
    **{"calloc": _calloc, "realloc": _realloc, "free": _free, "cfree": _free},
    **{"alloca": _alloca, "__builtin_alloca": _alloca, "exit": _exit},
    **{"va_start": _va_start, "va_arg": _va_arg, "va_copy": _va_copy, "va_end": _nothing},
}
