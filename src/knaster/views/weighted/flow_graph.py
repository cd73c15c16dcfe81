"""The weighted control-flow graph of a sequential program: each edge as a weight of a domain of variables.

Lal (PhD thesis, University of Wisconsin, 2009), sections 2.3.1 and 3.1: a call is a push rule with a merge function,
which keeps what the callee did to globals and gives the caller its locals back.  All procedures share the names of
locals (`slots`): local i of whichever procedure runs is `#i`.  Results travel in globals of their own, `@0`, `@1`, …,
that the step after the call reads and forgets.  Conditions are not looked at: a weight speaks of all paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from knaster.base.errors import UnsupportedError
from knaster.base.records import dataclass
from knaster.program.algebra import substitute
from knaster.program.expression import Binary, Compare, Comparison, Const, Expr, Not, Operator, Var, variables
from knaster.program.kind import Kind
from knaster.program.model import Assign, Assume, Call, Edge, Place, Procedure, Program, Return, word_of
from knaster.program.types import Bool, Value
from knaster.pushdown.flow import FlowProcedure, ProcedureBuilder
from knaster.pushdown.icfg import FlowGraph

W = TypeVar("W")
V = TypeVar("V")
S = TypeVar("S", contravariant=True)  # what a domain assigns: an affine expression, a constant or a copy


class Advice(Protocol):
    """What another domain knows of a program."""

    def constants(self, place: Place, /) -> Mapping[str, int]:
        """Return the variables that have one value at a place."""
        ...

    def is_taken(self, procedure: Procedure, edge: Edge, /) -> bool:
        """Tell whether some run may take an edge."""
        ...

    def is_reached(self, place: Place, /) -> bool:
        """Tell whether some run may come to a place."""
        ...


class VariableDomain(Protocol[W, S]):
    """A semiring of what assignments do to variables."""

    zero: W
    one: W

    def combine(self, first: W, second: W, /) -> W:
        """Return the weight of two alternatives."""
        ...

    def extend(self, first: W, second: W, /) -> W:
        """Return the weight of one after the other."""
        ...

    def assign(self, values: Mapping[str, S], /) -> W:
        """Return the weight of a simultaneous assignment."""
        ...

    def projection(self, global_names: Iterable[str], /) -> Callable[[W], W]:
        """Return what keeps the effect on globals alone."""
        ...


@dataclass(frozen=True, slots=True)
class Slots:
    """The names that a domain has for the variables of a program: tracked globals, results, locals by number."""

    globals: tuple[str, ...]
    results: tuple[str, ...]
    locals: tuple[str, ...]
    own: Mapping[str, Mapping[str, str]]  # procedure → its variable → slot

    @property
    def names(self) -> tuple[str, ...]:
        """Every slot."""
        return self.globals + self.results + self.locals


def slots_of(program: Program, is_tracked: Callable[[Procedure, str], bool]) -> Slots:
    """Return slots for the tracked variables of every procedure."""
    first = program.procedures[0]
    shared = tuple(name for name in program.globals if is_tracked(first, name))
    results = tuple(dict.fromkeys(name for procedure in program.procedures for name in procedure.results))
    own, most = {}, 0
    for procedure in program.procedures:
        frame = [name for name in procedure.parameters + procedure.locals if is_tracked(procedure, name)]
        locals_ = {name: f"#{number}" for number, name in enumerate(frame)}
        own[procedure.name] = {name: name for name in (*shared, *results)} | locals_
        most = max(most, len(frame))
    return Slots(shared, results, tuple(f"#{number}" for number in range(most)), own)


class Translation(Generic[W, V]):
    """Makes the graph of a program: `read` gives what an expression is in the domain, `anything` where it is none."""

    def __init__(
        self,
        program: Program,
        domain: VariableDomain[W, V],
        slots: Slots,
        read: Callable[[Procedure, Expr], V],
        anything: V,
        advice: Advice | None = None,
        merges: bool = True,
    ) -> None:
        """Take a program and its domain; without merge functions the caller's locals are lost at every call."""
        self._advice, self._merges = advice, merges
        self._constants: Mapping[str, int] = {}  # what the advice says where the edge begins that is being added
        self.program, self.domain, self.slots = program, domain, slots
        self._read, self._anything = read, anything
        self._types = {own.name: program.types_in(own) for own in program.procedures} if advice is not None else {}
        self._project = domain.projection((*slots.globals, *slots.results))
        self._forget_results = dict.fromkeys(slots.results, anything)

    def start(self) -> W:
        """Return the weight before the first statement: what the program says of its globals, else anything."""
        values = dict.fromkeys(self.slots.names, self._anything)
        main = self.program.procedure(self.program.threads[0])
        for name, value in initial_values(self.program.init):
            if name in self.slots.globals:
                values[name] = self._read(main, Const(value))
        return self.domain.assign(values)

    def graph(self) -> FlowGraph[W]:
        """Return the control-flow graph; nodes are places, and between a call and its successor a place of its own."""
        return FlowGraph.of(self.domain, map(self.procedure, self.program.procedures), self.program.threads[0])

    def procedure(self, procedure: Procedure) -> FlowProcedure[W]:
        """Return one procedure of the graph."""
        own: ProcedureBuilder[W] = ProcedureBuilder(self.domain, procedure.name, (procedure.name, procedure.entry))
        for number, edge in enumerate(procedure.edges):
            self._add(own, procedure, edge, number)
        lost = None if self._merges else self.domain.assign(dict.fromkeys(self.slots.locals, self._anything))
        own.exit((procedure.name, procedure.exit), lost)
        return own.build()

    def _add(self, own: ProcedureBuilder[W], procedure: Procedure, edge: Edge, number: int) -> None:
        if self._advice is not None:
            if not self._advice.is_taken(procedure, edge):
                return
            self._constants = self._advice.constants((procedure.name, edge.source))
        source, target = (procedure.name, edge.source), (procedure.name, edge.target)
        match edge.action:
            case Assume():
                own.edge(source, target)
            case Assign(targets, values):
                own.edge(source, target, self._assign(procedure, targets, values))
            case Return(values):
                own.edge(source, target, self._assign(procedure, procedure.results, values))
            case Call() as call:
                callee = self.program.procedure(call.procedure)
                back = (procedure.name, edge.target, number)
                project = self._project if self._merges else None
                own.call(source, callee.name, back, self._enter(procedure, callee, call), project=project)
                own.edge(back, target, self._take_results(procedure, callee, call))
            case other:
                raise UnsupportedError(f"'{word_of(other)}' has no weight", edge.span, self.program.file)

    def _assign(self, procedure: Procedure, targets: Sequence[str], values: Sequence[Expr]) -> W:
        slots = self.slots.own[procedure.name]
        pairs = zip(targets, values, strict=True)
        written = {slots[name]: self._read_here(procedure, value) for name, value in pairs if name in slots}
        return self.domain.assign(written) if written else self.domain.one

    def _enter(self, procedure: Procedure, callee: Procedure, call: Call) -> W:
        """Return the step into a callee: parameters have their arguments, its other locals anything."""
        slots = self.slots.own[callee.name]
        values = dict.fromkeys((*self.slots.locals, *self.slots.results), self._anything)
        for name, argument in call.bindings(callee):
            if name in slots:
                values[slots[name]] = self._read_here(procedure, argument)
        return self.domain.assign(values)

    def _take_results(self, procedure: Procedure, callee: Procedure, call: Call) -> W:
        slots = self.slots.own[procedure.name]
        taken = {slots[name]: result for name, result in call.results(callee) if name in slots}
        copies = {slot: self._read_result(procedure, result) for slot, result in taken.items()}
        return self.domain.assign({**self._forget_results, **copies})

    def _read_here(self, procedure: Procedure, expr: Expr) -> V:
        """Read an expression with the constants that another domain knows."""
        if not self._constants:
            return self._read(procedure, expr)
        named = [name for name in variables(expr) if name in self._constants]
        if not named:
            return self._read(procedure, expr)
        types = self._types[procedure.name]
        values = {name: self._constants[name] for name in named}
        known: dict[str, Expr] = {
            name: Const(bool(value) if isinstance(types[name], Bool) else value) for name, value in values.items()
        }
        return self._read(procedure, substitute(expr, known))

    def _read_result(self, procedure: Procedure, result: str) -> V:
        return self._read(procedure, Var(result))


def initial_values(init: Expr) -> list[tuple[str, Value]]:
    """Return the values that a conjunction of equalities gives to variables; Boolean literals count."""
    values: list[tuple[str, Value]] = []
    todo = [init]
    while todo:
        match todo.pop():
            case Binary(Operator.AND, left, right):
                todo += [left, right]
            case Compare(Comparison.EQUAL, Var(name, False), Const(value)):
                values.append((name, value))
            case Binary(Operator.EQUAL, Var(name, False), Const(value)):
                values.append((name, value))
            case Var(name, False):
                values.append((name, True))
            case Not(Var(name, False)):
                values.append((name, False))
    return values


def refuse_others(program: Program) -> None:
    """Refuse programs with threads or references: a weight speaks of one stack and of variables."""
    if program.kind is Kind.REFERENCES:
        raise UnsupportedError(
            "facts are computed for Boolean programs and C, and this model has references", file=program.file
        )
    if program.is_threaded:
        raise UnsupportedError(
            "facts are computed for sequential programs, and this one has threads", file=program.file
        )
