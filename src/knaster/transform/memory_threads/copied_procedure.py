"""One procedure of one thread while it is made: the steps that stand for an edge, and what is known about threads.

A word of threads is one step: whoever interrupts threads must not do so at the locations that are added here.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.program.expression import NOWHERE, TRUE, Compare, Comparison, Const, Expr
from knaster.program.memory import Address, AddressOf, Library, Load, Moved, Store
from knaster.program.model import Action, Assign, Assume, Edge, Location, Place, Procedure
from knaster.program.types import Int
from knaster.transform.memory_threads.started_threads import StartedThread

WORD = Int(32, False)
ARGUMENT, STARTED, ENDED, JOINED, RESULT = "#argument", "#started", "#ended", "#joined", "#result"
Given = tuple[Expr, ...]


def own(what: str, number: int) -> str:
    """Return the name of the object that tells something about a thread."""
    return f"{what}.{number}"


@dataclass(slots=True)
class Copy:
    """A procedure of one thread while it is made; new locations come at the end."""

    procedure: Procedure
    name: str
    thread: StartedThread
    threads: list[StartedThread]
    starts: dict[Place, int]  # by the place of the start
    pointer: int
    asks_locks: bool = False  # whether somebody asks for the unlocking of what is not held
    edges: list[Edge] = field(default_factory=list)
    size: int = 0
    unclear: list[Location] = field(default_factory=list)
    unlocked: dict[Location, Span] = field(default_factory=dict)  # where that was, which was not held
    word: Edge | None = None  # the edge of the program of which steps are made
    span: Span = NOWHERE

    def __post_init__(self) -> None:
        self.size = self.procedure.size

    @property
    def is_root(self) -> bool:
        """Whether the thread begins here."""
        return self.procedure.name == self.thread.function

    def new(self) -> Location:
        """Return a new location."""
        self.size += 1
        return self.size - 1

    def step(self, source: Location, action: Action, target: Location | None = None) -> Location:
        """Add an edge in the midst of a step, after which nobody is interrupted; return where it leads to."""
        after = self.new() if target is None else target
        self.edges.append(Edge(source, action, after, self.span, self.word, True))
        return after

    def finish(self, source: Location, action: Action, edge: Edge) -> None:
        """Add the edge that stands for an edge of the program."""
        self.edges.append(Edge(source, action, edge.target, edge.span, edge, edge.keeps, edge.forgets))

    def answer(self, source: Location, edge: Edge, value: int) -> None:
        """Let a word give its result and be over."""
        assert isinstance(edge.action, Library)
        target = edge.action.target
        self.finish(source, Assume(TRUE) if target is None else Assign((target,), (Const(value),)), edge)

    # What words need

    def read(self, place: Expr, at: int = 0) -> Expr:
        """Return four bytes at a place."""
        where: Any = Moved(place, Const(at), 1, self.span, True) if at else place
        return Load(where, WORD, self.span, "", True)

    def write(self, source: Location, place: Expr, value: Expr, at: int = 0) -> Location:
        """Let four bytes at a place be a number; nobody asks whether they are constant."""
        where: Any = Moved(place, Const(at), 1, self.span, True) if at else place
        return self.step(source, Store(where, value, WORD, "", True, True))

    def named(self, what: str, number: int) -> Expr:
        """Return the address of what is known about a thread."""
        return AddressOf(own(what, number))

    def mark_lock(self, source: Location, edge: Edge) -> None:
        """Note that a lock or a thread is used here as it must not be, where somebody asks for that."""
        if self.asks_locks:
            self.unlocked[self.step(source, Assume(TRUE))] = edge.span

    def give_up(self, source: Location, condition: Expr) -> None:
        """Say that nobody knows here what happens where a condition holds."""
        self.unclear.append(self.step(source, Assume(condition)))


def is_number(value: Expr, number: int) -> Expr:
    """Return that an expression is a number."""
    return Compare(Comparison.EQUAL, value, Const(number))


def is_null(place: Expr) -> bool:
    """Tell whether an argument is plainly a null pointer."""
    return isinstance(place, Const) and place.value in (0, Address(0, 0))
