"""The check of fair sets: they contain every run, and nothing is taken away that a fair accepted run could stay in.

automaton   it accepts every word on which the formula does not hold (`temporal_automata`)
reached     contains every start, and every step of every thread leads into it
removals    from what is left of the sets outside `kept`, no step leads into `kept`, and none that is asked for to what
            is left: such a step, or (moves) a place where a thread cannot move, is in `kept` or outside
end         nothing is left; where only fair runs count, nothing of what is inside sections is left either

A run that is accepted and fair stays, from some time on, in configurations that it meets again and again.  They all
belong to the same sets; take the first removal that takes one of them away: none of them was kept, so that what the
removal asks for never happens among them.  Steps are those of `thread_steps`, none of an engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import Bdd, and_exists, exists, minus, rename
from knaster.checkers.fair_table import read_question
from knaster.checkers.threads.counting_steps import counting_steps
from knaster.checkers.threads.thread_letters import ThreadLetters
from knaster.checkers.threads.thread_steps import Arrival, Steps
from knaster.evidence.proofs.threads.fair_sets import ACCEPTS, ANSWERS, MOVES, OUTSIDE, FairSets, Removal, Site
from knaster.evidence.questions.letters import Meanings
from knaster.evidence.questions.question import Temporal
from knaster.program.layout.lanes import UNBEGUN, UNUSED, Point, make_lanes
from knaster.program.layout.point_order import point_order
from knaster.program.model import Program

Sets = Mapping[Site, Bdd]
_REASONS = {"none": (ACCEPTS,), "weak": (ACCEPTS, MOVES), "strong": (ACCEPTS, ANSWERS)}


def check_fair_sets(proof: FairSets, program: Program, budget: Budget) -> None:
    """Raise `InternalError` unless sets prove that every run of threads that counts is as their question asks."""
    meanings = read_question(proof.program, program, proof.question, proof.automaton, budget)
    if proof.lanes != make_lanes(program, len(proof.lanes.started_lanes), False):
        raise InternalError("the sets are about other threads, or mix variables up")
    checker = _Checker(proof, meanings, budget)
    checker.check_start()
    checker.check_closed()
    checker.check_removals(proof.reached, proof.removals, _REASONS[proof.question.fair])
    if proof.question.fair != "none":
        inside = {site: states for site, states in proof.reached.items() if site[1] is not OUTSIDE}
        checker.check_removals(inside, proof.inside, (ACCEPTS,))


class _Passage(NamedTuple):
    """Steps of a thread from one state of the automaton to another: from where, from where it counts, and to where."""

    thread: int
    source: int
    target: int
    premise: Bdd
    counting: Bdd
    arrival: Arrival


class _Checker:
    """Sets under examination."""

    def __init__(self, proof: FairSets, meanings: Meanings, budget: Budget) -> None:
        self.proof, self.store, self.budget = proof, proof.store, budget
        self.steps = Steps(proof.lanes, proof.store)
        self.letters = ThreadLetters(self.steps, meanings, budget)
        self.counting = counting_steps(proof.automaton)
        self.order = [point_order(proof.program, lane) for lane in proof.lanes.lanes]
        self.none = self.store.false
        self.guards = {
            (source, target): (self._guard(source, target, False), self._guard(source, target, True))
            for source, target in dict.fromkeys((step.source, step.target) for step in proof.automaton.steps)
        }

    def check_start(self) -> None:
        """Every start is there."""
        shared = self.steps.shared
        start = self.steps.value(self.proof.program.init, shared, shared, self.steps.fresh())
        for thread, lane in enumerate(self.proof.lanes.lanes):
            start &= self.steps.code(thread, UNUSED if lane.entry is None else Point((), lane.entry, UNBEGUN))
        for thread, entry in enumerate(self.proof.program.threads):
            first = Point((), entry, UNBEGUN)
            for begun in self.letters.arrivals(thread, (False, first)):
                premise = self._cut(start, thread, first) & begun.premise
                for state in self.proof.automaton.initial:
                    known = self._at(self.proof.reached, state, thread, False, begun.point)
                    self._refuse(minus(premise, known), "a start is missing")

    def check_closed(self) -> None:
        """Every step leads into what is reached."""
        reached = self.proof.reached
        for step in self._passages(reached):
            if step.arrival.point == UNUSED:
                self._refuse(step.premise, "more threads are started than there is room for")
            else:
                self._refuse(minus(step.premise, self._after(reached, step)), "a step leads out of the sets")
        for source, target, premise, _ in self._rests(reached):
            self._refuse(
                minus(premise, self._of(reached, (target, OUTSIDE))), f"a rest at {source} leads out of the sets"
            )

    def check_removals(self, left: Sets, removals: Sequence[Removal], allowed: tuple[str, ...]) -> None:
        """Nothing that a run that counts could stay in is taken away, and nothing is left at the end."""
        for removal in removals:
            if removal.reason not in allowed or not 0 <= removal.thread < len(self.proof.lanes.lanes):
                raise InternalError("something is taken away for a reason that does not count")
            kept = {site: states & self._of(removal.kept, site) for site, states in left.items()}
            rest = {site: minus(states, kept[site]) for site, states in left.items()}
            self._check_removal(left, kept, rest, removal)
            if removal.reason == ANSWERS:
                able = self.letters.can_move[removal.thread]
                rest = {site: minus(rest[site], able) if site[1] is OUTSIDE else rest[site] for site in rest}
                kept = {site: kept[site] | rest[site] for site in left}
            left = kept
        for states in left.values():
            self._refuse(states, "something is left in which an accepted run that counts could stay")

    def _check_removal(self, left: Sets, kept: Sets, rest: Sets, removal: Removal) -> None:
        message = "something is taken away from which what is asked for can be reached"
        accepts = removal.reason == ACCEPTS
        for step in self._passages(rest):
            self._refuse(step.premise & self._after(kept, step), message)
            asked = step.counting if accepts else step.premise if step.thread == removal.thread else self.none
            if asked != self.none:
                self._refuse(asked & self._after(left, step), message)
        for _, target, premise, counting in self._rests(rest):
            self._refuse(premise & self._of(kept, (target, OUTSIDE)), message)
            if accepts:
                self._refuse(counting & self._of(left, (target, OUTSIDE)), message)
        if removal.reason == MOVES:
            for (_, part), states in rest.items():
                if part is OUTSIDE:
                    self._refuse(minus(states, self.letters.can_move[removal.thread]), message)

    def _passages(self, sets: Sets) -> Iterator[_Passage]:
        """Yield the steps of all threads from some sets."""
        for thread, lane in enumerate(self.proof.lanes.lanes):
            for section in (False, True):
                for point in lane.points:
                    self.budget.check()
                    here = {state: self._before(sets, state, thread, section, point) for state in self._states(sets)}
                    here = {state: states for state, states in here.items() if states != self.none}
                    for arrival in self.letters.arrivals(thread, (section, point)) if here else ():
                        for state, states in here.items():
                            yield from self._take(thread, state, point, states & arrival.premise, arrival)

    def _take(self, thread: int, state: int, point: Point, premise: Bdd, arrival: Arrival) -> Iterator[_Passage]:
        """Yield the steps of a thread beside those of the automaton; a step without a letter leaves its state."""
        back = arrival.point != UNUSED and self.order[thread][arrival.point] <= self.order[thread][point]
        counts = back or not self.counting.is_weak
        if point.location in (UNBEGUN, self.steps.procedures[point.procedure].exit):
            good = counts and state in self.counting.good
            yield _Passage(thread, state, state, premise, premise if good else self.none, arrival)
            return
        for (source, target), (every, counting) in self.guards.items():
            if source == state:
                taken = premise & self._cut(every, thread, point)
                asked = premise & self._cut(counting, thread, point) if counts else self.none
                yield _Passage(thread, source, target, taken, asked, arrival)

    def _rests(self, sets: Sets) -> Iterator[tuple[int, int, Bdd, Bdd]]:
        """Yield the steps of the automaton where runs rest, and those that count."""
        for (source, target), (every, counting) in self.guards.items():
            states = self._of(sets, (source, OUTSIDE)) & self.letters.resting
            if isinstance(self.proof.question, Temporal) and states != self.none:
                yield source, target, states & every, states & counting

    def _guard(self, source: int, target: int, counting: bool) -> Bdd:
        found = self.none
        for step in self.proof.automaton.steps:
            if (step.source, step.target) == (source, target) and (not counting or step in self.counting.steps):
                states = self.store.true
                for atom, value in step.guard:
                    states &= self.letters.atoms[atom] if value else ~self.letters.atoms[atom]
                found |= states
        return found

    def _before(self, sets: Sets, state: int, thread: int, section: bool, point: Point) -> Bdd:
        """Return the configurations of sets in which a thread at a point may move; nobody does after a failure."""
        if section and (state, (thread, True)) not in sets:
            return self.none
        found = self._at(sets, state, thread, section, point)
        if found == self.none:
            return found
        if exists(found, self.letters.absent(thread, point)) != found:
            raise InternalError("the sets speak of variables that do not exist")
        return minus(found, self._cut(self.letters.failed, thread, point))

    def _at(self, sets: Sets, state: int, thread: int, section: bool, point: Point) -> Bdd:
        """Return the configurations of sets in which a thread stands at a point, inside a section or not."""
        if self.letters.has_failed(point):
            return self._cut(self._of(sets, (state, OUTSIDE)), thread, point)
        if section:
            return self._cut(self._of(sets, (state, (thread, True))), thread, point)
        outside = self._cut(self._of(sets, (state, OUTSIDE)), thread, point)
        if self.letters.lock == self.none:
            return outside
        alone = self._cut(self._of(sets, (state, (thread, False))), thread, point)
        locked = minus(self.letters.lock, self._cut(self.letters.over, thread, point))
        return locked.ite(alone, outside)

    def _after(self, sets: Sets, step: _Passage) -> Bdd:
        """Return from where a step leads into sets."""
        arrival = step.arrival
        if arrival.point == UNUSED:
            return self.none
        states = self._at(sets, step.target, step.thread, arrival.section, arrival.point)
        return rename(states, self.store.substitution(arrival.change)) if arrival.change else states

    def _cut(self, states: Bdd, thread: int, point: Point) -> Bdd:
        """Return a set where a thread stands at a point, without saying so."""
        if states in (self.none, self.store.true):
            return states
        return and_exists(states, self.steps.code(thread, point), self.store.cube(self.proof.lanes.lanes[thread].bits))

    def _of(self, sets: Sets, site: Site) -> Bdd:
        return sets.get(site, self.none)

    def _states(self, sets: Sets) -> Sequence[int]:
        return sorted({state for state, _ in sets})

    def _refuse(self, states: Bdd, message: str) -> None:
        if states != self.none:
            raise InternalError(f"the fair sets do not hold: {message}")
