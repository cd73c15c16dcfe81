"""Concrete runs of a program over any types, tabulated: each call with the same arguments and globals is run once.

T. Reps, S. Horwitz and M. Sagiv, Precise Interprocedural Dataflow Analysis via Graph Reachability (POPL 1995), with
single states as facts: a *call* is a procedure with its arguments and the globals, a *node* is a state at a place
inside a call.  Runs meet at nodes: at loop heads, calls, inputs, exits, and where a target is.  So a run of 2^500 steps
takes its different calls only, and every infinite run that repeats is a cycle of nodes: over moves, over calls that
return, and over calls that are entered and never left.

Of an input only some values are tried (`Pool`), the simplest first, so in general this is a search and no proof; where
all values of all inputs were tried it is `complete`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping

from knaster.base.records import dataclass, field
from knaster.program.expression import Binary, Compare, Comparison, Const, Expr, Operator, Var
from knaster.program.liveness import live_variables
from knaster.program.model import Edge, Location, Place, Program
from knaster.program.state import Undefined
from knaster.program.types import Value
from knaster.semantics.candidate_inputs import Pool
from knaster.semantics.python_code import Code, Enter, Read, Test, Write, compile_program, loop_heads

Values = tuple[Value, ...]
LARGEST = 1 << 14  # bits of a number that is computed with
_DEPTH = 48  # so many nodes along a run cost as much as one step down the list of an input's values


@dataclass(eq=False, slots=True)
class Invocation:
    """A call: procedure, globals and arguments; `caller` is the node that made it first, None for the start."""

    code: Code
    caller: Node | None
    arguments: Values  # the globals first
    entry: Node = field(init=False)
    exits: list[Node] = field(default_factory=list)
    waiting: list[Node] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Node:
    """A state at a location inside a call, and the first way that led there."""

    number: int
    call: Invocation
    location: Location
    values: Values
    before: Node | None
    edge: Edge | None  # the first edge of the way from `before`
    inputs: Values
    through: Node | None  # where that edge is a call that returns: the exit of the callee
    cost: float
    successors: list[Way] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Way:
    """How one node leads to another: the first edge, its inputs; through the exit of a callee, or into it."""

    target: Node
    edge: Edge
    inputs: Values = ()
    through: Node | None = None
    enters: bool = False


class Tabulation:
    """The nodes that were found so far."""

    def __init__(
        self,
        program: Program,
        targets: Iterable[Place],
        check: Callable[[], None],
        ended: Mapping[str, Callable[[Values], Values | None]] | None = None,
    ) -> None:
        self.program = program
        self._ended = ended or {}  # how calls of some procedures end is asked for; None: nobody knows
        self.codes: Mapping[str, Code] = compile_program(program)
        self.pool = Pool(program)
        self.check = check
        self.complete = True
        self.nodes: dict[tuple[int, Location, Values], Node] = {}
        self.calls: dict[tuple[str, Values], Invocation] = {}
        self.found: list[Node] = []  # at targets
        self.start: Invocation | None = None
        self._targets = frozenset(targets)
        self._queue: list[tuple[float, int, Node]] = []
        self._cuts = {name: self._cut(code) for name, code in self.codes.items()}
        self._masks = {
            name: [tuple(bool(mask >> bit & 1) for bit in range(len(self.codes[name].scope))) for mask in masks]
            for name, masks in live_variables(program).items()
        }
        for values in self._starts():
            self._invoke(program.threads[0], values, None, 0.0)

    def _cut(self, code: Code) -> frozenset[Location]:
        """Return the locations at which runs meet."""
        procedure = code.procedure
        cuts = set(loop_heads(procedure)) | {procedure.exit, procedure.entry, *procedure.failures}
        cuts |= {location for name, location in self._targets if name == procedure.name}
        for location, moves in enumerate(code.moves):
            several = len(moves) > 1 and not all(isinstance(move, Test) for move in moves)
            if several or any(isinstance(move, Read | Enter) for move in moves):
                cuts.add(location)
        return frozenset(cuts)

    def _starts(self) -> Iterator[Values]:
        """Yield globals and arguments with which the program starts."""
        code = self.codes[self.program.threads[0]]
        fixed = dict(_equalities(self.program.init))
        names = code.scope[: code.globals + len(code.procedure.parameters)]
        values = [fixed.get(name, code.initial[index]) for index, name in enumerate(names)]
        types = self.program.types_in(code.procedure)
        free = [index for index, name in enumerate(names) if name not in fixed]
        yield tuple(values)
        for index in free:
            self.complete = False
            for value in self.pool.candidates(types[names[index]]):
                yield (*values[:index], value, *values[index + 1 :])

    def explore(self, limit: int) -> bool:
        """Find nodes until there are `limit` of them; tell whether there are none left to find."""
        while self._queue:
            if len(self.nodes) >= limit:
                return False
            self.check()
            self._expand(heapq.heappop(self._queue)[2])
        return True

    def _invoke(self, name: str, values: Values, caller: Node | None, cost: float) -> Invocation:
        """Return the call with these globals and arguments; begin it where it is new."""
        call = self.calls.get((name, values))
        if call is None:
            code = self.codes[name]
            call = self.calls[name, values] = Invocation(code, caller, values)
            state = values + code.initial[len(values) :]
            self.start = self.start or call
            call.entry = self._node(call, code.procedure.entry, state, None, None, (), None, cost)
        return call

    def _node(
        self,
        call: Invocation,
        location: Location,
        values: Values,
        before: Node | None,
        edge: Edge | None,
        inputs: Values,
        through: Node | None,
        cost: float,
    ) -> Node:
        """Return the node of a state; what is dead in it, globals apart, does not tell two of them apart."""
        name = call.code.procedure.name
        shared, live = call.code.globals, self._masks[name][location]
        keep = [value if bit < shared or live[bit] else None for bit, value in enumerate(values)]
        key = (id(call), location, tuple(keep))
        node = self.nodes.get(key)
        if node is None:
            node = Node(len(self.nodes), call, location, values, before, edge, inputs, through, cost)
            self.nodes[key] = node
            if (name, location) in self._targets:
                self.found.append(node)
            heapq.heappush(self._queue, (cost, node.number, node))
        return node

    def _expand(self, node: Node) -> None:
        """Follow every way out of a node to the next ones."""
        call = node.call
        if node.location == call.code.procedure.exit:
            call.exits.append(node)
            for waiting in call.waiting:
                self._return(waiting, node)
            return
        ended = self._ended.get(call.code.procedure.name)
        if ended is not None:
            last = ended(call.arguments)
            if last is not None:
                self._node(call, call.code.procedure.exit, last, node, None, (), None, node.cost)
            return
        for move in call.code.moves[node.location]:
            match move:
                case Read(edge, index, type):
                    target = self._masks[call.code.procedure.name][edge.target]
                    dead = not target[index] and index >= call.code.globals
                    candidates = self.pool.candidates(type)[: 1 if dead else None]
                    self.complete = self.complete and (dead or self.pool.covers(type))
                    for rank, value in enumerate(candidates):
                        state = list(node.values)
                        state[index] = value
                        self._advance(node, edge, state, (value,), None, node.cost + rank)
                case Enter(edge, name, arguments):
                    try:
                        passed = arguments(list(node.values))
                    except Undefined:
                        continue
                    callee = self._invoke(name, node.values[: call.code.globals] + passed, node, node.cost)
                    callee.waiting.append(node)
                    node.successors.append(Way(callee.entry, edge, enters=True))
                    for leave in list(callee.exits):
                        self._return(node, leave)
                case Test(edge, holds):
                    if _passes(holds, node.values):
                        self._advance(node, edge, list(node.values), (), None, node.cost)
                case Write(edge, apply):
                    state = list(node.values)
                    try:
                        apply(state)
                    except Undefined:
                        continue
                    self._advance(node, edge, state, (), None, node.cost)

    def _return(self, node: Node, leave: Node) -> None:
        """Go on after a call that a node makes, where the callee left with this exit."""
        code, callee = node.call.code, leave.call.code
        for move in code.moves[node.location]:
            if isinstance(move, Enter) and move.callee == callee.procedure.name:
                if (
                    self._arguments(move, node)
                    != leave.call.entry.values[: code.globals + len(callee.procedure.parameters)]
                ):
                    continue
                state = state_after_exit(move, node.values, leave)
                self._advance(node, move.edge, state, (), leave, max(node.cost, leave.cost))

    def _arguments(self, move: Enter, node: Node) -> Values:
        return node.values[: node.call.code.globals] + move.arguments(list(node.values))

    def _advance(
        self, node: Node, edge: Edge, state: list[Value], inputs: Values, through: Node | None, cost: float
    ) -> None:
        """Run on from the end of an edge to the next node."""
        location = self.onward(node.call.code, edge.target, state)
        if location is None:
            return
        cost += 1 / _DEPTH  # mutant(/): only the order of the search
        found = self._node(node.call, location, tuple(state), node, edge, inputs, through, cost)
        node.successors.append(Way(found, edge, inputs, through))

    def onward(
        self, code: Code, location: Location, state: list[Value], taken: list[Edge] | None = None
    ) -> Location | None:
        """Run a state on in place to the next location at which runs meet; None where the run ends before.

        The edges are added to `taken`.
        """
        cuts = self._cuts[code.procedure.name]
        while location not in cuts:
            step: Edge | None = None
            for move in code.moves[location]:
                match move:
                    case Test(edge, holds):
                        if _passes(holds, state):
                            if step is not None:
                                return location  # two ways: a node
                            step = edge
                    case Write(edge, apply):
                        try:
                            apply(state)
                        except Undefined:
                            return None
                        step = edge
            if step is None:
                return None
            if taken is not None:
                taken.append(step)
            location = step.target
        if any(isinstance(value, int) and value.bit_length() > LARGEST for value in state):
            self.complete = False
            return None
        return location


def state_after_exit(move: Enter, values: Values, leave: Node) -> list[Value]:
    """Return the caller's state after a call whose callee left with an exit."""
    callee = leave.call.code
    state = [*leave.values[: callee.globals], *values[callee.globals :]]
    for place, result in zip(move.targets, callee.results, strict=False):
        if place is not None:
            state[place] = leave.values[result]
    return state


def _passes(holds: Callable[[list[Value]], object], values: Iterable[Value]) -> bool:
    try:
        return bool(holds(values if isinstance(values, list) else list(values)))  # mutant(if): a list or its copy
    except Undefined:
        return False


def _equalities(init: Expr) -> Iterator[tuple[str, Value]]:
    """Yield the variables that a conjunction gives a value, with it."""
    todo = [init]
    while todo:
        match todo.pop():
            case Binary(Operator.AND, left, right):
                todo += (left, right)
            case Compare(Comparison.EQUAL, Var(name), Const(value)):
                yield name, value
