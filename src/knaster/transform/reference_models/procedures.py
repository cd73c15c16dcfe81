"""Procedures with references: each edge of a Boolean program as a few edges that nobody else comes between.

Free choices are made first, into variables of its own that are forgotten behind the edge.  A condition with its
negation is a branch; any other one is waited for by a thread, and assumed by a sequential program.  A return writes the
results, and another edge behind the exit hands them over, as in the Boolean program.  A point is a location of the
procedure and a number; points are numbered in their order, so that jumps backwards stay such.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.program.expression import FALSE, TRUE, Choice, Expr, Not, Var, variables
from knaster.program.model import (
    Action,
    Assign,
    Assume,
    Call,
    Concurrent,
    Edge,
    Location,
    Procedure,
    Program,
    Return,
    ThreadOperation,
)
from knaster.program.objects import Choose, Join, Store
from knaster.transform.reference_models.connectives import rewrite
from knaster.transform.reference_models.section_flags import Flags, refusal

Point = tuple[Location, int]
BITS = (False, True)


def result_of(index: int) -> str:
    """Return what a result is called that is handed over."""
    return f"'result{index}"


class ReferenceProcedure:
    """One procedure; `begins` has the variables of each procedure that its callers choose."""

    def __init__(
        self, program: Program, procedure: Procedure, inside: Flags, begins: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.program, self.procedure, self.inside, self.begins = program, procedure, inside, begins
        self.waits = program.is_threaded
        self.enforce = procedure.enforce
        self.edges: list[tuple[Point, Action, Point, Edge | None, bool, tuple[str, ...]]] = []
        self.points: dict[Location, int] = {}
        self.temporaries: list[str] = []
        self.free = 0  # temporaries from here on hold nothing

    def finish(self) -> tuple[Procedure, dict[Point, Location]]:
        """Return the procedure, and the locations of its points."""
        own = self.procedure
        for location in range(own.size):
            edges = own.leaving.get(location, ())
            if edges:
                self.translate(location, edges)
            elif location != own.exit and location not in own.failures:
                self.stand_still((location, 0))
        self.add((own.exit, 0), Return(tuple(map(Var, own.results))), (own.exit, 1))
        entry = own.entry, 0
        if self.enforce != TRUE:
            entry = own.entry, -1
            at, meant = self.settle(entry, self.enforce)
            self.add(at, Assume(meant), (own.entry, 0), forgets=self.held())
        places = {(location, 0) for location in range(own.size)}
        points = sorted(places | {point for source, _, target, *_ in self.edges for point in (source, target)})
        numbers = {point: number for number, point in enumerate(points)}
        return self.assemble(numbers, numbers[entry]), numbers

    def assemble(self, numbers: Mapping[Point, Location], entry: Location) -> Procedure:
        """Return the procedure with its points numbered."""
        own, begins = self.procedure, self.begins[self.procedure.name]
        made = [
            Edge(numbers[s], action, numbers[t], (o.span if o else own.span), o, keeps, forgets)
            for s, action, t, o, keeps, forgets in self.edges
        ]
        rest = tuple(name for name in (*own.locals, *own.results) if name not in begins)
        return Procedure(
            own.name,
            (*own.parameters, *begins),
            tuple(map(result_of, range(len(own.results)))),
            (*rest, *self.temporaries),
            entry,
            numbers[own.exit, 1],
            tuple(sorted(made, key=lambda edge: edge.source)),
            tuple((label, numbers[location, 0]) for label, location in own.labels),
            tuple(numbers[location, 0] for location in own.failures),
            span=own.span,
        )

    # Pieces

    def add(
        self,
        source: Point,
        action: Action,
        target: Point,
        origin: Edge | None = None,
        keeps: bool = False,
        forgets: Sequence[str] = (),
    ) -> None:
        """Add an edge."""
        self.edges.append((source, action, target, origin, keeps, tuple(forgets)))

    def new(self, point: Point) -> Point:
        """Return a new point of the same location."""
        self.points[point[0]] = self.points.get(point[0], 0) + 1
        return point[0], self.points[point[0]]

    def temporary(self) -> str:
        """Return a variable that holds nothing."""
        if self.free == len(self.temporaries):
            self.temporaries.append(f"'{self.free}")
        self.free += 1
        return self.temporaries[self.free - 1]

    def held(self) -> tuple[str, ...]:
        """Return the temporaries that hold something, which nobody needs from now on."""
        found = tuple(self.temporaries[: self.free])
        self.free = 0
        return found

    def choose(self, at: Point) -> tuple[Point, str]:
        """Choose a truth value."""
        name, behind = self.temporary(), self.new(at)
        self.add(at, Choose(Var(name), BITS), behind, None, self.is_inside(at[0]))
        return behind, name

    def settle(self, at: Point, expr: Expr) -> tuple[Point, Expr]:
        """Make the choices of an expression; return it without them, in connectives that all have."""

        def leaf(node: Expr) -> Expr:
            nonlocal at
            if not isinstance(node, Choice):
                return node
            at, name = self.choose(at)
            return Var(name)

        found = rewrite(expr, leaf)
        return at, found

    def settle_all(self, at: Point, values: Iterable[Expr]) -> tuple[Point, list[Expr]]:
        """Make the choices of several expressions."""
        found: list[Expr] = []
        for value in values:
            at, meant = self.settle(at, value)
            found.append(meant)
        return at, found

    def is_inside(self, location: Location) -> bool:
        """Tell whether a thread at a location is inside a section."""
        return self.inside.get(location, False)

    def stand_still(self, point: Point) -> None:
        """Let nothing lead on from a point."""
        self.add(point, Join((FALSE,), ()) if self.waits else Assume(FALSE), point)

    # Edges

    def translate(self, location: Location, edges: tuple[Edge, ...]) -> None:
        """Add what leaves a location."""
        match [edge.action for edge in edges]:
            case [Assume(condition), Assume(Not(other))] if condition == other:
                self.branch(location, condition, *edges)
            case [Assume(Not(other)), Assume(condition)] if condition == other:
                self.branch(location, condition, edges[1], edges[0])
            case _:
                self.choose_edge((location, 0), edges)

    def branch(self, location: Location, condition: Expr, yes: Edge, no: Edge) -> None:
        """Take one edge where a condition holds, and another where it does not."""
        at, meant = self.settle((location, 0), condition)
        forgets = self.held()
        self.add(at, Assume(meant), (yes.target, 0), yes, self.is_inside(yes.target), forgets)
        self.add(at, Assume(Not(meant)), (no.target, 0), no, self.is_inside(no.target), forgets)

    def choose_edge(self, at: Point, edges: tuple[Edge, ...]) -> None:
        """Take any one of some edges."""
        for edge in edges[:-1]:
            keeps = self.is_inside(at[0])
            behind, name = self.choose(at)
            here, at = self.new(at), self.new(at)
            forgets = self.held()
            self.add(behind, Assume(Var(name)), here, None, keeps, forgets)
            self.add(behind, Assume(Not(Var(name))), at, None, keeps, forgets)
            self.edge(here, edge)
        self.edge(at, edges[-1])

    def edge(self, at: Point, edge: Edge) -> None:
        """Add what one edge does."""
        match edge.action:
            case Assume(condition):
                at, meant = self.settle(at, condition)
                action = Join((meant,), ()) if self.waits and meant != TRUE else Assume(meant)
                self.last(at, action, edge)
            case Assign(targets, values, constraint):
                self.assign(at, edge, targets, values, constraint)
            case Return(values):
                self.assign(at, edge, self.procedure.results, values, TRUE)
            case Call():
                self.call(at, edge, edge.action)
            case Concurrent(operation):
                self.concurrent(at, edge, operation, edge.action)
            case _:
                raise refusal("this statement", edge)

    def last(self, at: Point, action: Action, edge: Edge) -> None:
        """Add the edge that stands for one of the program."""
        self.add(at, action, (edge.target, 0), edge, self.is_inside(edge.target), self.held())

    def assign(self, at: Point, edge: Edge, targets: Sequence[str], values: Sequence[Expr], constraint: Expr) -> None:
        """Add a parallel assignment."""
        if len(targets) == 1 and isinstance(values[0], Choice) and constraint == self.enforce == TRUE:
            self.last(at, Choose(Var(targets[0]), BITS), edge)
            return
        at, given = self.settle_all(at, values)
        steps: list[Action] = []
        later = [variables(value) for value in given]
        clash = any(target in read for index, target in enumerate(targets) for read in later[index + 1 :])
        if clash or constraint != TRUE:
            names = [self.temporary() for _ in targets]
            steps += [Store((Var(name),), value) for name, value in zip(names, given, strict=True)]
            given = list(map(Var, names))
        if constraint != TRUE:
            at, meant = self.settle(at, constraint)
            after = dict(zip(targets, given, strict=True))
            steps.append(Assume(rewrite(meant, lambda node: _new_value(node, after))))
        steps += [Store((Var(target),), value) for target, value in zip(targets, given, strict=True)]
        if self.enforce != TRUE:
            at, meant = self.settle(at, self.enforce)
            steps.append(Assume(meant))
        for step in steps[:-1]:
            behind = self.new(at)
            self.add(at, step, behind, None, True)
            at = behind
        self.last(at, steps[-1] if steps else Assume(TRUE), edge)

    def call(self, at: Point, edge: Edge, call: Call) -> None:
        """Add a call, and what its caller enforces behind it."""
        at, arguments = self.arguments(at, call.procedure, call.arguments)
        places = tuple(None if target is None else Var(target) for target in call.targets)
        action = Call(call.procedure, tuple(arguments), (), places)
        keeps = self.is_inside(edge.target)
        if self.enforce == TRUE:
            self.last(at, action, edge)
            return
        behind = self.new(at)
        self.add(at, action, behind, edge, keeps, self.held())
        behind, meant = self.settle(behind, self.enforce)
        self.add(behind, Assume(meant), (edge.target, 0), None, keeps, self.held())

    def arguments(self, at: Point, callee: str, given: Iterable[Expr]) -> tuple[Point, list[Expr]]:
        """Return the arguments of a callee, and any values for the variables that it may read at its entry."""
        at, found = self.settle_all(at, given)
        for _ in self.begins[callee]:
            at, name = self.choose(at)
            found.append(Var(name))
        return at, found

    def concurrent(self, at: Point, edge: Edge, operation: ThreadOperation, action: Concurrent) -> None:
        """Add a thread statement."""
        match operation:
            case ThreadOperation.ATOMIC_BEGIN | ThreadOperation.ATOMIC_END:
                self.last(at, Assume(TRUE), edge)
            case ThreadOperation.START if action.procedure is not None:
                at, arguments = self.arguments(at, action.procedure, action.arguments)
                self.last(at, Concurrent(operation, None, action.procedure, tuple(arguments)), edge)
            case ThreadOperation.END:
                end = self.new(at)
                self.add(at, Assume(TRUE), end, edge)
                self.stand_still(end)
            case _:
                raise refusal(f"'{operation.value}' here", edge)


def _new_value(node: Expr, after: Mapping[str, Expr]) -> Expr:
    """Return what a variable of a constraint stands for: primed, its new value."""
    if isinstance(node, Var) and node.primed:
        return after.get(node.name, Var(node.name))
    return node
