"""Values of programs with memory as people read them: characters, names of enumerations, `&a[2]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.program.memory import Address, Fragment, Part, Snapshot
from knaster.semantics.memory.machine import Machine
from knaster.semantics.memory.objects import HEAP, Object

_ESCAPES = {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 39: "\\'", 92: "\\\\"}


def spell(machine: Machine, value: Any, shown: str = "") -> Any:
    """Return a value as people read it: as its type says, numbers as they are, a pointer by what it points to."""
    if isinstance(value, Address):
        return spell_address(machine, value)
    if isinstance(value, Fragment):
        return "a byte of a pointer"
    if shown and type(value) is int:
        return spell_as(value, shown)
    return None if isinstance(value, Snapshot) else value


def spell_as(value: int, shown: str) -> Any:
    """Return a number as a character, or as a name of an enumeration; itself where it is none."""
    if shown == "char":
        if value in _ESCAPES or 32 <= value < 127:
            return f"'{_ESCAPES.get(value, chr(value))}'"
        return value
    return next((name for name, _, own in _constants(shown) if int(own) == value), value)


def _constants(shown: str) -> list[tuple[str, str, str]]:
    return [word.partition("=") for word in shown.split()[1:]]


def spell_address(machine: Machine, address: Address) -> str:
    """Return what an address points to, in the words of the program."""
    base, offset = address
    if base == 0:
        return "NULL" if offset == 0 else f"({offset:#x})"
    if base < 0:
        return f"&{machine.codes.names[base]}"
    found = machine.objects[base]
    name = f"&{found.name}" if found.kind != HEAP else f"heap#{base}"
    dead = "" if found.alive else " (dead)"
    return f"{name}{_suffix(machine, base, found, offset) if offset else ''}{dead}"


def _suffix(machine: Machine, base: int, found: Object, offset: Any) -> str:
    """Return the part of an object at an offset, as a program writes it; else the offset."""
    return (part_at(_parts(machine, base, found), offset) if isinstance(offset, int) else "") or f"+{offset}"


def part_at(parts: Sequence[Part], offset: int) -> str:
    """Return the suffix of the part at an offset, of the whole struct that begins there; empty where none is known."""
    suffix = next((part.suffix for part in parts if part.offset == offset), "")
    while "." in suffix:
        outer, _, field = suffix.rpartition(".")
        first = next(part for part in parts if part.suffix.startswith(f"{outer}."))
        if not outer or "[" in field or first.suffix != suffix:
            break
        suffix = outer
    if suffix or len(parts) < 2 or (parts[0].suffix, parts[1].suffix) != ("[0]", "[1]"):
        return suffix
    index, rest = divmod(offset, parts[1].offset)
    return f"[{index}]" if not rest else ""


def _parts(machine: Machine, base: int, found: Object) -> Sequence[Part]:
    """Return the parts of an object that have names; none where nothing is known of it."""
    for frame in machine.frames:
        if frame.objects.get(found.name) == base:
            return next(
                (parts for key, parts in machine.layout.locals if key == (frame.code.procedure.name, found.name)), ()
            )
    own = machine.globals.get(found.name)
    if own is None or own[0] != base:
        return ()
    return next((declared.parts for declared in machine.layout.objects if declared.name == found.name), ())
