"""Reads steps as formulas: composes edges from a cut point to all next ones at once, and merges them where they meet.

Where two edges that leave one location do not exclude each other, an input called selector says which is taken.  What
is known at a location on the way is a guard and a term for each variable; at a join the guards are a disjunction, and
the terms conditional (`views.steps.formulas`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from knaster.base.records import dataclass, field
from knaster.program.expression import TRUE, Compare, Comparison, Expr, Not, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Location, Procedure, Return, word_of
from knaster.smt.library import z3
from knaster.smt.terms import Formula, Sides, State, Term, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.cut import CutProgram, Step
from knaster.views.steps.formulas import CallFormula, Formulas, Read, StepFormula

_QUICKLY = 200_000  # resource units
_OPPOSITE = {
    Comparison.EQUAL: Comparison.DIFFERENT,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.GREATER: Comparison.AT_MOST,
}


def read_formulas(cut: CutProgram, translation: Translation) -> Formulas:
    """Return the steps of a sequential program as formulas; raise `Unsuitable` where there are none."""
    assert not cut.inlined, "formulas see through calls as chains"
    program = cut.program
    called: dict[str, list[Step]] = {procedure.name: [] for procedure in program.procedures}
    for step in cut.calls:
        called[step.procedure].append(step)
    variables = {
        procedure.name: translation.variables(program.types_in(procedure), f"{procedure.name}:")
        for procedure in program.procedures
    }
    steps: list[StepFormula] = []
    calls: list[CallFormula] = []
    numbers = count(1)
    for procedure in program.procedures:
        if procedure.enforce != TRUE:
            raise Unsuitable(f"'{procedure.name}' has 'enforce'")
        joins = _Joins(cut, procedure, translation, variables, numbers)
        for source in cut.points[procedure.name]:
            steps += joins.steps(source)
        calls += joins.calls(called[procedure.name])
    return Formulas(cut, translation, variables, tuple(steps), tuple(calls))


@dataclass(slots=True)
class _Arrival:
    """How runs get to a location inside a step, and with which values."""

    guard: Formula
    state: dict[str, Term]
    reads: list[Read]
    free: list[Formula]
    exact: bool
    overflows: list[Formula] = field(default_factory=list)


class _Joins:
    """The steps and calls of one procedure, while they are translated."""

    def __init__(
        self,
        cut: CutProgram,
        procedure: Procedure,
        translation: Translation,
        variables: Mapping[str, Mapping[str, Term]],
        numbers: Iterator[int],
    ) -> None:
        self.cut = cut
        self.procedure = procedure
        self.translation = translation
        self.everywhere = variables
        self.variables = variables[procedure.name]
        self.numbers = numbers

    def calls(self, steps: Iterable[Step]) -> Iterator[CallFormula]:
        """Yield the calls that some steps are."""
        for step in steps:
            (position,) = step.edges
            edge, sides = self.procedure.edges[position], Sides()
            assert isinstance(edge.action, Call)
            callee = self.cut.program.procedure(edge.action.procedure)
            types = [self.everywhere[callee.name][name].type for name in callee.parameters]
            arguments = tuple(
                self.translation.fit(self.translation.term(argument, self.variables, sides, type=type), type)
                for type, argument in zip(types, edge.action.arguments, strict=True)
            )
            free = (*(variable for _, variable in sides.inputs), *sides.invented)
            guard = self._all(sides.conditions)
            overflow = z3.Or(*sides.overflows) if sides.overflows else None
            yield CallFormula(step, edge, guard, arguments, free, sides.exact, overflow)

    def steps(self, source: Location) -> Iterator[StepFormula]:
        """Yield the steps that begin at a cut point, by their targets."""
        arrivals: dict[Location, list[_Arrival]] = {}
        begin = _Arrival(z3.BoolVal(True, self.translation.context), dict(self.variables), [], [], True)
        for location in self.cut.regions[self.procedure.name, source].order:
            if location != source and location not in arrivals:
                continue  # nothing leads there
            here = begin if location == source else self._merge(arrivals.pop(location))
            for edge, after in self._follow_edges(location, here):
                arrivals.setdefault(edge.target, []).append(after)
        for target in sorted(arrivals):
            end = self._merge(arrivals[target])
            if not z3.is_false(end.guard):
                overflow = z3.Or(*end.overflows) if end.overflows else None
                step = self.cut.between[(self.procedure.name, source), target]
                yield StepFormula(step, end.guard, end.state, tuple(end.reads), tuple(end.free), end.exact, overflow)

    def _follow_edges(self, location: Location, here: _Arrival) -> Iterator[tuple[Edge, _Arrival]]:
        """Yield what each edge makes of what is known at a location."""
        edges = [edge for edge in self.procedure.leaving.get(location, ()) if not isinstance(edge.action, Call)]
        selectors = [] if _are_exclusive(edges) or self._are_apart(edges) else self._selectors(len(edges))
        for number, edge in enumerate(edges):
            guards = [z3.Not(selector) for selector in selectors[:number]]
            guards += selectors[number : number + 1]
            after = self._after(here, edge, guards)
            after.free += selectors
            if not z3.is_false(after.guard):
                yield edge, after

    def _are_apart(self, edges: list[Edge]) -> bool:
        """Tell whether z3 sees quickly that at most one of several conditions can hold, as those of a switch."""
        sides, conditions = Sides(), []
        for edge in edges:
            if not isinstance(edge.action, Assume) or has_choice(edge.action.condition):
                return False
            conditions.append(self.translation.formula(edge.action.condition, self.variables, sides))
        solver = z3.Solver(ctx=self.translation.context)
        solver.set("rlimit", _QUICKLY)
        solver.add(z3.AtLeast(*conditions, 2))
        return bool(solver.check() == z3.unsat)

    def _selectors(self, edges: int) -> list[Formula]:
        """Return Booleans that say which of several edges is taken: the first one that is true."""
        return [z3.Bool(f"selector!{next(self.numbers)}", self.translation.context) for _ in range(edges - 1)]

    def _after(self, here: _Arrival, edge: Edge, guards: list[Formula]) -> _Arrival:
        sides, state = Sides(), dict(here.state)
        term = self.translation.term
        match edge.action:
            case Assume(condition):
                guards = [*guards, term(condition, here.state, sides).value]
            case Assign(targets, values, constraint):
                state |= self._assign(targets, values, here.state, sides)
                if constraint != TRUE:
                    guards = [*guards, self.translation.formula(constraint, here.state, sides, state)]
            case Return(values):
                state |= self._assign(self.procedure.results, values, here.state, sides)
            case action:
                raise Unsuitable(f"line {edge.span.line}: '{word_of(action)}' is nothing for a solver")
        reads = [*here.reads, *(Read(edge, choice, variable) for choice, variable in sides.inputs)]
        free = [*here.free, *(variable for _, variable in sides.inputs), *sides.invented]
        guard = self._all([here.guard, *guards, *sides.conditions])
        more = [self._all([here.guard, *sides.facts, z3.Or(*sides.overflows)])] if sides.overflows else []
        return _Arrival(guard, state, reads, free, here.exact and sides.exact, [*here.overflows, *more])

    def _assign(self, targets: Iterable[str], values: Iterable[Expr], state: State, sides: Sides) -> dict[str, Term]:
        written: dict[str, Term] = {}
        for target, value in zip(targets, values, strict=True):
            type = self.variables[target].type
            term = self.translation.term(value, state, sides, type=type)
            written[target] = self.translation.fit(term, type)
        return written

    def _merge(self, arrivals: list[_Arrival]) -> _Arrival:
        """Return several arrivals at one location as one; their guards exclude each other."""
        if len(arrivals) == 1:
            return arrivals[0]
        state: dict[str, Term] = {}
        for name in self.variables:
            term = arrivals[-1].state[name]
            for arrival in reversed(arrivals[:-1]):
                term = self.translation.either(arrival.guard, arrival.state[name], term)
            state[name] = term
        reads = {read.variable.get_id(): read for arrival in arrivals for read in arrival.reads}
        free = {variable.get_id(): variable for arrival in arrivals for variable in arrival.free}
        guard = z3.simplify(z3.Or(*(arrival.guard for arrival in arrivals)))
        over = {formula.get_id(): formula for arrival in arrivals for formula in arrival.overflows}
        exact = all(arrival.exact for arrival in arrivals)
        return _Arrival(guard, state, list(reads.values()), list(free.values()), exact, list(over.values()))

    def _all(self, formulas: list[Formula]) -> Formula:
        """Return a conjunction without what is plainly true."""
        kept = [formula for formula in formulas if not z3.is_true(formula)]
        if any(z3.is_false(formula) for formula in kept):
            return z3.BoolVal(False, self.translation.context)
        if not kept:
            return z3.BoolVal(True, self.translation.context)
        return kept[0] if len(kept) == 1 else z3.And(*kept)


def _are_exclusive(edges: list[Edge]) -> bool:
    """Tell whether at most one of the edges that leave a location can be taken, as far as their form tells."""
    if len(edges) < 2:
        return True
    match edges:
        case [Edge(_, Assume(one)), Edge(_, Assume(other))]:
            if Not(one) == other or Not(other) == one:
                return True
            if isinstance(one, Compare) and isinstance(other, Compare):
                same = one.left == other.left and one.right == other.right
                return same and other.operator in (_OPPOSITE.get(one.operator), _inverse(one.operator))
    return False


def _inverse(operator: Comparison) -> Comparison | None:
    return next((key for key, value in _OPPOSITE.items() if value is operator), None)
