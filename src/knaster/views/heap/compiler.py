"""The compiler: from the edges of a location, a Python function that takes the step, made when it is first reached.

The functions work on a *memory* `M` (statics and heap), the locals `L` of the running frame as a list, and the number
`T` of its thread.  Two kinds of memory exist, and the source differs only in how it reads and writes them: `PLAIN` has
lists, `TRACKED` is asked (`heap.overlay`).  A reference to nothing is met as a `TypeError` or raises `Fails` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.records import dataclass, replace
from knaster.program.expression import Self, postorder
from knaster.program.model import Assume, Call, Concurrent, Edge, Location, Return
from knaster.program.objects import Choose, Join, Mode, Print, Raise, Send, Store, Update
from knaster.program.types import default
from knaster.views.heap import primitives
from knaster.views.heap.memory_layout import Layout, Locals, number_value
from knaster.views.heap.mentions import expressions
from knaster.views.heap.sources import Sources

Function = Callable[..., Any]


class Kind(Enum):
    """What a location does."""

    STEP = 0  # run(M, L, T) -> next location, or -1 where an assume fails
    CALL = 1  # run -> (procedure, arguments); take(M, L, T, results)
    RETURN = 2  # run -> results
    CHOOSE = 3  # run -> values; take(M, L, T, value)
    SELECT = 4  # run -> numbers of enabled branches; take(M, L, T, number) -> next location
    START = 5  # run -> arguments
    RAISE = 6


@dataclass(frozen=True, slots=True)
class Code:
    """A compiled location; `local` says that it touches nothing that another thread can see."""

    kind: Kind
    run: Function
    take: Function
    next: Location
    keeps: bool
    local: bool
    line: int
    procedure: int = -1  # that a START starts
    exception: str = ""
    may_end: bool = False
    takes_local: bool = True  # of a CALL: its results go to locals
    numbered: bool = False  # it asks for the number of its thread


class Compiler:
    """Compiles the locations of one program for one kind of memory."""

    def __init__(self, layout: Layout, tracked: bool) -> None:
        self.layout = layout
        self.tracked = tracked
        self.codes: list[list[Code | None]] = [[None] * procedure.size for procedure in layout.program.procedures]
        self.environment: Mapping[str, Any] = vars(primitives)

    def code(self, procedure: int, location: Location) -> Code:
        """Return the code of a location."""
        found = self.codes[procedure][location]
        if found is None:
            leaving = self.layout.program.procedures[procedure].leaving
            edges = leaving[location]
            found = self._compile(procedure, edges)
            if any(isinstance(node, Self) for edge in edges for expr in expressions(edge) for node in postorder(expr)):
                found = replace(found, numbered=True)
            self.codes[procedure][location] = found
        return found

    def _compile(self, number: int, edges: Sequence[Edge]) -> Code:
        frame = self.layout.procedures[number]
        sources = Sources(self.layout, frame, self.tracked, self)
        edge = edges[0]
        line, keeps, next_ = edge.span.line, edge.keeps, edge.target
        forget = [self._forget(frame, each) for each in edges]
        local = all(sources.is_local(each) for each in edges)
        match edge.action:
            case Assume(condition):
                test = sources.expression(condition)
                otherwise = [f"return {edges[1].target}"] if len(edges) > 1 else ["return -1"]
                body = [f"if {test}:", *_inner([*forget[0], f"return {next_}"]), *forget[-1], *otherwise]
                run = self._function(sources, body)
                free = local and len(edges) > 1 and edges[1].target not in frame.procedure.failures
                return Code(Kind.STEP, run, run, next_, keeps, free or _passes(edge), line)
            case Store(places, value):
                body = sources.store(places, sources.expression(value))
            case Send(channel, value):
                body = [
                    f"c = {sources.expression(channel)}",
                    f"v = {sources.expression(value)}",
                    sources.push("c", "v"),
                ]
            case Update():
                body = sources.update(edge.action)
            case Print():
                body = []
            case Choose(place, values, collection):
                chosen = repr(values) if collection is None else sources.elements(sources.expression(collection))
                run = self._function(sources, [f"return {chosen}"])
                take = self._function(sources, [*sources.store((place,), "V"), *forget[0]], ", V")
                return Code(Kind.CHOOSE, run, take, next_, keeps, False, line)
            case Call():
                return self._call(sources, edge, edge.action, forget[0], local)
            case Return(given):
                run = self._function(sources, [f"return ({''.join(f'{sources.expression(v)}, ' for v in given)})"])
                return Code(Kind.RETURN, run, run, next_, keeps, local, line)
            case Concurrent(_, _, started, arguments):
                assert started is not None
                given_ = "".join(f"{sources.expression(value)}, " for value in arguments)
                run = self._function(sources, [f"A = ({given_})", *forget[0], "return A"])
                callee = self.layout.procedure_numbers[started]
                return Code(Kind.START, run, run, next_, keeps, False, line, callee)
            case Raise(exception):
                run = self._function(sources, ["return ()"])
                return Code(Kind.RAISE, run, run, next_, keeps, False, line, exception=exception)
            case Join():
                return self._select(sources, edges, forget)
            case action:
                raise InternalError(f"{action} in a program with references")
        run = self._function(sources, [*body, *forget[0], f"return {next_}"])
        return Code(Kind.STEP, run, run, next_, keeps, local, line)

    def _call(self, sources: Sources, edge: Edge, call: Call, forget: list[str], local: bool) -> Code:
        given = "".join(f"{sources.expression(value)}, " for value in call.arguments)
        numbers = self.layout.procedure_numbers
        callee = str(numbers[call.procedure]) if not call.dispatch else ""
        if call.dispatch:
            table = {self.layout.class_numbers[name]: numbers[target] for name, target in call.dispatch}
            callee = f"{table!r}[{sources.class_of('A[0]')}]"
        run = self._function(sources, [f"A = ({given})", f"return ({callee}, A)"])
        taken: list[str] = []
        for index, place in enumerate(call.places):
            if place is not None:
                taken += sources.store((place,), f"V[{index}]")
        take = self._function(sources, [*taken, *forget], ", V")
        takes_local = all(place is None or sources.is_local_place(place) for place in call.places)
        local = local and not call.dispatch
        return Code(Kind.CALL, run, take, edge.target, edge.keeps, local, edge.span.line, takes_local=takes_local)

    def _select(self, sources: Sources, edges: Sequence[Edge], forget: list[list[str]]) -> Code:
        tests, takes = ["E = []"], []
        first = False
        for number, edge in enumerate(edges):
            join = edge.action
            assert isinstance(join, Join)
            conditions = [sources.expression(wait) for wait in join.waits]
            conditions += [sources.elements(sources.expression(channel)) for channel, _ in join.receives]
            first = join.mode is Mode.FIRST
            test = " and ".join(f"({condition})" for condition in conditions) or "True"
            tests += [f"if {test}:", *_inner([f"return [{number}]" if first else f"E.append({number})"])]
            body: list[str] = []
            for channel, place in join.receives:
                body += [f"X = {sources.pop(sources.expression(channel))}", *sources.store((place,), "X")]
            takes += [f"if V == {number}:", *_inner([*body, *forget[number], f"return {edge.target}"])]
        run = self._function(sources, [*tests, "return E"])
        take = self._function(sources, takes, ", V")
        edge = edges[0]
        may_end = isinstance(edge.action, Join) and edge.action.may_end
        return Code(Kind.SELECT, run, take, edge.target, edge.keeps, False, edge.span.line, may_end=may_end)

    def _forget(self, frame: Locals, edge: Edge) -> list[str]:
        types = self.layout.program.types_in(frame.procedure) if edge.forgets else {}
        return [f"L[{frame.slots[name]}] = {number_value(default(types[name]))!r}" for name in edge.forgets]

    def _function(self, sources: Sources, body: list[str], more: str = "") -> Function:
        """Return a function with this body."""
        lines = [f"def step(M, L, T{more}):", *_inner(sources.prologue + (body or ["pass"]))]
        namespace: dict[str, Any] = {**self.environment, "C": sources.constants}
        exec("\n".join(lines), namespace)
        function: Function = namespace["step"]
        return function


def _inner(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _passes(edge: Edge) -> bool:
    """Tell whether an assume always holds."""
    from knaster.program.expression import TRUE

    return isinstance(edge.action, Assume) and edge.action.condition == TRUE
