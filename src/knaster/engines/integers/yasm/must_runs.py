"""Finds runs from must sets: follows a solution of the equations step by step, on values.

Every state of a minterm of a must set has a step that comes nearer to the goal (least sets, by the time at which
minterms were added), or stays in the set (greatest ones); which one it is, and with which inputs, is looked up or
asked of the solver.  Calls with the same values are run once, so that runs with doubled calls stay small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.base.trampoline import Steps, run
from knaster.engines.integers.yasm.execute import inputs_of, take
from knaster.evidence.traces.execute import entry_state, pass_over
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.algebra import conjunction, conjuncts, disjunction, substitute
from knaster.program.evaluate import evaluate
from knaster.program.expression import Compare, Comparison, Const, Expr, Var, variables
from knaster.program.model import Call, Location, Place, old
from knaster.program.state import State, Undefined
from knaster.program.types import Int, Type, Value, default
from knaster.smt.signs import Undecided
from knaster.views.abstraction.relations import Abstraction, Minterm
from knaster.views.steps.paths import CallPath, StepPath

LONGEST_CALL = 100_000  # steps of a call
_SMALL = (1, 3, 10, 100)  # inputs are looked for among small numbers first


class SolvedSets(Protocol):
    """What `equations` says of places and minterms."""

    sets: dict[Place, frozenset[Minterm]]
    time: dict[tuple[Place, Minterm], int]
    reasons: dict[tuple[Place, Minterm], dict[Minterm, frozenset[Minterm] | None]]


Table = Callable[[str, frozenset[Minterm]], SolvedSets]
Why = Callable[[SolvedSets, Place, Minterm, Minterm], frozenset[Minterm] | None]


class Astray(InternalError):
    """A run leaves the sets that it should stay in: an internal error where they are must sets."""


def recorded_exits(found: SolvedSets, place: Place, minterm: Minterm, entry: Minterm) -> frozenset[Minterm] | None:
    """Return how a call goes on that begins in a minterm of the callee's entry: its exits, or None for inside it."""
    return found.reasons[place, minterm][entry]


@dataclass(slots=True, eq=False)
class Activation(PathRecorder):
    """A run of one activation that grows, with the cut point at which it stands."""

    location: Location = 0
    old_values: dict[str, Value] = field(default_factory=dict)


class MustRuns:
    """Runs of a program that follow the sets of one abstraction.

    With `most`, the sets may be may sets: a run is a guess then, of so many steps between cut points at most.
    """

    def __init__(
        self,
        abstraction: Abstraction,
        table: Table,
        tick: Callable[[], None],
        why: Why = recorded_exits,
        most: int | None = None,
    ) -> None:
        self.abstraction = abstraction
        self.paths = abstraction.paths
        self.program = abstraction.paths.program
        self.table = table
        self.tick = tick
        self.why = why
        self.most = most
        self.count = 0
        self._calls: dict[object, Path] = {}

    def trace(self, found: SolvedSets, targets: frozenset[Place]) -> Trace:
        """Return a run from the start to one of the targets, following a least solution."""
        activations = [self.begin(found)]
        while (activations[-1].procedure, activations[-1].location) not in targets:
            run(self.advance(activations, found, nearer=True))
        paths = tuple(activation.path() for activation in activations)
        return Trace.sequential(paths, activations[-1].location)

    def begin(self, found: SolvedSets) -> Activation:
        """Start in a state of the set at the entry of main."""
        main = self.program.procedure(self.paths.main)
        entry = self.paths.entries[main.name]
        goal = self.abstraction.union(entry, found.sets[entry])
        types = self.paths.types[main.name]
        names = [name for name in self.program.globals if isinstance(types[name], Int)]
        values = self._find_model([self.program.init, goal], names, types) or {}
        state = {name: default(type) for name, type in self.program.types_in(main).items()} | values
        state |= self._fixed_globals()
        return self._activation(main.name, state)

    def _fixed_globals(self) -> dict[str, Value]:
        """Return the values of globals that `init` fixes to a constant: arrays have no model."""
        found: dict[str, Value] = {}
        for part in conjuncts(self.program.init):
            match part:
                case Compare(Comparison.EQUAL, Var(name), Const(value)):
                    found[name] = value
        return found

    def _activation(self, procedure: str, state: State) -> Activation:
        known = (*self.program.globals, *self.program.procedure(procedure).parameters)
        old_values = {old(name): state[name] for name in known}
        return Activation(procedure, state, location=self.paths.entries[procedure][1], old_values=old_values)

    def minterm(self, place: Place, state: State, old_values: Mapping[str, Value]) -> Minterm:
        """Return the minterm of a state."""
        values = {**state, **old_values}
        return tuple(bool(evaluate(predicate, values, iter(()))) for predicate in self.abstraction.at(place))

    def advance(self, activations: list[Activation], found: SolvedSets, nearer: bool) -> Steps[None]:
        """Go on to the next cut point of the run."""
        self.tick()
        self.count += 1
        if self.most is not None and self.count > self.most:
            raise Astray("a run takes too many steps")
        top = activations[-1]
        place = (top.procedure, top.location)
        minterm = self.minterm(place, top.state, top.old_values)
        if minterm not in found.sets[place]:
            raise Astray(f"a run leaves the set that it should stay in, at location {place[1]} of '{place[0]}'")
        site = self.paths.calls.get(place)
        if site is None:
            self._take_step(top, place, minterm, found, nearer)
            return
        start = self._entry_state(site, top.state)
        entry = self.minterm(self.paths.entries[site.callee], start, {})
        exits = self.why(found, place, minterm, entry)
        if exits is None:
            top.enter(site.edge)
            activations.append(self._activation(site.callee, start))
            return
        yield self._step_over(top, site, start, exits)

    def _step_over(self, top: Activation, site: CallPath, start: State, exits: frozenset[Minterm]) -> Steps[None]:
        """Step over a call that returns in one of the exits."""
        inside = yield self._run_call(site.callee, start, exits)
        returns = pass_over(self.program, top, site.edge, inside)
        assert returns
        top.location = site.target

    def _run_call(self, procedure: str, start: State, exits: frozenset[Minterm]) -> Steps[Path]:
        """Run a call until it returns in one of the exits."""
        key = (procedure, exits, tuple(start.values()))
        if key not in self._calls:
            found, running = self.table(procedure, exits), [self._activation(procedure, start)]
            leave = self.program.procedure(procedure).exit
            while running[0].location != leave:
                if len(running[0].steps) > LONGEST_CALL:
                    raise OutOfBudget(f"a call of '{procedure}' takes more than {LONGEST_CALL:,} steps")
                yield self.advance(running, found, nearer=True)
            self._calls[key] = running[0].path()
        return self._calls[key]

    def _entry_state(self, site: CallPath, state: State) -> State:
        assert isinstance(site.edge.action, Call)
        start = entry_state(self.program, site.edge.action, state)
        if start is None:
            raise Astray(f"a call of '{site.callee}' is not as the abstraction says")
        return start

    def _take_step(self, top: Activation, place: Place, minterm: Minterm, found: SolvedSets, nearer: bool) -> None:
        """Take a path into the set; where it is a least one, to a minterm that was there before.

        A guess may go elsewhere in the set where no state of such a minterm follows.
        """
        now = found.time.get((place, minterm), 0)
        for strictly in (True, False) if nearer and self.most is not None else (nearer,):
            for path in self.paths.leaving[place]:
                target = (place[0], path.target)
                good = found.sets[target]
                if strictly:
                    good = frozenset(after for after in good if found.time[target, after] < now)
                if good and self._take_path(top, path, good):
                    return
        raise Astray(f"no way leads on from location {place[1]} of '{place[0]}'")

    def _take_path(self, top: Activation, path: StepPath, good: frozenset[Minterm]) -> bool:
        """Take a path into good minterms; tell whether that is possible."""
        if all(entry.value is not None for entry in path.inputs):
            piece = take(self.program, path, top.state, inputs_of(path, {}))
            if piece is None or self.minterm((path.procedure, path.target), piece.end, top.old_values) not in good:
                return False
        else:
            inputs = self._solve_inputs(top, path, good)
            piece = None if inputs is None else take(self.program, path, top.state, inputs)
            if inputs is not None and piece is None:
                raise Astray(f"a path from location {path.source} of '{top.procedure}' is not as the abstraction says")
            if piece is None:
                return False
        top.append(piece)
        top.location = path.target
        return True

    def _solve_inputs(self, top: Activation, path: StepPath, good: frozenset[Minterm]) -> dict[str, Value] | None:
        """Return inputs with which a path leads into good minterms from a state; None where there are none."""
        values = {name: Const(value) for name, value in {**top.state, **top.old_values}.items()}
        target = (path.procedure, path.target)
        goal = disjunction(conjunction(self.abstraction.meaning(target, minterm)) for minterm in sorted(good))
        conditions = [substitute(expr, values) for expr in (*path.guard, path.before(goal))]
        names = [entry.name for entry in path.inputs]
        types: dict[str, Type] = {entry.name: entry.type for entry in path.inputs}
        used = {name for expr in conditions for name in variables(expr)}
        try:
            if not all(evaluate(expr, {}, iter(())) for expr in conditions if not variables(expr)):
                return None
        except Undefined:
            return None
        rest = [expr for expr in conditions if variables(expr)]
        if not rest:
            return inputs_of(path, {})
        found = self._find_model(rest, [name for name in names if name in used], types)
        return None if found is None else inputs_of(path, found)

    def _find_model(self, given: list[Expr], names: list[str], types: Mapping[str, Type]) -> dict[str, Value] | None:
        """Return values of which something holds, small ones if there are some."""
        oracle = self.abstraction.oracle
        integers = [name for name in names if isinstance(types[name], Int)]
        for size in _SMALL:
            near: list[Expr] = []
            for name in integers:
                near += [
                    Compare(Comparison.AT_MOST, Var(name), Const(size)),
                    Compare(Comparison.AT_LEAST, Var(name), Const(-size)),
                ]
            try:
                found = oracle.model([*given, *near], names, types)
            except Undecided:
                continue
            if found is not None:
                return found
        return oracle.model(given, names, types)
