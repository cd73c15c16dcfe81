"""Functions of the C library: what each does to memory and says, by name.

A function takes the machine, the activation, the arguments and where the call stands.  One that is not here is not
known: the kernel says nothing of a proof whose runs need it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.memory.library.allocation import ALLOCATION
from knaster_check.memory.library.bits import bits_named, overflow_named
from knaster_check.memory.library.blocks import BLOCKS
from knaster_check.memory.library.characters import CHARACTERS
from knaster_check.memory.library.formats import FORMATS, UNSEEN
from knaster_check.memory.library.mathematics import MATHEMATICS
from knaster_check.memory.library.numerals import NUMERALS
from knaster_check.memory.library.scans import SCANS
from knaster_check.memory.library.signals import SIGNALS
from knaster_check.memory.library.texts import TEXTS
from knaster_check.memory.library.thread_words import WORDS
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.faults import Place
    from knaster_check.memory.machine import Frame, Machine

Function = Callable[["Machine", "Frame", list[Any], "Place"], Any]
FUNCTIONS: dict[str, Function] = {
    **{**ALLOCATION, **BLOCKS, **TEXTS, **CHARACTERS, **FORMATS},
    **{**MATHEMATICS, **NUMERALS, **SCANS, **WORDS, **SIGNALS},
}


def function_of(name: str, pointer: int, unseen: bool = False) -> Function:
    """Return what a function of the library does; `unseen` where nobody wants its result."""
    if unseen and name in UNSEEN:
        return UNSEEN[name]
    found = FUNCTIONS.get(name) or overflow_named(name) or bits_named(name, pointer)
    if found is None:
        raise Unsupported(f"the kernel does not know the function '{name}' of the library")
    return found
