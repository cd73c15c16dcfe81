"""Composes steps between chosen cut points into stretches, with calls stepped over or entered, and what is known there.

A run that never ends passes chosen points again and again, where every cycle of cut points has a chosen one: it stays
in an activation and steps over calls that return, or enters calls that never do (A. Gurfinkel, O. Wei and M. Chechik,
Model Checking Recursive Programs with Exact Predicate Abstraction, ATVA 2008, section 3: the mixed semantics).  What is
known at each point, and of a callee that returns, is for somebody else to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from knaster.base.graphs import components
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, replace
from knaster.program.model import Place
from knaster.smt.library import z3
from knaster.smt.linear import Work, free
from knaster.smt.solver import substitute
from knaster.smt.terms import Formula, State, Term
from knaster.views.steps.formulas import CallFormula, Formulas, StepFormula

MOST = 400
_TERM = 10  # resource units for a term that is looked at or replaced
_Whole = tuple[tuple[Formula, ...], list[Formula]]  # all formulas of a stretch, and its variables
Knowledge = Callable[[Place, State, State], list[Formula]]  # what holds at a place of the entry values and those now


class TooManyStretches(Exception):
    """There are more stretches between the points than anybody wants to look at."""


class Following(NamedTuple):
    """That another stretch can be taken: a formula, and of each stretch those of which it is made."""

    formula: Formula
    ways: tuple[tuple[Formula, ...], ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Steps and calls from one point to another: where they can be taken, and the target's variables afterwards."""

    source: Place
    target: Place
    formulas: tuple[Formula, ...]
    after: Mapping[str, Term]
    parts: tuple[StepFormula | CallFormula, ...]
    enters: bool  # the last part is a call that is entered
    guards: tuple[Formula, ...] = ()  # those of the formulas that the program's own conditions are
    following: Following | None = None  # what one of the formulas says of the next stretch


def point_graph(formulas: Formulas) -> dict[Place, list[Place]]:
    """Return which cut points follow which: over steps, over calls, and into callees."""
    graph: dict[Place, list[Place]] = {(name, cut): [] for name, cuts in formulas.points.items() for cut in cuts}
    for step in formulas.steps:
        graph[step.procedure, step.source].append((step.procedure, step.target))
    for call in formulas.calls:
        inner = formulas.program.procedure(call.callee)
        graph[call.procedure, call.source] += [(call.procedure, call.target), (call.callee, inner.entry)]
    return graph


def cycles(graph: Mapping[Place, list[Place]]) -> list[list[Place]]:
    """Return the components of a graph that have a cycle."""
    parts = components(list(graph), graph.__getitem__)
    return [part for part in parts if len(part) > 1 or part[0] in graph[part[0]]]


class Stretches:
    """The stretches of one program between some points; every cycle of cut points has to pass one of them."""

    def __init__(
        self,
        formulas: Formulas,
        points: Collection[Place],
        knowledge: Knowledge,
        most: int = MOST,
        work: Work = free,
    ) -> None:
        self.formulas = formulas
        self.work = work  # is told how much there is to do, in resource units, and may end it
        self.points = frozenset(points)
        self.knowledge = knowledge
        self.most = most
        self.entry = {name: formulas.copy(name, f"{name}~") for name in formulas.variables}
        self._steps: dict[Place, list[StepFormula]] = {}
        self._calls: dict[Place, list[CallFormula]] = {}
        for step in formulas.steps:
            self._steps.setdefault((step.procedure, step.source), []).append(step)
        for call in formulas.calls:
            self._calls.setdefault((call.procedure, call.source), []).append(call)
        self.copies: dict[int, tuple[Formula, list[Formula]]] = {}  # by id: what is said of a next stretch, and why
        graph = point_graph(formulas)
        self._cycle = {place: number for number, part in enumerate(cycles(graph)) for place in part}

    def all(self) -> list[Stretch]:
        """Return all stretches that stay in a cycle; raise `TooManyStretches` where there are too many."""
        stretches: list[Stretch] = []
        for point in sorted(self.points):
            for stretch in self._from(point):
                stretches.append(stretch)
                if len(stretches) > self.most:
                    raise TooManyStretches
        return stretches

    def with_next(self, stretches: Sequence[Stretch]) -> list[Stretch]:
        """Return the stretches that another one can follow: of a run that never ends, all from some time on."""
        context = self.formulas.translation.context
        leaving: dict[Place, list[_Whole]] = {}
        for stretch in stretches:
            whole = z3.And(z3.BoolVal(True, context), *stretch.formulas)
            leaving.setdefault(stretch.source, []).append((stretch.formulas, constants(whole, self.work)))
        longer = []
        for stretch in stretches:
            some = [self._again(stretch, other) for other in leaving.get(stretch.target, ())]
            whole = [z3.And(z3.BoolVal(True, context), *copies) for copies in some]
            again = z3.Or(*whole) if some else z3.BoolVal(False, context)
            following = Following(again, tuple(map(tuple, some))) if some else None
            longer.append(replace(stretch, formulas=(*stretch.formulas, again), following=following))
        return longer

    def _again(self, stretch: Stretch, other: _Whole) -> list[Formula]:
        """Return that another stretch can be taken after one, with inputs and calls of its own."""
        name = stretch.target[0]
        values = {
            term.value.get_id(): stretch.after[n].value
            for n, term in self.formulas.variables[name].items()
            if n in stretch.after
        }
        if not stretch.enters:
            values |= {term.value.get_id(): term.value for term in self.entry[name].values()}
        whole, spoken = other
        self.work(_TERM * len(spoken))
        pairs = []
        for constant in spoken:
            after = values.get(constant.get_id())
            if after is None:
                after = z3.Const(f"{constant.decl().name()}+", constant.sort())
            pairs.append((constant, after))
        copies = [substitute(formula, pairs) for formula in whole]
        for copy, formula in zip(copies, whole, strict=True):
            self.copies.setdefault(copy.get_id(), (copy, []))[1].append(formula)
        return copies

    def _from(self, point: Place) -> Iterator[Stretch]:
        name = point[0]
        now, entry = self.formulas.variables[name], self.entry[name]
        formulas = [*self.formulas.ranges(now), *self.formulas.ranges(entry), *self.knowledge(point, entry, now)]
        todo: list[
            tuple[Place, dict[str, Term], list[Formula], tuple[StepFormula | CallFormula, ...], tuple[Formula, ...]]
        ]
        todo = [(point, dict(now), formulas, (), ())]
        while todo:
            place, state, formulas, parts, guards = todo.pop()
            if len(parts) > self.most:
                raise TooManyStretches
            passed = {(part.procedure, part.source) for part in parts}  # of cycles without a point, once around
            for target, after, more, part, enters in self._next_parts(place, state, len(parts)):
                if self._cycle.get(target) != self._cycle.get(point):
                    continue
                here = [*formulas, *more]
                if not enters:
                    here += self.knowledge(target, entry, after)
                if target in self.points:
                    yield Stretch(point, target, tuple(here), after, (*parts, part), enters, (*guards, more[0]))
                elif not enters and target not in passed:
                    todo.append((target, after, here, (*parts, part), (*guards, more[0])))

    def _next_parts(
        self, place: Place, state: State, depth: int
    ) -> Iterator[tuple[Place, dict[str, Term], list[Formula], StepFormula | CallFormula, bool]]:
        """Yield what can happen next in a state at a place."""
        name, before = place[0], self.formulas.variables[place[0]]
        pairs = [(term.value, state[n].value) for n, term in before.items() if not term.value.eq(state[n].value)]
        parts = len(self._steps.get(place, ())) + 2 * len(self._calls.get(place, ()))
        self.work(_TERM * (1 + parts) * (1 + len(pairs)))

        def instantiate(term: Term) -> Term:
            return Term(substitute(term.value, pairs), term.type, term.low, term.high) if pairs else term

        for step in self._steps.get(place, ()):
            after = {n: instantiate(term) for n, term in step.update.items()}
            yield (name, step.target), after, [substitute(step.guard, pairs)], step, False
        for call in self._calls.get(place, ()):
            inner = self.formulas.program.procedure(call.callee)
            guard = substitute(call.guard, pairs)
            passed = dict(zip(inner.parameters, map(instantiate, call.arguments), strict=True))
            passed |= {n: state[n] for n in self.formulas.program.globals}
            yield (call.callee, inner.entry), passed, [guard], call, True
            leave = self.formulas.copy(call.callee, f"{call.callee}'{depth}.{call.source}'")
            after = self.formulas.state_after_call(call, state, leave)
            ended = self.knowledge((call.callee, inner.exit), passed, leave)
            yield (name, call.target), after, [guard, *self.formulas.ranges(leave), *ended], call, False


def stretches_around(formulas: Formulas, place: Place) -> list[Stretch]:
    """Return the stretches from a place to itself that step over no call and are known exactly."""

    def is_direct(stretch: Stretch, number: int) -> bool:
        part, last = stretch.parts[number], stretch.enters and number == len(stretch.parts) - 1
        return part.exact and (isinstance(part, StepFormula) or last)

    stretches = Stretches(formulas, (place,), lambda *_: []).all()
    return [stretch for stretch in stretches if all(is_direct(stretch, n) for n in range(len(stretch.parts)))]


def constants(formula: Formula, work: Work = free) -> list[Formula]:
    """Return the variables of a formula, each once; `work` is told how much there is to do."""
    variables: dict[int, Formula] = {}
    seen: set[int] = set()
    todo = [formula]
    while todo:
        node = todo.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        work(_TERM)
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            variables[node.get_id()] = node
        todo += node.children()
    return list(variables.values())
