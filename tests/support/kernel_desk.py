"""A machine of the kernel without a program: memory is filled by hand, and functions of its library are called."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import read_program
from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.library import function_of
from knaster_check.memory.machine import Machine
from knaster_check.memory.objects import LOCAL
from knaster_check.memory.threads import ThreadedMachine
from knaster_check.memory.values import Address
from knaster_check.refused import Refused

PLACE: Place = (3, 4)


@cache
def nothing() -> Codes:
    """Return a program that does nothing."""
    text = "int f(int a, int b) { return a; }\nint main(void) { int x = 0, *p = &x; return *p; }\n"
    return Codes(read_program(program_to_kernel(load(text, file="a.c", objects="always"))))


class Desk:
    """A machine, and what it has noted."""

    def __init__(self, inputs: Sequence[int] = (), pointer: int = 8, threaded: bool = False) -> None:
        self.lapses: list[str] = []
        kind = ThreadedMachine if threaded else Machine
        self.machine = kind(nothing(), Inputs(inputs), lambda kind, place, at_once: self.lapses.append(kind))
        self.machine.pointer = pointer

    def text(self, text: str, room: int | None = None) -> Address:
        """Return the address of a text and the 0 at its end, or as much of it as an object of `room` bytes has."""
        bytes = [*text.encode("latin-1"), 0]
        where = self.machine.allocate(len(bytes) if room is None else room, LOCAL)
        self.machine.objects[where.base].put(0, bytes[: self.machine.objects[where.base].size])
        return where

    def block(self, *bytes: int | None) -> Address:
        """Return the address of an object with these bytes; None is one that nobody wrote."""
        where = self.machine.allocate(len(bytes), LOCAL)
        self.machine.objects[where.base].bytes = {at: byte for at, byte in enumerate(bytes) if byte is not None}
        return where

    def read(self, where: Address, size: int) -> list[Any]:
        """Return some bytes of memory."""
        return self.machine.objects[where.base].get(where.offset, size)

    def call(self, name: str, *values: Any, unseen: bool = False) -> Any:
        """Return what a function of the library says."""
        pointer = self.machine.pointer
        return function_of(name, pointer, unseen)(self.machine, self.machine.frames[-1], list(values), PLACE)

    def fault(self, name: str, *values: Any, unseen: bool = False) -> str:
        """Return how a function of the library ends that does not return: a kind of undefined step, or words."""
        try:
            return f"returns {self.call(name, *values, unseen=unseen)}"
        except Undefined as undefined:
            assert undefined.place == PLACE
            return undefined.kind
        except Refused as refused:
            return refused.reason


def at(where: Address, count: int) -> Address:
    """Return an address so many bytes further."""
    return Address(where.base, where.offset + count)
