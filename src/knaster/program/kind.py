"""Kinds of programs, by what their variables hold: light, because cards of engines name them."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """What the variables of a program hold; `semantics/table.py` says what each kind of program means."""

    BOOLEAN = "boolean"  # truth values
    INTEGERS = "integers"  # numbers and arrays of them, which are values
    REFERENCES = "references"  # names of cells of a heap
    MEMORY = "memory"  # addresses of bytes
