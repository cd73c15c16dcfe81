"""Finds a run along a path of the abstraction, with inputs from a model of all that its steps ask for.

The path is a guess, and so is the model where bit operations are any value: the run is executed, and where the program
does otherwise there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.trampoline import Steps, run
from knaster.engines.integers.yasm.execute import inputs_of, take
from knaster.engines.integers.yasm.lassos import close_lasso
from knaster.engines.integers.yasm.must_runs import Activation
from knaster.evidence.traces.execute import entry_state, pass_over
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjuncts
from knaster.program.expression import Compare, Comparison, Const, Var
from knaster.program.model import Call, Program
from knaster.program.state import Undefined
from knaster.program.types import Bool, Int, Value, default
from knaster.smt.integers import Integers
from knaster.smt.signs import Undecided, model_value
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Sides, Term, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.abstraction.interpolants import Link, Point, Tree
from knaster.views.steps.paths import Paths, StepPath

LONGEST = 3_000  # steps of a path, calls and what is in them included


class NoRun(Exception):
    """The program does not run along the path."""


def concrete_path(paths: Paths, tree: Tree, session: Session, units: int) -> Trace | None:
    """Return a run along a path; None where none is found."""
    try:
        values, inputs = _Formula(paths, tree, session).solve(units)
        return _Execution(paths, tree, inputs).trace(values)
    except (NoRun, Unsuitable, Undefined, Undecided):
        return None


def concrete_lasso(
    paths: Paths, tree: Tree, middle: Point, live: tuple[str, ...], session: Session, units: int
) -> Lasso | None:
    """Return a run along a path that ends with the values that it had at a point in the middle; None where none is."""
    try:
        values, inputs = _Formula(paths, tree, session, (middle, live)).solve(units)
        return _Execution(paths, tree, inputs).lasso(values, middle)
    except (NoRun, Unsuitable, Undefined, Undecided):
        return None


class _Formula:
    """What the steps of a path ask for, over the first state and the inputs, each with a name of its own.

    With `same`, a point and variables: they are at the end what they were there.
    """

    def __init__(
        self, paths: Paths, tree: Tree, session: Session, same: tuple[Point, tuple[str, ...]] | None = None
    ) -> None:
        self.same = same
        self.then: dict[str, Term] = {}
        self.paths = paths
        self.tree = tree
        self.translation = Translation(Integers(session.context))
        self.solver = session.solver()
        self.inputs: list[Term] = []
        self.steps = 0

    def solve(self, units: int) -> tuple[dict[str, Value], Iterator[Value]]:
        """Return the globals at the start and the inputs in the order in which they are read."""
        program = self.paths.program
        types = program.types_in(program.procedure(self.paths.main))
        globals = {name: self.translation.numbers.variable(name, types[name]) for name in program.globals}
        sides = Sides()
        self.solver.add([self.translation.formula(program.init, globals, sides), *sides.conditions])
        for term in globals.values():
            self.solver.add(self.translation.numbers.within(term))
        end = run(self._follow(self.tree.start, self.tree.ends[0], dict(globals)))
        if self.same is not None:
            kept = [name for name in self.same[1] if name in self.then and name in end]
            self.solver.add([self.translation.same(self.then[name], end[name]) for name in kept])
        if self.solver.check(units=units) is not Answer.SATISFIABLE:
            raise NoRun
        model = self.solver.model()
        plain = {name: term for name, term in globals.items() if isinstance(term.type, Int | Bool)}
        read = [model_value(model, term) for term in self.inputs]
        return {name: model_value(model, term) for name, term in plain.items()}, iter(read)

    def _follow(self, point: Point, end: Point, state: dict[str, Term]) -> Steps[dict[str, Term]]:
        while point != end:
            if self.same is not None and point == self.same[0]:
                self.then = dict(state)
            link = self.tree.links[point][0]
            self.steps += 1
            if self.steps > LONGEST:
                raise NoRun
            if isinstance(link.by, StepPath):
                state = self._take_path(link.by, state)
            else:
                state = yield self._take_call(link, state)
            point = link.target
        return state

    def _take_path(self, path: StepPath, state: dict[str, Term]) -> dict[str, Term]:
        known, sides, types = dict(state), Sides(), self.paths.types[path.procedure]
        for entry in path.inputs:
            if entry.value is not None:
                continue
            known[entry.name] = self.translation.numbers.variable(f"read!{len(self.inputs)}", entry.type)
            self.inputs.append(known[entry.name])
            sides.facts += self.translation.numbers.within(known[entry.name])
        missing = {name: default(type) for name, type in types.items() if name not in known}
        known |= {name: self.translation.numbers.constant(value, types[name]) for name, value in missing.items()}
        sides.facts += [self.translation.formula(part, known, sides) for part in path.guard]
        after = dict(state)
        for name, value in path.update.items():
            made = self.translation.term(value, known, sides, type=types[name])
            after[name] = self.translation.fit(made, types[name])
        self.solver.add(sides.conditions)
        return after

    def _take_call(self, link: Link, state: dict[str, Term]) -> Steps[dict[str, Term]]:
        site = link.by
        assert not isinstance(site, StepPath)
        sides, types = Sides(), self.paths.types[site.callee]
        given = {name: state[name] for name in self.paths.program.globals}
        sides.facts += [self.translation.formula(part, state, sides) for part in site.guard]
        for name, value in site.arguments.items():
            made = self.translation.term(value, state, sides, type=types[name])
            given[name] = self.translation.fit(made, types[name])
        self.solver.add(sides.conditions)
        if link.inside is None or link.leave is None:
            return given
        left: Mapping[str, Term] = yield self._follow(link.inside, link.leave, given)
        return {**state, **{name: left[result] for name, result in site.results.items()}}


class _Execution:
    """The same path on values."""

    def __init__(self, paths: Paths, tree: Tree, inputs: Iterator[Value]) -> None:
        self.paths = paths
        self.program: Program = paths.program
        self.tree = tree
        self.inputs = inputs
        self.middle: Point | None = None
        self.reached = (0, 0)  # how far the run was at the middle: activations below, steps of the topmost one

    def trace(self, values: Mapping[str, Value]) -> Trace:
        """Return the run that starts with some values of globals."""
        activations = self._run(values)
        return Trace.sequential(tuple(activation.path() for activation in activations), self.tree.ends[0][1][1])

    def lasso(self, values: Mapping[str, Value], middle: Point) -> Lasso:
        """Return the run as a lasso whose cycle begins at a point."""
        self.middle = middle
        activations = self._run(values)
        activations[-1].location = self.tree.ends[0][1][1]
        return close_lasso(activations, *self.reached)

    def _run(self, values: Mapping[str, Value]) -> list[Activation]:
        types = self.program.types_in(self.program.procedure(self.paths.main))
        state = {name: default(type) for name, type in types.items()} | dict(values)
        for part in conjuncts(self.program.init):  # of arrays there is no model
            match part:
                case Compare(Comparison.EQUAL, Var(name), Const(value)):
                    state[name] = value
        activations = [Activation(self.paths.main, state)]
        run(self._follow(self.tree.start, self.tree.ends[0], activations))
        return activations

    def _follow(self, point: Point, end: Point, activations: list[Activation]) -> Steps[None]:
        while point != end:
            if point == self.middle:
                self.reached = (len(activations) - 1, len(activations[-1].steps))
            link = self.tree.links[point][0]
            if isinstance(link.by, StepPath):
                self._take_path(link.by, activations[-1])
            else:
                yield self._take_call(link, activations)
            point = link.target

    def _take_path(self, path: StepPath, top: Activation) -> None:
        values = inputs_of(path, {entry.name: next(self.inputs) for entry in path.inputs if entry.value is None})
        piece = take(self.program, path, top.state, values)
        if piece is None:
            raise NoRun
        top.append(piece)

    def _take_call(self, link: Link, activations: list[Activation]) -> Steps[None]:
        site, top = link.by, activations[-1]
        assert not isinstance(site, StepPath) and isinstance(site.edge.action, Call)
        start = entry_state(self.program, site.edge.action, top.state)
        if start is None:
            raise NoRun
        entered = Activation(site.callee, start)
        if link.inside is None or link.leave is None:
            top.enter(site.edge)
            activations.append(entered)
            return
        yield self._follow(link.inside, link.leave, [entered])
        if not pass_over(self.program, top, site.edge, entered.path()):
            raise NoRun
