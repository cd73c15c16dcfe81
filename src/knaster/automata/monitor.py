"""Monitors: finite-state machines that watch the statements of a run and say when one of them is a mistake.

Ball and Rajamani, SLIC: A Specification Language for Interface Checking (Microsoft Research, 2001); Lal (PhD thesis,
University of Wisconsin, 2009), section 2.4.3.  A monitor moves before a statement is executed; where no move fits it
stays, where several fit the first of the file counts, and from an error state it never comes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple

KINDS = ("call", "return", "line", "label")


class Event(NamedTuple):
    """What a statement must be: a call of, a return from, a line with, or a label of this name; `*` is any text."""

    kind: str
    pattern: str

    def __str__(self) -> str:
        quoted = self.kind == "line" and not self.pattern.isdigit()
        return f'{self.kind} "{self.pattern}"' if quoted else f"{self.kind} {self.pattern}"

    @property
    def has_star(self) -> bool:
        """Whether it stands for several names."""
        return "*" in self.pattern

    def fits(self, text: str) -> bool:
        """Tell whether a name or a line is meant."""
        return fnmatchcase(text, self.pattern.replace("[", "[[]").replace("?", "[?]"))


class Move(NamedTuple):
    """A move on an event; without a source it fits in every state that is no error."""

    source: str | None
    target: str
    event: Event
    span: Span


class Monitor(NamedTuple):
    """A machine with its states in the order of the file; the first is where it starts."""

    states: tuple[str, ...]
    errors: frozenset[str]
    moves: tuple[Move, ...]
    file: str
    source: str

    @property
    def start(self) -> str:
        """The state before the first statement."""
        return self.states[0]

    def events(self) -> Iterator[Event]:
        """Yield every event, each once."""
        yield from dict.fromkeys(move.event for move in self.moves)

    def step(self, state: str, events: frozenset[Event]) -> str:
        """Return the state after a statement that is all of these events."""
        if state in self.errors:
            return state
        for move in self.moves:
            if move.event in events and move.source in (None, state):
                return move.target
        return state
