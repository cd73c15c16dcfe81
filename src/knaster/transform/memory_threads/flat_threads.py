"""One thread as one graph: what it calls is copied to where it is called, as far as others could notice it there.

A node is a location with the calls that are open; the variables of an activation have names of their own.  Calls in
which nobody notices anything stay calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.program.algebra import substitute
from knaster.program.expression import TRUE, Const, Expr, Var
from knaster.program.model import Action, Assign, Assume, Call, Edge, Location, Place, Procedure, Return
from knaster.program.types import BOOL, Type, default
from knaster.transform.memory_threads.shared_edges import with_values
from knaster.transform.memory_threads.shared_program import SharedProgram
from knaster.transform.regions.refusal import Refused

Calls = tuple[tuple[str, Location], ...]  # the calls that are open: procedures and where they call
DEEPEST = 20  # calls inside each other


class Node(NamedTuple):
    """Where a thread stands."""

    calls: Calls
    procedure: str
    location: Location

    @property
    def place(self) -> Place:
        """The place without its calls."""
        return self.procedure, self.location


class FlatEdge(NamedTuple):
    """A step of a thread, with the edge that it was made of."""

    action: Action
    target: Node
    edge: Edge | None


class FlatThread:
    """The graph of one thread."""

    def __init__(self, shared: SharedProgram, number: int, noticed: frozenset[str]) -> None:
        self.shared = shared
        self.number = number
        self.noticed = noticed  # procedures in which others could notice something
        self.program = shared.program
        self.root = self.program.threads[number - 1]
        self.entry = Node((), self.root, self.program.procedure(self.root).entry)
        self.variables: dict[str, Type] = {}
        self._names: dict[tuple[Calls, str], dict[str, str]] = {}

    def is_over(self, node: Node) -> bool:
        """Tell whether the thread has ended."""
        return not node.calls and node.location == self.program.procedure(self.root).exit

    def is_point(self, node: Node) -> bool:
        """Tell whether the thread may be interrupted there."""
        return node.location in self.shared.points[node.procedure]

    def names(self, calls: Calls, procedure: str) -> dict[str, str]:
        """Return the names that the variables of an activation have in the graph."""
        key = calls, procedure
        if key not in self._names:
            own = self.program.procedure(procedure)
            path = "".join(f"{name}:{location}/" for name, location in calls)
            types = dict(own.types)
            self._names[key] = {name: f"{name} of {path}{procedure}" for name in own.frame}
            self.variables |= {new: types.get(name, BOOL) for name, new in self._names[key].items()}
        return self._names[key]

    def steps(self, node: Node) -> Iterator[FlatEdge]:
        """Yield the steps from a node."""
        procedure = self.program.procedure(node.procedure)
        names = self.names(node.calls, node.procedure)
        renamed: Mapping[str, Expr] = {old: Var(new) for old, new in names.items()}
        if node.calls and node.location == procedure.exit:
            yield self._come_back(node, procedure)
            return
        for edge in procedure.leaving.get(node.location, ()):
            after = node._replace(location=edge.target)
            action = with_values(edge.action, renamed)
            match action:
                case Assign(targets, values):
                    yield FlatEdge(Assign(tuple(names.get(name, name) for name in targets), values), after, edge)
                case Return(values):
                    results = tuple(names[name] for name in procedure.results)
                    yield FlatEdge(Assign(results, values) if results else Assume(TRUE), after, edge)
                case Call() if action.procedure in self.noticed:
                    yield self._enter(node, action, edge)
                case Call():
                    own = tuple(names.get(name, name) if name is not None else None for name in action.targets)
                    yield FlatEdge(Call(action.procedure, action.arguments, own), after, edge)
                case _:
                    yield FlatEdge(action, after, edge)

    def _enter(self, node: Node, call: Call, edge: Edge) -> FlatEdge:
        callee = self.program.procedure(call.procedure)
        calls = (*node.calls, node.place)
        if any(name == callee.name for name, _ in calls) or len(calls) > DEEPEST:
            raise Refused(f"'{callee.name}' calls itself, and others could notice what it does", edge.span)
        names = self.names(calls, callee.name)
        given = {names[name]: value for name, value in call.bindings(callee)}
        for name in (*callee.locals, *callee.results):
            given[names[name]] = Const(default(self.variables[names[name]]))
        target = Node(calls, callee.name, callee.entry)
        return FlatEdge(Assign(tuple(given), tuple(given.values())) if given else Assume(TRUE), target, edge)

    def _come_back(self, node: Node, callee: Procedure) -> FlatEdge:
        name, location = node.calls[-1]
        calls = node.calls[:-1]
        (edge,) = self.program.procedure(name).leaving[location]
        assert isinstance(edge.action, Call)
        own, inner = self.names(calls, name), self.names(node.calls, node.procedure)
        pairs = [
            (own.get(target, target), substitute(Var(result), {result: Var(inner[result])}))
            for target, result in edge.action.results(callee)
        ]
        action = Assign(tuple(t for t, _ in pairs), tuple(v for _, v in pairs)) if pairs else Assume(TRUE)
        return FlatEdge(action, Node(calls, name, edge.target), None)
