"""Why a target is unreachable with any number of switches: what the stacks of all threads can be, context by context.

A row is a context of one thread: what all stacks may be when it begins, and what its own may be at each valuation of
the globals.  `certify_stacks` checks that the rows contain all that can happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from knaster.program.model import Place, Program
from knaster.semantics.threads import Activation, Valuation


class Letter(NamedTuple):
    """An activation on a stack; `lowest` where nothing is below it."""

    activation: Activation
    lowest: bool


@dataclass(frozen=True, slots=True)
class StackSet:
    """A set of stacks, top first: a deterministic automaton that starts in state 0."""

    moves: tuple[Mapping[Letter, int], ...]
    accepting: tuple[bool, ...]


class Moment(NamedTuple):
    """The globals, whether the running thread is inside a section, and whether an assertion has failed."""

    shared: Valuation
    section: bool
    failed: bool


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A context of the thread `running`, counted from 0; `stacks` are those of all threads when it begins."""

    running: int
    stacks: tuple[StackSet, ...]
    reached: Mapping[Moment, StackSet]


@dataclass(frozen=True, slots=True, eq=False)
class StackTable:
    """The contexts of all threads of a program."""

    program: Program
    rows: tuple[ContextRow, ...]

    def __repr__(self) -> str:
        return f"<StackTable of {self.program.file}: {len(self.rows)} contexts>"

    def places(self) -> set[Place]:
        """Return where a running thread may stand."""
        return {
            letter.activation.place
            for row in self.rows
            for stacks in row.reached.values()
            for letter in stacks.moves[0]
        }

    def unreached(self) -> tuple[Place, ...]:
        """Return the statements that no run reaches, in the order of the text."""
        return self.program.statements_outside(self.places())
