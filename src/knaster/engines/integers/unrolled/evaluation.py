"""What a program without loops and recursion computes: a formula for each place that says which inputs lead there.

Locations are looked at in the order of the control flow; where ways meet, a conditional says whose values are taken.
Every value that depends on inputs has a name, and its definition is one of the `facts`; values that do not are computed
by the interpreter, so a run without inputs asks nobody.  A procedure is looked at anew for each call.

Notation: a *context* is the tuple of the locations of the calls that are open; a guard is True or a formula.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from knaster.base.graphs import postorder
from knaster.base.records import dataclass, field
from knaster.engines.integers.unrolled.cells import CellTranslation
from knaster.program.algebra import conjuncts, negation
from knaster.program.evaluate import evaluate
from knaster.program.expression import Compare, Comparison, Const, Expr, Var, has_choice, variables
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.program.state import Undefined
from knaster.program.types import Type
from knaster.smt.library import z3
from knaster.smt.solver import OutOfUnits, Session
from knaster.smt.terms import Formula, Sides, Term

Symbol = Any  # a value of the program, or a term
Symbols = dict[str, Symbol]
Context = tuple[Location, ...]
Guard = Any  # True, or a formula
WORK = 20  # units for each edge
NESTED = 150  # calls inside each other: Python has a stack too


@dataclass(frozen=True, slots=True)
class Way:
    """How runs come to a location: where they do, and the values that variables have then."""

    guard: Guard
    state: Symbols


@dataclass(slots=True)
class Reached:
    """What was found out: where runs come to which place, definitions, and the variables that stand for inputs."""

    guards: dict[Place, list[Guard]] = field(default_factory=dict)
    facts: list[Formula] = field(default_factory=list)
    inputs: dict[tuple[Context, Location], list[Term]] = field(default_factory=dict)
    taken: dict[tuple[Context, Location], list[tuple[Edge, Formula]]] = field(default_factory=dict)
    firsts: dict[tuple[Context, str], Term] = field(default_factory=dict)  # values that nobody has given


class Evaluation:
    """Looks at one program."""

    def __init__(
        self, program: Program, places: Collection[Place], session: Session, translation: CellTranslation
    ) -> None:
        self.program = program
        self.places = frozenset(places)
        self.session = session
        self.translation = translation
        self.found = Reached()
        self.types = {procedure.name: program.types_in(procedure) for procedure in program.procedures}
        self.orders = {procedure.name: _order(procedure) for procedure in program.procedures}
        self.number = count()

    def run(self) -> Reached:
        """Look at all runs from the start."""
        main = self.program.procedure(self.program.threads[0])
        start: Symbols = {}
        for part in conjuncts(self.program.init):
            match part:
                case Compare(Comparison.EQUAL, Var(name), Const(value)):
                    start[name] = value
        self._procedure(main, Way(True, start), ())
        return self.found

    def _procedure(self, procedure: Procedure, way: Way, context: Context) -> Way | None:
        """Return how runs leave a procedure that they enter in a way; None where none does."""
        coming: dict[Location, list[Way]] = {procedure.entry: [way]}
        left: Way | None = None
        for location in self.orders[procedure.name]:
            ways = coming.pop(location, None)
            if ways is None:
                continue
            here = self._join(procedure, ways, context)
            if (place := (procedure.name, location)) in self.places:
                self.found.guards.setdefault(place, []).append(here.guard)
            if location == procedure.exit:
                left = here
            for edge, after in self._leave(procedure, location, here, context):
                coming.setdefault(edge.target, []).append(after)
        return left

    def _leave(self, procedure: Procedure, location: Location, here: Way, context: Context) -> list[tuple[Edge, Way]]:
        """Return the edges that can be taken from a location; which one is taken is open where both can be."""
        edges = procedure.leaving.get(location, ())
        self.session.work(WORK * len(edges))
        found = [(edge, self._edge(procedure, edge, here, context)) for edge in edges]
        ways = [(edge, way) for edge, way in found if way is not None]
        if len(ways) < 2 or _exclude_each_other(edges):
            return ways
        free = [(edge, way, z3.Bool(f"taken!{next(self.number)}", self.session.context)) for edge, way in ways]
        self.found.taken[context, location] = [(edge, taken) for edge, _, taken in free]
        self.found.facts += [
            z3.Not(z3.And(one, other)) for at, (_, _, one) in enumerate(free) for _, _, other in free[at + 1 :]
        ]
        return [(edge, Way(self._truth(_all([way.guard, taken])), way.state)) for edge, way, taken in free]

    def _join(self, procedure: Procedure, ways: list[Way], context: Context) -> Way:
        if len(ways) == 1:
            return ways[0]
        types = self.types[procedure.name]
        state: Symbols = {}
        for name in dict.fromkeys(name for way in ways for name in way.state):
            values = [self._read(way.state, name, types[name], context) for way in ways]
            if all(_same(value, values[0]) for value in values[1:]):
                state[name] = values[0]
                continue
            chosen = self._term(values[-1], types[name])
            for way, value in zip(ways[-2::-1], values[-2::-1], strict=True):
                chosen = self.translation.either(way.guard, self._term(value, types[name]), chosen)
            state[name] = self._name(chosen)
        return Way(self._truth(any_guard([way.guard for way in ways])), state)

    def _edge(self, procedure: Procedure, edge: Edge, way: Way, context: Context) -> Way | None:
        match edge.action:
            case Assume(condition):
                return self._assume(procedure, condition, way, context, edge)
            case Assign(targets, values):
                return self._assign(procedure, targets, values, way, context, edge)
            case Return(values):
                return self._assign(procedure, procedure.results, values, way, context, edge)
            case Call():
                return self._call(procedure, edge, edge.action, way, context)
        raise AssertionError(edge.action)

    def _assume(self, procedure: Procedure, condition: Expr, way: Way, context: Context, edge: Edge) -> Way | None:
        held, guard = self._value(procedure, condition, way, context, edge)
        if guard is None or held is False:
            return None
        if isinstance(held, Term):
            guard = self._truth(_all([guard, held.value]))
        return None if guard is None or _is_false(guard) else Way(guard, way.state)

    def _assign(
        self,
        procedure: Procedure,
        targets: tuple[str, ...],
        values: tuple[Expr, ...],
        way: Way,
        context: Context,
        edge: Edge,
    ) -> Way | None:
        state, guard, types = dict(way.state), way.guard, self.types[procedure.name]
        for target, value in zip(targets, values, strict=False):
            new, allowed = self._value(procedure, value, way, context, edge, types[target])
            if allowed is None:
                return None
            guard = _all([guard, allowed]) if allowed is not way.guard else guard
            state[target] = self._name(self.translation.fit(new, types[target])) if isinstance(new, Term) else new
        return Way(guard if guard is way.guard else self._truth(guard), state)

    def _call(self, procedure: Procedure, edge: Edge, call: Call, way: Way, context: Context) -> Way | None:
        if len(context) >= NESTED:
            raise OutOfUnits(f"calls inside each other more than {NESTED} deep are not looked at")
        callee = self.program.procedure(call.procedure)
        types, guard = self.types[callee.name], way.guard
        given = {name: way.state[name] for name in self.program.globals if name in way.state}
        for name, argument in call.bindings(callee):
            value, allowed = self._value(procedure, argument, way, context, edge, types[name])
            if allowed is None:
                return None
            guard = _all([guard, allowed]) if allowed is not way.guard else guard
            given[name] = self._name(self.translation.fit(value, types[name])) if isinstance(value, Term) else value
        inside = (*context, edge.source)
        leave = self._procedure(callee, Way(guard if guard is way.guard else self._truth(guard), given), inside)
        if leave is None:
            return None
        state = {**way.state, **{name: leave.state[name] for name in self.program.globals if name in leave.state}}
        for target, result in call.results(callee):
            state[target] = self._read(leave.state, result, types[result], inside)
        return Way(leave.guard, state)

    def _value(
        self, procedure: Procedure, expr: Expr, way: Way, context: Context, edge: Edge, type: Type | None = None
    ) -> tuple[Symbol, Guard]:
        """Return the value of an expression and where it has one; None for the guard where it has none."""
        types = self.types[procedure.name]
        values = {name: self._read(way.state, name, types[name], context) for name in variables(expr)}
        if not any(isinstance(value, Term) for value in values.values()) and not has_choice(expr):
            try:
                return evaluate(expr, values, iter(())), way.guard
            except Undefined:
                return None, None
        sides = Sides()
        state = {name: self._term(value, types[name]) for name, value in values.items()}
        term = self.translation.term(expr, state, sides, type=type)
        self.found.facts += sides.facts
        for choice, variable in sides.inputs:
            self.found.inputs.setdefault((context, edge.source), []).append(Term(variable, choice.type))
        guard = self._truth(_all([way.guard, *sides.defined])) if sides.defined else way.guard
        return self._concrete(term), None if _is_false(guard) else guard

    def _concrete(self, term: Term) -> Symbol:
        """Return a term whose bounds leave one value as that value."""
        if term.low is not None and term.low == term.high:
            return term.low
        if z3.is_bool(term.value):
            plain = z3.simplify(term.value)
            if z3.is_true(plain) or z3.is_false(plain):
                return z3.is_true(plain)
            return Term(plain, term.type)
        return term

    def _read(self, state: Mapping[str, Symbol], name: str, type: Type, context: Context) -> Symbol:
        """Return the value of a variable; of one that nobody has given a value, any."""
        if name in state:
            return state[name]
        place = (context, name) if name not in self.program.globals else ((), name)
        if place not in self.found.firsts:
            self.found.firsts[place] = self.translation.numbers.variable(f"first!{next(self.number)}", type)
        return self.found.firsts[place]

    def _term(self, symbol: Symbol, type: Type) -> Term:
        return symbol if isinstance(symbol, Term) else self.translation.numbers.constant(symbol, type)

    def _name(self, symbol: Symbol) -> Symbol:
        """Return a name for a value, and define it."""
        if not isinstance(symbol, Term):
            return symbol
        if isinstance(symbol.value, list):
            return Term([self._cell(cell) for cell in symbol.value], symbol.type)
        concrete = self._concrete(symbol)
        if not isinstance(concrete, Term) or concrete.value.num_args() == 0:
            return concrete
        name = z3.Const(f"value!{next(self.number)}", symbol.value.sort())
        self.found.facts.append(name == concrete.value)
        return Term(name, symbol.type, symbol.low, symbol.high)

    def _cell(self, cell: Term) -> Term:
        named = self._name(cell)
        return named if isinstance(named, Term) else self.translation.numbers.constant(named, cell.type)

    def _truth(self, guard: Guard) -> Guard:
        """Return a name for a guard, and define it."""
        if guard is True:
            return True
        plain = z3.simplify(guard)
        if z3.is_true(plain):
            return True
        if plain.num_args() == 0:
            return plain
        name = z3.Bool(f"guard!{next(self.number)}", self.session.context)
        self.found.facts.append(name == plain)
        return name


def _order(procedure: Procedure) -> list[Location]:
    """Return the locations that are reached, each after those that lead to it."""
    leaving = procedure.leaving
    found = postorder([procedure.entry], lambda location: [edge.target for edge in leaving.get(location, ())])
    return found[::-1]


def _exclude_each_other(edges: Sequence[Edge]) -> bool:
    """Tell whether at most one of the edges can be taken in a state."""
    if len(edges) != 2:
        return False
    one, other = edges[0].action, edges[1].action
    if not isinstance(one, Assume) or not isinstance(other, Assume) or has_choice(one.condition):
        return False
    return one.condition == negation(other.condition) or other.condition == negation(one.condition)


def _same(one: Symbol, other: Symbol) -> bool:
    if isinstance(one, Term) and isinstance(other, Term):
        if isinstance(one.value, list):
            return one.value is other.value
        return bool(one.value.eq(other.value))
    return not isinstance(one, Term) and not isinstance(other, Term) and type(one) is type(other) and one == other


def _is_false(guard: Guard) -> bool:
    return guard is False or (guard is not True and z3.is_false(guard))


def _all(guards: list[Guard]) -> Guard:
    left = [guard for guard in guards if guard is not True]
    return z3.And(*left) if len(left) > 1 else left[0] if left else True


def any_guard(guards: Sequence[Guard]) -> Guard:
    """Return that one of some guards holds."""
    if any(guard is True for guard in guards):
        return True
    return guards[0] if len(guards) == 1 else z3.Or(*guards)


def guards_of(found: Reached, places: Collection[Place]) -> Iterator[Guard]:
    """Yield where runs come to some places."""
    for place in places:
        yield from found.guards.get(place, ())
