"""Threads within a bound, walked through by the kernel itself: what a proof by a sequential program claims.

Such a proof has path edges of a program that was made of the threads and a number of switches or rounds (A. Lal and
T. Reps, CAV 2008).  How that program is made would have to be trusted, so the kernel goes through all runs within the
bound, context by context (S. Qadeer and J. Rehof, TACAS 2005), and uses nothing of the file but the bound.

The stacks of a thread are those that an automaton reads from the top; its states are numbers, `LAST` is where a stack
ends.  What a thread reaches in a context is found by saturation (J. Esparza, D. Hansel, P. Rossmanith, S. Schwoon, CAV
2000): a state for each *moment*, for each activation that is entered one for what lies below it.  A step looks at the
two topmost activations.  A thread that is started is kept, if there are switches left for it to run, or forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from knaster_check.boolean.successors import valuations
from knaster_check.boolean.thread_steps import Letter, Shared, Step, Threads
from knaster_check.evaluate import can_be
from knaster_check.program import UNBEGUN, Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.work import STEP

LAST = 0
MOST_MOVES = 300_000  # of all automata
_FIELDS = ("bound", "asked", "procedures", "nodes")


class Moment(NamedTuple):
    """The globals, whether inside a section, and the threads that were started in this context."""

    shared: Shared
    section: bool
    started: tuple[Letter, ...]


class Pause(NamedTuple):
    """Between two contexts: the globals, and a state of an automaton for the stacks of each thread."""

    shared: Shared
    stacks: tuple[int, ...]


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run within the bound reaches a target."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(bool(targets), "the proof excludes no target")
    expect(all(target.procedure for target in targets), "the proof says nothing of what has no place")
    data = object_with(document["sequential"], _FIELDS, "'sequential'")
    kind, given = list_of(data["bound"], "a bound", 2)
    number = number_of(given, "a bound")
    expect(kind == "switches" or (kind == "rounds" and number > 0), "the bound is of another kind")
    contexts = Contexts(program, targets, tick)
    contexts.run(kind == "rounds", number)
    return Verdict("unreachable", targets, (kind, number), {"moves of stacks": contexts.count})


class Contexts:
    """The automata of all stacks, and the runs through them."""

    def __init__(self, program: Program, targets: tuple[Target, ...], tick: Tick) -> None:
        self.program, self.threads, self.tick = program, Threads(program), tick
        self.targets = {(target.procedure, target.location): target.name for target in targets}
        self.moves: list[dict[tuple[Letter, int], None]] = [{}]  # of each state: what is read, and where that leads
        self.empty: set[int] = set()  # states whose stacks may be those of a thread that has ended
        self.count = 0
        self._after: dict[tuple[int, Shared, int | None], list[tuple[Moment, int]]] = {}
        self._waiting: dict[Letter, int] = {}

    def state(self) -> int:
        """Return a new state."""
        self.moves.append({})
        return len(self.moves) - 1

    def run(self, rounds: bool, number: int) -> None:
        """Go through all runs of so many switches or rounds."""
        todo = [(0, thread, pause) for pause in self.starts() for thread in range(len(pause.stacks))]
        seen = set(todo)
        for level, thread, pause in todo:  # grows
            left = None if rounds else number - level
            for after in self.context(thread, pause, left):
                for other in range(len(after.stacks)):
                    same = rounds and other > thread  # mutant(>): they differ, see below
                    item = level if same else level + 1, other, after
                    if other != thread and item[0] < number + (not rounds) and item not in seen:
                        seen.add(item)
                        todo.append(item)

    def starts(self) -> Iterator[Pause]:
        """Yield the states in which runs begin."""
        stacks = []
        for name in self.program.threads:
            expect(not self.program.procedures[name].parameters, "a thread has parameters", f"'{name}'")
            stacks.append(self.waiting(Letter(name, UNBEGUN, (), None, True)))
        for state in valuations(self.program.globals):
            if can_be(self.program.init, True, state, None):
                yield Pause(tuple(state.values()), tuple(stacks))

    def waiting(self, letter: Letter) -> int:
        """Return a state for one stack of one activation."""
        if letter not in self._waiting:
            self._waiting[letter] = self.state()
            self.moves[self._waiting[letter]][letter, LAST] = None
        return self._waiting[letter]

    def context(self, thread: int, pause: Pause, left: int | None) -> Iterator[Pause]:
        """Yield where another thread may go on after a context of a thread, with so many switches left.

        None: the bound is one of rounds.
        """
        key = pause.stacks[thread], pause.shared, left
        if key not in self._after:
            self._after[key] = list(self._ends(_Context(self, Moment(pause.shared, False, ()), key[0], left).roots))
        for moment, own in self._after[key]:
            stacks = [*pause.stacks, *map(self.waiting, moment.started)]
            stacks[thread] = own
            yield Pause(moment.shared, tuple(stacks))

    def _ends(self, roots: Mapping[Moment, int]) -> Iterator[tuple[Moment, int]]:
        """Yield the moments at which others may run, with the stacks that have not failed there."""
        for moment, root in roots.items():
            if moment.section or self.threads.is_locked(moment.shared):
                continue
            own = self.state()
            self.moves[own] = {move: None for move in self.moves[root] if not self.has_failed(move[0])}
            if root in self.empty:
                self.empty.add(own)
            if self.moves[own] or own in self.empty:
                yield moment, own

    def has_failed(self, letter: Letter) -> bool:
        """Tell whether an assertion has failed in an activation."""
        return letter.location in self.program.procedures[letter.procedure].failures


class _Context:
    """What one thread reaches that has not ended: a state for each moment."""

    def __init__(self, whole: Contexts, start: Moment, stacks: int, left: int | None) -> None:
        self.whole, self.left = whole, left
        self.roots: dict[Moment, int] = {}
        self.below: dict[tuple[Moment, Letter], int] = {}  # what lies below an activation that is entered
        self.ends: dict[int, list[tuple[Moment, Letter]]] = {}  # who is at its exit above a state
        self.todo: list[tuple[Moment, Letter, int]] = []
        for letter, state in whole.moves[stacks]:
            self.reach(start, letter, state)
        for moment, letter, state in self.todo:  # grows
            self.expand(moment, letter, state)

    def root(self, moment: Moment) -> int:
        """Return the state of a moment."""
        if moment not in self.roots:
            self.roots[moment] = self.whole.state()
        return self.roots[moment]

    def reach(self, moment: Moment, letter: Letter, state: int) -> None:
        """Add the stacks with a letter on top of those of a state; refuse where it is a target."""
        if self.add(self.root(moment), letter, state):
            name = self.whole.targets.get(letter[:2])
            if name is not None:
                raise Refused("it is not excluded", name)
            self.todo.append((moment, letter, state))

    def add(self, source: int, letter: Letter, state: int) -> bool:
        """Add a move of the automata; tell whether it is new."""
        whole = self.whole
        whole.tick(STEP)
        if (letter, state) in whole.moves[source]:
            return False
        whole.count += 1
        if whole.count > MOST_MOVES:  # mutant(>): one move more or less
            raise Unsupported("there are too many stacks")
        whole.moves[source][letter, state] = None
        return True

    def expand(self, moment: Moment, top: Letter, state: int) -> None:
        """Add what follows from the stacks with a letter on top."""
        if not top.lowest and top.location == self.whole.program.procedures[top.procedure].exit:
            self.ends.setdefault(state, []).append((moment, top))
            for second, rest in list(self.whole.moves[state]):
                self.step(moment, (top, second), rest)
        else:
            self.step(moment, (top,), state)

    def step(self, moment: Moment, known: tuple[Letter, ...], rest: int) -> None:
        """Add what the steps lead to that look at some letters on top."""
        for step in self.whole.threads.steps(known, moment.section, moment.shared):
            for after in self.moments(moment, step):
                if not step.stack:
                    self.whole.empty.add(self.root(after))
                elif len(step.stack) == 1:
                    self.reach(after, step.stack[0], rest)
                else:
                    entered, caller = step.stack
                    self.enter(after, entered, caller, rest)

    def enter(self, moment: Moment, entered: Letter, caller: Letter, rest: int) -> None:
        """Add an activation on top of its caller."""
        key = moment, entered
        if key not in self.below:
            self.below[key] = self.whole.state()
        below = self.below[key]
        self.reach(moment, entered, below)
        if self.add(below, caller, rest):
            for then, top in list(self.ends.get(below, ())):
                self.step(then, (top, caller), rest)

    def moments(self, moment: Moment, step: Step) -> Iterator[Moment]:
        """Yield the moment after a step: a thread that it starts is kept or forgotten."""
        yield Moment(step.shared, step.section, moment.started)
        if step.started is None:
            return
        expect(self.left is not None, "a bound of rounds says nothing of 'start_thread'")
        # mutant(<): one thread more costs time alone
        if self.left is not None and len(moment.started) < self.left:
            yield Moment(step.shared, step.section, (*moment.started, step.started))
