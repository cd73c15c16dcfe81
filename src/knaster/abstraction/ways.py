"""A program as ways between cut points: what each does to a state, as expressions over the state before it.

Cut points are entries, exits, loop heads, the two ends of calls, and targets; between them there is no cycle, so that
there are finitely many ways (Gurfinkel, Wei and Chechik compose statements in the same manner).  A way passes where
its `guard` holds, and then gives the variables of `update` their values; its inputs are variables of their own, `?1`,
`?2`, ...  The weakest precondition of a way is a substitution.  Where a procedure has too many ways, locations at
which ways meet are cut points too.

*Ghosts* are the values that parameters and globals had at the entry of the procedure; the ways that leave the entry
give them those values, and what the procedure never changes has its value at the entry everywhere.  Where a loop comes
back to the entry, a location of its own, with a way that does nothing else, stands before it.

Calls of `plain` procedures are parts of ways: their edges stand between the call and what follows it.  An input of
which a guard says all that matters is no variable any more; the way knows its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from knaster.abstraction.expressions import rebuilt, substitute
from knaster.program.compiled import loop_heads
from knaster.program.effects import Effects, effects
from knaster.program.expression import (
    FALSE,
    TRUE,
    Choice,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    Not,
    Var,
    has_choice,
    may_be_undefined,
    operands,
    postorder,
    variables,
)
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.program.types import BOOL, Type, Value, belongs, default

MOST_WAYS = 400  # of one procedure; with more of them, ways that meet are joined
MOST_NODES = 3_000  # of the expressions of one way


class TooLarge(Exception):
    """There are too many ways, or what they do is too long to be written down."""


def ghost(name: str) -> str:
    """Return the name of the value that a variable had at the entry."""
    return f"\\old({name})"


def defined(expr: Expr) -> Expr:
    """Return a condition that holds where an expression has a value: whoever translates it says where that is."""
    return Compare(Comparison.EQUAL, expr, expr)


@dataclass(frozen=True, slots=True)
class Input:
    """A value that a way reads: its variable, its type, the position of its edge in the way; its value where fixed."""

    name: str
    type: Type
    edge: int
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """One way from a cut point to the next one."""

    procedure: str
    source: Location
    target: Location
    guard: tuple[Expr, ...]
    update: Mapping[str, Expr] = field(hash=False)
    inputs: tuple[Input, ...] = ()
    edges: tuple[Edge, ...] = field(default=(), compare=False)
    shape: int = 0  # the same for ways that do the same to variables of the same names and types

    @property
    def ends(self) -> tuple[Place, Place]:
        """Where it begins, and where it ends."""
        return (self.procedure, self.source), (self.procedure, self.target)

    def before(self, expr: Expr) -> Expr:
        """Return the weakest precondition of an expression, as far as its value goes."""
        return substitute(expr, self.update)


@dataclass(frozen=True, slots=True)
class Site:
    """A call: where it stands, whom it calls, with what, and what it changes."""

    procedure: str
    source: Location
    target: Location
    callee: str
    arguments: Mapping[str, Expr] = field(hash=False)  # the callee's parameters, over the caller's state
    results: Mapping[str, str] = field(hash=False)  # what the caller's variables get: names of the callee
    guard: tuple[Expr, ...] = ()
    edge: Edge = field(default=None, compare=False)  # type: ignore[assignment]
    shape: int = 0


@dataclass(frozen=True, slots=True)
class Map:
    """A program, cut: its ways and calls by source, and the types of all that expressions speak of."""

    program: Program
    cuts: Mapping[str, tuple[Location, ...]]
    ways: Mapping[Place, tuple[Way, ...]]
    sites: Mapping[Place, Site]
    types: Mapping[str, Mapping[str, Type]]  # by procedure, ghosts included
    entries: Mapping[str, Place]
    exits: Mapping[str, Place]
    callers: Mapping[str, tuple[Site, ...]]
    rigid: Mapping[str, frozenset[str]]  # by procedure: the globals and parameters that it never changes
    scopes: Mapping[str, int]  # the same number for procedures whose variables have the same names and types

    @property
    def main(self) -> str:
        """The procedure in which the program starts."""
        return self.program.threads[0]

    def places(self) -> list[Place]:
        """Return every cut point."""
        return [(name, location) for name, cuts in self.cuts.items() for location in cuts]


def cut(program: Program, targets: Iterable[Place], plain: frozenset[str] = frozenset()) -> Map:
    """Cut a program; raise `TooLarge` where it has too many ways.  Calls of `plain` procedures are parts of ways."""
    wanted, changed, shapes = set(targets), effects(program), _Shapes(program)
    rigid = {p.name: _rigid(program, p, changed[p.name]) for p in program.procedures}
    cuts: dict[str, tuple[Location, ...]] = {}
    ways: dict[Place, tuple[Way, ...]] = {}
    sites: dict[Place, Site] = {}
    entries: dict[str, Place] = {}
    procedures = [procedure for procedure in program.procedures if procedure.name not in plain]
    callers: dict[str, list[Site]] = {procedure.name: [] for procedure in procedures}
    for procedure in procedures:
        entry = _entry(procedure)
        own = {at for name, at in wanted if name == procedure.name}
        found = _procedure(program, procedure, entry, own, rigid[procedure.name], plain)
        entries[procedure.name] = (procedure.name, entry)
        cuts[procedure.name] = tuple(sorted(found))
        ways |= {(procedure.name, at): tuple(map(shapes.way, leaving)) for at, leaving in found.items()}
        for edge in procedure.edges:
            if isinstance(edge.action, Call) and edge.action.procedure not in plain:
                site = _site(program, procedure, edge, edge.action, changed[edge.action.procedure].mod)
                site = sites[procedure.name, edge.source] = shapes.site(site)
                callers[site.callee].append(site)
    return Map(
        program,
        cuts,
        ways,
        sites,
        {procedure.name: _types(program, procedure) for procedure in program.procedures},
        entries,
        {procedure.name: (procedure.name, procedure.exit) for procedure in procedures},
        {name: tuple(found) for name, found in callers.items()},
        rigid,
        {name: shapes.numbers.setdefault(types, len(shapes.numbers)) for name, types in shapes.types.items()},
    )


class _Shapes:
    """Numbers for what ways and calls do, so that what is alike is abstracted once."""

    def __init__(self, program: Program) -> None:
        self.types = {p.name: tuple(_types(program, p).items()) for p in program.procedures}
        self.numbers: dict[object, int] = {}

    def way(self, way: Way) -> Way:
        """Return a way with its number."""
        key = (way.guard, tuple(way.update.items()), way.inputs, self.types[way.procedure])
        return replace(way, shape=self.numbers.setdefault(key, len(self.numbers)))

    def site(self, site: Site) -> Site:
        """Return a call with its number."""
        passed = (site.guard, tuple(site.arguments.items()), tuple(site.results.items()))
        key = (passed, self.types[site.procedure], self.types[site.callee])
        return replace(site, shape=self.numbers.setdefault(key, len(self.numbers)))


def _rigid(program: Program, procedure: Procedure, does: Effects) -> frozenset[str]:
    names = (*program.globals, *procedure.parameters)
    return frozenset(name for name in names if name not in does.mod and name not in does.modified_locals)


def _entry(procedure: Procedure) -> Location:
    """Return the entry, or a location before it where some edge leads to it."""
    again = any(edge.target == procedure.entry for edge in procedure.edges)
    return procedure.size if again else procedure.entry


def _types(program: Program, procedure: Procedure) -> dict[str, Type]:
    types = program.types_in(procedure)
    ghosts = {ghost(name): types[name] for name in (*program.globals, *procedure.parameters)}
    return {**types, **ghosts}


def _site(program: Program, caller: Procedure, edge: Edge, call: Call, written: Iterable[str]) -> Site:
    callee = program.procedure(call.procedure)
    if sum(other.source == edge.source for other in caller.edges) > 1:
        raise TooLarge(f"line {edge.span.line} calls and does something else")
    results = {name: name for name in program.globals if name in written}
    for target, result in zip(call.targets, callee.results, strict=False):
        if target is not None:
            results[target] = result
    guard = tuple(defined(argument) for argument in call.arguments if may_be_undefined(argument))
    if any(map(has_choice, call.arguments)):
        raise TooLarge(f"line {edge.span.line} chooses an argument")
    arguments = dict(zip(callee.parameters, call.arguments, strict=True))
    return Site(caller.name, edge.source, edge.target, call.procedure, arguments, results, guard, edge)


def _procedure(
    program: Program,
    procedure: Procedure,
    entry: Location,
    wanted: set[Location],
    rigid: frozenset[str],
    plain: frozenset[str],
) -> dict[Location, list[Way]]:
    """Return the ways that leave each cut point of a procedure."""
    leaving = {name: _leaving(program.procedure(name)) for name in (procedure.name, *sorted(plain))}
    entering: dict[Location, int] = {}
    for edge in procedure.edges:
        entering[edge.target] = entering.get(edge.target, 0) + 1
    cuts = {procedure.entry, procedure.exit, *loop_heads(procedure), *wanted}
    for edge in procedure.edges:
        if isinstance(edge.action, Call) and edge.action.procedure not in plain:
            cuts |= {edge.source, edge.target}
    joins = {location for location, count in entering.items() if count > 1}
    for more in ((), joins, leaving[procedure.name]):
        cuts |= set(more)
        try:
            return _Walk(program, procedure, entry, cuts, leaving, rigid, plain).all()
        except TooLarge:
            if more is leaving[procedure.name]:
                raise
    raise AssertionError


def _leaving(procedure: Procedure) -> dict[Location, list[Edge]]:
    found: dict[Location, list[Edge]] = {}
    for edge in procedure.edges:
        found.setdefault(edge.source, []).append(edge)
    return found


@dataclass(frozen=True, slots=True)
class _Frame:
    """A call of a plain procedure that has not returned: the call, and what the caller's variables were."""

    procedure: Procedure
    edge: Edge
    values: Mapping[str, Expr]


@dataclass(slots=True)
class _Point:
    """How far a way has come: where it stands, what must have held, what the variables are by now."""

    location: Location
    guard: tuple[Expr, ...]
    values: dict[str, Expr]
    inputs: tuple[Input, ...]
    edges: tuple[Edge, ...]
    size: int
    frames: tuple[_Frame, ...] = ()


class _Walk:
    """All ways of one procedure."""

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        entry: Location,
        cuts: set[Location],
        leaving: Mapping[str, Mapping[Location, Sequence[Edge]]],
        rigid: frozenset[str],
        plain: frozenset[str],
    ) -> None:
        self.plain = plain
        self.program = program
        self.procedure = procedure
        self.rigid = sorted(rigid)
        self.entry = entry
        self.cuts = cuts
        self.leaving = leaving
        self.names = (*program.globals, *procedure.parameters)
        self.count = 0

    def all(self) -> dict[Location, list[Way]]:
        """Return the ways of every cut point that the entry leads to."""
        found: dict[Location, list[Way]] = {}
        todo = [self.entry]
        while todo:
            location = todo.pop()
            if location in found:
                continue
            found[location] = self._from(location)
            todo += [way.target for way in found[location]]
            todo += [edge.target for edge in self._edges(location) if self._ends(edge)]
        found.setdefault(self.procedure.exit, [])
        for location in self.cuts:
            found.setdefault(location, [])
        return found

    def _edges(self, location: Location, frames: tuple[_Frame, ...] = ()) -> Sequence[Edge]:
        procedure = frames[-1].procedure if frames else self.procedure
        return self.leaving[procedure.name].get(location, ())

    def _ends(self, edge: Edge) -> bool:
        """Tell whether an edge ends a way: a call that is none of a plain procedure."""
        return isinstance(edge.action, Call) and edge.action.procedure not in self.plain

    def _from(self, source: Location) -> list[Way]:
        start: dict[str, Expr] = {ghost(name): Var(name) for name in self.rigid}
        if source == self.entry:
            start = {ghost(name): Var(name) for name in self.names}
            if source != self.procedure.entry:
                return [Way(self.procedure.name, source, self.procedure.entry, (), start)]
        found, todo = [], [_Point(source, (), start, (), (), 0)]
        while todo:
            point = todo.pop()
            if point.frames and point.location == point.frames[-1].procedure.exit:
                todo.append(self._returned(point))
                continue
            if point.edges and not point.frames and point.location in self.cuts:
                self.count += 1
                if self.count > MOST_WAYS:
                    raise TooLarge(f"'{self.procedure.name}' has more than {MOST_WAYS} ways between cut points")
                found.append(self._way(source, point))
                continue
            following = [self._after(point, edge) for edge in self._edges(point.location, point.frames)]
            todo += [after for after in reversed(following) if after is not None]
        return found

    def _way(self, source: Location, point: _Point) -> Way:
        guard, values, inputs = _settled(point.guard, point.values, point.inputs)
        update = {name: value for name, value in values.items() if value != Var(name)}
        return Way(self.procedure.name, source, point.location, guard, update, inputs, point.edges)

    def _returned(self, point: _Point) -> _Point:
        """Go back to the caller of a plain procedure."""
        *below, frame = point.frames
        assert isinstance(frame.edge.action, Call)
        values = {**frame.values, **{name: point.values[name] for name in self.program.globals if name in point.values}}
        for target, result in zip(frame.edge.action.targets, frame.procedure.results, strict=False):
            if target is not None:
                values[target] = point.values[result]
        return replace(point, location=frame.edge.target, values=values, frames=tuple(below))

    def _after(self, point: _Point, edge: Edge) -> _Point | None:
        inputs = list(point.inputs)
        guard = list(point.guard)

        def value(expr: Expr) -> Expr:
            if has_choice(expr):
                expr = _named(expr, inputs, len(point.edges))
            found = substitute(expr, point.values)
            if may_be_undefined(found):
                guard.append(defined(found))
            return found

        values, target, frames = point.values, edge.target, point.frames
        procedure = frames[-1].procedure if frames else self.procedure
        match edge.action:
            case Assume(condition):
                guard.append(value(condition))
            case Assign(targets, expressions, constraint):
                if constraint != TRUE:
                    raise TooLarge(f"line {edge.span.line} constrains what it assigns")
                values = {**values, **{t: value(e) for t, e in zip(targets, expressions, strict=True)}}
            case Return(expressions):
                written = {t: value(e) for t, e in zip(procedure.results, expressions, strict=True)}
                values = {**values, **written}
            case Call(name, arguments) if name in self.plain:
                callee = self.program.procedure(name)
                given = dict(zip(callee.parameters, map(value, arguments), strict=True))
                frames, target = (*frames, _Frame(callee, edge, values)), callee.entry
                types = self.program.types_in(callee)
                values = {each: values[each] for each in self.program.globals if each in values}
                values |= {each: Const(default(types[each])) for each in callee.frame} | given
            case _:
                return None  # a call ends a way: its location is a cut point
        guard = [part for part in guard if part != TRUE]
        if FALSE in guard:
            return None
        size = point.size + sum(_size(part) for part in guard[len(point.guard) :])
        size += sum(_size(part) for name, part in values.items() if part is not point.values.get(name))
        if size > MOST_NODES:
            raise TooLarge(f"what happens before line {edge.span.line} of '{self.procedure.name}' is too long")
        return _Point(target, tuple(guard), values, tuple(inputs), (*point.edges, edge), size, frames)


def _named(expr: Expr, inputs: list[Input], position: int) -> Expr:
    """Return an expression whose choices are variables of new inputs."""
    stack: list[Expr] = []
    for node in postorder(expr):
        if isinstance(node, Choice):
            inputs.append(Input(f"?{len(inputs) + 1}", node.type, position))
            stack.append(Var(inputs[-1].name))
            continue
        count = len(operands(node))
        parts = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        stack.append(rebuilt(node, parts) if count else node)
    return stack.pop()


def _size(expr: Expr) -> int:
    return sum(1 for _ in postorder(expr))


def _settled(
    guard: tuple[Expr, ...], values: Mapping[str, Expr], inputs: tuple[Input, ...]
) -> tuple[tuple[Expr, ...], Mapping[str, Expr], tuple[Input, ...]]:
    """Return a way without the inputs of which its guard says what they are, or which they are not and no more."""
    own = {entry.name: entry for entry in inputs}
    counts: dict[str, int] = {}
    for expr in (*guard, *values.values()):
        for name in variables(expr) & own.keys():
            counts[name] = counts.get(name, 0) + 1
    fixed: dict[str, Value] = {}
    for part in guard:
        said = _said(part)
        if said is None or said[0] not in own or not belongs(said[1], own[said[0]].type):
            continue
        if said[2] or counts[said[0]] == 1:
            fixed.setdefault(said[0], said[1])
    if not fixed:
        return guard, values, inputs
    constants = {name: Const(value) for name, value in fixed.items()}
    guard = tuple(part for part in (substitute(part, constants) for part in guard) if part != TRUE)
    values = {name: substitute(value, constants) for name, value in values.items()}
    return guard, values, tuple(replace(entry, value=fixed.get(entry.name)) for entry in inputs)


def _said(part: Expr) -> tuple[str, Value, bool] | None:
    """Return the variable that a condition is about, a value with which it holds, and whether it is the only one."""
    match part:
        case Var(name):
            return name, True, True
        case Not(Var(name)):
            return name, False, True
        case Compare(Comparison.EQUAL, Var(name), Const(value)):
            return name, value, True
        case Not(Convert(Var(name), type)) if type == BOOL:
            return name, 0, True
        case Convert(Var(name), type) if type == BOOL:
            return name, 1, False
        case Compare(Comparison.DIFFERENT, Var(name), Const(value)) if isinstance(value, int):
            return name, 0 if value else 1, False
        case _:
            return None
