"""Finds a run of the threads in the sets of configurations that were found one after the other.

Every set that was new at some time is kept with a stamp.  A configuration of a set is either handed over by another
thread at the time it began to run, or it follows by a step from one with an earlier stamp; the earliest is taken.  So
the walk backwards ends at an initial configuration, and it passes as many switches as the level says.

The sets say nothing about local variables that no longer matter; their values are found out on the way forwards.
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field, replace
from knaster.bdd.store import Bdd
from knaster.engines.threads.states.steps import Key, Move, Moves
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.layout.lanes import UNBEGUN, Lanes, Point
from knaster.program.model import Call, Concurrent, ThreadOperation
from knaster.program.state import State

Values = dict[int, bool]  # of BDD variables


class Record(NamedTuple):
    """A set that was new; `seed` where another thread handed it over."""

    stamp: int
    level: int
    states: Bdd
    seed: bool


@dataclass(slots=True)
class History:
    """What was new, by the lane of the thread that ran and by where it stood."""

    lanes: Lanes
    moves: Moves
    records: list[dict[Key, list[Record]]]
    stamp: int = 0
    _incoming: dict[int, dict[Key, list[tuple[Key, Move]]]] = field(default_factory=dict)

    def next_stamp(self) -> int:
        """Return the number of the next record."""
        self.stamp += 1
        return self.stamp

    def add(self, lane: int, key: Key, record: Record) -> None:
        """Keep a set that is new."""
        self.records[lane].setdefault(key, []).append(record)

    def steps_into(self, lane: int) -> dict[Key, list[tuple[Key, Move]]]:
        """Return the steps that lead to each key of a lane."""
        if lane not in self._incoming:
            found: dict[Key, list[tuple[Key, Move]]] = {}
            for key in self.records[lane]:
                for move in self.moves.leaving_key(lane, key):
                    found.setdefault(move.target, []).append((key, move))
            self._incoming[lane] = found
        return self._incoming[lane]


@dataclass(frozen=True, slots=True)
class _Here:
    """One configuration: who runs, where everybody stands, and the values of what exists (backwards: and matters)."""

    lane: int
    section: bool
    points: tuple[Point, ...]
    values: Values

    @property
    def key(self) -> Key:
        return Key(self.points[self.lane], self.section)


def trace_to(history: History, rounds: bool, lane: int, key: Key, states: Bdd, standstill: bool) -> Trace:
    """Return a run to one of the `states` with the least number of switches (or rounds).

    At a `standstill` it matters with which values threads have begun that have done nothing else.
    """
    walk = _Backwards(history, rounds)
    here = walk.pick(lane, key, states)
    steps: list[tuple[_Here, Move | None]] = []  # each configuration with the move that led to it, None for a switch
    record = walk.record_of(here)
    while True:
        if record.seed:
            before = walk.switch_before(here, record)
            if before is None:
                break
            steps.append((here, None))
            here, record = before
        else:
            here_before, move, record = walk.step_before(here, record)
            steps.append((here, move))
            here = here_before
    return _forwards(history, here, list(reversed(steps)), Recorder(history.lanes.program, keeps_beginnings=standstill))


def pick_one(history: History, lane: int, key: Key, states: Bdd) -> _Here:
    """Return one configuration of a set."""
    chosen = history.moves.store.pick(states)
    assert chosen is not None
    points = []
    for other, own in enumerate(history.lanes.lanes):
        number = sum(chosen.get(bit, False) << index for index, bit in enumerate(own.bits))
        points.append(key.point if other == lane else own.points[number])
    values = {variable: chosen.get(variable, False) for variable in history.lanes.shared.values()}
    for own, point in zip(history.lanes.lanes, points, strict=True):
        for variable in own.existing_variables(history.lanes.program, point):
            values[variable] = chosen.get(variable, False)
    return _Here(lane, key.section, tuple(points), values)


def cube_of(history: History, here: _Here) -> Bdd:
    """Return a configuration as a set, without where the running thread stands."""
    cube = history.moves.store.assignment(here.values)
    for lane, point in enumerate(here.points):
        if lane != here.lane:
            cube &= history.moves.code(lane, point)
    return cube


class _Backwards:
    """The way back through the records."""

    def __init__(self, history: History, rounds: bool) -> None:
        self.history = history
        self.lanes = history.lanes
        self.store = history.moves.store
        self.rounds = rounds

    def pick(self, lane: int, key: Key, states: Bdd) -> _Here:
        """Return one configuration of a set, without the values of what does not matter."""
        here = pick_one(self.history, lane, key, states)
        idle = {v for other, point in enumerate(here.points) for v in self.history.moves.idle(other, point)}
        return replace(here, values={v: value for v, value in here.values.items() if v not in idle})

    def cube(self, here: _Here) -> Bdd:
        """Return the configuration as a set, without where the running thread stands."""
        return cube_of(self.history, here)

    def record_of(self, here: _Here) -> Record:
        """Return the record in which a configuration was new."""
        cube = self.cube(here)
        for record in self.history.records[here.lane].get(here.key, ()):
            if not self.store.is_false(cube & record.states):
                return record
        raise InternalError("a configuration is in none of the sets")

    def step_before(self, here: _Here, record: Record) -> tuple[_Here, Move, Record]:
        """Return a configuration from which a step leads here, the step, and the record of that configuration."""
        cube = self.cube(here)
        best: tuple[int, Key, Move, Record, Bdd] | None = None
        for key, move in self.history.steps_into(here.lane).get(here.key, ()):
            before = move.relation.preimage(cube)
            for candidate in self.history.records[here.lane][key]:
                if candidate.stamp >= record.stamp or (best is not None and candidate.stamp >= best[0]):
                    break
                hit = before & candidate.states
                if not self.store.is_false(hit):
                    best = candidate.stamp, key, move, candidate, hit
                    break
        if best is None:
            raise InternalError("no step leads to a configuration that was found by one")
        _, key, move, found, hit = best
        return self.pick(here.lane, key, hit), move, found

    def switch_before(self, here: _Here, record: Record) -> tuple[_Here, Record] | None:
        """Return the same configuration with the thread that ran before; None where the program starts here."""
        for lane, point in enumerate(here.points):
            if lane == here.lane:
                continue
            other = _Here(lane, False, here.points, here.values)
            cube = self.cube(other)
            level = record.level if self.rounds and lane < here.lane else record.level - 1
            for candidate in self.history.records[lane].get(Key(point, False), ()):
                earlier = candidate.level == level and candidate.stamp < record.stamp
                if earlier and not self.store.is_false(cube & candidate.states):
                    return other, candidate
        return None


def _forwards(history: History, here: _Here, steps: list[tuple[_Here, Move | None]], recorder: Recorder) -> Trace:
    """Return the run that begins here as a trace."""
    lanes = history.lanes
    here = pick_one(history, here.lane, here.key, cube_of(history, here))
    numbers = dict(enumerate(range(1, recorder.count + 1)))  # of the thread in each lane
    waiting = here.points[here.lane].location == UNBEGUN  # until it has begun, its state is not known
    if not waiting:
        recorder.run(numbers[here.lane], _state(lanes, here))
    for known, move in steps:
        after = _complete(history, here, known, move)
        if move is None:
            waiting = after.points[after.lane].location == UNBEGUN
            if not waiting:
                recorder.run(numbers[after.lane], _state(lanes, after))
        elif waiting:
            recorder.run(numbers[after.lane], _state(lanes, after))
            waiting = False
        elif move.edge is None:
            recorder.come_back(_state(lanes, after))
        elif isinstance(move.edge.action, Call):
            recorder.call(move.edge, move.edge.action.procedure, _state(lanes, after))
        else:
            if move.lane is not None:
                numbers[move.lane] = recorder.count + 1
            action = move.edge.action
            ends = isinstance(action, Concurrent) and action.operation is ThreadOperation.END
            recorder.step(move.edge, _state(lanes, here if ends else after))
        here = after
    return recorder.trace()


def _complete(history: History, here: _Here, known: _Here, move: Move | None) -> _Here:
    """Return the configuration after a move with the values of everything; `known` has those that matter."""
    if move is None:
        return _Here(known.lane, known.section, known.points, here.values)
    return pick_one(
        history, known.lane, known.key, move.relation.image(cube_of(history, here)) & cube_of(history, known)
    )


def _state(lanes: Lanes, here: _Here) -> State:
    """Return the state of the activation that runs."""
    point, own = here.points[here.lane], lanes.lanes[here.lane]
    state = {name: here.values[lanes.shared[name]] for name in lanes.program.globals}
    frame = own.frame(lanes.program, point.procedure, point.depth)
    return state | {name: here.values[variable] for name, variable in frame.items()}
