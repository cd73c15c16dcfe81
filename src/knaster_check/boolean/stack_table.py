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

from knaster_check.boolean.successors import valuations
from knaster_check.boolean.thread_steps import Letter, Threads
from knaster_check.evaluate import can_be
from knaster_check.program import UNBEGUN, Call, Program, Target
from knaster_check.refused import expect, list_of, number_of, object_with, text_of, truth_of
from knaster_check.table import Tick, Verdict


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
        self.program, self.threads, self.tick, self.count = program, Threads(program), tick, 0
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
            for step in self.threads.steps(known, moment.section, moment.shared):
                after, section, shared = step.stack, step.section, step.shared
                expect(step.started is None, "a table of stacks says nothing of 'start_thread'")
                failed = bool(after) and after[0].location in self.program.procedures[after[0].procedure].failures
                target = row.reached.get(Moment(shared, section, failed))
                holds = target is not None and _holds(target, after, stacks, rest)
                expect(holds, "a step leads out of the table", f"'{known[0].procedure}', location {known[0].location}")
                self.count += 1

    def check_switches(self, row: Row, moment: Moment, stacks: Stacks) -> None:
        """Refuse where a switch leads to no row."""
        failures = [top.location in self.program.procedures[top.procedure].failures for top in stacks.moves[0]]
        if moment.section or self.threads.is_locked(moment.shared) or (failures and all(failures)):
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
