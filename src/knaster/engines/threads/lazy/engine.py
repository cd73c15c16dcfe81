"""Decides targets of threads under a bound, context by context: only shared states that are handed over occur.

A. Lal's thesis, section 7.6, Figures 7.5 and 7.6: path edges and summaries of all threads, keyed by the shared states
in which the contexts of a thread began and ended.  Differences: which contexts of the schedule those are does not
matter to the thread, so threads of one kind share their path edges, whatever the schedule; and schedules are any that a
number of switches allows (S. La Torre, P. Madhusudan, G. Parlato, Analyzing Recursive Programs using a Fixed-point
Calculus, PLDI 2009, section 5), rounds being the one in which the owners of contexts take turns.

    Occurs(0)      the owner of context 0
    Occurs(i + 1)  (t_0 .. t_i, g_1 .. g_i) with which the owner of context i can be interrupted in context i in the
                   shared state g_(i+1), and an owner of context i + 1
    begin          a thread whose first context is i begins with g_i, for Occurs(i)
    resume         a thread whose last context before i was left with g_(c+1) goes on with g_i, for Occurs(i)

Steps, calls and returns inside a context are the rules of `views/summaries/path_edges` (`_call`, `_leave`).

The stages i = 0, 1, ... are complete one after the other, so the first that reaches a target has the least number.
Facts are kept for what occurs alone: each is a run, and summaries are found under the hand-overs of their caller.
A run is found again as one of the sequential program (`transform/threads/sequentialize`) with the target's schedule.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count

from knaster.base.limits import OutOfBudget
from knaster.bdd.store import Bdd, exists, minus
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.threads.lazy.schedules import Placement, Schedules
from knaster.evidence.questions.question import Bound, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Program
from knaster.transform.formulae import Fresh, Number, all_of, same
from knaster.transform.threads.contexts import make_contexts
from knaster.transform.threads.schedules import Switches
from knaster.transform.threads.thread_view import OwnContexts
from knaster.transform.threads.waiting_threads import add_waiting_threads
from knaster.views.summaries.path_edges import Summaries
from knaster.views.summaries.scheduled_trace import begins_with, find_scheduled_trace
from knaster.views.symbolic.encoding import encode

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY


def lazy(task: Task) -> Findings:
    """Decide every target within the bound; without one, within bounds that grow until all are reached."""
    started = time.perf_counter()
    bound = task.bound
    rounds = bound is not None and bound.kind == "rounds"
    threads = len(task.program.threads)
    sizes: Iterable[int] = accumulate(count(2))  # 2, 5, 9, ...: a larger one starts again
    if bound is not None:
        sizes = [threads * bound.number - 1 if rounds else bound.number]
    unknown: Undecided | None = None
    furthest: _Stages | None = None  # the stages that came furthest: what they found holds within their bound
    for size in sizes:
        stages = _Stages(task, size, rounds)
        try:
            for _ in stages.run():
                if furthest is None or stages.done >= furthest.done:
                    furthest = stages
                    task.ledger.note(*stages.coverage())
        except OutOfBudget as spent:
            unknown = Undecided.because(spent)
        furthest = furthest or stages
        if unknown is not None or stages.is_enough():
            break
    assert furthest is not None
    return furthest.findings(unknown, started)


class _Stages:
    """The contexts 0 .. `size`, one after the other."""

    def __init__(self, task: Task, size: int, rounds: bool) -> None:
        self.task = task
        self.size = size
        self.rounds = rounds
        started = 0 if rounds else size  # rounds are counted only where no thread is ever started
        waits = add_waiting_threads(task.program, started)
        self.names = waits.program.threads
        self.kinds = {name: kind for kind, name in enumerate(dict.fromkeys(self.names))}
        self.parts = make_contexts(waits, task.targets, self._schedule, idle=rounds)
        self.symbolic = encode(self.parts.program, nodes=task.nodes)
        self.store = self.symbolic.store
        skipped = {id(edge) for edge in self.parts.watched} | {id(move.edge) for move in self.parts.moves}
        self.summaries = Summaries(self.symbolic, task.budget, lambda edge: id(edge) not in skipped)
        slots = self.symbolic.frames[self.parts.beginners[0]].slots  # those of the globals are the same everywhere
        self.schedules = Schedules(waits.program, self.own, self.owners, self.store, slots, rounds, task.budget.check)
        self.seen: dict[tuple[int, int], Bdd] = {}  # by kind and context: with what threads have begun it
        self.least: dict[Target, int] = {}
        self.done = -1  # the last stage that is complete
        self.facts: dict[Target, Bdd] = {}

    def _schedule(self, program: Program, fresh: Fresh) -> OwnContexts:
        """Return the variables of what a thread sees; those of the owners go with them."""
        threads = len(program.threads)
        most = -(-(self.size + 1) // threads) if self.rounds else (self.size + 2) // 2
        self.owners = [fresh.number(f"owner{i}", threads) for i in range(self.size + 1)]
        own = max(2, most)
        self.own = OwnContexts(program, fresh, len(self.kinds), own, max(2 * own - 1, self.size + 1))
        self.own.more = tuple(bit for owner in self.owners for bit in owner.bits)
        return self.own

    def run(self) -> Iterator[None]:
        """Work through the stages until the last one, or until there is nothing more to find; yield after each."""
        for i in range(self.size + 1):
            placements = list(self.schedules.placements(i))
            self._begin(placements)
            self.summaries.run()
            self._look(i)
            self.done = i
            yield
            self.task.budget.tell(f"{i + 1} contexts, {self.store.nodes} BDD nodes")
            if self.is_enough() or i == self.size:
                break
            self.schedules.hand_on(i, self._outcomes(placements))
            self.store.collect()
            if self.schedules.occurs[i + 1] == self.store.false:
                self.done = self.size  # nobody else can ever run
                yield
                break

    def is_enough(self) -> bool:
        """Tell whether no further stage is wanted."""
        reached = len(self.least)
        return reached == len(self.task.targets) or (self.task.first and reached > 0)

    def _key(self, placement: Placement) -> tuple[int, int]:
        """Return the kind of the thread and the number of its context."""
        return self.kinds[self.names[placement.thread]], len(placement.contexts) - 1

    def _begin(self, placements: Sequence[Placement]) -> None:
        """Let every thread begin or go on that sees what nobody of its kind has seen before."""
        seen: dict[tuple[int, int], Bdd] = {}
        for placement in placements:
            key = self._key(placement)
            seen[key] = seen.get(key, self.store.false) | self.schedules.view_of(placement)
        wanted = self.store.false
        for (kind, m), all_of_it in seen.items():
            known = self.seen.get((kind, m), self.store.false)
            self.seen[kind, m] = known | all_of_it
            new = minus(all_of_it, known)
            if m == 0:
                self._enter(kind, new)
            else:
                wanted |= new & self._number(self.own.kind, kind) & self._number(self.own.k, m, NEXT)
        self._resume(wanted)

    def _enter(self, kind: int, vectors: Bdd) -> None:
        """Let threads begin in the shared state of their first context."""
        name = self.parts.beginners[self.names.index(next(n for n, k in self.kinds.items() if k == kind))]
        begins = self.own.copies[0]
        start = self.schedules.formula(all_of([self.parts.outside, *(same(Var(x), Var(y)) for x, y in begins.items())]))
        start &= vectors & self._number(self.own.kind, kind) & self._number(self.own.k, 0)
        frame = self.symbolic.frames[name]
        untracked = frame.slots.keys() - frame.at_entry
        self.summaries.demand(name, exists(start, self.store.cube(variable(frame.slots[x], NOW) for x in untracked)))

    def _resume(self, wanted: Bdd) -> None:
        """Let threads go on that were interrupted before, where they see what is wanted."""
        for move in self.parts.moves:
            known = self.summaries.path_edges(move.procedure, move.edge.source)
            if known != self.store.false and wanted != self.store.false:
                frame = self.symbolic.frames[move.procedure]
                relation = self.symbolic.internal(frame, move.edge).restrict(wanted)
                self.summaries.inject(move.procedure, move.edge.source, relation.image(known))

    def _outcomes(self, placements: Sequence[Placement]) -> Iterator[tuple[Placement, Bdd]]:
        """Yield for each placement with what the thread can be interrupted in its last context, as it sees that."""
        kept = {*self.own.kind.bits, *self.own.k.bits, *self.schedules.program.globals}
        kept.update(*(copy.values() for copy in self.own.copies))
        found = self.store.false
        for move in self.parts.moves:
            known = self.summaries.path_edges(move.procedure, move.edge.source)
            if known != self.store.false:
                frame = self.symbolic.frames[move.procedure]
                lost = [variable(slot, NOW) for name, slot in frame.slots.items() if name not in kept]
                lost += [variable(frame.slots[name], ENTRY) for name in frame.echoed]
                found |= exists(known & self.schedules.formula(move.free), self.store.cube(lost))
        outcome: dict[tuple[int, int], Bdd] = {}
        for placement in placements:
            kind, m = self._key(placement)
            if (kind, m) not in outcome:
                outcome[kind, m] = self._of(found, kind, m)
            yield placement, outcome[kind, m]

    def _look(self, i: int) -> None:
        """Take notice of the targets that context i reaches first."""
        for target, places in zip(self.task.targets, self.parts.places, strict=True):
            found = self.store.false
            for place in places:
                found |= self._vectors(place[0], self.summaries.path_edges(*place))
            if target not in self.least and found != self.store.false:
                self.least[target] = i
                self.facts[target] = found

    def _vectors(self, procedure: str, facts: Bdd) -> Bdd:
        """Return the kinds, contexts and copies of some path edges."""
        if facts == self.store.false:
            return facts
        frame = self.symbolic.frames[procedure]
        kept = {*self.own.kind.bits, *self.own.k.bits}.union(*(copy.values() for copy in self.own.copies))
        lost = [variable(slot, NOW) for name, slot in frame.slots.items() if name not in kept]
        return exists(facts, self.store.cube([*lost, *(variable(frame.slots[name], ENTRY) for name in frame.echoed)]))

    def _of(self, facts: Bdd, kind: int, m: int) -> Bdd:
        """Return the facts of one kind in its context m, without these numbers."""
        mine = facts & self._number(self.own.kind, kind) & self._number(self.own.k, m)
        return exists(mine, self.store.cube(map(self.schedules.bit, (*self.own.kind.bits, *self.own.k.bits))))

    def _number(self, number: Number, value: int, copy: Copy = NOW) -> Bdd:
        pairs = zip(number.bits, number.constants(value), strict=True)
        slots = self.schedules.slots
        return self.store.assignment({variable(slots[bit], copy): constant == TRUE for bit, constant in pairs})

    def coverage(self) -> tuple[dict[Target, int], Bound | None]:
        """Return what is reached, with the least number of each, and the bound within which all runs are explored."""
        if not self.rounds:
            return dict(self.least), Bound("switches", self.done) if self.done >= 0 else None
        number = (self.done + 1) // len(self.names)
        least = {target: i // len(self.names) + 1 for target, i in self.least.items()}
        return least, Bound("rounds", number) if number >= 1 else None

    def findings(self, unknown: Undecided | None, started: float) -> Findings:
        """Return what was found in the stages that are complete."""
        least, bound = self.coverage()
        stopped = len(least) < len(self.task.targets) and self.is_enough()
        statistics = {
            "fixpoint_seconds": time.perf_counter() - started,
            "visits": self.summaries.visits,
            "bdd_nodes": self.store.nodes,
            "bdd_variables": self.store.variables,
        }
        return Findings(
            frozenset(least),
            STOPPED if stopped and unknown is None else unknown,
            statistics,
            self._traces,
            bound=bound,
            least=least,
            covered=bound.number if bound is not None else None,
        )

    def _traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: self._trace(target) for target in targets}

    def _trace(self, target: Target) -> Trace:
        """Return a run for a schedule with which a target was first reached."""
        number = self.least[target]
        placements = self.schedules.placements(number)
        found = (self.schedules.pick(each, self._of(self.facts[target], *self._key(each))) for each in placements)
        schedule = next(each for each in found if each is not None)
        threads = [self.schedules.owner(i, schedule) + 1 for i in range(number + 1)]
        started = dict.fromkeys(thread for thread in threads if thread > len(self.task.program.threads))
        renumbered = {thread: len(self.task.program.threads) + 1 + place for place, thread in enumerate(started)}

        def schedule_facts(names: Switches) -> Iterator[Expr]:
            for owner, thread in zip(names.owners, threads, strict=True):
                yield owner.equals(renumbered.get(thread, thread))
            for i in range(1, number + 1):
                yield from begins_with(names, i, self.schedules.begins(i, schedule))

        task = self.task
        return find_scheduled_trace(task.program, target, number, schedule_facts, task.budget, task.nodes)
