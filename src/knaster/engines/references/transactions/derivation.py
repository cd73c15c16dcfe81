"""Derivations inside transactions: roots, nodes, effects and cuts, each with how it was derived.

A *root* is a procedure that begins, or goes on, inside a transaction, with all the memory that it can see.  A *node* is
a place on its way.  An *effect* is what a call has done when it returns in the same transaction; a *cut* is where the
transaction ends inside the call: frames, the running one last, that stand there, and the memory.

Qadeer, Rajamani and Rehof, Summarizing Procedures in Concurrent Programs (POPL 2004), section 4.
"""

from __future__ import annotations

from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.engines.references.transactions.discipline import Locks
from knaster.engines.references.transactions.movers import Phase
from knaster.views.heap.canonical_states import Frame
from knaster.views.heap.memory_layout import Number
from knaster.views.heap.reductions.watched_memory import Shot

Decisions = tuple[Any, ...]  # int | Effect


def chooses(decisions: Decisions) -> bool:
    """Tell whether there is an alternative among decisions, or in a call whose effect is among them."""
    return any(not isinstance(decision, Effect) or decision.chooses for decision in decisions)


class RootKey(NamedTuple):
    """What a root begins with."""

    thread: int  # 0 where no text asks for the number
    frame: Frame
    inside: bool  # an atomic region
    public: bool  # its caller writes what it returns to what others can see
    phase: Phase
    mine: Locks  # that the thread holds
    shot: Shot
    old: int  # so many cells were there when the transaction began
    others: tuple[int, ...] | None  # cells that other threads hold; None where there are no others


@dataclass(slots=True, eq=False)
class Root:
    """A procedure inside a transaction, and what is known of it; `kept` cells were there when it began."""

    number: int
    key: RootKey
    creator: Any  # the Node of a call, or the Context of a thread
    seen: dict[Any, Node] = field(default_factory=dict)
    effects: dict[Any, Effect] = field(default_factory=dict)
    cuts: dict[Any, Cut] = field(default_factory=dict)
    blocks: dict[bool, Block] = field(default_factory=dict)  # by whether the program may end there
    waiters: list[Any] = field(default_factory=list)  # a Site or a Context

    @property
    def kept(self) -> int:
        """The number of cells at the beginning; they keep their names."""
        return len(self.key.shot.cells)


@dataclass(slots=True, eq=False)
class Node:
    """A place on the way of a root; `steps` counts from the beginning of the root."""

    root: Root
    location: int
    inside: bool
    local: tuple[Number, ...]
    shot: Shot
    phase: Phase
    mine: Locks
    parent: Node | None
    decisions: Decisions
    steps: int
    chooses: bool = field(init=False)  # some alternative was taken since the root began

    def __post_init__(self) -> None:
        self.chooses = chooses(self.decisions) or (self.parent is not None and self.parent.chooses)


@dataclass(slots=True, eq=False)
class Effect:
    """What a call has done that returns or raises."""

    results: tuple[Number, ...]
    exception: str | None
    shot: Shot
    phase: Phase
    mine: Locks
    parent: Node
    decisions: Decisions
    steps: int
    chooses: bool = field(init=False)  # some alternative was taken in the call

    def __post_init__(self) -> None:
        self.chooses = self.parent.chooses or chooses(self.decisions)


@dataclass(slots=True, eq=False)
class Cut:
    """Where a transaction ends inside a root: in it (`inner` is None), or inside a call that it makes."""

    frames: tuple[Frame, ...]
    shot: Shot
    mine: Locks
    parent: Node
    decisions: Decisions
    inner: Cut | None
    steps: int


@dataclass(slots=True, eq=False)
class Block:
    """Where a thread cannot go on, at a select of a root or of a call of its, after steps that nobody notices."""

    parent: Node
    inner: Block | None
    steps: int


class Site(NamedTuple):
    """A call that waits for its callee; `names` are the caller's names of the callee's cells behind the old ones."""

    node: Node
    names: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Context:
    """A thread of a state that runs a transaction; the frames up to `depth` wait below the root."""

    state: int
    thread: int
    depth: int
    previous: tuple[Context, Effect] | None = None
