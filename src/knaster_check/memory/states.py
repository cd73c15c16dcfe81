"""The check of all states of threads with memory: the kernel lets the threads run itself, in every order.

The file says how many states there are, for people.  From each state every thread that may run takes a turn, with every
input: a step, and then private ones (`threads`) and those inside a section.  No state is at a target or leads to an
undefined step that is asked for; states that were met are not gone on from again.  Without targets every run ends: no
way leads from a state back to it, and every turn has a step.  Where only fair runs count, no way around is fair to the
threads that take no turn on it.  Between turns nobody is inside a section.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.graphs import components
from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Over, Undefined
from knaster_check.memory.inputs import Cover
from knaster_check.memory.leaks import leaks_of
from knaster_check.memory.runs import UNITS, Watch, no_judgement_where_it_stumbles
from knaster_check.memory.threads import PlainInputs, ThreadedMachine, Waits, key_of
from knaster_check.program import Program, Target
from knaster_check.refused import Unsupported, expect, list_of, number_of, object_with, text_of, truth_of
from knaster_check.table import FAIRNESS, Verdict
from knaster_check.work import Tick

LONGEST = 500  # steps of a turn
COPY = 100  # units of a copy and of a comparison
MOST = 20_000  # states, where nobody has counted them


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run of the threads reaches a target, or without targets that every run ends."""
    given = document["states_of_memory"]
    fair = given.get("fair", "none") if isinstance(given, dict) else "none"
    expect(fair in FAIRNESS and (fair == "none" or not targets), "there is no such fairness")
    more = ("fair",) if isinstance(given, dict) and "fair" in given else ()
    data = object_with(given, ("states", "strict", "vague", *more), "'states_of_memory'")
    number_of(data["states"], "the number of states")
    truth_of(data["vague"], "'vague'")
    for kind in list_of(data["strict"], "undefined steps"):
        text_of(kind, "a kind of undefined step")
    return _walk(States(program, targets, tick), program, targets, fair)


def check_reduced(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return the same of a proof by a sequential program that stands for threads: the kernel does not look at that."""
    data = object_with(document["reduced_threads"], ("bound", "asked", "proof"), "'reduced_threads'")
    if data["bound"] is not None:
        raise Unsupported("the kernel counts no rounds of threads with memory")
    return _walk(States(program, targets, tick, MOST), program, targets)


def check_guaranteed(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return the same of a proof of one thread at a time, which the kernel does not look at."""
    object_with(document["guaranteed_threads"], ("asked", "guarantees", "shows", "proofs"), "'guaranteed_threads'")
    return _walk(States(program, targets, tick, MOST), program, targets)


def _walk(states: States, program: Program, targets: tuple[Target, ...], fair: str = "none") -> Verdict:
    with no_judgement_where_it_stumbles():
        states.walk()
    if not targets:
        expect(not states.goes_around(fair), "threads can come back to a state, so that a run never ends")
    claim = "unreachable" if targets else "ends"
    return Verdict(claim, targets, None, {"states": len(states.after), "steps": states.steps}, fair=fair)


class States(Watch):
    """All states that threads come to."""

    def __init__(self, program: Program, targets: tuple[Target, ...], tick: Tick, most: int | None = None) -> None:
        expect(program.kind == "memory" and len(program.threads) == 1, "the program has no memory")
        super().__init__(program, targets)
        self.codes, self.tick, self.most = Codes(program), tick, most
        if any("race" in asked.kinds for asked in self.asked):
            raise Unsupported("the kernel does not look for races")
        self.after: dict[Any, list[tuple[Any, int]]] = {}  # where turns lead from each state, and whose they are
        self.able: dict[Any, set[int]] = {}  # who can move in each state
        self.todo: list[tuple[Any, ThreadedMachine]] = []
        self.here: Any = None  # the state from which threads take turns
        self.steps = 0

    def walk(self) -> None:
        """Walk until no state is left."""
        for inputs in Cover(PlainInputs):
            machine = ThreadedMachine(self.codes, inputs, self.note)
            self._keep(machine)
        while self.todo:
            self.here, state = self.todo.pop()
            self.able[self.here] = {number for number in state.may_run if self._turns(state, number)}
            if state.may_run and not self.able[self.here] and not state.depth:
                self.note("deadlock", (0, 0))

    def goes_around(self, fair: str) -> bool:
        """Tell whether a run that counts can go around: whoever takes no turn cannot move somewhere, or nowhere."""
        todo = [set(self.after)]
        while todo:
            among = todo.pop()
            ways = {here: [there for there, _ in self.after[here] if there in among] for here in among}
            for part in map(set, components(ways)):
                moved = {number for here in part for there, number in self.after[here] if there in part}
                rest = set.union(*(self.able[here] for here in part)) - moved
                wronged = rest if fair == "strong" else {t for t in rest if all(t in self.able[here] for here in part)}
                if fair == "none" or not wronged:
                    return True
                if fair == "strong":
                    todo.append({here for here in part if not self.able[here] & wronged})
        return False

    def _keep(self, machine: ThreadedMachine) -> None:
        self.tick(COPY)
        key = key_of(machine)
        if self.here is not None:
            self.after[self.here].append((key, machine.current))
        if key not in self.after:
            self.after[key] = []
            if self.most is not None and len(self.after) > self.most:  # mutant(>): one state more or less
                raise Unsupported(f"threads have more than {self.most:,} states")
            self.todo.append((key, machine))

    def _turns(self, state: ThreadedMachine, number: int) -> bool:
        """Let a thread take its turn with every input; tell whether it can move."""
        moves = False
        for inputs in Cover(PlainInputs):
            self.tick(COPY)
            machine = state.copy()
            machine.inputs = inputs
            machine.switch(number)
            self.look(machine)  # it may begin at a target
            moves = self._turn(machine) or moves
        return moves

    def _turn(self, machine: ThreadedMachine) -> bool:
        """Take a step of the thread that runs, and those that nobody notices; tell whether it could move.

        A step that would end the run begins a turn of its own: others may run before it.
        """
        for count in range(LONGEST):
            first = count == 0 or bool(machine.depth)
            try:
                machine.step()
            except Waits:
                if machine.depth:
                    raise Unsupported("a thread waits where nobody else may run") from None
                if count:
                    self._keep(machine)
                return count > 0
            except (Over, Undefined) as end:
                if first and isinstance(end, Undefined):
                    self.note(end.kind, end.place)
                if not first:
                    self._keep(machine)
                return True
            self._tick()
            if not machine.frames:
                break
            self.look(machine)
            if not (machine.depth or machine.is_alone or machine.is_private()):
                break
        if machine.depth and machine.frames:
            raise Unsupported("a section is too long")
        if machine.over or all(thread.ended for thread in machine.threads):
            for kind in leaks_of(machine):
                self.note(kind, (0, 0))
        else:
            self._keep(machine)
        return True

    def _tick(self) -> None:
        self.steps += 1
        self.tick(UNITS)
