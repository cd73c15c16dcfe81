"""A plain search of a program with references: every statement is a Python closure, every state is renamed as a whole.

This is how one writes such a search first, and what `--engine explicit` is measured against.  It takes the steps of
`--reduction none`, counts states, and looks for nothing: failing runs just end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.errors import UnsupportedError
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Expr,
    Field,
    Index,
    IntegerOperator,
    New,
    Not,
    Operator,
    Part,
    Self,
    SizeOf,
    Var,
    operands,
)
from knaster.program.model import Assume, Call, Concurrent, Edge, Program, Return
from knaster.program.objects import ArrayCell, Choose, ClassCell, Join, Mode, Print, Send, Store
from knaster.program.types import default
from knaster.views.heap.canonical_states import State, canonical_state
from knaster.views.heap.memory_layout import Layout, number_value
from knaster.views.heap.primitives import at, ck, dv, elements, pop, put, put_at, rep, rm, size

Memory = tuple[list[Any], list[Any]]  # statics and cells; the cell with address 0 is missing
Function = Callable[[list[Any], list[Any], list[Any], int], Any]  # of statics, cells, locals and the thread

_NUMBERS: dict[IntegerOperator, Callable[[Any, Any], Any]] = {
    IntegerOperator.ADD: lambda a, b: ck(a + b),
    IntegerOperator.SUBTRACT: lambda a, b: ck(a - b),
    IntegerOperator.MULTIPLY: lambda a, b: ck(a * b),
    IntegerOperator.DIVIDE: dv,
    IntegerOperator.REMAINDER: rm,
}
_COMPARISONS: dict[Comparison, Callable[[Any, Any], Any]] = {
    Comparison.EQUAL: lambda a, b: a == b,
    Comparison.DIFFERENT: lambda a, b: a != b,
    Comparison.LESS: lambda a, b: a < b,
    Comparison.AT_MOST: lambda a, b: a <= b,
    Comparison.GREATER: lambda a, b: a > b,
    Comparison.AT_LEAST: lambda a, b: a >= b,
}


class Plain:
    """One search."""

    def __init__(self, program: Program) -> None:
        self.layout = Layout(program)
        self.program = program
        self.queues = self.layout.queues
        self.edges: dict[tuple[int, int], list[Edge]] = {}
        for number, procedure in enumerate(program.procedures):
            for edge in procedure.edges:
                self.edges.setdefault((number, edge.source), []).append(edge)
        self.failures = [set(procedure.failures) for procedure in program.procedures]
        self.functions: dict[tuple[int, int], Function] = {}

    def count(self) -> int:
        """Return the number of states."""
        assert self.program.objects is not None
        statics, heap = list(self.layout.start), [None]
        for name, value in self.program.objects.statics:
            statics[self.layout.statics[name]] = self.function(0, value)(statics, heap, [], 0)
        numbers = self.layout.procedure_numbers
        threads = [(self.frame(numbers[name], (), False),) for name in self.program.threads]
        seen: set[State] = set()
        todo: deque[State] = deque()

        def reach(choosing: int, statics: Sequence[Any], heap: Sequence[Any], threads: Any) -> None:
            state = canonical_state(self.layout, choosing, statics, heap, threads)
            if state not in seen:
                seen.add(state)
                todo.append(state)

        reach(0, statics, heap, threads)
        while todo:
            self.expand(todo.popleft(), reach)
        return len(seen)

    def expand(self, state: State, reach: Callable[..., None]) -> None:
        """Reach the successors of a state."""
        choosing, _, threads, _ = state
        if choosing:
            for value in self.alternatives(state, choosing) or ():
                self.go(state, choosing, True, value, reach)
            return
        for thread, stack in enumerate(threads, start=1):
            if not stack:
                continue
            edges = self.edges[stack[-1][0], stack[-1][1]]
            if isinstance(edges[0].action, Join) and not self.alternatives(state, thread):
                continue
            self.go(state, thread, False, None, reach)

    def alternatives(self, state: State, thread: int) -> Any:
        """Return what a thread can choose from in a state; None where it chooses nothing."""
        _, statics, threads, cells = state
        return self.choices(list(statics), [None, *cells], threads[thread - 1][-1], thread)

    def choices(self, statics: list[Any], heap: list[Any], frame: Any, thread: int) -> Any:
        """Return the alternatives of the next step of a frame; None where there is no choice."""
        procedure, location, _, values = frame
        edges = self.edges[procedure, location]
        local = list(values)
        if isinstance(choose := edges[0].action, Choose):
            if choose.collection is None:
                return choose.values
            cell = heap[self.function(procedure, choose.collection)(statics, heap, local, thread)]
            return elements(cell, self.queues)
        if not isinstance(edges[0].action, Join):
            return None
        found = []
        for number, edge in enumerate(edges):
            join = edge.action
            assert isinstance(join, Join)
            waits = all(self.function(procedure, each)(statics, heap, local, thread) for each in join.waits)
            if waits and all(
                heap[self.function(procedure, channel)(statics, heap, local, thread)][1] for channel, _ in join.receives
            ):
                found.append(number)
                if join.mode is Mode.FIRST:
                    break
        return found

    def go(self, state: State, thread: int, chosen: bool, value: Any, reach: Callable[..., None]) -> None:
        """Let a thread run to its next scheduling point or choice."""
        statics, heap = list(state[1]), [None, *state[3]]
        threads: list[list[Any]] = [list(stack) for stack in state[2]]
        frames = threads[thread - 1]
        while True:
            if not chosen:
                values = self.choices(statics, heap, frames[-1], thread)
                if values is not None and len(values) > 1:
                    reach(thread, statics, heap, threads)
                    return
                value = values[0] if values else None
            keeps = self.step(statics, heap, frames, thread, value, threads)
            chosen = False
            if keeps is None or (frames and frames[-1][1] in self.failures[frames[-1][0]]):
                return
            if not keeps:
                reach(0, statics, heap, threads)
                return

    def step(
        self, statics: list[Any], heap: list[Any], frames: list[Any], thread: int, value: Any, threads: list[Any]
    ) -> bool | None:
        """Take one step; tell whether the thread keeps on, None where an assume fails."""
        procedure, location, base, values = frames[-1]
        edges, local = self.edges[procedure, location], list(values)
        edge = edges[0]
        function = self.function

        def evaluated(expr: Expr) -> Any:
            return function(procedure, expr)(statics, heap, local, thread)

        match edge.action:
            case Assume(condition):
                if not evaluated(condition):
                    if len(edges) == 1:
                        return None
                    edge = edges[1]
            case Store(places, source):
                self.store(procedure, places, evaluated(source), statics, heap, local, thread)
            case Choose(place):
                self.store(procedure, (place,), value, statics, heap, local, thread)
            case Send(channel, source):
                address = evaluated(channel)
                put(heap, address, 1, (*heap[address][1], evaluated(source)))
            case Print():
                pass
            case Join():
                edge = edges[value]
                assert isinstance(edge.action, Join)
                for channel, place in edge.action.receives:
                    message = pop(heap, evaluated(channel))
                    self.store(procedure, (place,), message, statics, heap, local, thread)
            case Concurrent(_, _, started, arguments):
                assert started is not None
                callee = self.layout.procedure_numbers[started]
                threads.append([self.frame(callee, [evaluated(each) for each in arguments], False)])
            case Call(name, arguments):
                callee = self.layout.procedure_numbers[name]
                frames.append(self.frame(callee, [evaluated(each) for each in arguments], base or edge.keeps))
                return base or edge.keeps
            case Return(results):
                return self.come_back(statics, heap, frames, thread, [evaluated(each) for each in results])
            case action:
                raise UnsupportedError(f"{type(action).__name__} in the plain search")
        self.forget(procedure, edge, local)
        frames[-1] = procedure, edge.target, base, tuple(local)
        return edge.keeps or base

    def come_back(
        self, statics: list[Any], heap: list[Any], frames: list[Any], thread: int, results: list[Any]
    ) -> bool:
        """Return to the caller; tell whether it keeps on."""
        del frames[-1]
        if not frames:
            return False
        procedure, location, base, values = frames[-1]
        edge, local = self.edges[procedure, location][0], list(values)
        assert isinstance(edge.action, Call)
        for place, result in zip(edge.action.places, results, strict=True):
            if place is not None:
                self.store(procedure, (place,), result, statics, heap, local, thread)
        self.forget(procedure, edge, local)
        frames[-1] = procedure, edge.target, base, tuple(local)
        return base or edge.keeps

    def frame(self, procedure: int, arguments: Sequence[Any], base: bool) -> Any:
        """Return a new activation."""
        known = self.layout.procedures[procedure]
        return procedure, known.procedure.entry, base, (*arguments, *known.defaults[len(arguments) :])

    def forget(self, procedure: int, edge: Edge, local: list[Any]) -> None:
        """Reset what a scope that is left has declared."""
        known = self.layout.procedures[procedure]
        for name in edge.forgets:
            local[known.slots[name]] = known.defaults[known.slots[name]]

    def store(
        self,
        procedure: int,
        places: Sequence[Expr],
        value: Any,
        statics: list[Any],
        heap: list[Any],
        local: list[Any],
        thread: int,
    ) -> None:
        """Give places a value."""
        for place in reversed(places):
            path: list[int] = []
            while isinstance(place, Part):
                path.insert(0, place.index)
                place = place.struct
            new = rep(self.function(procedure, place)(statics, heap, local, thread), path, value) if path else value
            given = [self.function(procedure, each)(statics, heap, local, thread) for each in operands(place)]
            match place:
                case Var(name):
                    slots = self.layout.procedures[procedure].slots
                    if name in slots:
                        local[slots[name]] = new
                    else:
                        statics[self.layout.statics[name]] = new
                case Field(_, index):
                    put(heap, given[0], index + 1, new)
                case Index():
                    put_at(heap, given[0], given[1], new)

    def function(self, procedure: int, expr: Expr) -> Function:
        """Return the closure of an expression, made once."""
        found = self.functions.get((procedure, id(expr)))
        if found is None:
            found = self.functions[procedure, id(expr)] = self.closure(procedure, expr)
        return found

    def closure(self, procedure: int, expr: Expr) -> Function:
        """Return a function that evaluates an expression."""
        inner = [self.function(procedure, operand) for operand in operands(expr)]
        queues, slots = self.queues, self.layout.procedures[procedure].slots
        match expr, inner:
            case Const(value), _:
                constant = number_value(value)
                return lambda G, H, L, T: constant
            case Var(name), _:
                if name in slots:
                    slot = slots[name]
                    return lambda G, H, L, T: L[slot]
                slot = self.layout.statics[name]
                return lambda G, H, L, T: G[slot]
            case Self(), _:
                return lambda G, H, L, T: T
            case Not(), [a]:
                return lambda G, H, L, T: not a(G, H, L, T)
            case Binary(Operator.AND), [a, b]:
                return lambda G, H, L, T: a(G, H, L, T) and b(G, H, L, T)
            case Binary(Operator.OR), [a, b]:
                return lambda G, H, L, T: a(G, H, L, T) or b(G, H, L, T)
            case Conditional(), [a, b, c]:
                return lambda G, H, L, T: b(G, H, L, T) if a(G, H, L, T) else c(G, H, L, T)
            case Compare(comparison), [a, b]:
                compare = _COMPARISONS[comparison]
                return lambda G, H, L, T: compare(a(G, H, L, T), b(G, H, L, T))
            case Arithmetic(operator), [a, b] if operator in _NUMBERS:
                compute = _NUMBERS[operator]
                return lambda G, H, L, T: compute(a(G, H, L, T), b(G, H, L, T))
            case Part(_, index), [a]:
                return lambda G, H, L, T: a(G, H, L, T)[index]
            case Field(_, index), [a]:
                return lambda G, H, L, T: H[a(G, H, L, T)][index + 1]
            case Index(), [a, b]:
                return lambda G, H, L, T: at(H[a(G, H, L, T)], b(G, H, L, T), queues)
            case SizeOf(), [a]:
                return lambda G, H, L, T: size(H[a(G, H, L, T)], queues)
            case New(name), _:
                return self.made(procedure, name, inner)
            case _:
                raise UnsupportedError(f"{type(expr).__name__} in the plain search")

    def made(self, procedure: int, name: str, inner: list[Function]) -> Function:
        """Return a function that adds a cell."""
        known = self.layout.classes[self.layout.class_numbers[name]]
        cell, empty = known.cell, known.empty
        initial: list[tuple[int, Function]] = []
        if isinstance(cell, ClassCell):
            names = [field for field, _ in cell.fields]
            initial = [(names.index(field) + 1, self.function(procedure, value)) for field, value in cell.initial]

        def make(G: list[Any], H: list[Any], L: list[Any], T: int) -> int:
            new = empty
            if isinstance(cell, ArrayCell):
                length = cell.length if cell.length is not None else inner[0](G, H, L, T)
                new = empty + (number_value(default(cell.element)),) * length
            H.append(new)
            address = len(H) - 1
            for slot, value in initial:
                put(H, address, slot, value(G, H, L, T))
            return address

        return make
