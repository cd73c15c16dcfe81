"""Shortest traces: from summaries and rings, a concrete trace to each target, every summary expanded into a run.

Ball and Rajamani, Bebop (SPIN 2000), section 3.2.  Three passes:

1. `Rings` find a shortest trajectory backwards; its states speak of the tracked variables only.
2. Each call that was jumped over is explained by a run of the callee, found by rings inside the callee.  A summary was
   derived from *earlier* summaries, so only those are used to explain it, and the explanation of a recursive call ends.
   Equal questions share their answer: the runs form a DAG, linear in size where the run itself is exponential.
   A callee that never chooses has one run only (`forced_runs`), and after the first few calls no rings are needed.
3. Forwards, the variables that nobody tracks get the values that the program gives them.

Explaining a call may need to explain another: a `_Question` is yielded to `trampoline.answer`, so the depth of the call
stack does not matter.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.base.trampoline import answer
from knaster.bdd.store import Bdd
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.expression import TRUE, Expr
from knaster.program.layout.slots import COPIES, Copy, variable
from knaster.program.model import Assign, Call, Edge, Place, Return
from knaster.program.state import State
from knaster.semantics.sequential import values
from knaster.views.summaries.rings import Hop, Moves, Rings
from knaster.views.symbolic.frame import Frame

if TYPE_CHECKING:
    from knaster.views.summaries.forced_runs import ForcedRuns
    from knaster.views.symbolic.symbolic_program import SymbolicProgram

Cube = Mapping[int, bool]
NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY


class Summarizer(Protocol):
    """What a trace needs to know: the summaries of each procedure, and in which order they were found."""

    def demand(self, procedure: str, entered: Bdd) -> None:
        """Ask for everything that follows from entering a procedure with these valuations (NOW)."""

    def run(self) -> bool:
        """Work until every summary that was asked for is known."""

    def summary(self, procedure: str, before: int | None = None) -> Bdd:
        """Return the summaries of a procedure, all or those born before a time."""

    def birth(self, procedure: str, some: Bdd) -> int:
        """Return when the first of some summaries was found; it was derived from summaries born before it alone."""


class _Question(NamedTuple):
    """Which run of a procedure leads from `inputs` to `outputs`, using only summaries born before `before`?"""

    procedure: str
    inputs: tuple[tuple[str, bool], ...]  # every global and parameter
    outputs: tuple[tuple[int, bool], ...]  # NOW at the exit
    before: int


_Search = tuple[str, Bdd, tuple[Bdd, ...]]  # a procedure, the states at its entry, the summaries of its callees
SHARED = 300  # searches that are kept for another question
SEARCHED = 8  # calls that are searched before somebody looks where the whole program chooses
_Explanation = Generator[_Question, Path, Path]


def find_traces(
    symbolic: SymbolicProgram, summarizer: Summarizer, targets: Iterable[Target], budget: Budget
) -> dict[Target, Trace]:
    """Return a shortest trace to each of the targets.  Requires: all of them are reachable."""

    def summarize(procedure: str, entered: Bdd) -> None:
        summarizer.demand(procedure, entered)
        summarizer.run()

    start = ((symbolic.entry, symbolic.frames[symbolic.entry].procedure.entry), symbolic.initial())
    explainer = Explainer(symbolic, summarizer, budget)
    rings = Rings(explainer.moves, budget, summarizer.summary, start, enter=True, demand=summarize)
    wanted = sorted(targets, key=lambda target: (target.line, target.procedure, target.location))
    for target in wanted:
        while rings.states((target.procedure, target.location)) == symbolic.store.false:
            if not rings.grow():
                raise InternalError(f"no trace found to '{target.name}', which is said to be reachable")
    return {target: explainer.trace(rings, (target.procedure, target.location)) for target in wanted}


class Explainer:
    """Makes trajectories concrete."""

    def __init__(self, symbolic: SymbolicProgram, summarizer: Summarizer, budget: Budget) -> None:
        self.symbolic = symbolic
        self.summarizer = summarizer
        self.budget = budget
        self._answers: dict[_Question, Path] = {}
        self._explained = 0
        self._forced: ForcedRuns | None = None
        self.moves = Moves(symbolic)
        self._rings: dict[_Search, Rings] = {}
        self._callees: dict[str, list[str]] = {}
        self._ends: dict[int, list[int]] = {}  # of each call: the variables that tell how it ended
        self._last_hops: Sequence[Hop] = ()  # the last trajectory, and its run
        self._last_paths: Sequence[Path] = ()

    def trace(self, rings: Rings, place: Place) -> Trace:
        """Return a concrete trace for a shortest trajectory to `place`."""
        return Trace.sequential(self.paths(*rings.find_way(place, self.symbolic.store.true)), place[1])

    def paths(self, hops: Sequence[Hop], last: Cube) -> tuple[Path, ...]:
        """Return the concrete run of a trajectory from the start that ends in the state `last`.

        What it has in common with the run that was made before is not made again.
        """
        cubes = [hop.cube for hop in hops] + [last]
        common = next((i for i, (a, b) in enumerate(zip(hops, self._last_hops, strict=False)) if a is not b), None)
        same = (min(len(hops), len(self._last_hops)) if common is None else common) - 1  # steps that are the same
        made = self._make_paths(hops, cubes, self._last_paths, same)
        self._last_hops, self._last_paths = hops, made
        return made

    def _make_paths(
        self, hops: Sequence[Hop], cubes: Sequence[Cube], known: Sequence[Path], same: int
    ) -> tuple[Path, ...]:
        """Return the concrete run of some hops, of which the first `same` are steps of the paths `known`."""
        frame = self.symbolic.frames[self.symbolic.entry]
        state = self._complete(frame, self._initial_globals(frame, cubes[0]), cubes[0])
        paths: list[Path] = []
        begin = 0
        for index, hop in enumerate(hops):
            if hop.enters:
                done = known[len(paths)].steps[: max(0, same - begin)] if same > begin else ()
                run = self._run(frame, state, hops[begin : index + 1], cubes[begin:], None, done)
                paths.append(answer(run, self._explain, self._answers))
                call = hop.edge.action
                assert isinstance(call, Call)
                callee = self.symbolic.frames[call.procedure]
                entered = self._arguments(callee, call, paths[-1].end, cubes[index + 1])
                frame, state = callee, self._complete(callee, entered, cubes[index + 1])
                begin = index + 1
        done = known[len(paths)].steps[: same - begin] if same > begin else ()
        run = self._run(frame, state, hops[begin:], cubes[begin:], None, done)
        paths.append(answer(run, self._explain, self._answers))
        return tuple(paths)

    def _explain(self, question: _Question) -> _Explanation:
        """Find a run of the callee by rings inside it."""
        self.budget.check()
        symbolic, store = self.symbolic, self.symbolic.store
        frame = symbolic.frames[question.procedure]
        procedure = frame.procedure
        inputs = dict(question.inputs)
        if (forced := self._forced_run(procedure.name, inputs)) is not None:
            return forced
        known = {variable(frame.slots[name], NOW): inputs[name] for name in inputs if name in frame.at_entry}
        start = ((procedure.name, procedure.entry), store.assignment(known) & symbolic.allowed_states(frame))
        rings = self._rings_from(start, question.before)
        place, goal = (procedure.name, procedure.exit), store.assignment(dict(question.outputs))
        while rings.states(place) & goal == store.false:
            if not rings.grow():
                raise InternalError(f"a summary of '{procedure.name}' that no run explains")
        hops, last = rings.find_way(place, goal)
        cubes = [hop.cube for hop in hops] + [last]
        return (yield from self._run(frame, self._complete(frame, inputs, cubes[0]), hops, cubes, question.before))

    def _forced_run(self, procedure: str, inputs: Mapping[str, bool]) -> Path | None:
        """Return the only run of a callee that never chooses; None where it may, and for the first few calls."""
        self._explained += 1
        if self._explained <= SEARCHED:
            return None
        if self._forced is None:
            from knaster.views.summaries.forced_runs import ForcedRuns

            self._forced = ForcedRuns(self.symbolic, self.budget)
        return self._forced.find(procedure, inputs)

    def _rings_from(self, start: tuple[Place, Bdd], before: int) -> Rings:
        """Return the rings inside a callee; questions with the same start and the same summaries share them."""
        (name, _), states = start
        if name not in self._callees:
            edges = self.symbolic.frames[name].procedure.edges
            self._callees[name] = sorted({edge.action.procedure for edge in edges if isinstance(edge.action, Call)})
        summaries = tuple(self.summarizer.summary(callee, before) for callee in self._callees[name])
        rings = self._rings.get((name, states, summaries))
        if rings is None:
            if len(self._rings) >= SHARED:
                self._rings.clear()
            rings = self._rings[name, states, summaries] = Rings(
                self.moves, self.budget, lambda callee: self.summarizer.summary(callee, before), start, enter=False
            )
        return rings

    def _run(
        self,
        frame: Frame,
        start: State,
        hops: Sequence[Hop],
        cubes: Sequence[Cube],
        before: int | None,
        done: Sequence[Step] = (),
    ) -> _Explanation:
        """Walk along the hops with concrete states; `cubes` is what is tracked before each hop and after the last.

        The first steps are there already where they are `done`.
        """
        recorder = PathRecorder(frame.procedure.name, start, steps=list(done))
        for hop, after in zip(hops[len(done) :], cubes[len(done) + 1 :], strict=False):
            edge, state = hop.edge, recorder.state
            if isinstance(edge.action, Call) and not hop.enters:
                path = yield self._question(frame, edge, state, after, before)
                recorder.step(edge, _after_return(self.symbolic, edge.action, state, path), inside=path)
            else:
                recorder.step(edge, self._step(frame, edge, state, after))
        return recorder.path()

    def _question(self, frame: Frame, edge: Edge, state: State, after: Cube, before: int | None) -> _Question:
        """Choose arguments and results of a call, and find out when the summary that has them was born."""
        symbolic, call = self.symbolic, edge.action
        store = symbolic.store
        assert isinstance(call, Call)
        callee = symbolic.frames[call.procedure]
        here = store.assignment({variable(slot, NOW): bool(state[name]) for name, slot in frame.slots.items()})
        choices = symbolic.outcomes(frame, edge, self.summarizer.summary(call.procedure, before), after)
        chosen = store.pick(choices & here)
        if chosen is None:
            raise InternalError(f"a call of '{call.procedure}' that no summary explains")
        parameters = callee.at_entry.intersection(callee.procedure.parameters)
        entered = {callee.slots[name]: chosen.get(variable(callee.slots[name], ENTRY), False) for name in parameters}
        if id(edge) not in self._ends:
            self._ends[id(edge)] = symbolic.outcome_variables(frame, edge)
        ended = {place: chosen.get(place, False) for place in self._ends[id(edge)]}
        picked = here & store.assignment(ended | {variable(slot, ENTRY): value for slot, value in entered.items()})
        born = self.summarizer.birth(call.procedure, picked)
        arguments = {variable(slot, NOW): value for slot, value in entered.items()}
        inputs = self._arguments(callee, call, state, arguments)
        outputs = {variable(place // COPIES, NOW): value for place, value in ended.items()}
        return _Question(call.procedure, tuple(sorted(inputs.items())), tuple(sorted(outputs.items())), born)

    def _step(self, frame: Frame, edge: Edge, state: State, after: Cube) -> State:
        """Return a successor of a concrete state that agrees with `after`."""
        match edge.action:
            case Assign(targets, expressions, constraint):
                simple = constraint is TRUE and frame.procedure.enforce is TRUE
            case Return(expressions):
                targets, simple = frame.procedure.results, frame.procedure.enforce is TRUE
            case _:
                return state
        if simple:
            pairs = zip(targets, expressions, strict=True)
            return {**state, **{name: self._value(frame, name, value, state, after) for name, value in pairs}}
        store = self.symbolic.store
        known = {variable(slot, NOW): bool(state[name]) for name, slot in frame.slots.items()}
        for name in targets:
            if (wanted := after.get(variable(frame.slots[name], NOW))) is not None:
                known[variable(frame.slots[name], NEXT)] = wanted
        exact = self.symbolic.internal(frame, edge, exact=True)
        found = store.pick(exact.constraint & store.assignment(known))
        if found is None:
            raise InternalError(f"line {edge.span.line}: a step that the assignment does not allow")
        return {**state, **{name: found.get(variable(frame.slots[name], NEXT), False) for name in targets}}

    def _value(self, frame: Frame, name: str, value: Expr, state: State, after: Cube) -> bool:
        wanted = after.get(variable(frame.slots[name], NOW))
        return not values(value, state)[0] if wanted is None else wanted

    def _arguments(self, callee: Frame, call: Call, state: State, entered: Cube) -> dict[str, bool]:
        """Return the callee's globals and parameters: what `entered` says, anything possible where it is silent."""
        known = {name: bool(state[name]) for name in self.symbolic.program.globals}
        for name, argument in call.bindings(callee.procedure):
            known[name] = self._value(callee, name, argument, state, entered)
        return known

    def _initial_globals(self, frame: Frame, cube: Cube) -> dict[str, bool]:
        """Return values of the globals that the program may start with and that agree with `cube`."""
        store = self.symbolic.store
        found = store.pick(self.symbolic.initial_everywhere() & store.assignment(cube))
        assert found is not None
        return {name: found.get(variable(frame.slots[name], NOW), False) for name in self.symbolic.program.globals}

    def _complete(self, frame: Frame, known: Mapping[str, bool], cube: Cube) -> State:
        """Return a full state of a procedure at its entry: what is known, what `cube` says, and false."""
        return {
            name: known[name] if name in known else cube.get(variable(slot, NOW), False)
            for name, slot in frame.slots.items()
        }


def _after_return(symbolic: SymbolicProgram, call: Call, state: State, path: Path) -> State:
    end, callee = path.end, symbolic.frames[call.procedure].procedure
    after = dict(state)
    after.update((name, end[name]) for name in symbolic.program.globals)
    after.update((name, end[result]) for name, result in call.results(callee))
    return after
