"""THE model of a program: procedures as control-flow graphs whose edges carry actions.

A *location* is a number, private to its procedure.  Control stands *before* a statement at that statement's location.
Nothing but the entry, the exit and the failures is special, and the numbers mean nothing: front ends number statements
from 0 in the order of the text, then the exit, then one failure for each `assert`; reductions add locations at the end.
Neither the exit nor a failure has a way out.  A state of a procedure gives a value to every global, to every parameter
and local, and to every *result* (a hidden local that only `Return` writes and only the caller reads).  Variables are
Boolean unless `types` says otherwise.

How the constructs of the language become edges:

    skip, print, sync   Assume(TRUE) to the next statement      goto L1, L2   Assume(TRUE) to each
    if e / while e      Assume(e) and Assume(Not(e))            assert e      Assume(e) on, Assume(Not(e)) to a failure
    assume, constrain   Assume(e)                               abortif e     Assume(Not(e))
    x, y := e, f        Assign                                  dead x        Assign of a Choice
    return e, f         Return, to the exit                     f(e), x := f(e)   Call, to the statement after it

`Assume(e)` passes where e *can* be true (each `Choice` is free).  A label directly before `end` stands on a skip.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.program.expression import NOWHERE, TRUE, Expr
from knaster.program.kind import Kind as Kind
from knaster.program.types import BOOL, Type

if TYPE_CHECKING:  # only programs with references pay for them
    from knaster.program.memory import MemoryAction, MemoryLayout
    from knaster.program.objects import Handler, HeapAction, Objects

Location = int
Place = tuple[str, Location]  # a procedure and a location of it
Types = tuple[tuple[str, Type], ...]  # of the variables that are not Boolean
ERROR_LABELS = ("SLIC_ERROR", "ERROR", "error")


@dataclass(frozen=True, slots=True)
class Assume:
    """Pass where the condition can be true; change nothing."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Assign:
    """Give `targets[i]` the value of `values[i]`, all at once; no successor where the constraint cannot hold.

    The constraint speaks of old values (`Var(x)`) and new ones (`Var(x, primed=True)`).
    """

    targets: tuple[str, ...]
    values: tuple[Expr, ...]
    constraint: Expr = TRUE


@dataclass(frozen=True, slots=True)
class Call:
    """Call a procedure by value; `targets[i]` takes its result i, `None` throws it away.

    In programs with references results may go to any `places` instead, and `dispatch` gives the procedure for each
    class of the first argument where that decides.
    """

    procedure: str
    arguments: tuple[Expr, ...]
    targets: tuple[str | None, ...] = ()
    places: tuple[Expr | None, ...] = ()
    dispatch: tuple[tuple[str, str], ...] = ()

    def bindings(self, callee: Procedure) -> Iterator[tuple[str, Expr]]:
        """Return each parameter of the callee with its argument."""
        return zip(callee.parameters, self.arguments, strict=True)

    def results(self, callee: Procedure) -> list[tuple[str, str]]:
        """Return each variable that takes a result of the callee, with that result; a bare call takes none."""
        pairs = zip(self.targets, callee.results, strict=False)
        return [(target, result) for target, result in pairs if target is not None]


@dataclass(frozen=True, slots=True)
class Return:
    """Set the procedure's results and leave it; leads to the exit."""

    values: tuple[Expr, ...]


class ThreadOperation(Enum):
    """What a thread statement does; the value is its spelling."""

    START = "start_thread"
    END = "end_thread"
    ATOMIC_BEGIN = "atomic_begin"
    ATOMIC_END = "atomic_end"
    WAIT = "wait"
    BROADCAST = "broadcast"


@dataclass(frozen=True, slots=True)
class Concurrent:
    """A thread statement.  `START` begins a new thread at `location` of this procedure or in `procedure`.

    The thread that starts another one evaluates the `arguments`; the results of a started procedure are thrown away.
    """

    operation: ThreadOperation
    location: Location | None = None
    procedure: str | None = None
    arguments: tuple[Expr, ...] = ()

    def bindings(self, callee: Procedure) -> Iterator[tuple[str, Expr]]:
        """Return each parameter of the procedure that a new thread runs, with its argument."""
        return zip(callee.parameters, self.arguments, strict=True)


Action: TypeAlias = "Assume | Assign | Call | Return | Concurrent | HeapAction | MemoryAction"


def expressions(action: Action) -> tuple[Expr, ...]:
    """Return what an action evaluates."""
    match action:
        case Assume(condition):
            return (condition,)
        case Assign(_, values, constraint):
            return (*values, constraint)
        case Call(_, arguments, _):
            return arguments
        case Return(values):
            return values
    return ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One step of one procedure.  The span is that of the statement at `source` and does not count in comparisons.

    `origin` is the edge of the program before a reduction that this one stands for; None for an edge of that program
    itself, and for a step that the reduction added.  In programs with references no other thread runs after an edge
    that `keeps` on, and the variables that an edge `forgets` have their defaults after it.
    """

    source: Location
    action: Action
    target: Location
    span: Span = field(default=NOWHERE, compare=False)
    origin: Edge | None = field(default=None, compare=False, repr=False)
    keeps: bool = False
    forgets: tuple[str, ...] = ()


_source, _target = attrgetter("source"), attrgetter("target")


@dataclass(frozen=True, slots=True)
class Procedure:
    """A control-flow graph.  `edges` are sorted by source; the edges of one location keep the order of the text."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    locals: tuple[str, ...]
    entry: Location
    exit: Location
    edges: tuple[Edge, ...]
    labels: tuple[tuple[str, Location], ...] = ()
    failures: tuple[Location, ...] = ()
    enforce: Expr = TRUE  # every state of this procedure satisfies it; transitions into others are dropped
    span: Span = field(default=NOWHERE, compare=False)
    types: Types = ()
    handlers: tuple[Handler, ...] = ()
    size: int = field(init=False, compare=False, repr=False)  # locations are 0 .. size - 1
    _leaving: dict[Location, tuple[Edge, ...]] | None = field(init=False, default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        sources, targets = map(_source, self.edges), map(_target, self.edges)
        last = max(self.entry, self.exit, max(sources, default=0), max(targets, default=0), *self.failures)
        object.__setattr__(self, "size", last + 1)

    @property
    def frame(self) -> tuple[str, ...]:
        """The variables of one activation: parameters, locals, results."""
        return self.parameters + self.locals + self.results

    @property
    def leaving(self) -> Mapping[Location, tuple[Edge, ...]]:
        """The edges that leave each location that has some, in the order of the text; made once."""
        if self._leaving is None:
            leaving: dict[Location, list[Edge]] = {}
            for edge in self.edges:
                leaving.setdefault(edge.source, []).append(edge)
            object.__setattr__(self, "_leaving", {location: tuple(edges) for location, edges in leaving.items()})
            assert self._leaving is not None
        return self._leaving


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program.  `init` constrains the globals at the start (any value otherwise).

    Whoever makes a program says of which `kind` it is; `validate` refuses one whose variables do not fit it.
    `threads` names the entry procedure of each thread that runs from the start; one thread is a sequential program.
    Where `atomic` names a global, no other thread runs while it is 1.  `language` is the name of the language that the
    program is written in (`frontends/languages.py`), `errors` are the labels that are targets unless the user names
    others, `reading` says how the text was understood where its language leaves that open, and `undefined` lists the
    functions that are called and not defined, each with the type of what it returns if that is something.  `together`
    lists globals that belong together, group by group with the most important group first: a hint to whoever has to
    put the variables in an order.  `initializer` is the procedure that `init` was read from: it runs in no thread.
    """

    globals: tuple[str, ...]
    procedures: tuple[Procedure, ...]
    threads: tuple[str, ...] = ("main",)
    init: Expr = TRUE
    file: str = field(default="<text>", compare=False)
    source: str = field(default="", compare=False, repr=False)
    language: str = field(default="boolean", compare=False)
    kind: Kind = field(default=Kind.BOOLEAN, kw_only=True)
    atomic: str | None = None
    types: Types = ()
    objects: Objects | None = None  # what a program with references declares
    memory: MemoryLayout | None = None  # what a program with memory declares
    together: tuple[tuple[str, ...], ...] = ()
    errors: tuple[str, ...] = field(default=ERROR_LABELS, compare=False)
    reading: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    undefined: tuple[tuple[str, Type | None], ...] = field(default=(), compare=False)
    initializer: str | None = field(default=None, compare=False)
    _named: Mapping[str, Procedure] = field(init=False, compare=False, repr=False)
    _is_threaded: bool | None = field(init=False, default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        named = {procedure.name: procedure for procedure in reversed(self.procedures)}
        object.__setattr__(self, "_named", named)

    def __repr__(self) -> str:
        return f"<Program {self.file}: {len(self.procedures)} procedures, {self.size} edges>"

    def procedure(self, name: str) -> Procedure:
        """Return the procedure called `name`; raise `KeyError` where there is none."""
        return self._named[name]

    @property
    def size(self) -> int:
        """The number of edges of all procedures."""
        return sum(len(procedure.edges) for procedure in self.procedures)

    @property
    def is_boolean(self) -> bool:
        """Tell whether every variable is Boolean."""
        return self.kind is Kind.BOOLEAN

    @property
    def is_threaded(self) -> bool:
        """Tell whether it has several threads, or statements that only threads have."""
        if self._is_threaded is None:
            kinds = {type(edge.action) for procedure in self.procedures for edge in procedure.edges}
            threaded = self.memory is not None and self.memory.threaded
            object.__setattr__(self, "_is_threaded", threaded or len(self.threads) > 1 or Concurrent in kinds)
        return bool(self._is_threaded)

    def statements_outside(self, places: Collection[Place]) -> tuple[Place, ...]:
        """Return where the statements stand that are at none of these places, in the order of the text."""
        before = {self.initializer}.difference(self.threads)
        own = [procedure for procedure in self.procedures if procedure.name not in before]
        standing = dict.fromkeys((procedure.name, edge.source) for procedure in own for edge in procedure.edges)
        return tuple(place for place in standing if place not in places)

    def types_in(self, procedure: Procedure) -> dict[str, Type]:
        """Return the type of every variable of a state of `procedure`."""
        return {**dict.fromkeys(self.scope(procedure), BOOL), **dict(self.types), **dict(procedure.types)}

    def scope(self, procedure: Procedure) -> tuple[str, ...]:
        """Return every variable of a state of `procedure`, globals first."""
        return self.globals + procedure.frame


def word_of(action: Action) -> str:
    """Return what an action is called where it is refused."""
    return action.operation.value if isinstance(action, Concurrent) else type(action).__name__.lower()


def result_name(index: int) -> str:
    """Return the name of a procedure's result `index`; no name in a source text looks like it."""
    return f"@{index}"


def old(name: str) -> str:
    """Return the name of the value that a variable had at the entry of its procedure, as ACSL writes it."""
    return f"\\old({name})"
