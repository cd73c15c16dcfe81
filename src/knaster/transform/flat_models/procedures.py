"""Procedures of flat models: each edge as an edge of a Boolean program, with steps around calls and returns.

Whether other threads can run is the global that the program calls `atomic`: each edge sets it where it `keeps` on, and
else gives it what holds for the whole activation, a parameter (`inside`) that callers pass on.  A return and what its
caller does with the results are one step of the model, so nobody runs between them.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.program.expression import FALSE, TRUE, Expr, Not, Var
from knaster.program.model import Action, Assign, Assume, Call, Concurrent, Edge, Location, Procedure, Program, Return
from knaster.program.objects import Choose, Join, Mode, Store
from knaster.program.types import default
from knaster.transform.flat_models.bits import Bits, both, either

ATOMIC, INSIDE = "'atomic", "'inside"  # no name of a model looks like these


def thread_name(procedure: str) -> str:
    """Return the procedure that a thread runs which begins in another one."""
    return f"{procedure}'"


def first_procedure(procedure: Procedure, bits: Bits) -> Procedure:
    """Return the procedure in which a thread begins: it calls another one, and lets others run at the end."""
    parameters = _all_bits(bits, procedure.name, procedure.parameters)
    arguments: tuple[Expr, ...] = (*(Var(name) for name in parameters), FALSE)
    edges = (
        Edge(0, Call(procedure.name, arguments, (None,) * len(_all_bits(bits, procedure.name, procedure.results))), 1),
        Edge(1, Assign((ATOMIC,), (FALSE,)), 2),
        Edge(2, Return(()), 3),
    )
    return Procedure(thread_name(procedure.name), parameters, (), (), 0, 3, edges, span=procedure.span)


def _all_bits(bits: Bits, owner: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(bit for name in names for bit in bits.names(owner, name))


class FlatProcedure:
    """One procedure as one of a Boolean program; `alternatives` says which one of its origin an edge is."""

    def __init__(self, program: Program, procedure: Procedure, bits: Bits, alternatives: dict[int, int]) -> None:
        self.program, self.procedure, self.bits = program, procedure, bits
        self.own = procedure.name
        self.edges: list[Edge] = []
        self.temporaries: list[str] = []
        self.locations = procedure.size
        self.alternatives = alternatives
        self.types = program.types_in(procedure)

    def finish(self) -> Procedure:
        """Return the procedure."""
        for leaving in self.procedure.leaving.values():
            for number, edge in enumerate(leaving):
                self.translate(edge, number, leaving)
        entry = self.new()
        first = self.update(self.defaults(self.procedure.locals))
        self.add(entry, first if first.targets else Assume(TRUE), self.procedure.entry)
        locals_ = (*_all_bits(self.bits, self.own, self.procedure.locals), *self.temporaries)
        return Procedure(
            self.own,
            (*_all_bits(self.bits, self.own, self.procedure.parameters), INSIDE),
            _all_bits(self.bits, self.own, self.procedure.results),
            locals_,
            entry,
            self.procedure.exit,
            tuple(sorted(self.edges, key=lambda edge: edge.source)),
            self.procedure.labels,
            self.procedure.failures,
            span=self.procedure.span,
        )

    def new(self) -> Location:
        """Return a new location."""
        self.locations += 1
        return self.locations - 1

    def add(self, source: Location, action: Action, target: Location, origin: Edge | None = None) -> Edge:
        """Add an edge."""
        edge = Edge(source, action, target, origin.span if origin is not None else self.procedure.span, origin)
        self.edges.append(edge)
        return edge

    def defaults(self, names: Iterable[str]) -> list[tuple[str, list[Expr]]]:
        """Return variables with the bits of their defaults."""
        return [(name, self.bits.constant(self.own, name, default(self.types[name]))) for name in names]  # type: ignore[arg-type]

    def update(
        self, values: Iterable[tuple[str, list[Expr]]], condition: Expr = TRUE, keeps: Expr | None = None
    ) -> Assign:
        """Return the assignment of bits to variables, where a condition holds; the last one of a variable counts."""
        found: dict[str, Expr] = {} if keeps is None else {ATOMIC: keeps}
        for name, given in values:
            owner, _ = self.bits.sets.key(self.own, name)
            found.update(zip(self.bits.names(owner, name), given, strict=True))
        return Assign(tuple(found), tuple(found.values()), condition)

    def keeps(self, edge: Edge) -> Expr:
        """Return whether nobody else runs behind an edge."""
        return TRUE if edge.keeps else Var(INSIDE)

    def step(
        self, edge: Edge, values: Iterable[tuple[str, list[Expr]]] = (), condition: Expr = TRUE, alternative: int = 0
    ) -> None:
        """Add one step of the model."""
        action = self.update([*values, *self.defaults(edge.forgets)], condition, self.keeps(edge))
        self.alternatives[id(self.add(edge.source, action, edge.target, edge))] = alternative

    def translate(self, edge: Edge, number: int, leaving: tuple[Edge, ...]) -> None:
        """Add what an edge does."""
        match edge.action:
            case Assume(condition):
                self.step(edge, (), self.bits.condition(self.own, condition))
            case Store(places, value):
                self.step(
                    edge, [(p.name, self.assigned(p.name, value)) for p in reversed(places) if isinstance(p, Var)]
                )
            case Choose(Var(name), values) if values is not None:
                owner, _ = self.bits.sets.key(self.own, name)
                for index, each in enumerate(values):
                    self.step(edge, [(name, self.bits.constant(owner, name, each))], TRUE, index)
            case Join():
                self.step(edge, (), self.enabled(number, leaving), number)
            case Call():
                self.call(edge, edge.action)
            case Return(values):
                behind = self.new()
                self.add(edge.source, Assign((ATOMIC,), (TRUE,)), behind)
                pairs = zip(self.procedure.results, values, strict=True)
                given = [bit for name, value in pairs for bit in self.bits.assigned(self.own, self.own, name, value)]
                self.add(behind, Return(tuple(given)), edge.target, edge)
            case Concurrent(operation, _, str() as started, arguments):
                before = self.enter(edge)
                behind = self.new()
                callee = self.program.procedure(started)
                action = Concurrent(operation, None, thread_name(started), tuple(self.passed(callee, arguments)))
                self.add(before, action, behind, edge)
                self.add(behind, self.update(self.defaults(edge.forgets), TRUE, self.keeps(edge)), edge.target)
            case _:
                self.step(edge)  # a text that is said

    def assigned(self, name: str, value: Expr) -> list[Expr]:
        """Return the bits of a variable to which an expression is assigned."""
        owner, _ = self.bits.sets.key(self.own, name)
        return self.bits.assigned(self.own, owner, name, value)

    def enabled(self, number: int, leaving: tuple[Edge, ...]) -> Expr:
        """Return when a branch of a select can be taken."""
        conditions: list[Expr] = []
        for edge in leaving[: number + 1]:
            assert isinstance(edge.action, Join)
            found: Expr = TRUE
            for wait in edge.action.waits:
                found = both(found, self.bits.condition(self.own, wait))
            conditions.append(found)
        result = conditions[-1]
        action = leaving[number].action
        if isinstance(action, Join) and action.mode is Mode.FIRST:
            for other in conditions[:-1]:
                result = both(result, Not(other))
        return result

    def enter(self, edge: Edge) -> Location:
        """Return where a call or a start begins: behind a step that keeps others away, where it does."""
        if not edge.keeps:
            return edge.source
        before = self.new()
        self.add(edge.source, Assign((ATOMIC,), (TRUE,)), before)
        return before

    def passed(self, callee: Procedure, arguments: Iterable[Expr]) -> list[Expr]:
        """Return the bits of arguments."""
        pairs = zip(callee.parameters, arguments, strict=True)
        return [bit for name, value in pairs for bit in self.bits.assigned(self.own, callee.name, name, value)]

    def call(self, edge: Edge, call: Call) -> None:
        """Add a call, and what happens behind it: nobody has run since its return."""
        callee = self.program.procedure(call.procedure)
        before, behind = self.enter(edge), self.new()
        inside: Expr = TRUE if edge.keeps else Var(INSIDE)
        taken = {result: [self.temporary() for _ in self.bits.names(callee.name, result)] for result in callee.results}
        targets = tuple(name for names in taken.values() for name in names)
        self.add(before, Call(callee.name, (*self.passed(callee, call.arguments), inside), targets), behind, edge)
        values: list[tuple[str, list[Expr]]] = []
        for place, result in zip(call.places, callee.results, strict=False):
            if isinstance(place, Var):
                values.append((place.name, self.converted(callee.name, result, taken[result], place.name)))
        self.add(behind, self.update([*values, *self.defaults(edge.forgets)], TRUE, self.keeps(edge)), edge.target)

    def temporary(self) -> str:
        """Return a new local variable for a bit of a result."""
        self.temporaries.append(f"'{len(self.temporaries)}")
        return self.temporaries[-1]

    def converted(self, owner: str, result: str, taken: list[str], name: str) -> list[Expr]:
        """Return the bits of a variable to which a result is assigned that some variables hold in bits."""
        holder, _ = self.bits.sets.key(self.own, name)
        found: list[Expr] = [FALSE] * len(self.bits.names(holder, name))
        for value in self.bits.sets.of(owner, result):
            formula: Expr = TRUE
            for variable, bit in zip(taken, self.bits.constant(owner, result, value), strict=True):
                formula = both(formula, Var(variable) if bit == TRUE else Not(Var(variable)))
            for index, bit in enumerate(self.bits.constant(holder, name, value)):
                found[index] = either(found[index], formula) if bit == TRUE else found[index]
        return found
