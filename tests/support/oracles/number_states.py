"""The edges on runs of a sequential program over numbers to some places, by all of its states; inputs have few values.

A *call* is a procedure with globals and arguments; its states are tabulated once.  Backwards from the places: a state
*stays* where a place is reached before its call returns, and so do all that enter such a call; it *leaves* where that
happens after some return of its call, and then whoever entered the call is known from the other side of the return.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.program.model import Edge, Place, Program
from knaster.program.state import Undefined
from knaster.program.types import Int, Value
from knaster.semantics.python_code import Code, Enter, Read, Test, Write, compile_program
from knaster.views.weighted.flow_graph import initial_values

Values = tuple[Value, ...]
Call = tuple[str, Values]
State = tuple[Call, int, Values]  # in which call, where, with which values
Origin = tuple[State, Edge, str]  # the state before, and how it leads here: "step", "enter" or "return"


def edges_to_places(program: Program, places: set[Place], inputs: Sequence[int], limit: int) -> set[int] | None:
    """Return the edges (by `id`) that runs take on their way to one of the places; None where there are more states."""
    table = _Table(program, places, inputs)
    if not table.fill(limit):
        return None
    return table.edges_back()


def states_by_place(program: Program, inputs: Sequence[int], limit: int) -> dict[Place, set[Values]] | None:
    """Return the states (in the order of `Program.scope`) at each place that is reached; None where there are more."""
    table = _Table(program, set(), inputs)
    if not table.fill(limit):
        return None
    found: dict[Place, set[Values]] = {}
    for (name, _), location, values in table.before:
        found.setdefault((name, location), set()).add(values)
    return found


class _Table:
    def __init__(self, program: Program, places: set[Place], inputs: Sequence[int]) -> None:
        self.codes, self.places, self.inputs = compile_program(program), places, inputs
        self.before: dict[State, list[Origin]] = {}
        self.todo: list[State] = []
        self.waiting: dict[Call, list[tuple[State, Enter]]] = {}
        self.exits: dict[Call, list[State]] = {}
        main, fixed = self.codes[program.threads[0]], dict(initial_values(program.init))
        globals = tuple(fixed.get(name, main.initial[index]) for index, name in enumerate(main.scope[: main.globals]))
        self._reach(self._entry((main.procedure.name, globals)))

    def fill(self, limit: int) -> bool:
        """Find all states; tell whether there are no more than so many."""
        while self.todo:
            if len(self.before) > limit:
                return False
            state = self.todo.pop()
            if (state[0][0], state[1]) not in self.places:
                self._expand(state)
        return True

    def edges_back(self) -> set[int]:
        """Return the edges on ways to the places."""
        goals = [state for state in self.before if (state[0][0], state[1]) in self.places]
        todo = [(state, True) for state in goals]
        seen, edges = set(todo), set[int]()
        while todo:
            state, stays = todo.pop()
            for source, edge, how in self.before[state]:
                if how == "enter" and not stays:
                    continue
                edges.add(id(edge))
                origin = (source, stays and how != "return")
                if origin not in seen:
                    seen.add(origin)
                    todo.append(origin)
        return edges

    def _entry(self, call: Call) -> State:
        code = self.codes[call[0]]
        return call, code.procedure.entry, (*call[1], *code.initial[len(call[1]) :])

    def _reach(self, state: State, *origins: Origin) -> None:
        if state not in self.before:
            self.before[state] = []
            self.todo.append(state)
        self.before[state] += origins

    def _expand(self, state: State) -> None:
        call, here, values = state
        code = self.codes[call[0]]
        if here == code.procedure.exit:
            self.exits.setdefault(call, []).append(state)
            for waiting, enter in self.waiting.get(call, ()):
                self._return(waiting, enter, state)
            return
        for move in code.moves[here]:
            if isinstance(move, Enter):
                self._enter(state, code, move)
            else:
                for after in self._afters(move, values):
                    self._reach((call, move.edge.target, after), (state, move.edge, "step"))

    def _afters(self, move: Test | Write | Read, values: Values) -> Iterator[Values]:
        state = list(values)
        try:
            match move:
                case Test(_, holds):
                    if holds(state):
                        yield values
                case Write(_, apply):
                    apply(state)
                    yield tuple(state)
                case Read(_, index, type):
                    for value in self.inputs if isinstance(type, Int) else (False, True):
                        state[index] = type.wrap(value) if isinstance(type, Int) else value
                        yield tuple(state)
        except Undefined:
            return

    def _enter(self, state: State, code: Code, move: Enter) -> None:
        try:
            passed = move.arguments(list(state[2]))
        except Undefined:
            return
        callee: Call = (move.callee, (*state[2][: code.globals], *passed))
        self.waiting.setdefault(callee, []).append((state, move))
        self._reach(self._entry(callee), (state, move.edge, "enter"))
        for leave in list(self.exits.get(callee, ())):
            self._return(state, move, leave)

    def _return(self, waiting: State, move: Enter, leave: State) -> None:
        """Let a caller go on; the way back leads to the call and into the callee."""
        callee = self.codes[move.callee]
        values = [*leave[2][: callee.globals], *waiting[2][callee.globals :]]
        for index, result in zip(move.targets, callee.results, strict=False):
            if index is not None:
                values[index] = leave[2][result]
        after: State = (waiting[0], move.edge.target, tuple(values))
        self._reach(after, (waiting, move.edge, "step"), (leave, move.edge, "return"))
