"""Threads under a bound, context by context: only shared states that are handed over occur.

A. Lal's thesis, section 7.6, Figures 7.5 and 7.6: path edges and summaries of all threads, keyed by the vector of
shared states with which contexts began.  Differences: the vector belongs to the whole schedule and not to a thread, so
one copy of it serves all (S. La Torre, P. Madhusudan, G. Parlato, Analyzing Recursive Programs using a Fixed-point
Calculus, PLDI 2009, section 5), and with it the owners of the contexts, so a bound on switches is exact; rounds are the
schedule in which the owners take turns.

    Occurs(0)      the owner of context 0
    Occurs(i + 1)  (t_0 .. t_i, g_1 .. g_i) with which the owner of context i can be interrupted in context i in the
                   shared state g_(i+1), and an owner of context i + 1
    begin          a thread whose first context is i begins with g_i, for Occurs(i)
    resume         a thread whose last context before i was left with g_(c+1) goes on with g_i, for Occurs(i)

The stages i = 0, 1, ... are complete one after the other, so the first that reaches a target has the least number.
Facts are kept for vectors alone that occur: each is a run, and summaries are found under the vector of their caller.
A run is found again as one of the sequential program of `reductions.sequentialize` with the vector of the target.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, count

from knaster.engines.engine import STOPPED, Findings, Task
from knaster.engines.path_edges import Summaries
from knaster.engines.shortest import find_traces
from knaster.limits import OutOfBudget
from knaster.program.expression import TRUE, Expr, Not, Var
from knaster.reductions.bits import Number, all_of, any_of, same
from knaster.reductions.contexts import contexts
from knaster.reductions.sequentialize import scheduled
from knaster.results.question import Bound, Reach, Target
from knaster.results.trace import Trace
from knaster.symbolic.bdd import Bdd, exists, rename
from knaster.symbolic.encode import encode
from knaster.symbolic.formula import possible
from knaster.symbolic.layout import Copy, variable

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
    reason, stages = "", None
    covered: int | None = None
    for size in sizes:
        stages = _Stages(task, size, rounds)
        try:
            stages.run()
        except OutOfBudget as spent:
            reason = str(spent)
        covered = max(covered if covered is not None else -1, stages.done)
        if reason or stages.is_enough():
            break
    assert stages is not None and covered is not None
    return stages.findings(covered, reason, started)


class _Stages:
    """The contexts of one size, one after the other."""

    def __init__(self, task: Task, size: int, rounds: bool) -> None:
        self.task = task
        self.rounds = rounds
        self.threads = range(1, len(task.program.threads) + 1)
        self.parts = contexts(task.program, task.targets, size, rounds)
        self.schedule = self.parts.schedule
        self.symbolic = encode(self.parts.program, nodes=task.nodes)
        self.store = self.symbolic.store
        skipped = {id(edge) for edge in self.parts.watched} | {id(move.edge) for move in self.parts.moves}
        self.summaries = Summaries(self.symbolic, task.budget, lambda edge: id(edge) not in skipped)
        self.slots = self.symbolic.frames[self.parts.beginners[0]].slots  # those of the globals are the same everywhere
        self.least: dict[Target, int] = {}
        self.done = -1  # the last stage that is complete
        self.vectors: dict[Target, Bdd] = {}

    def run(self) -> None:
        """Work through the stages until the last one, or until there is nothing more to find."""
        occurs = self._formula(self._owner(0))
        for i in range(self.schedule.contexts):
            self._begin(i, occurs)
            self._resume(i, occurs)
            self.summaries.run()
            self._look(i)
            self.done = i
            self.task.budget.tell(f"{i + 1} contexts, {self.store.nodes} BDD nodes")
            if self.is_enough() or i + 1 == self.schedule.contexts:
                break
            occurs = self._handed_over(i) & self._formula(self._owner(i + 1))

    def is_enough(self) -> bool:
        """Tell whether no further stage is wanted."""
        reached = len(self.least)
        return reached == len(self.task.targets) or (self.task.first and reached > 0)

    def _owner(self, i: int) -> Expr:
        """Return who may own context i; of threads that are alike the first one begins first."""
        owners = self.schedule.owners
        if self.rounds:
            return owners[i].equals(self.threads[i % len(self.threads)])
        names, allowed = self.task.program.threads, []
        for j in self.threads:
            alike = [m for m in self.threads if m < j and names[m - 1] == names[j - 1]]
            before = [any_of(owner.equals(alike[-1]) for owner in owners[:i])] if alike else []
            allowed.append(all_of([owners[i].equals(j), *before]))
        different = [Not(owners[i].same_as(owners[i - 1]))] if i else []
        return all_of([any_of(allowed), *different])

    def _begin(self, i: int, occurs: Bdd) -> None:
        """Let every thread begin whose first context is i."""
        schedule = self.schedule
        start = self.task.program.init if i == 0 else self._same_as_guess(i)
        for j, name in zip(self.threads, self.parts.beginners, strict=True):
            earlier = (Not(schedule.owners[m].equals(j)) for m in range(i))
            who = [schedule.owners[i].equals(j), *earlier, schedule.me.equals(j), schedule.k.equals(i), start]
            inside = [Not(Var(self.parts.inside))] if self.parts.inside is not None else []
            frame = self.symbolic.frames[name]
            untracked = frame.slots.keys() - frame.at_entry
            cube = self.store.cube(variable(frame.slots[x], NOW) for x in untracked)
            self.summaries.demand(name, exists(self._formula(all_of([*who, *inside])) & occurs, cube))

    def _same_as_guess(self, i: int) -> Expr:
        return all_of(same(Var(x), Var(self.schedule.guessed[i][x])) for x in self.task.program.globals)

    def _resume(self, i: int, occurs: Bdd) -> None:
        """Let every thread go on in context i that was interrupted before."""
        wanted = occurs & self._number(self.schedule.k, i, NEXT)
        for move in self.parts.moves:
            known = self.summaries.path_edges(move.procedure, move.edge.source)
            if known != self.store.false:
                frame = self.symbolic.frames[move.procedure]
                relation = self.symbolic.internal(frame, move.edge).restricted(wanted)
                self.summaries.inject(move.procedure, move.edge.source, relation.image(known))

    def _handed_over(self, i: int) -> Bdd:
        """Return the vectors with which context i can be left, g_(i+1) included."""
        shared = self.task.program.globals
        kept = {bit for owner in self.schedule.owners[: i + 1] for bit in owner.bits}
        kept.update(shared, *(guess.values() for guess in self.schedule.guessed[1 : i + 1]))
        now = self._number(self.schedule.k, i, NOW)
        found = self.store.false
        for move in self.parts.moves:
            known = self.summaries.path_edges(move.procedure, move.edge.source)
            if known != self.store.false:
                frame = self.symbolic.frames[move.procedure]
                lost = [variable(slot, NOW) for name, slot in frame.slots.items() if name not in kept]
                lost += [variable(frame.slots[name], ENTRY) for name in frame.echoed]
                found |= exists(known & now & self._formula(move.free), self.store.cube(lost))
        guess = self.schedule.guessed[i + 1]
        pairs = {variable(self.slots[x], NOW): variable(self.slots[guess[x]], NOW) for x in shared}
        return rename(found, self.store.renaming(pairs))

    def _look(self, i: int) -> None:
        """Take notice of the targets that context i reaches first."""
        for target, place in zip(self.task.targets, self.parts.places, strict=True):
            found = self.summaries.path_edges(*place)
            if target not in self.least and found != self.store.false:
                self.least[target] = i
                self.vectors[target] = found

    def _formula(self, expr: Expr) -> Bdd:
        """Return where a formula over globals holds now."""
        return possible(self.store, expr, lambda node: self.store.var(variable(self.slots[node.name], NOW)))

    def _number(self, number: Number, value: int, copy: Copy) -> Bdd:
        pairs = zip(number.bits, number.constants(value), strict=True)
        return self.store.assignment({variable(self.slots[bit], copy): constant == TRUE for bit, constant in pairs})

    def findings(self, done: int, reason: str, started: float) -> Findings:
        """Return what was found; stages 0 .. `done` are complete."""
        kind, number = "switches", done
        least = self.least
        if self.rounds:
            kind, number = "rounds", (done + 1) // len(self.threads)
            least = {target: i // len(self.threads) + 1 for target, i in least.items()}
        stopped = len(least) < len(self.task.targets) and self.is_enough()
        statistics = {
            "fixpoint_seconds": time.perf_counter() - started,
            "visits": self.summaries.visits,
            "bdd_nodes": self.store.nodes,
            "bdd_variables": self.store.variables,
        }
        covered = number if number >= (1 if self.rounds else 0) else None
        return Findings(
            frozenset(least),
            STOPPED if stopped and not reason else reason,
            statistics,
            self._traces,
            bound=Bound(kind, covered) if covered is not None else None,
            least=least,
            covered=covered,
        )

    def _traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: self._trace(target) for target in targets}

    def _trace(self, target: Target) -> Trace:
        """Return a run of the sequential program for the vector with which a target was first reached."""
        i, program = self.least[target], self.task.program
        vector = self.store.pick(self.vectors[target] & self._number(self.schedule.k, i, NOW))
        assert vector is not None
        reduction, other = scheduled(program, Reach((target,), Bound("switches", i)))
        assert isinstance(other, type(self.schedule))
        names: dict[str, str] = {}
        for mine, theirs in zip(self.schedule.owners, other.owners, strict=False):
            names |= dict(zip(mine.bits, theirs.bits, strict=True))
        for guess, theirs_ in zip(self.schedule.guessed[1 : i + 1], other.guessed[1:], strict=False):
            names |= {guess[x]: theirs_[x] for x in program.globals}
        fixed: list[Expr] = []
        for mine_, name in names.items():
            value = vector.get(variable(self.slots[mine_], NOW), False)
            fixed.append(Var(name) if value else Not(Var(name)))
        alone = replace(reduction.program, init=all_of([reduction.program.init, *fixed]))
        symbolic = encode(alone, order="declaration", nodes=self.task.nodes)  # one vector: no order matters much
        engine = Summaries(symbolic, self.task.budget)
        goal = reduction.question.targets[0] if isinstance(reduction.question, Reach) else target
        engine.demand(symbolic.entry, symbolic.initial())
        engine.run([engine.vertex(*goal.place)])
        run = find_traces(symbolic, engine, [goal], self.task.budget)[goal]
        return reduction.back(goal, run)[1]
