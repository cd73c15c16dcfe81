"""Sets of the schedules that occur: who owns the contexts 0 .. i, and in which shared states they begin.

A thread sees of a schedule the contexts that are its own (a *placement* of them) and the states in which those begin
and end.  Here the one is turned into the other: what all threads are handed into what one of them sees, and what one of
them can do into what is handed on.

Notation: t_i the owner of context i, g_i the shared state in which it begins.  Copy i of the shared variables holds g_i
in a set of schedules; in what a thread sees, copies 2m and 2m + 1 are where its context m begins and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, Store, and_exists, exists, rename
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.layout.slots import Copy, Slot, variable
from knaster.program.model import Program
from knaster.transform.formulae import Number
from knaster.transform.threads.thread_view import OwnContexts
from knaster.views.symbolic.formula_sets import possible

NOW = Copy.NOW


@dataclass(frozen=True, slots=True)
class Placement:
    """The schedules of a set in which these contexts, the last one included, are those of one thread."""

    thread: int  # from 0
    contexts: tuple[int, ...]
    schedules: Bdd


class Schedules:
    """The schedules of one program; `turns` where the threads take turns, and `tick` is called now and then."""

    def __init__(
        self,
        program: Program,
        own: OwnContexts,
        owners: Sequence[Number],
        store: Store,
        slots: Mapping[str, Slot],
        turns: bool,
        tick: Callable[[], None],
    ) -> None:
        self.program = program
        self.own = own
        self.owners = owners
        self.store = store
        self.slots = slots
        self.turns = turns
        self.tick = tick
        self.threads = range(len(program.threads))
        self.occurs = [self._add_owner(0, store.true)]
        self._starts = self.formula(program.init, own.copies[0])

    def formula(self, expr: Expr, names: Mapping[str, str] | None = None) -> Bdd:
        """Return where a formula over globals holds now, or over a copy of them."""

        def read(node: Var) -> Bdd:
            return self.store.var(self.bit(node.name if names is None else names[node.name]))

        return possible(self.store, expr, read)

    def bit(self, name: str) -> int:
        """Return the BDD variable of a global."""
        return variable(self.slots[name], NOW)

    def copy(self, number: int) -> list[int]:
        """Return the BDD variables of a copy of what is shared."""
        return [self.bit(self.own.copies[number][name]) for name in self.program.globals]

    def shared_variables(self) -> list[int]:
        """Return the BDD variables of what is shared now."""
        return [self.bit(name) for name in self.program.globals]

    def placements(self, i: int) -> Iterator[Placement]:
        """Yield each thread that may own context i with each set of contexts that it may own before."""
        occurs = self.occurs[i]
        for thread in self.threads:
            found: list[tuple[tuple[int, ...], Bdd]] = [((i,), occurs & self._owns(i, thread))]
            for context in reversed(range(i)):
                self.tick()
                mine = self._owns(context, thread)
                further: list[tuple[tuple[int, ...], Bdd]] = []
                for contexts, schedules in found:
                    if contexts[0] != context + 1:
                        further.append(((context, *contexts), schedules & mine))
                    further.append((contexts, schedules & ~mine))
                found = [entry for entry in further if entry[1] != self.store.false]
            for contexts, schedules in found:
                if schedules != self.store.false:
                    yield Placement(thread, contexts, schedules)

    def view_of(self, placement: Placement) -> Bdd:
        """Return what the thread sees of its schedules: the states of its contexts, the first one begun included."""
        self.tick()
        contexts, pairs = placement.contexts, self._pairs(placement.contexts)
        kept = set(pairs)
        lost = [bit for owner in self.owners[: contexts[-1] + 1] for bit in map(self.bit, owner.bits)]
        lost += [bit for i in range(1, contexts[-1] + 1) for bit in self.copy(i) if bit not in kept]
        known = rename(exists(placement.schedules, self.store.cube(lost)), self.store.renaming(pairs))
        return known & self._starts if contexts[0] == 0 else known

    def hand_on(self, i: int, done: Iterable[tuple[Placement, Bdd]]) -> None:
        """Let context i + 1 begin: what each thread can have made of the shared variables, as it sees its schedules."""
        following = self.store.false
        for placement, outcome in done:
            self.tick()
            if placement.contexts[0] == 0:
                outcome = and_exists(outcome, self._starts, self.store.cube(self.copy(0)))
            pairs = {new: old for old, new in self._pairs(placement.contexts).items()}
            pairs |= dict(zip(self.shared_variables(), self.copy(i + 1), strict=True))
            following |= placement.schedules & rename(outcome, self.store.renaming(pairs))
        self.occurs.append(self._add_owner(i + 1, following))

    def pick(self, placement: Placement, fact: Bdd) -> dict[int, bool] | None:
        """Return one of the schedules of a placement that the thread sees as in a fact; None where there is none."""
        pairs = {new: old for old, new in self._pairs(placement.contexts).items()}
        lost = self.copy(0) if placement.contexts[0] == 0 else []
        as_scheduled = rename(exists(fact, self.store.cube(lost)), self.store.renaming(pairs))
        return self.store.pick(placement.schedules & as_scheduled)

    def owner(self, i: int, schedule: Mapping[int, bool]) -> int:
        """Return the owner of context i."""
        bits = reversed(self.owners[i].bits)
        return sum(schedule.get(self.bit(bit), False) << place for place, bit in enumerate(bits))

    def begins(self, i: int, schedule: Mapping[int, bool]) -> dict[str, bool]:
        """Return the shared state in which context i begins."""
        return {name: schedule.get(self.bit(copy), False) for name, copy in self.own.copies[i].items()}

    def _pairs(self, contexts: Sequence[int]) -> dict[int, int]:
        """Return the copies of a schedule that belong to some contexts, and those of the thread that owns these."""
        pairs: dict[int, int] = {}
        for m, context in enumerate(contexts):
            if context > 0:
                pairs |= dict(zip(self.copy(context), self.copy(2 * m), strict=True))
            if context != contexts[-1]:
                pairs |= dict(zip(self.copy(context + 1), self.copy(2 * m + 1), strict=True))
        return pairs

    def _owns(self, i: int, thread: int) -> Bdd:
        values = zip(self.owners[i].bits, self.owners[i].constants(thread), strict=True)
        return self.store.assignment({self.bit(bit): value == TRUE for bit, value in values})

    def _add_owner(self, i: int, schedules: Bdd) -> Bdd:
        """Return the schedules with an owner of context i; of threads that are alike the first one begins first."""
        if self.turns:
            return schedules & self._owns(i, i % len(self.threads))
        names, allowed = self.program.threads, self.store.false
        for thread in self.threads:
            may = schedules & self._owns(i, thread)
            if i:
                may &= ~self._owns(i - 1, thread)
            alike = [other for other in self.threads if other < thread and names[other] == names[thread]]
            if alike:
                before = self.store.false
                for context in range(i):
                    before |= self._owns(context, alike[-1])
                may &= before
            allowed |= may
        return allowed
