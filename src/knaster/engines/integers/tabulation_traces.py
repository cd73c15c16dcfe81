"""Makes runs that can be replayed of the nodes of a tabulation: traces to a node, and lassos through a cycle of nodes.

The run of a call to one of its exits is made once and shared by all calls that return there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from knaster.base.errors import InternalError
from knaster.base.graphs import components
from knaster.base.records import replace
from knaster.base.trampoline import Steps, run
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.recorder import PathRecorder, SegmentRecorder
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Call, Edge, Location
from knaster.program.state import State, Undefined
from knaster.program.types import Value
from knaster.semantics.python_code import Code, Enter, Write
from knaster.semantics.sequential import successor
from knaster.semantics.tabulation import Invocation, Node, Tabulation, Values, Way, state_after_exit


class RunFinder:
    """The runs of one tabulation."""

    def __init__(self, table: Tabulation) -> None:
        self.table = table
        self._insides: dict[int, Path] = {}  # by the number of the exit

    def trace(self, node: Node) -> Trace:
        """Return the first run that led to a node."""
        recorders = [self._record(node)]
        call = node.call
        while call.caller is not None:
            caller = call.caller
            recorder = self._record(caller)
            recorder.enter(_call_edge(caller, call))
            recorders.append(recorder)
            call = caller.call
        return Trace.sequential(tuple(recorder.path() for recorder in reversed(recorders)), node.location)

    def _record(self, node: Node) -> PathRecorder:
        """Return the run of one activation from its entry to a node."""
        chain = _chain(node)
        self._prepare(chain)
        return self._join(chain)

    def _prepare(self, chain: Sequence[Node]) -> None:
        """Make the runs of all callees that these nodes come through, the innermost first."""
        needed: dict[int, list[Node]] = {}
        todo = [node.through for node in chain if node.through is not None]
        exits: dict[int, Node] = {}
        while todo:
            leave = todo.pop()
            if leave.number in exits or leave.number in self._insides:
                continue
            exits[leave.number] = leave
            inner = _chain(leave)
            needed[leave.number] = inner
            todo += [node.through for node in inner if node.through is not None]
        for number in sorted(exits):  # a node comes after every node that its first way needs
            self._insides[number] = self._join(needed[number]).path()

    def _join(self, chain: Sequence[Node]) -> PathRecorder:
        code = chain[0].call.code
        recorder = PathRecorder(code.procedure.name, _name_values(code, chain[0].values))
        for before, after in pairwise(chain):
            assert after.edge is not None
            state = run(self._follow(code, list(before.values), after.edge, after.inputs, after.through, recorder))
            if tuple(state) != after.values:
                raise InternalError("a run was not found again")
        return recorder

    def _follow(
        self, code: Code, state: list[Value], edge: Edge, inputs: Values, through: Node | None, recorder: PathRecorder
    ) -> Steps[list[Value]]:
        """Take an edge and run on to the next node; record the steps; return the state there."""
        move = next(move for move in code.moves[edge.source] if move.edge is edge)
        inside: Path | None = None
        if through is not None:
            assert isinstance(move, Enter)
            state, inside = yield self._run_callee(move, state, through)
        elif inputs:
            state[move.index] = inputs[0]  # type: ignore[union-attr]
        elif isinstance(move, Write):
            move.apply(state)
        recorder.step(edge, _name_values(code, state), inputs, inside)
        taken: list[Edge] = []
        probe = list(state)
        if self.table.onward(code, edge.target, probe, taken) is None:
            raise InternalError("a run ends where it went on before")
        for step in taken:
            move = next(move for move in code.moves[step.source] if move.edge is step)
            if isinstance(move, Write):
                move.apply(state)
            recorder.step(step, _name_values(code, state))
        return state

    def _run_callee(self, move: Enter, state: list[Value], through: Node) -> Steps[tuple[list[Value], Path]]:
        """Return the state after a call, and the run of the callee.

        Runs meet where they differ in dead variables only, so the callee may be given others than it was when its run
        was found: then the same edges are taken from what it is given.
        """
        code = through.call.code
        passed = (*state[: code.globals], *move.arguments(state))
        if passed == through.call.arguments:
            return state_after_exit(move, tuple(state), through), self._insides[through.number]
        chain = _chain(through)
        inner = [*passed, *chain[0].values[len(passed) :]]
        recorder = PathRecorder(code.procedure.name, _name_values(code, inner))
        for node in chain[1:]:
            assert node.edge is not None
            inner = yield self._follow(code, inner, node.edge, node.inputs, node.through, recorder)
        return state_after_exit(move, tuple(state), replace(through, values=tuple(inner))), recorder.path()

    # Runs that never end

    def find_around(
        self, node: Node, edges: Collection[int], inputs: Mapping[int, Value], enters: bool
    ) -> Trace | None:
        """Return a run from a node back to its place along some edges with given inputs; None where there is none.

        With `enters` it ends with the call of the procedure itself.
        """
        code = node.call.code
        procedure = code.procedure
        start = PathRecorder(procedure.name, _name_values(code, node.values), node.location)
        todo: list[tuple[Location, PathRecorder]] = [(node.location, start)]
        while todo:
            location, recorder = todo.pop()
            if recorder.steps and location == node.location and not enters:
                return Trace.sequential((recorder.path(),), location)
            if len(recorder.steps) > procedure.size:
                continue
            for position, edge in enumerate(procedure.edges):
                if edge.source != location:
                    continue
                if enters and isinstance(edge.action, Call) and edge.action.procedure == procedure.name:
                    return self._call_again(node, edge, recorder)
                if position in edges:
                    given = (inputs[position],) if position in inputs else ()
                    after = successor(procedure, edge, recorder.state, given)
                    if after is not None:
                        further = recorder.copy()
                        further.step(edge, after, given)
                        todo.append((edge.target, further))
        return None

    def _call_again(self, node: Node, edge: Edge, recorder: PathRecorder) -> Trace | None:
        """Return a run that ends with a call of the procedure in which it began."""
        code = node.call.code
        values = [recorder.state[name] for name in code.scope]
        move = next(m for m in code.moves[edge.source] if isinstance(m, Enter) and m.edge is edge)
        try:
            passed = (*values[: code.globals], *move.arguments(values))
        except Undefined:
            return None
        begin = _name_values(code, passed + code.initial[len(passed) :])
        recorder.enter(edge)
        return Trace.sequential((recorder.path(), Path(code.procedure.name, begin, ())), code.procedure.entry)

    def lasso(self) -> Lasso | None:
        """Return a run that comes back to where it was; None where no cycle of nodes is known."""
        nodes = sorted(self.table.nodes.values(), key=lambda node: node.number)
        best: list[Node] | None = None
        for component in components(nodes, lambda node: [way.target for way in node.successors]):
            cyclic = len(component) > 1 or any(way.target is component[0] for way in component[0].successors)
            if cyclic and (best is None or min(map(_order, component)) < min(map(_order, best))):
                best = component
        return None if best is None else self._lasso(best)

    def _lasso(self, component: list[Node]) -> Lasso:
        inside = {id(node) for node in component}
        entries = [node for node in component if node is node.call.entry and _is_called_from(node, inside)]
        start = min(entries or component, key=_order)
        ways = _cycle(start, inside)
        deeper = any(way.enters for way in ways)
        if deeper and start is not start.call.entry:
            entered = next(way.target for way in ways if way.enters)
            start, ways = entered, _cycle(entered, inside)
            deeper = any(way.enters for way in ways)
        cycle = self._round(start, start.values, ways)
        return Lasso(self.trace(start), Trace.sequential(cycle, start.location), deeper)

    def _round(self, start: Node, values: Values, ways: Sequence[Way]) -> tuple[Path, ...]:
        """Return the run once around a cycle from a state."""
        code, state = start.call.code, list(values)
        segment = SegmentRecorder(code.procedure.name, _name_values(code, state), start.location)
        for way in ways:
            if way.enters:
                move = next(m for m in code.moves[way.edge.source] if isinstance(m, Enter) and m.edge is way.edge)
                passed = (*state[: code.globals], *move.arguments(state))
                code = way.target.call.code
                state = [*passed, *way.target.values[len(passed) :]]
                segment.call(way.edge, code.procedure.name, _name_values(code, state))
                continue
            if way.through is not None and way.through.number not in self._insides:
                self._prepare([Node(0, start.call, 0, (), None, None, (), way.through, 0.0)])
            state = run(self._follow(code, state, way.edge, way.inputs, way.through, segment.top))
        return segment.paths()


def _chain(node: Node) -> list[Node]:
    """Return the nodes of one activation on the first way to a node, the entry first."""
    found: list[Node] = []
    at: Node | None = node
    while at is not None:
        found.append(at)
        at = at.before
    return found[::-1]


def _order(node: Node) -> int:
    return node.number


def _name_values(code: Code, values: Sequence[Value]) -> State:
    return dict(zip(code.scope, values, strict=True))


def _call_edge(caller: Node, call: Invocation) -> Edge:
    """Return the edge with which a node makes a call."""
    return next(way.edge for way in caller.successors if way.enters and way.target is call.entry)


def _is_called_from(node: Node, inside: set[int]) -> bool:
    return any(id(waiting) in inside for waiting in node.call.waiting)


def _cycle(start: Node, inside: set[int]) -> list[Way]:
    """Return a shortest way from a node back to itself within a component."""
    reached: dict[int, tuple[Node | None, Way | None]] = {id(start): (None, None)}
    queue, index = [start], 0
    while index < len(queue):
        node = queue[index]
        index += 1
        for way in node.successors:
            if way.target is start:
                ways = [way]
                before, step = reached[id(node)]
                while step is not None and before is not None:
                    ways.append(step)
                    before, step = reached[id(before)]
                return ways[::-1]
            if id(way.target) in inside and id(way.target) not in reached:
                reached[id(way.target)] = (node, way)
                queue.append(way.target)
    raise InternalError("a component has no cycle")
