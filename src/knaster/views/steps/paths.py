"""The ways of one procedure: its edges composed from cut point to cut point, forwards (`abstraction.ways`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from knaster.program.algebra import rebuilt, substitute
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
from knaster.program.model import Assign, Assume, Call, Edge, Location, Procedure, Program, Return, old
from knaster.program.types import BOOL, Value, belongs, default
from knaster.views.steps.step import Input, TooLarge, Way, defined

MOST_WAYS = 400  # of one procedure; with more of them, ways that meet are joined
MOST_NODES = 3_000  # of the expressions of one way


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


class Walk:
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
        start: dict[str, Expr] = {old(name): Var(name) for name in self.rigid}
        if source == self.entry:
            start = {old(name): Var(name) for name in self.names}
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
        for target, result in frame.edge.action.results(frame.procedure):
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
