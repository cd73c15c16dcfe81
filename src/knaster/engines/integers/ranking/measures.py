"""Synthesises lexicographic measures that decrease on every stretch, from counterexamples.

L. Gonnord, D. Monniaux and G. Radanne, Synthesis of Ranking Functions using Extremal Counterexamples (PLDI 2015), and
C. Alias, A. Darte, P. Feautrier and L. Gonnord, Multi-dimensional Rankings, Program Termination, and Complexity Bounds
of Flowchart Programs (SAS 2010): a measure for each point, one dimension after the other.  A dimension never increases
on a step; steps on which it decreases from a value that is at least 0 are done with, and what is left needs the next
dimension.  Instead of generators of polyhedra, a measure is a sum of few forms that the guards compare, and of
variables, with small factors: so the search is finite, whatever the steps are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from knaster.base.graphs import components
from knaster.base.records import dataclass, field, replace
from knaster.program.model import Place
from knaster.smt.library import z3
from knaster.smt.linear import Form, forms_in
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula, State
from knaster.views.steps.stretches import Stretch

UNITS = 1_000_000  # for one question
_FORM = 30  # units for writing down a form, or for its value in a model
ROUNDS = 40  # of guessing and refuting
USUAL = 1 << 30  # constants of measures that come from conditions; larger ones come from the ranges of types
DEEPEST = 8  # dimensions
FORMS = 16  # of one point
_LOOKED = 300  # forms in the guards that are looked at
Measure = Mapping[Place, Form]
Sums = dict[tuple[Place, tuple[int, ...]], Formula]  # the measure of a point where its forms have some values
Tuple = Mapping[Place, tuple[Form, ...]]


@dataclass(slots=True)
class _Case:
    """A step, and the values of the forms of its source and its target in states that z3 has shown."""

    stretch: Stretch
    formulas: list[Formula]
    samples: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)


class MeasureSearch:
    """The search for measures at the points of one program."""

    def __init__(self, session: Session, variables: Mapping[Place, State], largest: int = USUAL) -> None:
        self.session = session
        self.largest = largest  # constant in a measure
        self.variables = variables  # the numbers that a measure at each point may speak of
        self.context = session.context
        self._sums: Sums = {}

    def find_tuples(self, stretches: Sequence[Stretch], plain: Sequence[Stretch] | None = None) -> Tuple | None:
        """Return a measure for each point that every step decreases lexicographically; None if none is found."""
        cases = [_Case(stretch, list(stretch.formulas)) for stretch in stretches]
        basis = {point: self._basis(point, plain or stretches) for point in self.variables}
        return self._solve([case for case in cases if self._is_possible(case, basis)], basis, DEEPEST)

    def _is_possible(self, case: _Case, basis: Mapping[Place, list[Form]]) -> bool:
        """Tell whether a step can be taken; remember how."""
        return self._is_refuted(case, [], basis)

    def _basis(self, point: Place, stretches: Sequence[Stretch]) -> list[Form]:
        """Return the forms of which the measure of a point is made; the last one is 1."""
        state = self.variables[point]
        names = {term.value.get_id(): name for name, term in state.items()}
        found: dict[Form, None] = {}
        leaving = [stretch for stretch in stretches if stretch.source == point]
        own = [stretch.guards if self.largest <= USUAL else stretch.formulas for stretch in leaving]
        formulas = {formula.get_id(): formula for one in own for formula in one}
        for form in islice(forms_in(formulas.values(), names, self.session.work), _LOOKED):
            if form.factors and abs(form.constant) < self.largest and len(form.factors) < 5:
                found |= dict.fromkeys((form, Form(()).plus(form, -1)))
        simple = [Form(((name, sign),)) for name in state for sign in (1, -1)]
        conditions = [form for form in found if form not in simple]
        conditions.sort(key=lambda form: (len(form.factors), sum(abs(factor) for _, factor in form.factors)))
        return [*conditions[:FORMS], *simple[: 2 * FORMS], Form((), 1)]

    def _solve(self, cases: list[_Case], basis: Mapping[Place, list[Form]], depth: int) -> Tuple | None:
        """Return tuples for all points; components of what is left one after the other."""
        result: dict[Place, tuple[Form, ...]] = {point: () for point in basis}
        graph: dict[Place, list[Place]] = {point: [] for point in basis}
        for case in cases:
            graph[case.stretch.source].append(case.stretch.target)
        for number, part in enumerate(components(sorted(graph), graph.__getitem__)):
            inside = [c for c in cases if c.stretch.source in part and c.stretch.target in part]
            below: Tuple = {point: () for point in part}
            if inside:
                found = self._component(part, inside, {point: basis[point] for point in part}, depth)
                if found is None:
                    return None
                below = found
            for point in part:
                result[point] = (Form((), number), *below[point])
        longest = max((len(one) for one in result.values()), default=0)
        return {point: one + (Form(()),) * (longest - len(one)) for point, one in result.items()}

    def _component(
        self, part: list[Place], cases: list[_Case], basis: Mapping[Place, list[Form]], depth: int
    ) -> Tuple | None:
        """Return tuples for the points of a component."""
        if depth == 0:
            return None
        for size in (1, 2, 3):
            for strict in (len(cases), 1) if len(cases) > 1 else (1,):
                measure = self._guess(cases, basis, strict, size)
                if measure is None:
                    continue
                left = [case for case in cases if not self._is_settled(case, measure, basis)]
                rest = self._solve(left, basis, depth - 1)
                return None if rest is None else {point: (measure[point], *rest[point]) for point in part}
        return self._by_parts(part, cases, basis, depth)

    def _by_parts(
        self, part: list[Place], cases: list[_Case], basis: Mapping[Place, list[Form]], depth: int
    ) -> Tuple | None:
        """Return tuples that begin with a dimension which decreases on some part of a step only."""
        for size in (1, 2):
            measure = self._guess(cases, basis, 0, size)
            if measure is None:
                continue
            left = []
            for case in cases:
                after = [*case.formulas, z3.Not(z3.And(*self._strict(case.stretch, measure)))]
                smaller = _Case(replace(case.stretch, formulas=tuple(after)), after)
                if self._is_possible(smaller, basis):
                    left.append(smaller)
            rest = self._solve(left, basis, depth - 2) if depth > 1 else None
            if rest is not None:
                return {point: (measure[point], *rest[point]) for point in part}
        return None

    def _guess(self, cases: list[_Case], basis: Mapping[Place, list[Form]], strict: int, size: int) -> Measure | None:
        """Return a measure that no step increases and at least `strict` steps decrease; 0: on part of a step."""
        samples = sum(1 + len(case.samples) for case in cases)
        self.session.work(_FORM * (samples + sum(map(len, basis.values()))))
        guessing = _MeasureGuesses(self.session, cases, basis, strict, size, self._sums)
        for _ in range(ROUNDS):
            guess = guessing.next()
            if guess is None:
                return None
            measure, chosen = guess
            for number, case in enumerate(cases):
                wanted = self._strict(case.stretch, measure) if number in chosen else self._weak(case.stretch, measure)
                if self._is_refuted(case, wanted, basis):
                    guessing.learn(number)
                    break
                if self._unknown:
                    return None
            else:
                return measure
        return None

    def _is_settled(self, case: _Case, measure: Measure, basis: Mapping[Place, list[Form]]) -> bool:
        """Tell whether a measure decreases on every state of a step."""
        return not self._is_refuted(case, self._strict(case.stretch, measure), basis) and not self._unknown

    def _strict(self, stretch: Stretch, measure: Measure) -> list[Formula]:
        before, after = self._values(stretch, measure)
        return [before >= 0, after < before]

    def _weak(self, stretch: Stretch, measure: Measure) -> list[Formula]:
        before, after = self._values(stretch, measure)
        return [after <= before]

    def _values(self, stretch: Stretch, measure: Measure) -> tuple[Formula, Formula]:
        before = measure[stretch.source].term(self.variables[stretch.source], self.context)
        return before, measure[stretch.target].term(stretch.after, self.context)

    def _is_refuted(self, case: _Case, wanted: list[Formula], basis: Mapping[Place, list[Form]]) -> bool:
        """Tell whether a step can be taken where something wanted does not hold; remember how."""
        solver = self.session.solver()
        solver.add(case.formulas)
        if wanted:
            solver.add([z3.Not(z3.And(*wanted))])
        said = solver.check(units=UNITS)
        self._unknown = said is Answer.UNKNOWN
        if said is not Answer.SATISFIABLE:
            return self._unknown and not wanted
        self.session.work(_FORM * (len(basis[case.stretch.source]) + len(basis[case.stretch.target])))
        model, stretch = solver.model(), case.stretch
        before = [form.term(self.variables[stretch.source], self.context) for form in basis[stretch.source]]
        after = [form.term(stretch.after, self.context) for form in basis[stretch.target]]
        values = [[model.eval(term, model_completion=True).as_long() for term in terms] for terms in (before, after)]
        case.samples.append((tuple(values[0]), tuple(values[1])))
        return True


class _MeasureGuesses:
    """Factors for the forms of each point that fit all samples so far."""

    def __init__(
        self,
        session: Session,
        cases: list[_Case],
        basis: Mapping[Place, list[Form]],
        strict: int,
        size: int,
        sums: Sums,
    ) -> None:
        self.cases = cases
        self.sums = sums
        self.basis = basis
        self.work = session.work
        self.solver = session.solver()
        self.context = session.context
        self.factors = {
            point: [z3.Int(f"factor!{point[0]}!{point[1]}!{n}", self.context) for n in range(len(forms))]
            for point, forms in basis.items()
        }
        self.chosen = [z3.Bool(f"decreases!{number}", self.context) for number in range(len(cases))]
        self.partly: list[Formula] = []
        for factors in self.factors.values():
            self.solver.add([z3.And(factor >= 0, factor <= size) for factor in factors[:-1]])
            self.solver.add([factors[-1] >= -size, factors[-1] <= size])
            if len(factors) > 1:
                self.solver.add([z3.Sum(*factors[:-1]) <= size])
        if strict:
            self.solver.add([z3.AtLeast(*self.chosen, strict)])
        else:
            self.solver.add([z3.Not(one) for one in self.chosen])
        self.strict = strict
        for number, case in enumerate(cases):
            for sample in case.samples:
                self._require(number, sample)

    def learn(self, number: int) -> None:
        """Take the last sample of a case into account."""
        self._require(number, self.cases[number].samples[-1])

    def _require(self, number: int, sample: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        stretch = self.cases[number].stretch
        before = self._sum(stretch.source, sample[0])
        after = self._sum(stretch.target, sample[1])
        self.solver.add([before >= after, z3.Implies(self.chosen[number], z3.And(before >= 0, before > after))])
        if not self.strict:
            self.partly.append(z3.And(before >= 0, before > after))

    def _sum(self, point: Place, values: Sequence[int]) -> Formula:
        known = self.sums.get((point, tuple(values)))
        if known is None:
            self.work(_FORM * len(values))
            known = z3.IntVal(0, self.context)
            for value, factor in zip(values, self.factors[point], strict=True):
                if value:
                    known = known + z3.IntVal(value, self.context) * factor
            self.sums[point, tuple(values)] = known
        return known

    def next(self) -> tuple[Measure, frozenset[int]] | None:
        """Return a measure that fits, and the cases on which it should decrease."""
        if not self.strict:
            self.solver.push()
            self.solver.add([z3.Or(*self.partly)] if self.partly else [z3.BoolVal(False, self.context)])
        said = self.solver.check(units=UNITS)
        model = self.solver.model() if said is Answer.SATISFIABLE else None
        if not self.strict:
            self.solver.pop()
        if model is None:
            return None
        measure = dict(self._measures(model))
        chosen = [n for n, one in enumerate(self.chosen) if z3.is_true(model.eval(one, model_completion=True))]
        return measure, frozenset(chosen)

    def _measures(self, model: object) -> Iterator[tuple[Place, Form]]:
        for point, factors in self.factors.items():
            total = Form(())
            for form, factor in zip(self.basis[point], factors, strict=True):
                total = total.plus(form, model.eval(factor, model_completion=True).as_long())  # type: ignore[attr-defined]
            yield point, total
