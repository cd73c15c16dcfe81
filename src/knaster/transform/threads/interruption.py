"""Interruption: from the procedures of threads, procedures that can be left between steps, and gone on with later.

A thread may be interrupted only after a step that another one can notice: one that reads or writes a shared variable,
starts a thread or ends a section.  Any run can be changed into such a one: a step that nobody notices can wait until
its thread runs again.  A call whose results go to shared variables is written as two steps, the return and the
assignment.  Sections are a bit that forbids to be interrupted.  An `enforce` is written into the steps of its
procedure, so that it says nothing of what the others do meanwhile; a call in such a procedure has two steps too.

The procedures get new names and keep their locations; what is added has new ones.  A procedure in which threads are
started at a label is there a second time for each such label, with its variables as parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knaster.base.errors import InternalError
from knaster.base.records import dataclass, field, replace
from knaster.program.expression import FALSE, TRUE, Expr, Not, Var, primed_variables, variables
from knaster.program.model import (
    Action,
    Assign,
    Assume,
    Call,
    Concurrent,
    Edge,
    Location,
    Procedure,
    Program,
    Return,
    ThreadOperation,
)
from knaster.transform.formulae import Fresh, all_of, prime_variables
from knaster.transform.threads.schedules import Schedule
from knaster.transform.threads.starts import edges_of, start_of, started_procedure, starts_of
from knaster.transform.threads.thread_view import Local


@dataclass(frozen=True, slots=True)
class Move:
    """A step to a later context of the same thread, at a place where it may be interrupted if a condition holds."""

    procedure: str
    edge: Edge
    free: Expr


class Interruption:
    """The procedures of one program, with the steps that a schedule adds."""

    def __init__(
        self,
        program: Program,
        schedule: Schedule | Local,
        fresh: Fresh,
        midway: frozenset[str] = frozenset(),
        everywhere: bool = False,
    ) -> None:
        """Prepare; the procedures of `midway` begin somewhere inside, where nobody asks for their `enforce`.

        With `everywhere` threads may also be interrupted after steps that nobody notices.
        """
        self.everywhere = everywhere
        self.original = program
        self.midway = midway
        self.schedule = schedule
        self.shared = frozenset(program.globals)
        self.kinds = starts_of(program)
        self.names = {procedure.name: fresh.name(f"do_{procedure.name}") for procedure in program.procedures}
        self.copies = {
            start: fresh.name(f"do_{start[0]}_from{start[1]}") for start in self.kinds if start[1] is not None
        }
        self.origins = {new: old for old, new in self.names.items()}
        self.origins |= {name: start[0] for start, name in self.copies.items()}
        self._results: list[str] = []
        uses = {edge.action.operation for _, edge in edges_of(program) if isinstance(edge.action, Concurrent)}
        self.inside = fresh.name("in_section") if ThreadOperation.ATOMIC_BEGIN in uses else None
        self.fresh = fresh
        self.moves: list[Move] = []
        self.next: str | None = None  # the procedure that lets the next thread run, if somebody calls it
        free: list[Expr] = [Not(Var(self.inside))] if self.inside is not None else []
        self.free = all_of([*free, *([Not(Var(program.atomic))] if program.atomic is not None else [])])
        self.noticed_entries = {
            edge.action.procedure
            for _, edge in edges_of(program)
            if isinstance(edge.action, Call) and self._reads(edge.action.arguments)
        }
        self.noticed_entries |= {p.name for p in program.procedures if self._reads([p.enforce])}  # threads begin there
        self.noticed_exits = {
            procedure.name
            for procedure in program.procedures
            if any(edge.target == procedure.exit and self._is_noticed(procedure, edge) for edge in procedure.edges)
        }

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the globals, those that belong together in groups."""
        groups = self.schedule.groups
        return groups if self.inside is None else ((self.inside, *groups[0]), *groups[1:])

    def init(self) -> Expr:
        """Return what holds at the start."""
        init = self.schedule.init()
        return init if self.inside is None else all_of([Not(Var(self.inside)), init])

    def bodies(self) -> list[Body]:
        """Return every procedure, to be finished."""
        bodies = [
            self._make_interruptible(procedure, self.names[procedure.name]) for procedure in self.original.procedures
        ]
        return bodies + [
            self._make_interruptible(started_procedure(self.original, kind), name, True)
            for kind, name in self.copies.items()
        ]

    def first_calls(self, thread: int) -> Iterable[tuple[Call, Expr]]:
        """Return what a thread may begin with, each with a condition."""
        count = len(self.original.threads)
        if thread <= count:
            name = self.original.threads[thread - 1]
            return [(self._make_call(name, self.names[name], ()), TRUE)]
        slot = self.schedule.slots[thread - count - 1]
        calls: list[tuple[Call, Expr]] = []
        for kind, start in enumerate(self.kinds):
            parameters = len(started_procedure(self.original, start).parameters)
            name = self.copies.get(start, self.names[start[0]])
            call = self._make_call(start[0], name, slot.values[:parameters])
            calls.append((call, slot.kind.equals(kind)))
        return calls

    def outside(self) -> Action:
        """Return the step that ends a section."""
        return Assume(TRUE) if self.inside is None else Assign((self.inside,), (FALSE,))

    def interrupt(self, body: Body, points: Iterable[Location], free: Expr | None = None, idles: bool = True) -> None:
        """Let the thread be interrupted at some places, for ever and, if it `idles`, for a while."""
        condition = self.free if free is None else free
        for point in points:
            for action in self.schedule.moves(condition) if idles else ():
                self.moves.append(Move(body.name, body.add(point, action, point), condition))
            for action in self.schedule.departures(condition) if self.next is not None else ():
                body.add(point, action, body.way_out(Call(self.next, ())) if self.next is not None else point)

    def _make_interruptible(self, procedure: Procedure, name: str, midway: bool = False) -> Body:
        """Return a procedure that can be interrupted."""
        body = Body(procedure, name)
        if procedure.enforce != TRUE and not midway and procedure.name not in self.midway:
            body.entry = body.new()
            body.add(body.entry, Assume(procedure.enforce), procedure.entry)
        points = {procedure.entry} if procedure.name in self.noticed_entries else set[Location]()
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                points |= self._call(body, edge, edge.action)
            elif isinstance(edge.action, Concurrent):
                points |= self._concurrent(body, edge, edge.action)
            else:
                self._internal(body, edge, edge.action)
                points |= {edge.target} if self._is_noticed(procedure, edge) else set()
        if self.everywhere:
            points |= {edge.source for edge in body.edges if edge.origin is not None}
        points -= {*procedure.failures, procedure.exit}
        self.interrupt(body, sorted(points))
        return body

    def _internal(self, body: Body, edge: Edge, action: Action) -> None:
        """Write a step that is no call, after which the `enforce` of its procedure holds."""
        source, enforce = edge.source, body.procedure.enforce
        if isinstance(action, Return) and enforce != TRUE:
            source = body.new()
            body.add(edge.source, Assume(enforce), source)
        body.add(source, _enforce(action, enforce), edge.target, edge)

    def _call(self, body: Body, edge: Edge, call: Call) -> set[Location]:
        """Write a call; results for shared variables wait in variables of their own.  Return where to interrupt it."""
        after = {edge.target} if call.procedure in self.noticed_exits else set[Location]()
        call = replace(call, procedure=self.names[call.procedure])
        late = [(index, name) for index, name in enumerate(call.targets) if name in self.shared]
        enforce = body.procedure.enforce
        if not late and enforce == TRUE:
            body.add(edge.source, call, edge.target, edge)
            return after
        waiting = {index: self._result(body, place) for place, (index, _) in enumerate(late)}
        targets = tuple(waiting.get(index, name) for index, name in enumerate(call.targets))
        middle = body.new()
        body.add(edge.source, replace(call, targets=targets), middle, edge)
        names = tuple(name for _, name in late if name is not None)
        assigned = Assign(names, tuple(Var(waiting[index]) for index, _ in late))
        body.add(middle, _enforce(assigned, enforce), edge.target, edge)
        noticed = {edge.target} if late or after or self._reads([enforce]) else set[Location]()
        return {*noticed, *([middle] if after else [])}

    def _result(self, body: Body, place: int) -> str:
        """Return a local variable for a result that waits; no two calls of one activation need it at once."""
        while place >= len(self._results):
            self._results.append(self.fresh.name(f"result{len(self._results)}"))
        if self._results[place] not in body.locals:
            body.locals.append(self._results[place])
        return self._results[place]

    def _concurrent(self, body: Body, edge: Edge, action: Concurrent) -> set[Location]:
        """Write a thread statement; return where to interrupt it."""
        match action.operation:
            case ThreadOperation.ATOMIC_BEGIN | ThreadOperation.ATOMIC_END:
                begins = action.operation is ThreadOperation.ATOMIC_BEGIN
                value = TRUE if begins else FALSE
                bit: Action = Assign((self.inside,), (value,)) if self.inside is not None else Assume(TRUE)
                body.add(edge.source, _enforce(bit, body.procedure.enforce), edge.target, edge)
                return {edge.target} if self._is_noticed(body.procedure, edge) else set()
            case ThreadOperation.END:
                end = body.new()
                body.add(edge.source, self.outside(), end, edge)
                return {end}
            case ThreadOperation.START:
                start = start_of(body.procedure, action)
                given: Sequence[Expr] = action.arguments
                if start[1] is not None:
                    given = [Var(name) for name in started_procedure(self.original, start).parameters]
                for way, _ in self.schedule.starts(self.kinds.index(start), given):
                    body.add(edge.source, _enforce(way, body.procedure.enforce), edge.target, edge)
                return {edge.target}
        raise InternalError(f"'{action.operation.value}' in a program with threads")

    def _make_call(self, original: str, name: str, values: Sequence[str]) -> Call:
        results = self.original.procedure(original).results
        return Call(name, tuple(map(Var, values)), (None,) * len(results))

    def _is_noticed(self, procedure: Procedure, edge: Edge) -> bool:
        """Tell whether a step means anything to another thread, or another one to it."""
        if not isinstance(edge.action, Call) and self._reads([procedure.enforce]):
            return True
        match edge.action:
            case Assume(condition):
                return self._reads([condition])
            case Assign(targets, values, constraint):
                primed = primed_variables(constraint)
                return not self.shared.isdisjoint({*targets, *primed}) or self._reads([*values, constraint])
            case Return(values):
                return self._reads(values)
            case Concurrent(operation):
                return operation is not ThreadOperation.ATOMIC_BEGIN
            case Call():
                return False  # the entry and the way back are looked at by themselves
        raise InternalError(f"{edge.action} is no step of a thread")

    def _reads(self, expressions: Iterable[Expr]) -> bool:
        return any(not self.shared.isdisjoint(variables(expression)) for expression in expressions)


@dataclass(slots=True)
class Body:
    """A procedure that grows; edges keep their locations, new ones come at the end."""

    procedure: Procedure
    name: str
    edges: list[Edge] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    size: int = 0
    entry: Location = 0
    _out: Location | None = None

    def __post_init__(self) -> None:
        self.size, self.entry = self.procedure.size, self.procedure.entry

    def new(self) -> Location:
        """Return a new location."""
        self.size += 1
        return self.size - 1

    def add(self, source: Location, action: Action, target: Location, origin: Edge | None = None) -> Edge:
        """Add an edge and return it; `origin` is what it stands for."""
        span = origin.span if origin is not None else self.procedure.span
        self.edges.append(Edge(source, action, target, span, origin))
        return self.edges[-1]

    def way_out(self, call: Call) -> Location:
        """Return where control goes to that never comes back: a location with a call that does not return."""
        if self._out is None:
            self._out = self.new()
            self.add(self._out, call, self._out)
        return self._out

    def finish(self) -> Procedure:
        """Return the procedure."""
        edges = tuple(sorted(self.edges, key=lambda edge: edge.source))
        more = (*self.procedure.locals, *self.locals)
        return replace(
            self.procedure,
            name=self.name,
            locals=more,
            entry=self.entry,
            edges=edges,
            labels=(),
            failures=(),
            enforce=TRUE,
        )


def _enforce(action: Action, enforce: Expr) -> Action:
    """Return a step after which `enforce` holds; what it does not write holds before it, too."""
    if enforce == TRUE:
        return action
    match action:
        case Assume(condition):
            return Assume(all_of([condition, enforce]))
        case Assign(targets, values, constraint):
            after = prime_variables(enforce, targets)
            return Assign(targets, values, all_of([constraint, after]))
    return action
