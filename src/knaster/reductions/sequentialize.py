"""Threads to one sequential program, for a bounded number of switches or of rounds: `schedules` says how.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008; Lal's thesis,
sections 7.1 and 7.2).  Differences: a thread that gives up control for ever *calls* the procedure that lets the next
one run, and nobody returns from there, so nothing has to be unwound; a target is a procedure of its own that is called
where it is reached.

A thread may be interrupted only after a step that another one can notice: one that reads or writes a shared variable,
starts a thread or ends a section.  Any run can be changed into such a one: a step that nobody notices can wait until
its thread runs again.  A call whose results go to shared variables is written as two steps, the return and the
assignment.  Sections are a bit that forbids to be interrupted.

The procedures keep their names and locations; what is added has new ones.  A procedure in which threads are started at
a label is there a second time for each such label, with its variables as parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from knaster.errors import InternalError, UsageError
from knaster.program.expression import FALSE, NOWHERE, TRUE, Expr, Not, Var, primed_variables, variables
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
from knaster.reductions.bits import Fresh, all_of
from knaster.reductions.reduction import Effect, Reduction
from knaster.reductions.schedules import Rounds, Schedule, Switches
from knaster.reductions.unravel import unravel
from knaster.results.question import Question, Reach, Target
from knaster.results.trace import Trace

Start = tuple[str, Location | None]  # the procedure of a started thread, and where it begins if not at the entry


def sequentialize(program: Program, question: Question) -> Reduction:
    """Return a sequential program that reaches its targets iff the program with threads does within the bound."""
    bound = question.bound
    if not isinstance(question, Reach) or bound is None:
        raise InternalError("only reachability within a bound is reduced to a sequential program")
    writing = _Writing(program, question)
    reduced = writing.program()
    asked = {writing.target(code): target for code, target in enumerate(question.targets)}

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        original = asked[target]
        return original, unravel(program, writing.schedule, writing.origins, trace)

    return Reduction(program, reduced, replace(question, targets=tuple(asked)), Effect.UNDER, back, asked)


class _Writing:
    """The sequential program that is being written."""

    def __init__(self, program: Program, question: Reach) -> None:
        assert question.bound is not None
        self.original = program
        self.targets = question.targets
        self.shared = frozenset(program.globals)
        fresh = Fresh(program)
        self.kinds = _kinds(program)
        number = question.bound.number
        if question.bound.kind == "rounds":
            if self.kinds:
                raise UsageError("rounds need a fixed number of threads; give --switches instead")
            self.schedule: Schedule = Rounds(program, fresh, number, len(self.targets))
        else:
            width = max((len(self._begun(start).parameters) for start in self.kinds), default=0)
            self.schedule = Switches(program, fresh, number, len(self.kinds), width)
        self.names = {procedure.name: fresh.name(f"do_{procedure.name}") for procedure in program.procedures}
        self.next = fresh.name("next_thread")
        self.reached = [fresh.name(f"reached{code}") for code in range(len(self.targets))]
        self.copies = {
            start: fresh.name(f"do_{start[0]}_from{start[1]}") for start in self.kinds if start[1] is not None
        }
        self.origins = {new: old for old, new in self.names.items()}
        self.origins |= {name: start[0] for start, name in self.copies.items()}
        self._results: list[str] = []
        uses = {edge.action.operation for _, edge in _edges(program) if isinstance(edge.action, Concurrent)}
        self.inside = fresh.name("in_section") if ThreadOperation.ATOMIC_BEGIN in uses else None
        self.fresh = fresh
        free: list[Expr] = [Not(Var(self.inside))] if self.inside is not None else []
        self.free = all_of([*free, *([Not(Var(program.atomic))] if program.atomic is not None else [])])
        self.noticed_entries = {
            edge.action.procedure
            for _, edge in _edges(program)
            if isinstance(edge.action, Call) and self._reads(edge.action.arguments)
        }
        self.noticed_exits = {
            procedure.name
            for procedure in program.procedures
            if any(edge.target == procedure.exit and self.is_noticed(edge) for edge in procedure.edges)
        }

    def program(self) -> Program:
        """Return the whole."""
        groups = self.schedule.groups
        if self.inside is not None:
            groups = ((self.inside, *groups[0]), *groups[1:])
        start = Procedure("main", (), (), (), 0, 1, (Edge(0, Call(self.next, ()), 1),))
        init = self.schedule.init()
        if self.inside is not None:
            init = all_of([Not(Var(self.inside)), init])
        procedures = [self._threaded(procedure, self.names[procedure.name]) for procedure in self.original.procedures]
        procedures += [self._threaded(self._begun(kind), name) for kind, name in self.copies.items()]
        procedures += [self._reached(code) for code in range(len(self.targets))]
        return Program(
            tuple(name for group in groups for name in group),
            (start, self._dispatcher(), *procedures),
            ("main",),
            init,
            self.original.file,
            language=self.original.language,
            together=groups,
        )

    def target(self, code: int) -> Target:
        """Return the target of the sequential program for one of the original."""
        return replace(self.targets[code], procedure=self.reached[code], location=0)

    def is_noticed(self, edge: Edge) -> bool:
        """Tell whether a step means anything to another thread."""
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

    def _begun(self, start: Start) -> Procedure:
        """Return the procedure of a started thread, with all that it is given as parameters."""
        procedure = self.original.procedure(start[0])
        if start[1] is None:
            return procedure
        given = procedure.parameters + procedure.locals
        return replace(procedure, parameters=given, locals=(), entry=start[1])

    def _threaded(self, procedure: Procedure, name: str) -> Procedure:
        """Return a procedure that can be interrupted."""
        body = _Body(procedure, name)
        points = {procedure.entry} if procedure.name in self.noticed_entries else set[Location]()
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                points |= self._call(body, edge, edge.action)
            elif isinstance(edge.action, Concurrent):
                points |= self._concurrent(body, edge, edge.action)
            else:
                body.add(edge.source, edge.action, edge.target, edge)
                points |= {edge.target} if self.is_noticed(edge) else set()
        points -= {*procedure.failures, procedure.exit}
        self._interruptions(body, sorted(points))
        for code, target in enumerate(self.targets):
            if target.procedure == procedure.name:
                for action in self.schedule.arrivals(code):
                    here = body.new()
                    body.add(target.location, action, here)
                    after = self.next if self.schedule.findings(code) is not None else self.reached[code]
                    body.add(here, Call(after, ()), here)
        return body.finished()

    def _call(self, body: _Body, edge: Edge, call: Call) -> set[Location]:
        """Write a call; results for shared variables wait in variables of their own.  Return where to interrupt it."""
        after = {edge.target} if call.procedure in self.noticed_exits else set[Location]()
        call = replace(call, procedure=self.names[call.procedure])
        late = [(index, name) for index, name in enumerate(call.targets) if name in self.shared]
        if not late:
            body.add(edge.source, call, edge.target, edge)
            return after
        waiting = {index: self._result(body, place) for place, (index, _) in enumerate(late)}
        targets = tuple(waiting.get(index, name) for index, name in enumerate(call.targets))
        middle = body.new()
        body.add(edge.source, replace(call, targets=targets), middle, edge)
        names = tuple(name for _, name in late if name is not None)
        assigned = Assign(names, tuple(Var(waiting[index]) for index, _ in late))
        body.add(middle, assigned, edge.target, edge)
        return {edge.target, *([middle] if after else [])}

    def _result(self, body: _Body, place: int) -> str:
        """Return a local variable for a result that waits; no two calls of one activation need it at once."""
        while place >= len(self._results):
            self._results.append(self.fresh.name(f"result{len(self._results)}"))
        if self._results[place] not in body.locals:
            body.locals.append(self._results[place])
        return self._results[place]

    def _concurrent(self, body: _Body, edge: Edge, action: Concurrent) -> set[Location]:
        """Write a thread statement; return where to interrupt it."""
        match action.operation:
            case ThreadOperation.ATOMIC_BEGIN | ThreadOperation.ATOMIC_END:
                begins = action.operation is ThreadOperation.ATOMIC_BEGIN
                value = TRUE if begins else FALSE
                bit: Action = Assign((self.inside,), (value,)) if self.inside is not None else Assume(TRUE)
                body.add(edge.source, bit, edge.target, edge)
                return set() if begins else {edge.target}
            case ThreadOperation.END:
                end = body.new()
                body.add(edge.source, self._outside(), end, edge)
                return {end}
            case ThreadOperation.START:
                start = _start_of(body.procedure, action)
                given: Sequence[Expr] = action.arguments
                if start[1] is not None:
                    given = [Var(name) for name in self._begun(start).parameters]
                for way, _ in self.schedule.starts(self.kinds.index(start), given):
                    body.add(edge.source, way, edge.target, edge)
                return {edge.target}
        raise InternalError(f"'{action.operation.value}' in a program with threads")

    def _outside(self) -> Action:
        return Assume(TRUE) if self.inside is None else Assign((self.inside,), (FALSE,))

    def _interruptions(self, body: _Body, points: Iterable[Location], free: Expr | None = None) -> None:
        """Let the thread be interrupted at some places, for a while and for ever."""
        condition = self.free if free is None else free
        for point in points:
            for action in self.schedule.moves(condition):
                body.add(point, action, point)
            for action in self.schedule.departures(condition):
                body.add(point, action, body.way_out(Call(self.next, ())))

    def _dispatcher(self) -> Procedure:
        """Return the procedure that lets the next thread run; it calls it, and never returns."""
        body = _Body(Procedure(self.next, (), (), (), 0, 1, ()), self.next)
        end, ended = body.new(), body.new()
        body.add(end, self._outside(), ended)
        self._interruptions(body, [ended])
        before: dict[Call, Location] = {}
        for way in self.schedule.entrances():
            for call, given in self._first_calls(way.thread):
                if call not in before:
                    before[call] = body.new()
                    body.add(before[call], call, end)
                    self._interruptions(body, [before[call]], TRUE)
                action = replace(way.action, constraint=all_of([way.action.constraint, given]))
                body.add(0, action, before[call])
        for code, name in enumerate(self.reached):
            found = self.schedule.findings(code)
            if found is not None:
                here = body.new()
                body.add(0, Assume(found), here)
                body.add(here, Call(name, ()), here)
        return body.finished()

    def _first_calls(self, thread: int) -> Iterable[tuple[Call, Expr]]:
        """Return what a thread may begin with, each with a condition."""
        count = len(self.original.threads)
        if thread <= count:
            name = self.original.threads[thread - 1]
            return [(self._calling(name, self.names[name], ()), TRUE)]
        slot = self.schedule.slots[thread - count - 1]
        calls: list[tuple[Call, Expr]] = []
        for kind, start in enumerate(self.kinds):
            parameters = len(self._begun(start).parameters)
            name = self.copies.get(start, self.names[start[0]])
            call = self._calling(start[0], name, slot.values[:parameters])
            calls.append((call, slot.kind.equals(kind)))
        return calls

    def _calling(self, original: str, name: str, values: Sequence[str]) -> Call:
        results = self.original.procedure(original).results
        return Call(name, tuple(map(Var, values)), (None,) * len(results))

    def _reached(self, code: int) -> Procedure:
        target = self.targets[code]
        label = target.name.rpartition(".")[2]
        named = (label,) if any(label == name for p in self.original.procedures for name, _ in p.labels) else ()
        failures = () if named else (0,)
        return Procedure(
            self.reached[code], (), (), (), 0, 1, (), tuple((name, 0) for name in named), failures, span=NOWHERE
        )


@dataclass(slots=True)
class _Body:
    """A procedure that grows; edges keep their locations, new ones come at the end."""

    procedure: Procedure
    name: str
    edges: list[Edge] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    size: int = 0
    _out: Location | None = None

    def __post_init__(self) -> None:
        self.size = self.procedure.size

    def new(self) -> Location:
        """Return a new location."""
        self.size += 1
        return self.size - 1

    def add(self, source: Location, action: Action, target: Location, origin: Edge | None = None) -> None:
        """Add an edge; `origin` is what it stands for."""
        span = origin.span if origin is not None else self.procedure.span
        self.edges.append(Edge(source, action, target, span, origin))

    def way_out(self, call: Call) -> Location:
        """Return where control goes to that never comes back: a location with a call that does not return."""
        if self._out is None:
            self._out = self.new()
            self.add(self._out, call, self._out)
        return self._out

    def finished(self) -> Procedure:
        """Return the procedure."""
        edges = tuple(sorted(self.edges, key=lambda edge: edge.source))
        more = (*self.procedure.locals, *self.locals)
        return replace(self.procedure, name=self.name, locals=more, edges=edges, labels=(), failures=())


def _edges(program: Program) -> Iterable[tuple[Procedure, Edge]]:
    return ((procedure, edge) for procedure in program.procedures for edge in procedure.edges)


def _start_of(procedure: Procedure, action: Concurrent) -> Start:
    return (action.procedure, None) if action.procedure is not None else (procedure.name, action.location)


def _kinds(program: Program) -> list[Start]:
    """Return the different ways in which a thread is started, in the order of the text."""
    found: dict[Start, None] = {}
    for procedure, edge in _edges(program):
        if isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.START:
            found.setdefault(_start_of(procedure, edge.action))
    return list(found)
