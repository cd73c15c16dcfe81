"""The walk through a program, edge by edge, from a place where a proof says something to the next such places.

What is known on the way is a list of names and facts (`obligations`).  A *node* is a location as a run may get there:
`at` is true of the runs that do, `state` are the names of the values that variables have there.  An edge makes new
names for what it writes; where edges meet, a conditional expression says whose values are taken.  Every edge out of
several has a variable of its own that is true where it is taken, so which one that is remains open.

A call of a procedure that the proof says something about is stepped over, by what the proof says of its exit; what it
requires has to be shown where it is called.  A call of any other procedure is walked through; one that has loops or
calls itself must not be called at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.graphs import components, postorder
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import dataclass, field
from knaster.checkers.c.names import Names, any_of
from knaster.checkers.c.obligations import Fact, Kind, Let, Step, claim
from knaster.program.expression import TRUE, Conditional, Expr, Var, may_be_undefined
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return, word_of
from knaster.program.types import Type

State = Mapping[str, Expr]
MOST_EDGES = 20_000  # on the way from one place to the next ones
MOST_INSIDE = 2_000  # edges of a procedure that is walked through, those that it calls included


@dataclass(frozen=True, slots=True, eq=False)
class Arc:
    """How a run gets from a node to the next one."""

    source: Node
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A place as a run gets there, and what is known there besides what is known on the way."""

    place: Place
    at: Expr
    state: State
    arcs: tuple[Arc, ...] = ()
    steps: tuple[Step, ...] = ()

    def history(self) -> tuple[Step, ...]:
        """Return all that is known where a run has got here, each name before those who speak of it."""
        found: list[Step] = []
        for node in postorder([self], lambda one: [arc.source for arc in one.arcs]):
            for arc in node.arcs:
                found += arc.steps
            found += node.steps
        return (*found, claim(self.at))


@dataclass(frozen=True, slots=True)
class CallNode:
    """A call on the way: the node where its arguments are evaluated, and the values that are given to the callee."""

    node: Node
    edge: Edge
    callee: Procedure
    given: State


@dataclass(slots=True)
class Region:
    """What a walk from a place finds: the nodes at the next places, the calls, and every node on the way."""

    ends: list[Node] = field(default_factory=list)
    calls: list[CallNode] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)


class Claims:
    """What a proof says; the walk asks for it where it steps over a call or passes a place."""

    def speaks_of(self, name: str) -> bool:
        """Tell whether the proof says something about a procedure, so that it is stepped over."""
        return False

    def guarantee(self, callee: Procedure, given: State, leave: State) -> Expr:
        """Return what is known after a call."""
        return TRUE

    def claim_at(self, node: Node) -> Expr:
        """Return what is known where a run passes a node of the procedure in which the walk began."""
        return TRUE


class Walk:
    """Walks through one program; every place where a walk ends is a place of which the proof says something."""

    def __init__(self, program: Program, claims: Claims, budget: Budget) -> None:
        self.program = program
        self.claims = claims
        self.budget = budget
        self.names = Names()
        self.leaving: dict[str, dict[Location, list[Edge]]] = {}
        for procedure in program.procedures:
            if procedure.enforce != TRUE:
                raise OutOfBudget(f"'{procedure.name}' has 'enforce', of which no formula speaks")
            edges = self.leaving[procedure.name] = {}
            for edge in procedure.edges:
                edges.setdefault(edge.source, []).append(edge)
        self.types = {procedure.name: program.types_in(procedure) for procedure in program.procedures}
        self.inside = self._find_inside()
        self.edges = 0

    def _find_inside(self) -> frozenset[str]:
        """Return the procedures that calls are walked through: without loops, and without recursion."""
        calls = {
            procedure.name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
            for procedure in self.program.procedures
        }
        sizes: dict[str, int] = {}
        for part in components(list(calls), calls.__getitem__):
            name = part[0]
            if len(part) > 1 or name in calls[name] or self.claims.speaks_of(name) or self._has_cycle(name):
                continue
            others = [callee for callee in calls[name] if not self.claims.speaks_of(callee)]
            if all(callee in sizes for callee in others):
                size = len(self.program.procedure(name).edges) + sum(sizes[callee] for callee in others)
                if size <= MOST_INSIDE:
                    sizes[name] = size
        return frozenset(sizes)

    def _has_cycle(self, name: str) -> bool:
        leaving = self.leaving[name]

        def successors(location: Location) -> list[Location]:
            return [edge.target for edge in leaving.get(location, ())]

        found = components([self.program.procedure(name).entry], successors)
        return any(len(part) > 1 or part[0] in successors(part[0]) for part in found)

    def state(self, name: str, only: Collection[str] | None = None) -> dict[str, Expr]:
        """Return any state of a procedure."""
        types = self.types[name]
        return {each: self.names.variable(each, type) for each, type in types.items() if only is None or each in only}

    def region(self, start: Node, stops: Collection[Location]) -> Region:
        """Return what a run may get to from a node before it has passed another of some locations."""
        self.edges = 0
        found = Region()
        self._walk(start, frozenset(stops), found, ends=True)
        return found

    def _walk(self, start: Node, stops: frozenset[Location], found: Region, ends: bool) -> list[Node]:
        """Walk on from a node; return the nodes at the stops."""
        name = start.place[0]
        coming: dict[Location, list[Node]] = {}
        reached: list[Node] = []
        for location in self._order(name, start.place[1], stops):
            node = start if location == start.place[1] else self._join((name, location), coming.pop(location, []))
            if node is None:
                continue
            if node is not start and ends:
                node = self._annotate(node)
            found.nodes.append(node)
            for target, after in self._edges(node, found):
                coming.setdefault(target, []).append(after)
        for location in sorted(coming):
            met = self._join((name, location), coming[location])
            assert met is not None
            reached.append(met)
        if ends:
            found.ends += reached
        else:
            found.nodes += reached
        return reached

    def _annotate(self, node: Node) -> Node:
        said = self.claims.claim_at(node)
        if said == TRUE:
            return node
        return Node(node.place, node.at, node.state, node.arcs, (*node.steps, claim(said, node.at)))

    def _order(self, name: str, start: Location, stops: frozenset[Location]) -> list[Location]:
        """Return the locations between stops, each after those before it; a cycle among them is refused."""
        leaving = self.leaving[name]

        def successors(location: Location) -> list[Location]:
            return [edge.target for edge in leaving.get(location, ()) if edge.target not in stops]

        found = postorder([start], successors)
        position = {location: number for number, location in enumerate(found)}
        for location in found:
            for other in successors(location):
                if position[other] >= position[location]:
                    raise InternalError(f"the proof says nothing about location {other} of '{name}'")
        return found[::-1]

    def _join(self, place: Place, nodes: Sequence[Node]) -> Node | None:
        """Return the node of a place to which several ways lead; none where no way does."""
        if len(nodes) < 2:
            return nodes[0] if nodes else None
        types, first = self.types[place[0]], nodes[0].state
        state: dict[str, Expr] = {}
        steps: list[Step] = []
        for name, value in first.items():
            values = [node.state[name] for node in nodes]
            if all(other is value for other in values):  # mutant(is): a new name for the same value is as good
                state[name] = value
                continue  # mutant: a new name for the same value is as good
            chosen = values[-1]
            for node, other in zip(nodes[-2::-1], values[-2::-1], strict=True):
                chosen = Conditional(node.at, other, chosen)
            state[name] = self._let(steps, name, types[name], chosen)
        arcs = tuple(arc for node in nodes for arc in node.arcs)
        before = [step for node in nodes for step in node.steps]
        return Node(place, any_of([node.at for node in nodes]), state, arcs, (*before, *steps))

    def _let(self, steps: list[Step], name: str, type: Type, value: Expr) -> Var:
        found = self.names.name(name)
        steps.append(Let(found.name, type, value))
        return found

    def _edges(self, node: Node, found: Region) -> Iterator[tuple[Location, Node]]:
        """Yield where the edges from a node lead."""
        edges = self.leaving[node.place[0]].get(node.place[1], [])
        for edge in edges:
            self.edges += 1
            if self.edges > MOST_EDGES:
                raise OutOfBudget("there are too many edges between the places of the proof")
            self.budget.check()
            steps: list[Step] = []
            taken = node.at
            if len(edges) > 1:  # mutant(>): a truth of its own says no more of a single edge
                taken = self.names.truth()
                steps.append(claim(node.at, taken))
            if isinstance(edge.action, Call):
                yield from self._call(node, edge, taken, steps, found)
            else:
                state = self.after(node, edge, taken, steps)
                yield edge.target, Node((node.place[0], edge.target), taken, state, (Arc(node, tuple(steps)),))

    def after(self, node: Node, edge: Edge, taken: Expr, steps: list[Step]) -> State:
        """Return the state after an edge that is no call."""
        name = node.place[0]
        match edge.action:
            case Assume(condition):
                if condition != TRUE:
                    steps.append(Fact(taken, self.names.rename(condition, node.state), Kind.HOLDS))
                return node.state
            case Assign(targets, values, constraint):
                state = self._write(name, targets, values, node.state, taken, steps)
                if constraint != TRUE:
                    steps.append(Fact(taken, self.names.rename(constraint, node.state, state), Kind.HOLDS))
                return state
            case Return(values):
                results = self.program.procedure(name).results
                return self._write(name, results, values, node.state, taken, steps)
            case action:
                raise OutOfBudget(f"line {edge.span.line}: no formula says what '{word_of(action)}' does")

    def _write(
        self, name: str, targets: Iterable[str], values: Iterable[Expr], state: State, taken: Expr, steps: list[Step]
    ) -> State:
        written = {}
        for target, value in zip(targets, values, strict=True):
            renamed = self._evaluate(value, state, taken, steps)
            written[target] = self._let(steps, target, self.types[name][target], renamed)
        return {**state, **written}

    def _evaluate(self, value: Expr, state: State, taken: Expr, steps: list[Step]) -> Expr:
        renamed = self.names.rename(value, state)
        if may_be_undefined(renamed):
            steps.append(Fact(taken, renamed, Kind.EVALUATED))
        return renamed

    def _call(
        self, node: Node, edge: Edge, taken: Expr, steps: list[Step], found: Region
    ) -> Iterator[tuple[Location, Node]]:
        """Yield where a call leads, and take note of it."""
        call = self.enter(node, edge, taken, steps)
        callee = call.callee
        if callee.name in self.inside:
            entry = self.entry(call)
            exits = (
                [entry] if callee.entry == callee.exit else self._walk(entry, frozenset({callee.exit}), found, False)
            )
            for last in exits:
                if last.place[1] == callee.exit:
                    yield edge.target, self.leave(node, call, last, last.state, [])
            return
        found.calls.append(call)
        if self.claims.speaks_of(callee.name):  # if not, it has to be shown that it is never called
            leave = self.state(callee.name)
            known = claim(self.claims.guarantee(callee, call.given, leave), taken)
            yield edge.target, self.leave(node, call, call.node, leave, [known])

    def enter(self, node: Node, edge: Edge, taken: Expr, steps: list[Step]) -> CallNode:
        """Return a call: its arguments evaluated in the state of a node."""
        assert isinstance(edge.action, Call)
        callee = self.program.procedure(edge.action.procedure)
        given: dict[str, Expr] = {name: node.state[name] for name in self.program.globals}
        for name, argument in zip(callee.parameters, edge.action.arguments, strict=True):
            renamed = self._evaluate(argument, node.state, taken, steps)
            given[name] = self._let(steps, name, self.types[callee.name][name], renamed)
        return CallNode(Node(node.place, taken, node.state, (Arc(node, tuple(steps)),)), edge, callee, given)

    def entry(self, call: CallNode) -> Node:
        """Return the entry of the callee; its locals may have any values."""
        callee = call.callee
        rest = self.state(callee.name, (*callee.locals, *callee.results))
        return Node((callee.name, callee.entry), call.node.at, {**rest, **call.given}, (Arc(call.node, ()),))

    def leave(self, node: Node, call: CallNode, last: Node, state: State, steps: list[Step]) -> Node:
        """Return the node after a call whose callee leaves a state; a result wins over what was done to a global."""
        assert isinstance(call.edge.action, Call)
        name = node.place[0]
        after = {**node.state, **{each: state[each] for each in self.program.globals}}
        for target, result in zip(call.edge.action.targets, call.callee.results, strict=False):
            if target is not None:
                after[target] = self._let(steps, target, self.types[name][target], state[result])
        return Node((name, call.edge.target), last.at, after, (Arc(last, tuple(steps)),))
