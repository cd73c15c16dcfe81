"""The check of fair sets: by sets that shrink to nothing, no run of threads that counts is one an automaton accepts.

A *site* is a state of the automaton and who may move: any thread, or one alone, inside a section or because the global
`atomic` is true.  Each has a set of configurations (`lane_steps`).  From what is `reached` one set after the other is
taken away, each for a reason, with the part `kept` from which what the reason asks for can still be reached:

    accepts      a step that counts; the rest is taken away
    moves  t     a move of thread t, or a place outside sections where it cannot move; the rest is taken away
    answers t    a move of thread t; of the rest, what is outside sections where thread t can move is taken away

reached    contains every start, and every step of every thread leads into it
removals   from what is left but not kept no step leads into what is kept, and none that is asked for into what is left
end        nothing is left; where fair runs alone count, of what is inside sections nothing by `accepts` alone

Take an accepted run that counts, what it comes to again and again, and the first removal that takes some of that away:
none of it was kept, so what the removal asks for never happens again.  In a weak automaton (`automaton`) only steps
back count, to an earlier point of the thread or the same in the `order` of the file: whatever that order is, a thread
that moves for ever takes such steps for ever.  So does the end of a run, where it rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from knaster_check.boolean.circuit import FALSE, TRUE, Functions, Literal, View
from knaster_check.boolean.lane_steps import Arrival, LaneSteps
from knaster_check.boolean.lanes import UNUSED, Point, read_lanes
from knaster_check.boolean.obligations import Obligations
from knaster_check.program import UNBEGUN, Program, Target
from knaster_check.refused import expect, list_of, number_of, object_with, text_of
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.automaton import Cycles
from knaster_check.temporal.lane_letters import LaneLetters
from knaster_check.temporal.question import Question, read_question

Part = tuple[int, bool] | None  # the thread that alone may move, and whether inside a section; None: any
Site = tuple[int, Part]
_QUESTION = ("formula", "fair", "states", "initial", "steps")
_FIELDS = (*_QUESTION, "started", "shared", "lanes", "order", "nodes", "reached", "removals", "inside")
_REASONS = {"none": ("accepts",), "weak": ("accepts", "moves"), "strong": ("accepts", "answers")}


class Removal(NamedTuple):
    """Why configurations are taken away: a reason, the thread that it is about, and from where it does not hold."""

    reason: str
    thread: int
    kept: Mapping[Site, int]


class Left(NamedTuple):
    """What is left of the sets of some sites after removals."""

    sets: Mapping[Site, int]
    removals: tuple[Removal, ...] = ()


class Where:
    """Configurations that are looked at, with literals in the place of some variables."""

    def __init__(self, steps: LaneSteps, functions: Functions, change: Mapping[int, Literal]) -> None:
        self.circuit, self.view = steps.circuit, View(steps.circuit, functions, {**steps.base, **change})
        self.known = {steps.base[place]: literal for place, literal in change.items()}

    def of(self, function: int) -> Literal:
        """Return whether they are in a set."""
        return self.view.of(function)

    def satisfy(self, literal: Literal) -> Literal:
        """Return whether something holds there."""
        return self.circuit.replace(literal, self.known)


class Here(NamedTuple):
    """A thread at a point, inside a section or not, in some configurations."""

    thread: int
    point: Point
    section: bool
    where: Where


class Pair(NamedTuple):
    """Steps of the automaton from one state to another: on which letters, and whether they count."""

    source: int
    target: int
    counts: bool
    guard: Literal


class Move(NamedTuple):
    """A step of a thread beside one of the automaton; `after` is None where there is no room for a started thread."""

    before: Here
    after: Here | None
    pair: Pair
    premises: list[Literal]


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run of threads that counts ends, or is as a formula says."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(not targets, "fair sets exclude no target")
    data = object_with(document["fair_sets"], _FIELDS, "'fair_sets'")
    question = read_question(program, data, tick)
    obligations = Obligations(tick)
    shared, lanes = read_lanes(program, data)
    steps = LaneSteps(program, shared, lanes, False)
    proof = FairSets(steps, data, question, LaneLetters(steps, question.meanings, obligations))
    proof.check_start()
    proof.check_closed()
    proof.check_removals(Left(proof.reached), proof.removals, _REASONS[question.fair])
    if question.fair != "none":
        inside = {site: function for site, function in proof.reached.items() if site[1] is not None}
        proof.check_removals(Left(inside), proof.inside, ("accepts",))
    return question.affirm(obligations.answered)


class FairSets:
    """The sets of a proof, for a program."""

    def __init__(self, steps: LaneSteps, data: Mapping[str, Any], question: Question, letters: LaneLetters) -> None:
        self.steps, self.circuit, self.letters = steps, steps.circuit, letters
        self.automaton, self.rests = question.automaton, question.formula is not None
        self.functions = Functions(data["nodes"])
        self.reached = self._sets(data["reached"])
        self.removals = [self._removal(row) for row in list_of(data["removals"], "removals")]
        self.inside = [self._removal(row) for row in list_of(data["inside"], "removals")]
        orders = list_of(data["order"], "orders", len(steps.lanes))
        self.order: list[dict[Point, int]] = []
        for lane, row in zip(steps.lanes, orders, strict=True):
            numbers = [number_of(each, "an order") for each in list_of(row, "an order", len(lane.points))]
            self.order.append(dict(zip(lane.points, numbers, strict=True)))
        self.cycles = Cycles(self.automaton)
        self.anywhere = Where(steps, self.functions, {})

    def _sets(self, data: object) -> dict[Site, int]:
        found: dict[Site, int] = {}
        for row in list_of(data, "sets"):
            state, thread, section, function = list_of(row, "a set", 4)
            part = None
            if thread != -1:
                part = number_of(thread, "a thread", len(self.steps.lanes)), bool(number_of(section, "a section", 2))
            site = number_of(state, "a state", self.automaton.states), part
            expect(site not in found, "a site has two sets")
            found[site] = self.functions.number(function)
        return found

    def _removal(self, data: object) -> Removal:
        reason, thread, kept = list_of(data, "a removal", 3)
        number = number_of(thread, "a thread", len(self.steps.lanes))
        return Removal(text_of(reason, "a reason"), number, self._sets(kept))

    def check_start(self) -> None:
        """Refuse where a start is missing: one thread has begun, and no other."""
        steps, names = self.steps, self.steps.program.threads
        first = [((), name, UNBEGUN) for name in names] + [UNUSED] * (len(steps.lanes) - len(names))
        start = [self.circuit.value(steps.program.init, steps.globals())]
        start += [steps.code(thread, point) for thread, point in enumerate(first)]
        for thread in range(len(names)):
            for begun in steps.after(thread, first[thread], False):
                there = self._there(thread, begun)
                for state in self.automaton.initial:
                    known = self.left(Left(self.reached), there, state)
                    self._require([*start, *begun.premises], known, "a start is missing", there)

    def check_closed(self) -> None:
        """Refuse where a step leads out of what is reached."""
        reached = Left(self.reached)
        for before, after, pair, premises in self.moves:
            known = [self.left(reached, before, pair.source), *premises]
            if after is None:
                self._require(known, FALSE, "more threads are started than there is room for", before)
            else:
                self._require(known, self.left(reached, after, pair.target), "a step leads out of the sets", before)
        for pair, known in self.ends(reached):
            there = self.of(reached, (pair.target, None), self.anywhere)
            self._require(known, there, "a run that rests leaves the sets")

    def check_removals(self, left: Left, removals: list[Removal], reasons: tuple[str, ...]) -> None:
        """Refuse where something is taken away in which a run that counts could stay, or where something is left."""
        for removal in removals:
            expect(removal.reason in reasons, "something is taken away for a reason that does not count")
            self._check_removal(left, removal)
            left = left._replace(removals=(*left.removals, removal))
        for site in left.sets:
            states = self.of(left, site, self.anywhere)
            self._require([states], FALSE, "something is left in which an accepted run that counts could stay")

    def _check_removal(self, left: Left, removal: Removal) -> None:
        reason = "something is taken away from which what is asked for can be reached"
        kept = left._replace(removals=(*left.removals, removal._replace(reason="accepts")))
        for before, after, pair, premises in self.moves:
            here = self.left(left, before, pair.source)
            rest = [here, -self.left(kept, before, pair.source), *premises]
            if here != FALSE and after is not None:
                asked = pair.counts if removal.reason == "accepts" else before.thread == removal.thread
                goal = self.left(left if asked else kept, after, pair.target)
                self._require([*rest, goal], FALSE, reason, before)
        for pair, known in self.ends(left):
            rest = [*known, -self.of(kept, (pair.source, None), self.anywhere)]
            asked = removal.reason == "accepts" and pair.counts
            goal = self.of(left if asked else kept, (pair.target, None), self.anywhere)
            self._require([*rest, goal], FALSE, reason)
        for site in left.sets if removal.reason == "moves" else ():
            if site[1] is None:
                rest = [self.of(left, site, self.anywhere), -self.of(kept, site, self.anywhere)]
                self._require(rest, self.letters.can_move[removal.thread], reason)

    @cached_property
    def moves(self) -> list[Move]:
        """The steps of all threads, beside those of the automaton."""
        return list(self._moves())

    def _moves(self) -> Iterator[Move]:
        alone = {part for _, part in self.reached}
        for thread, lane in enumerate(self.steps.lanes):
            for section in (False, True) if (thread, True) in alone else (False,):
                for point in lane.points:
                    before = Here(thread, point, section, self._where({}, thread, point))
                    for arrival in self.steps.after(thread, point, section):
                        after = None if arrival.point == UNUSED else self._there(thread, arrival)
                        premises = [*arrival.premises, -before.where.satisfy(self.letters.failed)]
                        for pair in self._beside(before, after):
                            yield Move(before, after, pair, [*premises, pair.guard])

    def _beside(self, before: Here, after: Here | None) -> Iterator[Pair]:
        """Yield the steps of the automaton beside one of a thread; one without a letter leaves its state as it is."""
        order = self.order[before.thread]
        counts = not self.cycles.weak or (after is not None and order[after.point] <= order[before.point])
        if before.point[2] in (UNBEGUN, self.steps.program.procedures[before.point[1]].exit):
            for state in range(self.automaton.states):
                yield Pair(state, state, counts and self.cycles.weak and self.cycles.is_good(state), TRUE)
            return
        for pair in self.pairs:
            yield pair._replace(counts=counts and pair.counts, guard=before.where.satisfy(pair.guard))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The steps of the automaton."""
        found: dict[tuple[int, int, bool], Literal] = {}
        for step in self.automaton.steps:
            atoms = ((self.letters.atoms[atom], value) for atom, value in step.guard)
            guard = self.circuit.every(literal if value else -literal for literal, value in atoms)
            key = step.source, step.target, self.cycles.counts(step)
            found[key] = self.circuit.choose(guard, TRUE, found.get(key, FALSE))
        return [Pair(*key, guard) for key, guard in found.items()]

    def ends(self, left: Left) -> Iterator[tuple[Pair, list[Literal]]]:
        """Yield the steps of the automaton where runs rest, with what is known there."""
        for pair in self.pairs if self.rests else ():
            known = self.of(left, (pair.source, None), self.anywhere)
            if known != FALSE:
                yield pair, [known, self.letters.resting, pair.guard]

    def _there(self, thread: int, arrival: Arrival) -> Here:
        return Here(thread, arrival.point, arrival.section, self._where(arrival.change, thread, arrival.point))

    def _where(self, change: Mapping[int, Literal], thread: int, point: Point) -> Where:
        return Where(self.steps, self.functions, {**change, **self.steps.bits(thread, point)})

    def left(self, left: Left, here: Here, state: int) -> Literal:
        """Return whether what is left holds configurations in which a thread is the one that moves or has moved."""
        if here.section and not self.steps.has_failed(here.point):
            return self.of(left, (state, (here.thread, True)), here.where)
        outside = self.of(left, (state, None), here.where)
        alone = self.of(left, (state, (here.thread, False)), here.where)
        locked = here.where.satisfy(self.circuit.both(self.steps.lock(), -self.letters.over))  # not after a failure
        return self.circuit.choose(locked, alone, outside)

    def of(self, left: Left, site: Site, where: Where) -> Literal:
        """Return whether what is left of a site holds some configurations."""
        found = where.of(left.sets.get(site, 0))
        for reason, thread, sets in left.removals:
            kept = where.of(sets.get(site, 0))
            if reason == "answers":
                stays = where.satisfy(-self.letters.can_move[thread]) if site[1] is None else TRUE
                kept = self.circuit.choose(kept, TRUE, stays)
            found = self.circuit.both(found, kept)
        return found

    def _require(self, premises: list[Literal], conclusion: Literal, reason: str, here: Here | None = None) -> None:
        place = "" if here is None else f"'{here.point[1]}', location {here.point[2]}"
        self.letters.obligations.require(self.circuit, premises, conclusion, reason, place)
