"""Finds the combinations of signs that formulas can have together, and what of a set of states some step covers.

The combinations are enumerated by a solver, model by model (all-SAT).  Formulas that share no variable with each other,
not even through what is given, are enumerated apart: their combinations are a product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass
from knaster.program.expression import Expr, variables
from knaster.program.types import Array, Bool, Int, Type, Value
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula, Sides, Term, Unsuitable
from knaster.smt.translate import Translation

MOST_VECTORS = 4_096  # of signs that are listed
UNITS = 4_000_000  # resource units of one question
LONGEST = 2_000  # elements of an array that has a model
Types = Mapping[str, Type]
Vector = tuple[bool, ...]


class Undecided(OutOfBudget):
    """The solver does not know, or there are too many combinations."""


@dataclass(frozen=True, slots=True)
class Factor:
    """Formulas that depend on each other, by position, and the combinations of signs that they can have."""

    positions: tuple[int, ...]
    vectors: frozenset[Vector]


@dataclass(frozen=True, slots=True)
class Signs:
    """Combinations of signs as a product of factors; None where what is given is impossible."""

    size: int
    factors: tuple[Factor, ...]
    possible: bool = True

    def vectors(self) -> Iterator[Vector]:
        """Yield every combination; raise `Undecided` where there are too many."""
        if not self.possible:
            return
        count = 1
        for factor in self.factors:
            count *= len(factor.vectors)
        if count > MOST_VECTORS:
            raise Undecided(f"there are more than {MOST_VECTORS:,} combinations of predicates")
        for parts in product(*(sorted(factor.vectors) for factor in self.factors)):
            found = [False] * self.size
            for factor, part in zip(self.factors, parts, strict=True):
                for position, sign in zip(factor.positions, part, strict=True):
                    found[position] = sign
            yield tuple(found)


@dataclass(frozen=True, slots=True)
class Step:
    """A step for `Oracle.covers`: where it passes, what must hold behind it, its inputs; all over the state before."""

    guard: tuple[Expr, ...]
    goal: Expr
    inputs: tuple[tuple[str, Type], ...] = ()


class Oracle:
    """Answers questions about expressions of the model; remembers what it was asked."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.translation = Translation(Integers(session.context))
        self.questions = 0
        self._formulas: dict[object, tuple[Formula, list[Formula], bool]] = {}
        self._signs: dict[object, Signs] = {}
        self._covers: dict[object, bool] = {}

    def is_exact(self, exprs: Iterable[Expr], types: Types) -> bool:
        """Tell whether the formulas of expressions mean exactly what the expressions mean."""
        return all(self._formula(expr, types)[2] for expr in exprs)

    def signs(self, given: Sequence[Expr], literals: Sequence[Expr], types: Types) -> Signs:
        """Return the signs that `literals` can have together where `given` holds."""
        names = sorted({name for expr in (*given, *literals) for name in variables(expr)})
        key = (tuple(given), tuple(literals), tuple(types[name] for name in names))
        known = self._signs.get(key)
        if known is None:
            known = self._signs[key] = self._enumerate(given, literals, types)
        return known

    def possible(self, given: Sequence[Expr], types: Types) -> bool:
        """Tell whether expressions can hold together."""
        return self.signs(given, (), types).possible

    def model(self, given: Sequence[Expr], names: Sequence[str], types: Types) -> dict[str, Value] | None:
        """Return values with which expressions hold, of scalar variables; None where there are none."""
        solver = self.session.solver()
        for expr in given:
            solver.add(self._holds(expr, types))
        terms = {name: self._variable(name, types) for name in names}
        for term in terms.values():
            solver.add(self.translation.numbers.within(term))
        if self._count_question(solver.check(units=UNITS)) is Answer.UNSATISFIABLE:
            return None
        model = solver.model()
        return {name: model_value(model, term) for name, term in terms.items()}

    def covers(self, given: Sequence[Expr], steps: Sequence[Step], types: Types) -> bool:
        """Tell whether every state in which `given` holds has a step whose goal holds for some inputs.

        False where the solver does not know: less is claimed then, nothing wrong.
        """
        names = {name for expr in given for name in variables(expr)}
        names |= {name for step in steps for expr in (*step.guard, step.goal) for name in variables(expr)}
        state = sorted(name for name in names if name in types)
        key = (tuple(given), tuple(steps), tuple(types[name] for name in state))
        known = self._covers.get(key)
        if known is None:
            known = self._covers[key] = self._is_covered(given, steps, {name: types[name] for name in state})
        return known

    def _is_covered(self, given: Sequence[Expr], steps: Sequence[Step], types: Types) -> bool:
        self.questions += 1
        within = self.translation.numbers.within
        solver = self.session.solver()
        for expr in given:
            solver.add(self._holds(expr, types))
        for name in types:
            solver.add(within(self._variable(name, types)))
        for step in steps:
            spoken = {**types, **dict(step.inputs)}
            parts = [part for expr in (*step.guard, step.goal) for part in self._holds(expr, spoken)]
            used = {name for expr in (*step.guard, step.goal) for name in variables(expr)}
            inputs = [self._variable(name, spoken) for name, _ in step.inputs if name in used]
            parts += [fact for term in inputs for fact in within(term)]
            reached = z3.And(*parts) if parts else z3.BoolVal(True, self.session.context)
            if inputs:
                reached = z3.Exists([term.value for term in inputs], reached)
            solver.add([z3.Not(reached)])
        return solver.check(units=UNITS) is Answer.UNSATISFIABLE

    def _variable(self, name: str, types: Types) -> Term:
        return self.translation.numbers.variable(name, types[name])

    def _formula(self, expr: Expr, types: Types) -> tuple[Formula, list[Formula], bool]:
        """Return the value of a Boolean expression, where it is defined, and whether both are exact."""
        names = sorted(variables(expr))
        key = (expr, tuple(types[name] for name in names))
        known = self._formulas.get(key)
        if known is None:
            sides = Sides()
            try:
                value = self.translation.formula(expr, {name: self._variable(name, types) for name in names}, sides)
            except Unsuitable as error:
                raise Undecided(str(error)) from None
            known = self._formulas[key] = (value, sides.conditions, sides.exact)
        return known

    def _holds(self, expr: Expr, types: Types) -> list[Formula]:
        value, conditions, _ = self._formula(expr, types)
        return [value, *conditions]

    def _enumerate(self, given: Sequence[Expr], literals: Sequence[Expr], types: Types) -> Signs:
        factors = []
        for condition, positions in _groups(given, literals):
            vectors = self._vectors(condition, [literals[position] for position in positions], types)
            if not vectors:
                return Signs(len(literals), (), possible=False)
            if positions:
                factors.append(Factor(tuple(positions), frozenset(vectors)))
        return Signs(len(literals), tuple(factors))

    def _vectors(self, given: Sequence[Expr], literals: Sequence[Expr], types: Types) -> set[Vector]:
        """Return all combinations of one group."""
        solver = self.session.solver()
        for expr in given:
            solver.add(self._holds(expr, types))
        marks = [z3.Bool(f"sign!{index}", self.session.context) for index in range(len(literals))]
        for mark, literal in zip(marks, literals, strict=True):
            value, conditions, _ = self._formula(literal, types)
            solver.add([mark == value, *conditions])
        for name in sorted({name for expr in (*given, *literals) for name in variables(expr)}):
            solver.add(self.translation.numbers.within(self._variable(name, types)))
        found: set[Vector] = set()
        while self._count_question(solver.check(units=UNITS)) is Answer.SATISFIABLE:
            model = solver.model()
            vector = tuple(bool(z3.is_true(model.eval(mark, model_completion=True))) for mark in marks)
            found.add(vector)
            if not marks:
                break
            if len(found) > MOST_VECTORS:
                raise Undecided(f"there are more than {MOST_VECTORS:,} combinations of predicates")
            solver.add([z3.Or(*(z3.Not(m) if sign else m for m, sign in zip(marks, vector, strict=True)))])
        return found

    def _count_question(self, answer: Answer) -> Answer:
        self.questions += 1
        if answer is Answer.UNKNOWN:
            raise Undecided(f"z3 does not know: {self.session.reason}")
        return answer


def _groups(given: Sequence[Expr], literals: Sequence[Expr]) -> Iterator[tuple[list[Expr], list[int]]]:
    """Yield what is given and the positions of literals in groups that share no variable."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    spoken = [sorted(variables(expr)) for expr in (*given, *literals)]
    for names in spoken:
        for name in names[1:]:
            parent[find(name)] = find(names[0])
    groups: dict[str, tuple[list[Expr], list[int]]] = {}
    for index, names in enumerate(spoken):
        group = groups.setdefault(find(names[0]) if names else "", ([], []))
        if index < len(given):
            group[0].append(given[index])
        else:
            group[1].append(index - len(given))
    yield from groups.values()


def model_value(model: Formula, term: Term) -> Value:
    """Return what a model says of a scalar, or of an array of scalars that is not too long."""
    match term.type:
        case Array(Bool() | Int() as element, length) if length <= LONGEST:
            cells = (Term(z3.Select(term.value, index), element) for index in range(length))
            return tuple(model_value(model, cell) for cell in cells)
    found = model.eval(term.value, model_completion=True)
    match term.type:
        case Bool():
            return bool(z3.is_true(found))
        case Int():
            return int(found.as_long())
        case _:
            raise Undecided("a model has an array")
