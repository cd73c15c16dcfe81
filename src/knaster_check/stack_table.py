"""The check of a table of stacks: why threads that may recurse reach no target, whatever the number of switches.

A row is a context of one thread: the set of stacks of every thread when it begins, and what the running thread reaches:
for each *moment* (values of the globals, inside a section, an assertion has failed) a set of its stacks.  It says that
whatever a run does is in a row.  A set of stacks is a deterministic automaton that reads letters from the top: an
activation (procedure, location, values, the edge of the call that it waits for), and whether it is the lowest.

    start      each thread may run first, in every initial state, all others waiting
    steps      from each stack at each moment every step leads to a stack at a moment of the same row; a step looks at
               the two topmost activations only
    switches   where another thread may run there is a row in which it does, with at least these stacks
    targets    are on top of no stack
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from knaster_check.evaluate import State, can_be
from knaster_check.program import UNBEGUN, Call, Procedure, Program, Target, Thread
from knaster_check.refused import Refused, expect, list_of, number_of, object_with, text_of, truth_of
from knaster_check.steps import state_after_return
from knaster_check.successors import begins, entries, successors, valuations
from knaster_check.table import Tick, Verdict


class Letter(NamedTuple):
    """An activation on a stack."""

    procedure: str
    location: int
    frame: tuple[bool, ...]
    calling: int | None
    lowest: bool


class Stacks(NamedTuple):
    """A set of stacks: what each state reads and where that leads, and which states accept; state 0 is the start."""

    moves: tuple[Mapping[Letter, int], ...]
    accepting: tuple[bool, ...]


class Moment(NamedTuple):
    """The globals, whether inside a section, and whether an assertion has failed."""

    shared: tuple[bool, ...]
    section: bool
    failed: bool


class Row(NamedTuple):
    """A context of a thread."""

    running: int
    stacks: tuple[Stacks, ...]
    reached: Mapping[Moment, Stacks]


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(bool(targets), "the proof excludes no target")
    table = _Table(program, document["stacks"], tick)
    table.check_start()
    for row in table.rows:
        for moment, stacks in row.reached.items():
            for target in targets:
                expect(bool(target.procedure), "the proof says nothing of it", target.name)
                on_top = any(letter[:2] == target[1:] for letter in stacks.moves[0])
                expect(not on_top, "it is not excluded", target.name)
            table.check_steps(row, moment, stacks)
            table.check_switches(row, moment, stacks)
    return Verdict("unreachable", targets, None, {"evaluated": table.count})


class _Table:
    """The rows of a proof, for a program."""

    def __init__(self, program: Program, data: object, tick: Tick) -> None:
        self.program, self.tick, self.count = program, tick, 0
        rows = object_with(data, ("letters", "sets", "rows"), "'stacks'")
        letters = [_letter(program, row) for row in list_of(rows["letters"], "letters")]
        sets = [_stacks(row, letters) for row in list_of(rows["sets"], "sets")]
        self.rows = [self._row(row, sets) for row in list_of(rows["rows"], "rows")]

    def _row(self, data: object, sets: Sequence[Stacks]) -> Row:
        running, stacks, reached = list_of(data, "a context", 3)
        count = len(self.program.threads)
        own = tuple(sets[number_of(one, "a set", len(sets))] for one in list_of(stacks, "stacks", count))
        found: dict[Moment, Stacks] = {}
        for entry in list_of(reached, "moments"):
            shared, section, failed, number = list_of(entry, "a moment", 4)
            values = tuple(truth_of(v, "a value") for v in list_of(shared, "globals", len(self.program.globals)))
            moment = Moment(values, truth_of(section, "a section"), truth_of(failed, "a failure"))
            expect(moment not in found, "a moment is there twice")
            found[moment] = sets[number_of(number, "a set", len(sets))]
        return Row(number_of(running, "a thread", count), own, found)

    def check_start(self) -> None:
        """Refuse where a start is missing."""
        stacks = []
        for name in self.program.threads:
            expect(not self.program.procedures[name].parameters, "a thread has parameters", f"'{name}'")
            stacks.append(Stacks(({Letter(name, UNBEGUN, (), None, True): 1}, {}), (False, True)))
        for state in valuations(self.program.globals):
            if can_be(self.program.init, True, state, None):
                moment = Moment(tuple(state.values()), False, False)
                covered = all(self._is_covered(number, moment, stacks) for number in range(len(stacks)))
                expect(covered, "an initial state is missing")

    def check_steps(self, row: Row, moment: Moment, stacks: Stacks) -> None:
        """Refuse where a step leads out of a row."""
        for known, rest in _tops(stacks):
            self.tick()
            for after, section, shared in self._steps(moment, known):
                failed = bool(after) and after[0].location in self.program.procedures[after[0].procedure].failures
                target = row.reached.get(Moment(shared, section, failed))
                holds = target is not None and _holds(target, after, stacks, rest)
                expect(holds, "a step leads out of the table", f"'{known[0].procedure}', location {known[0].location}")
                self.count += 1

    def check_switches(self, row: Row, moment: Moment, stacks: Stacks) -> None:
        """Refuse where a switch leads to no row."""
        failures = [top.location in self.program.procedures[top.procedure].failures for top in stacks.moves[0]]
        locked = self.program.atomic is not None and moment.shared[self.program.globals.index(self.program.atomic)]
        if moment.section or locked or (failures and all(failures)):
            return
        now = [*row.stacks[: row.running], stacks, *row.stacks[row.running + 1 :]]
        for number in range(len(now)):
            covered = number == row.running or self._is_covered(number, moment._replace(failed=False), now)
            expect(covered, f"a switch from thread {row.running + 1} leads out of the table")
            self.count += 1

    def _is_covered(self, running: int, moment: Moment, stacks: Sequence[Stacks]) -> bool:
        """Tell whether a row has a thread running at a moment, with at least these stacks."""
        self.tick()
        for row in self.rows:
            if row.running == running and moment in row.reached:
                large = [*row.stacks[:running], row.reached[moment], *row.stacks[running + 1 :]]
                if all(_is_contained(one, 0, other, 0) for one, other in zip(stacks, large, strict=True)):
                    return True
        return False

    def _steps(
        self, moment: Moment, known: Sequence[Letter]
    ) -> Iterator[tuple[tuple[Letter, ...], bool, tuple[bool, ...]]]:
        """Yield each step: the letters on top afterwards, whether inside a section, and the globals."""
        top, below = known[0], tuple(known[1:])
        here = self.program.procedures[top.procedure]
        shared = dict(zip(self.program.globals, moment.shared, strict=True))
        if top.location == UNBEGUN:
            for start in begins(here, shared):
                yield (self._letter(here, here.entry, start, top.lowest), *below), moment.section, moment.shared
            return
        state = {**shared, **dict(zip(here.frame, top.frame, strict=True))}
        if top.location == here.exit:
            if below:
                yield from self._back(here, state, below, moment.section)
            return
        for number, edge in enumerate(here.edges):
            if edge.source != top.location:
                continue
            match edge.action:
                case Call() as call:
                    waiting = top._replace(calling=number)
                    callee = self.program.procedures[call.procedure]
                    for start in entries(self.program, callee, call, state):
                        entered = self._letter(callee, callee.entry, start, False)
                        yield (entered, waiting, *below), moment.section, moment.shared
                case Thread("end_thread"):
                    yield (), False, moment.shared
                case Thread(operation):
                    known_of = operation in ("atomic_begin", "atomic_end")
                    expect(known_of, f"a table of stacks says nothing of '{operation}'", f"'{here.name}'")
                    if can_be(here.enforce, True, state, None):
                        moved = self._letter(here, edge.target, state, top.lowest)
                        yield self._closed((moved, *below), operation == "atomic_begin", moment.shared)
                case _:
                    for after in successors(here, edge, state):
                        moved = self._letter(here, edge.target, after, top.lowest)
                        yield self._closed((moved, *below), moment.section, self._globals(after))

    def _back(
        self, here: Procedure, state: State, below: tuple[Letter, ...], section: bool
    ) -> Iterator[tuple[tuple[Letter, ...], bool, tuple[bool, ...]]]:
        caller = self.program.procedures[below[0].procedure]
        assert below[0].calling is not None
        edge = caller.edges[below[0].calling]
        assert isinstance(edge.action, Call)
        if edge.action.procedure != here.name:
            return  # no such stack
        waiting = {**state, **dict(zip(caller.frame, below[0].frame, strict=True))}
        waiting = {name: waiting[name] for name in self.program.scope(caller)}
        try:
            after = state_after_return(self.program, caller, here, edge.action, waiting, state)
        except Refused:
            return  # what the caller enforces does not hold: there is no such step
        moved = self._letter(caller, edge.target, after, below[0].lowest)
        yield self._closed((moved, *below[1:]), section, self._globals(after))

    def _closed(
        self, stack: tuple[Letter, ...], section: bool, shared: tuple[bool, ...]
    ) -> tuple[tuple[Letter, ...], bool, tuple[bool, ...]]:
        """Return a step; the end of its thread ends a section."""
        ended = stack[0].lowest and stack[0].location == self.program.procedures[stack[0].procedure].exit
        return stack, section and not ended, shared

    def _letter(self, procedure: Procedure, location: int, state: State, lowest: bool) -> Letter:
        return Letter(procedure.name, location, tuple(state[name] for name in procedure.frame), None, lowest)

    def _globals(self, state: State) -> tuple[bool, ...]:
        return tuple(state[name] for name in self.program.globals)


def _letter(program: Program, data: object) -> Letter:
    name, location, values, calling, lowest = list_of(data, "a letter", 5)
    expect(text_of(name, "a letter") in program.procedures, "a letter is of no procedure")
    procedure = program.procedures[name]
    unbegun = type(location) is int and location == UNBEGUN
    expect(unbegun or number_of(location, "a letter", procedure.size) >= 0, "a letter has no place")
    frame = tuple(truth_of(value, "a value") for value in list_of(values, "a frame"))
    expect(len(frame) == len(procedure.parameters if unbegun else procedure.frame), "a letter has other variables")
    if calling is not None:
        edge = procedure.edges[number_of(calling, "a letter", len(procedure.edges))]
        expect(isinstance(edge.action, Call) and edge.source == location, "a letter waits for no call")
    return Letter(name, location, frame, calling, truth_of(lowest, "a letter"))


def _stacks(data: object, letters: Sequence[Letter]) -> Stacks:
    rows, accepting = list_of(data, "a set of stacks", 2)
    truths = tuple(truth_of(one, "a state") for one in list_of(accepting, "states"))
    expect(len(list_of(rows, "moves", len(truths))) > 0, "a set of stacks has no states")
    moves = []
    for row in rows:
        own: dict[Letter, int] = {}
        for move in list_of(row, "moves"):
            number, to = list_of(move, "a move", 2)
            letter = letters[number_of(number, "a letter", len(letters))]
            expect(letter not in own, "a set of stacks is not deterministic")
            own[letter] = number_of(to, "a state", len(truths))
        moves.append(own)
    return Stacks(tuple(moves), truths)


def _tops(stacks: Stacks) -> Iterator[tuple[tuple[Letter, ...], int | None]]:
    """Yield the two topmost letters of each stack, and the state for the rest; None where nothing is below.

    Each activation of a run but the topmost waits for a callee: other stacks are those of no run.
    """
    for top, state in stacks.moves[0].items():
        if top.calling is not None:
            continue
        if top.lowest:
            yield (top,), None
            continue
        for second, after in stacks.moves[state].items():
            if second.calling is not None:
                yield (top, second), None if second.lowest else after


def _holds(target: Stacks, known: Sequence[Letter], source: Stacks, rest: int | None) -> bool:
    """Tell whether a set has each stack of these letters and the rest of a stack of another set.

    A thread that has ended has no letters: what lay below is gone.
    """
    state = 0
    for letter in known:
        if letter not in target.moves[state]:
            return False
        state = target.moves[state][letter]
    if not known or rest is None:
        return target.accepting[state]
    return _is_contained(source, rest, target, state)


def _is_contained(small: Stacks, first: int, large: Stacks, second: int) -> bool:
    """Tell whether each word from one state of a set is one from a state of another."""
    if small is large and first == second:
        return True
    todo, seen = [(first, second)], {(first, second)}
    while todo:
        here, there = todo.pop()
        if small.accepting[here] and not large.accepting[there]:
            return False
        for letter, after in small.moves[here].items():
            if letter not in large.moves[there]:
                return False
            pair = (after, large.moves[there][letter])
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return True
