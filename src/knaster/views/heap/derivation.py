"""Derivations: roots, path edges and effects, each with how it was derived, and from one of them the run that it is.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), section 4.2: a path edge
says what a procedure can have changed when it stands somewhere, an effect what it has changed when it returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.views.heap.memory_layout import Number
from knaster.views.heap.overlay import Cell, Entry, Written

LONGEST_RUN = 200_000  # choices in a run that is written down


@dataclass(slots=True, eq=False)
class Root:
    """A call: the procedure, what it can see, and what is known of it."""

    number: int
    procedure: int
    base: bool  # its caller is inside an atomic region
    entry: Entry
    formals: tuple[Number, ...]
    held: frozenset[int]  # entry cells that somebody outside holds, besides statics and formals
    creator: Node | None
    seen: dict[Any, Node] = field(default_factory=dict)
    effects: dict[Any, Effect] = field(default_factory=dict)
    callers: list[Any] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Node:
    """The end of a path edge: where the procedure stands, its locals, what it wrote, and its new cells."""

    root: Root
    location: int
    inside: bool  # an atomic region
    local: tuple[Number, ...]
    written: Written
    new_cells: tuple[Cell, ...]
    parent: Node | None
    decisions: tuple[int | Effect, ...]  # since the parent: alternatives, and effects of calls
    chooses: bool = False  # some alternative was taken since the entry


@dataclass(slots=True, eq=False)
class Effect:
    """What a call does and gives back: the values of its results, or the exception that it raises."""

    written: Written
    new_cells: tuple[Cell, ...]
    results: tuple[Number, ...]
    exception: str | None
    parent: Node
    decisions: tuple[int | Effect, ...]
    chooses: bool = field(init=False)  # some alternative was taken in the call

    def __post_init__(self) -> None:
        self.chooses = self.parent.chooses or chooses(self.decisions)


def chooses(decisions: tuple[int | Effect, ...]) -> bool:
    """Tell whether there is an alternative among decisions, or in a call whose effect is among them."""
    return any(not isinstance(decision, Effect) or decision.chooses for decision in decisions)


def alternatives(node: Node, last: tuple[int | Effect, ...]) -> tuple[int, ...]:
    """Return every alternative of the run from the start of the program to a node and on by some decisions."""
    pieces: list[tuple[int | Effect, ...]] = [last]
    here: Node | None = node
    while here is not None:
        pieces.append(here.decisions)
        here = here.parent if here.parent is not None else here.root.creator
    found: list[int] = []
    for piece in reversed(pieces):
        for alternative in _expand(piece):
            found.append(alternative)
            if len(found) > LONGEST_RUN:
                raise OutOfBudget(f"the run makes more than {LONGEST_RUN:,} choices")
    return tuple(found)


def _expand(decisions: tuple[int | Effect, ...]) -> Iterator[int]:
    """Yield the alternatives, with those of each effect in its place."""
    stack: list[Iterator[int | Effect]] = [iter(decisions)]
    while stack:
        for decision in stack[-1]:
            if isinstance(decision, Effect):
                stack.append(iter(_inside(decision)))
                break
            yield decision
        else:
            stack.pop()


def _inside(effect: Effect) -> list[int | Effect]:
    """Return the decisions of a call from its entry to its effect."""
    pieces = [effect.decisions]
    here: Node | None = effect.parent
    while here is not None:
        pieces.append(here.decisions)
        here = here.parent
    return [decision for piece in reversed(pieces) for decision in piece]
