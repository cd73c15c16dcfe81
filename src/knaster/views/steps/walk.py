"""Reads steps as paths: composes the edges of each procedure forwards, one straight line at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.base.records import dataclass, replace
from knaster.program.algebra import substitute
from knaster.program.effects import Effects, effects
from knaster.program.expression import FALSE, TRUE, Const, Expr, Var, has_choice, may_be_undefined, postorder
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return, old
from knaster.program.types import Type, default
from knaster.views.steps.cut import CutProgram
from knaster.views.steps.inputs import name_choices, settle_inputs
from knaster.views.steps.paths import CallPath, Input, Paths, StepPath, TooLarge, definedness

MOST_PATHS = 400  # of one procedure; with more of them, where they meet is a cut point
MOST_NODES = 3_000  # of the expressions of one path


def read_paths(cut: CutProgram) -> Paths:
    """Return the steps of a program as paths; raise `TooLarge` where there are too many."""
    program, inlined = cut.program, cut.inlined
    changes, shapes = effects(program), _Shapes(program)
    rigid = {p.name: _rigid(program, p, changes[p.name]) for p in program.procedures}
    points: dict[str, tuple[Location, ...]] = {}
    leaving: dict[Place, tuple[StepPath, ...]] = {}
    calls: dict[Place, CallPath] = {}
    entries: dict[str, Place] = {}
    procedures = [procedure for procedure in program.procedures if procedure.name not in inlined]
    callers: dict[str, list[CallPath]] = {procedure.name: [] for procedure in procedures}
    for procedure in procedures:
        entry = _entry(procedure)
        paths = _walk(cut, procedure, entry, rigid[procedure.name])
        entries[procedure.name] = (procedure.name, entry)
        points[procedure.name] = tuple(sorted(paths))
        leaving |= {(procedure.name, at): tuple(map(shapes.path, some)) for at, some in paths.items()}
        for edge in procedure.edges:
            if isinstance(edge.action, Call) and edge.action.procedure not in inlined:
                call = _call(program, procedure, edge, edge.action, changes[edge.action.procedure].mod)
                call = calls[procedure.name, edge.source] = shapes.call(call)
                callers[call.callee].append(call)
    return Paths(
        program,
        points,
        leaving,
        calls,
        {procedure.name: _types(program, procedure) for procedure in program.procedures},
        entries,
        {procedure.name: (procedure.name, procedure.exit) for procedure in procedures},
        {name: tuple(some) for name, some in callers.items()},
        rigid,
        {name: shapes.numbers.setdefault(types, len(shapes.numbers)) for name, types in shapes.types.items()},
    )


class _Shapes:
    """Numbers for what paths and calls do, so that what is alike is abstracted once."""

    def __init__(self, program: Program) -> None:
        self.types = {p.name: tuple(_types(program, p).items()) for p in program.procedures}
        self.numbers: dict[object, int] = {}

    def path(self, path: StepPath) -> StepPath:
        """Return a path with its number."""
        key = (path.guard, tuple(path.update.items()), path.inputs, self.types[path.procedure])
        return replace(path, shape=self.numbers.setdefault(key, len(self.numbers)))

    def call(self, call: CallPath) -> CallPath:
        """Return a call with its number."""
        passed = (call.guard, tuple(call.arguments.items()), tuple(call.results.items()))
        key = (passed, self.types[call.procedure], self.types[call.callee])
        return replace(call, shape=self.numbers.setdefault(key, len(self.numbers)))


def _rigid(program: Program, procedure: Procedure, does: Effects) -> frozenset[str]:
    names = (*program.globals, *procedure.parameters)
    return frozenset(name for name in names if name not in does.mod and name not in does.modified_locals)


def _entry(procedure: Procedure) -> Location:
    """Return the entry, or a location before it where some edge leads to it."""
    again = any(edge.target == procedure.entry for edge in procedure.edges)
    return procedure.size if again else procedure.entry


def _types(program: Program, procedure: Procedure) -> dict[str, Type]:
    types = program.types_in(procedure)
    return {**types, **{old(name): types[name] for name in (*program.globals, *procedure.parameters)}}


def _call(program: Program, caller: Procedure, edge: Edge, call: Call, written: Iterable[str]) -> CallPath:
    callee = program.procedure(call.procedure)
    if sum(other.source == edge.source for other in caller.edges) > 1:
        raise TooLarge(f"line {edge.span.line} calls and does something else")
    results = {name: name for name in program.globals if name in written}
    results |= dict(call.results(callee))
    guard = tuple(definedness(argument) for argument in call.arguments if may_be_undefined(argument))
    if any(map(has_choice, call.arguments)):
        raise TooLarge(f"line {edge.span.line} chooses an argument")
    arguments = dict(call.bindings(callee))
    return CallPath(caller.name, edge.source, edge.target, call.procedure, arguments, results, guard, edge)


def _walk(
    cut: CutProgram, procedure: Procedure, entry: Location, rigid: frozenset[str]
) -> dict[Location, list[StepPath]]:
    """Return the paths that leave each cut point of a procedure."""
    entering: dict[Location, int] = {}
    for edge in procedure.edges:
        entering[edge.target] = entering.get(edge.target, 0) + 1
    joins = {location for location, count in entering.items() if count > 1}
    points = set(cut.points[procedure.name])
    everywhere = procedure.leaving
    for more in ((), joins, everywhere):
        points |= set(more)
        try:
            return _Walk(cut, procedure, entry, points, rigid).all()
        except TooLarge:
            if more is everywhere:
                raise
    raise AssertionError


@dataclass(frozen=True, slots=True)
class _Frame:
    """A call of an inlined procedure that has not returned: the call, and what the caller's variables were."""

    procedure: Procedure
    edge: Edge
    values: Mapping[str, Expr]


@dataclass(slots=True)
class _Point:
    """How far a path has come: where it stands, what must have held, what the variables are by now."""

    location: Location
    guard: tuple[Expr, ...]
    values: dict[str, Expr]
    inputs: tuple[Input, ...]
    edges: tuple[Edge, ...]
    size: int
    frames: tuple[_Frame, ...] = ()


class _Walk:
    """All paths of one procedure."""

    def __init__(
        self,
        cut: CutProgram,
        procedure: Procedure,
        entry: Location,
        points: set[Location],
        rigid: frozenset[str],
    ) -> None:
        self.inlined = cut.inlined
        self.program: Program = cut.program
        self.procedure = procedure
        self.rigid = sorted(rigid)
        self.entry = entry
        self.points = points
        self.names = (*cut.program.globals, *procedure.parameters)
        self.count = 0

    def all(self) -> dict[Location, list[StepPath]]:
        """Return the paths of every cut point that the entry leads to."""
        found: dict[Location, list[StepPath]] = {}
        todo = [self.entry]
        while todo:
            location = todo.pop()
            if location in found:
                continue
            found[location] = self._from(location)
            todo += [path.target for path in found[location]]
            todo += [edge.target for edge in self._edges(location) if self._ends(edge)]
        found.setdefault(self.procedure.exit, [])
        for location in self.points:
            found.setdefault(location, [])
        return found

    def _edges(self, location: Location, frames: tuple[_Frame, ...] = ()) -> tuple[Edge, ...]:
        procedure = frames[-1].procedure if frames else self.procedure
        return procedure.leaving.get(location, ())

    def _ends(self, edge: Edge) -> bool:
        """Tell whether an edge ends a path: a call of a procedure that is not inlined."""
        return isinstance(edge.action, Call) and edge.action.procedure not in self.inlined

    def _from(self, source: Location) -> list[StepPath]:
        start: dict[str, Expr] = {old(name): Var(name) for name in self.rigid}
        if source == self.entry:
            start = {old(name): Var(name) for name in self.names}
            if source != self.procedure.entry:
                return [StepPath(self.procedure.name, source, self.procedure.entry, (), start)]
        found, todo = [], [_Point(source, (), start, (), (), 0)]
        while todo:
            point = todo.pop()
            if point.frames and point.location == point.frames[-1].procedure.exit:
                todo.append(self._return_to_caller(point))
                continue
            if point.edges and not point.frames and point.location in self.points:
                self.count += 1
                if self.count > MOST_PATHS:
                    raise TooLarge(f"'{self.procedure.name}' has more than {MOST_PATHS} ways between cut points")
                found.append(self._path(source, point))
                continue
            following = [self._after(point, edge) for edge in self._edges(point.location, point.frames)]
            todo += [after for after in reversed(following) if after is not None]
        return found

    def _path(self, source: Location, point: _Point) -> StepPath:
        guard, values, inputs = settle_inputs(point.guard, point.values, point.inputs)
        update = {name: value for name, value in values.items() if value != Var(name)}
        return StepPath(self.procedure.name, source, point.location, guard, update, inputs, point.edges)

    def _return_to_caller(self, point: _Point) -> _Point:
        """Go back to the caller of an inlined procedure."""
        *below, frame = point.frames
        assert isinstance(frame.edge.action, Call)
        values = {**frame.values, **{name: point.values[name] for name in self.program.globals if name in point.values}}
        values |= {target: point.values[result] for target, result in frame.edge.action.results(frame.procedure)}
        return replace(point, location=frame.edge.target, values=values, frames=tuple(below))

    def _after(self, point: _Point, edge: Edge) -> _Point | None:
        inputs = list(point.inputs)
        guard = list(point.guard)

        def value(expr: Expr) -> Expr:
            if has_choice(expr):
                expr = name_choices(expr, inputs, len(point.edges))
            found = substitute(expr, point.values)
            if may_be_undefined(found):
                guard.append(definedness(found))
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
            case Call(name) if name in self.inlined:
                callee = self.program.procedure(name)
                given = {parameter: value(argument) for parameter, argument in edge.action.bindings(callee)}
                frames, target = (*frames, _Frame(callee, edge, values)), callee.entry
                types = self.program.types_in(callee)
                values = {each: values[each] for each in self.program.globals if each in values}
                values |= {each: Const(default(types[each])) for each in callee.frame} | given
            case _:
                return None  # a call ends a path: its location is a cut point
        guard = [part for part in guard if part != TRUE]
        if FALSE in guard:
            return None
        size = point.size + sum(_size(part) for part in guard[len(point.guard) :])
        size += sum(_size(part) for name, part in values.items() if part is not point.values.get(name))
        if size > MOST_NODES:
            raise TooLarge(f"what happens before line {edge.span.line} of '{self.procedure.name}' is too long")
        return _Point(target, tuple(guard), values, tuple(inputs), (*point.edges, edge), size, frames)


def _size(expr: Expr) -> int:
    return sum(1 for _ in postorder(expr))
