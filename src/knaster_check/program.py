"""A program as the kernel sees it: procedures as graphs whose edges carry actions (docs/kernel.md says what they do).

A type is a tuple: ("bool",), ("int", width or None, signed), ("array", type, length), ("pointer", class),
("enum", name, members), ("struct", name, ((field, type), ...)); with memory ("address", bytes), ("bytes", number),
("floating", width).  A value is a plain Python value: bool, int, a tuple
for an array or a struct, None for null, a `Reference` for a cell.  An expression is a tuple of nodes, each after its
operands (`formula`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

Type = tuple[Any, ...]
Node = tuple[Any, ...]  # an operator and its parameters
Formula = tuple[Node, ...]
Value = Any
BOOL: Type = ("bool",)
TRUE: Formula = (("truth", True),)
UNBEGUN = -1  # where a thread stands that has not run yet


class Reference(NamedTuple):
    """The name of a cell: its class, and a number that tells it from the other cells of that class."""

    target: str
    number: int


class Assume(NamedTuple):
    """Pass where the condition can be true."""

    condition: Formula


class Assign(NamedTuple):
    """Give the targets the values, all at once, where the constraint on old and new values can hold."""

    targets: tuple[str, ...]
    values: tuple[Formula, ...]
    constraint: Formula


class Call(NamedTuple):
    """Call a procedure; `targets` (with references: `places`) take its results, None throws one away."""

    procedure: str
    arguments: tuple[Formula, ...]
    targets: tuple[str | None, ...]
    places: tuple[Formula | None, ...]
    dispatch: tuple[tuple[str, str], ...]


class Return(NamedTuple):
    """Set the results and leave; leads to the exit."""

    values: tuple[Formula, ...]


class Thread(NamedTuple):
    """A thread statement: start_thread, end_thread, atomic_begin, atomic_end, wait, broadcast."""

    operation: str
    location: int | None
    procedure: str | None
    arguments: tuple[Formula, ...]


class Store(NamedTuple):
    """References: give each place the value."""

    places: tuple[Formula, ...]
    value: Formula


class Choose(NamedTuple):
    """References: give the place any of the values, or any element of the collection."""

    place: Formula
    values: tuple[Value, ...] | None
    collection: Formula | None


class Send(NamedTuple):
    """References: append a value to a channel."""

    channel: Formula
    value: Formula


class Update(NamedTuple):
    """References: add to a set, or remove from it, one element or (`whole`) those of another set."""

    target: Formula
    adds: bool
    operand: Formula
    whole: bool


class Join(NamedTuple):
    """References: one branch of a select; `receives` has channels and places."""

    waits: tuple[Formula, ...]
    receives: tuple[tuple[Formula, Formula], ...]
    mode: str
    may_end: bool


class Raise(NamedTuple):
    """References: raise an exception."""

    exception: str


class Print(NamedTuple):
    """References: evaluate the arguments; changes nothing."""

    text: str
    arguments: tuple[Formula, ...]


class Form(NamedTuple):
    """Memory: what a function takes and returns, as far as a caller must agree; None where nothing is said."""

    result: str
    parameters: tuple[str, ...] | None
    variadic: bool


class Write(NamedTuple):
    """Memory: write a value of a type at an address; an `initial` one even where nothing may be written."""

    address: Formula
    value: Formula
    type: Type
    initial: bool
    packed: bool  # it may stand anywhere


class Begin(NamedTuple):
    """Memory: a local object begins to live; the one of this name that lived before is dead."""

    name: str
    size: Formula
    zeroed: bool
    writable: bool


class Invoke(NamedTuple):
    """Memory: call the function at an address, as one of a form."""

    function: Formula
    arguments: tuple[Formula, ...]
    targets: tuple[str | None, ...]
    form: Form


class Library(NamedTuple):
    """Memory: do what a function of the C library does."""

    name: str
    arguments: tuple[Formula, ...]
    target: str | None
    type: Type | None


Action = (
    Assume | Assign | Call | Return | Thread
    | Store | Choose | Send | Update | Join | Raise | Print
    | Write | Begin | Invoke | Library
)  # fmt: skip


class Edge(NamedTuple):
    """One step of one procedure; `line` is that of its statement, `column` too where there is memory."""

    source: int
    action: Action
    target: int
    line: int
    keeps: bool
    forgets: tuple[str, ...]
    column: int = 0


class Procedure(NamedTuple):
    """A control-flow graph over the locations 0 to size - 1; `types` has the type of every variable of its frame."""

    name: str
    line: int
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    locals: tuple[str, ...]
    types: dict[str, Type]
    entry: int
    exit: int
    size: int
    enforce: Formula
    labels: tuple[tuple[str, int], ...]
    failures: frozenset[int]
    handlers: tuple[tuple[int, str | None, int], ...]
    edges: tuple[Edge, ...]

    @property
    def frame(self) -> tuple[str, ...]:
        """The variables of one activation."""
        return self.parameters + self.locals + self.results


class Cell(NamedTuple):
    """What lives in the heap: a "class" with fields, an "array", a "channel" or a "set" of elements."""

    form: str
    name: str
    fields: tuple[tuple[str, Type], ...]  # of a class
    initial: tuple[tuple[str, Formula], ...]  # of some of its fields
    element: Type | None  # of the others
    length: int | None  # of an array, where `new` does not say it


class Declared(NamedTuple):
    """Memory: an object that lives as long as the program: 0 where its cells say nothing, unless it is `unknown`."""

    name: str
    size: int
    writable: bool
    literal: bool  # it has no name in the program
    unknown: bool  # its bytes are inputs
    per_thread: bool
    cells: tuple[tuple[int, Type, Formula], ...]


class Layout(NamedTuple):
    """Memory: the size of a pointer, the objects, and the forms of the functions."""

    pointer: int
    objects: tuple[Declared, ...]
    forms: dict[str, Form]


class Program(NamedTuple):
    """A whole program; `types` has the type of every global, `any_number` the threads that may be there often."""

    kind: str  # "boolean", "integers", "references" or "memory"
    file: str
    fingerprint: str
    reading: dict[str, str]
    globals: tuple[str, ...]
    types: dict[str, Type]
    init: Formula
    atomic: str | None
    threads: tuple[str, ...]
    any_number: tuple[str, ...]
    cells: dict[str, Cell]
    statics: tuple[tuple[str, Formula], ...]
    procedures: dict[str, Procedure]
    layout: Layout | None = None  # of a program with memory
    files: tuple[tuple[int, str], ...] = ()  # of several: the first line of each, and what it is called

    def scope(self, procedure: Procedure) -> tuple[str, ...]:
        """Return every variable of a state of a procedure, globals first."""
        return self.globals + procedure.frame

    @property
    def is_threaded(self) -> bool:
        """Tell whether it has several threads, or statements that only threads have."""
        statements = (edge.action for procedure in self.procedures.values() for edge in procedure.edges)
        return len(self.threads) > 1 or any(isinstance(action, Thread) for action in statements)


class Target(NamedTuple):
    """A place that a proof excludes; without a procedure, the way to fail that it names."""

    name: str
    procedure: str
    location: int
