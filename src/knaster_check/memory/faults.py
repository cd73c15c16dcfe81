"""The steps that C leaves undefined: their kinds, and which of them the name of a target asks for.

A name is a kind with a line, and a column where a line has several ("bounds:31", "bounds:31:9", of several files
"bounds:a.c:31"), a kind alone, or words for several kinds.  Runs go on after an undefined step of the kinds in
`PASSED`: numbers wrap, pointers may leave their objects.  The others end a run.
"""

from __future__ import annotations

from typing import NamedTuple

from knaster_check.lines import read_line
from knaster_check.program import Program
from knaster_check.refused import Refused

_MEMORY = ("null", "dead", "bounds", "invalid-pointer", "invalid-free")
_OTHERS = ("division", "shift", "pointer", "read-only", "call", "overlap", "length", "boolean", "value", "alignment")
_SAFETY = (*_MEMORY, *_OTHERS, "lock")
PASSED = frozenset(("overflow", "pointer", "overlap", "alignment", "lock"))
KINDS = frozenset((*_SAFETY, "overflow", "leak", "lost", "deadlock", "race"))
_WORDS = {
    "an undefined step": _SAFETY,
    "a wrong use of memory": _MEMORY,
    "an overflow": ("overflow",),
    "a leak": ("leak",),
    "a lost object": ("lost",),
    "a deadlock": ("deadlock",),
    "a race": ("race",),
    **{kind: (kind,) for kind in KINDS},
}

Place = tuple[int, int]  # a line and a column


class Undefined(Exception):
    """The next step is undefined, and the run ends."""

    def __init__(self, kind: str, place: Place) -> None:
        self.kind, self.place = kind, place
        super().__init__(f"{kind} at line {place[0]}")


class Over(Exception):
    """The run is over: `exit`, or an assumption that does not hold."""


class Asked(NamedTuple):
    """Undefined steps that a target asks for; line 0: wherever they are, column 0: anywhere in the line."""

    name: str
    kinds: tuple[str, ...]
    line: int = 0
    column: int = 0

    def means(self, kind: str, place: Place, at_once: bool = False) -> bool:
        """Tell whether an undefined step is one of these; `at_once`: of a pointer that is used where it is made.

        What is wrong with such a pointer is wrong with its use, so nobody asks for it at a place of its own.
        """
        if kind not in self.kinds or (at_once and self.line):
            return False
        return self.line in (0, place[0]) and self.column in (0, place[1])


def read_asked(program: Program, name: str) -> Asked:
    """Return the undefined steps that the name of a target without a place asks for."""
    if name in _WORDS:
        return Asked(name, _WORDS[name])
    kind, _, place = name.partition(":")
    if kind in KINDS and (at := read_line(program, place)) is not None:
        return Asked(name, (kind,), *at)
    raise Refused("no run of a program with memory ends so", name)
