"""Schedules: who runs when, as variables of a sequential program, within a number of switches or of rounds.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008; Lal's thesis,
sections 7.1 and 7.2).  The threads run one after the other.  A thread that is interrupted goes on at once with the
shared variables that it will find later; these are guessed before anybody runs, and every guess is checked.

*Switches*: contexts 0 .. K.  Their owners and the shared states g_0 .. g_K with which they begin are guessed once and
never written.  A thread enters its context i with g_i and may leave it only in g_(i+1).  Threads run in the order of
their first contexts, so the first one begins in an initial state, and each of the others in a state that was seen to
be left; only later contexts of one thread begin in mere guesses.  A target counts in context K alone; it is remembered
until all owners have run, and then nothing is left to be checked.  Neighbours have different owners, but the first
contexts may have none, where fewer are needed.  A started thread has its own owner number, guessed arguments, and a
bit that its starter, who runs before it, sets.  A variable that the owner of context i does not write is the same in
g_i and g_(i+1).

*Rounds*: R copies of the shared variables, the first one initial, the others guessed.  Every thread works on copy 1,
then on copy 2, and so on; the next one goes on with what it left there.  At the end copy r must be the guess for copy
r + 1 (the Checker); whoever is the last one to write a variable looks at it at once.  A target counts in round R alone;
it is remembered, and the threads that follow skip that round.

Fewer rounds than there are: a thread that has not started_procedure may pass any number of its own.

Notation: k the context or round; between two threads, the first context of the one that ran (K + 1 before the first).
`me` the number of the thread that runs (1, 2, ...; 0 before the first); with switches it is the owner of context k.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from knaster.base.records import dataclass
from knaster.program.expression import FALSE, TRUE, Expr, Not, Var
from knaster.program.model import Action, Assign, Assume, Program
from knaster.program.state import State
from knaster.transform.formulae import Fresh, Number, all_of, any_of, choices, implies, rename_variables, same
from knaster.transform.threads.starts import globals_written_by, starts_of

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entrance:
    """A way to give control to a thread: the step that does it, and who it is."""

    action: Assign
    thread: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A thread that may be started: which statement starts it, with which values, and whether it has been."""

    kind: Number
    values: Names
    started: str


class Switches:
    """Contexts 0 .. K with guessed owners; kinds of threads may be started, with at most so many values.

    Whoever idles in a context need not own it, unless owners are known beforehand.
    """

    def __init__(
        self, program: Program, fresh: Fresh, number: int, targets: int, kinds: int, width: int, idles: bool
    ) -> None:
        self.program = program
        self.idles = idles
        self.contexts = number + 1
        self.first = len(program.threads)  # how many run from the start
        count = self.first + (number if kinds else 0)
        self.k = fresh.number("context", self.contexts + 1)  # the last value: nobody has run
        self.hit = fresh.number("target", targets + 1)
        self.owners = [fresh.number(f"owner{i}", count + 1) for i in range(self.contexts)]
        self.guessed = [{x: fresh.name(f"{x}_at{i}") for x in program.globals} for i in range(self.contexts)]
        self.slots = [
            Slot(
                fresh.number(f"kind{s}", kinds),
                tuple(fresh.name(f"value{s}_{v}") for v in range(width)),
                fresh.name(f"started{s}"),
            )
            for s in range(count - self.first)
        ]
        self.threads = range(1, count + 1)

    @property
    def groups(self) -> tuple[Names, ...]:
        """What belongs together, the first group on top."""
        head = [*self.k.bits, *self.hit.bits]
        for owner in self.owners:
            head += owner.bits
        for slot in self.slots:
            head += [slot.started, *slot.kind.bits, *slot.values]
        return (tuple(head), *((x, *(guess[x] for guess in self.guessed)) for x in self.program.globals))

    def mark(self, state: State) -> tuple[int, int]:
        """Return the context and the thread of a state in which somebody runs."""
        context = self.k.value(state)
        return context, self.owners[context].value(state)

    def init(self) -> Expr:
        """Return what holds at the start."""
        parts = [
            rename_variables(self.program.init, self.guessed[0].__getitem__),
            self.k.equals(self.contexts),
            self.hit.equals(0),
        ]
        for place, owner in enumerate(self.owners):
            earlier = self.owners[:place]
            allowed = [owner.equals(j) for j in range(1, self.first + 1)]
            for s in range(len(self.slots) if place else 0):  # slots are used in order
                j = self.first + 1 + s
                before = any_of(other.equals(j - 1) for other in earlier) if s else Not(earlier[-1].equals(0))
                allowed.append(all_of([owner.equals(j), before]))
            if place + 1 < self.contexts:
                allowed.append(all_of([owner.equals(0), *(other.equals(0) for other in earlier[-1:])]))
            if earlier:
                parts.append(implies(owner.same_as(earlier[-1]), owner.equals(0)))
            parts.append(any_of(allowed))
        for place, (guess, later) in enumerate(pairwise(self.guessed)):
            parts += [implies(self._leaves_alone(place, x), same(Var(guess[x]), Var(later[x]))) for x in guess]
        return all_of([*parts, *(Not(Var(slot.started)) for slot in self.slots)])

    def _leaves_alone(self, i: int, x: str) -> Expr:
        """Return that context i belongs to nobody, or to somebody who does not write a shared variable."""
        writers = [
            j for j in range(1, self.first + 1) if x in globals_written_by(self.program, self.program.threads[j - 1])
        ]
        if any(x in globals_written_by(self.program, start[0]) for start in starts_of(self.program)):
            writers += range(self.first + 1, len(self.threads) + 1)
        return Not(any_of(self.owners[i].equals(j) for j in writers))

    def _hands_over(self, i: int) -> Expr:
        """Return that context i may be left: the next one begins as it ends."""
        return all_of(same(Var(x), Var(self.guessed[i + 1][x])) for x in self.program.globals)

    def moves(self, free: Expr) -> Iterator[Action]:
        """Yield the steps to a later context of the thread that runs, where `free` allows it."""
        targets = (*self.k.bits, *self.program.globals)
        ways = []
        for i in range(self.contexts - 1):
            for later in range(i + 2, self.contexts):
                between = (Not(self.owners[m].same_as(self.owners[i])) for m in range(i + 2, later))
                begins = (same(Var(x, primed=True), Var(self.guessed[later][x])) for x in self.program.globals)
                counts = (self.k.equals(i), self.k.equals(later, primed=True))
                mine = self.owners[i].same_as(self.owners[later])
                ways.append(all_of([*counts, mine, *between, self._hands_over(i), *begins]))
        if ways:
            yield Assign(targets, choices(targets), all_of([free, any_of(ways)]))

    def departures(self, free: Expr) -> Iterator[Action]:
        """Yield the steps by which the thread that runs gives up control for ever; k is then its first context."""
        ways = []
        for i in range(self.contexts - 1):
            later = (Not(owner.same_as(self.owners[i])) for owner in self.owners[i + 1 :])
            ways.append(all_of([self.k.equals(i), *later, self._hands_over(i), self._goes_back_to_first(i)]))
        if ways:
            yield Assign(self.k.bits, choices(self.k.bits), all_of([free, any_of(ways)]))

    def _goes_back_to_first(self, i: int) -> Expr:
        """Return that the next k is the first context of the owner of context i."""
        return any_of(
            all_of([self.owners[f].same_as(self.owners[i]), self._is_first(f), self.k.equals(f, primed=True)])
            for f in range(i + 1)
        )

    def _is_first(self, i: int) -> Expr:
        """Return that context i is the first one of its owner."""
        return Not(any_of([self.owners[i].equals(0), *(other.same_as(self.owners[i]) for other in self.owners[:i])]))

    def entrances(self) -> Iterator[Entrance]:
        """Yield how each thread gets control for the first time: in the order of their first contexts."""
        targets = (*self.k.bits, *self.program.globals)
        for i in range(self.contexts):
            before = [self._runs_next(f, i) for f in (*range(i), self.contexts)]
            values = (*self.k.constants(i), *(Var(self.guessed[i][x]) for x in self.program.globals))
            for j in self.threads:
                exists = Var(self.slots[j - self.first - 1].started) if j > self.first else TRUE
                whose = all_of([self.owners[i].equals(j), self._is_first(i), exists, any_of(before)])
                yield Entrance(Assign(targets, values, whose), j)

    def _runs_next(self, f: int, i: int) -> Expr:
        """Return that k is f, the first context of whoever ran last, and nobody runs first between f and i."""
        begin = 0 if f == self.contexts else f + 1
        return all_of([self.k.equals(f), *(Not(self._is_first(m)) for m in range(begin, i))])

    def arrivals(self, code: int) -> Iterator[Action]:
        """Yield the steps that take notice of a target: in the last context."""
        targets = (*self.k.bits, *self.hit.bits)
        last, noticed = self.contexts - 1, self.hit.equals(code + 1, primed=True)
        yield Assign(targets, choices(targets), all_of([self.k.equals(last), noticed, self._goes_back_to_first(last)]))

    def findings(self, code: int) -> Expr:
        """Return when a target that was noticed is reached: after all threads have run."""
        over = any_of(self._runs_next(f, self.contexts) for f in range(self.contexts))
        return all_of([self.hit.equals(code + 1), over])

    def starts(self, kind: int, values: Sequence[Expr]) -> Iterator[tuple[Action, int | None]]:
        """Yield the ways to start a thread: forget it, or keep it as one of the slots (0, 1, ...)."""
        yield Assume(TRUE), None
        for s, slot in enumerate(self.slots):
            never = (
                implies(self._at_least(i), Not(self.owners[i].equals(self.first + 1 + s))) for i in range(self.contexts)
            )
            passed = (same(Var(name), value) for name, value in zip(slot.values, values, strict=False))
            wanted = all_of([Not(Var(slot.started)), slot.kind.equals(kind), *never, *passed])
            yield Assign((slot.started,), (TRUE,), wanted), s

    def _at_least(self, i: int) -> Expr:
        return any_of(self.k.equals(context) for context in range(i, self.contexts))


class Rounds:
    """Rounds 1 .. R (numbered from 0 here) on copies of the shared variables, and the Checker."""

    idles = True
    slots: tuple[Slot, ...] = ()

    def __init__(self, program: Program, fresh: Fresh, number: int, targets: int) -> None:
        self.program = program
        self.rounds = number
        self.k = fresh.number("round", number)
        self.me = fresh.number("thread", len(program.threads) + 1)
        self.hit = fresh.number("target", targets + 1)
        self.copies = [{x: fresh.name(f"{x}_in{r + 1}") for x in program.globals} for r in range(number)]
        self.guessed = [{x: fresh.name(f"{x}_at{r + 1}") for x in program.globals} for r in range(1, number)]
        self.threads = range(1, len(program.threads) + 1)

    @property
    def groups(self) -> tuple[Names, ...]:
        """What belongs together, the first group on top."""
        head = (*self.me.bits, *self.k.bits, *self.hit.bits)
        copies = [*self.copies, *self.guessed]
        return (head, *((x, *(copy[x] for copy in copies)) for x in self.program.globals))

    def mark(self, state: State) -> tuple[int, int]:
        """Return the round and the thread of a state in which somebody runs."""
        return self.k.value(state), self.me.value(state)

    def init(self) -> Expr:
        """Return what holds at the start."""
        parts = [rename_variables(self.program.init, self.copies[0].__getitem__), self.me.equals(0), self.hit.equals(0)]
        for copy, guess in zip(self.copies[1:], self.guessed, strict=True):
            parts += [same(Var(copy[x]), Var(guess[x])) for x in self.program.globals]
        return all_of(parts)

    def moves(self, free: Expr) -> Iterator[Action]:
        """Yield the steps to the next round of the thread that runs, where `free` allows it."""
        names = self.program.globals
        for r in range(self.rounds - 1):
            here, there = self.copies[r], self.copies[r + 1]
            targets = (*(here[x] for x in names), *names, *self.k.bits)
            values = (*map(Var, names), *(Var(there[x]) for x in names), *self.k.constants(r + 1))
            unnoticed = self.hit.equals(0) if r + 2 == self.rounds else TRUE
            yield Assign(targets, values, all_of([free, self.k.equals(r), unnoticed, self._is_as_guessed(r)]))

    def departures(self, free: Expr) -> Iterator[Action]:
        """Yield the steps by which the thread that runs gives up control for ever."""
        names = self.program.globals
        for r in range(self.rounds):
            kept = Assign(tuple(self.copies[r][x] for x in names), tuple(map(Var, names)))
            yield Assign(kept.targets, kept.values, all_of([free, self.k.equals(r), self._is_as_guessed(r)]))

    def _is_as_guessed(self, r: int) -> Expr:
        """Return that what nobody writes after the thread that runs is what was guessed for the next round."""
        if r + 1 == self.rounds:
            return TRUE
        parts = []
        for x in self.program.globals:
            writers = [j for j in self.threads if x in globals_written_by(self.program, self.program.threads[j - 1])]
            if writers:
                parts.append(implies(self.me.equals(writers[-1]), same(Var(x), Var(self.guessed[r][x]))))
        return all_of(parts)

    def entrances(self) -> Iterator[Entrance]:
        """Yield how each thread gets control for the first time: in order."""
        targets = (*self.me.bits, *self.k.bits, *self.program.globals)
        first = tuple(Var(self.copies[0][x]) for x in self.program.globals)
        for j in self.threads:
            yield Entrance(
                Assign(targets, (*self.me.constants(j), *self.k.constants(0), *first), self.me.equals(j - 1)), j
            )

    def arrivals(self, code: int) -> Iterator[Action]:
        """Yield the steps that take notice of a target."""
        noticed = all_of([self.k.equals(self.rounds - 1), self.hit.equals(0)])
        yield Assign(self.hit.bits, self.hit.constants(code + 1), noticed)

    def findings(self, code: int) -> Expr:
        """Return when a target that was noticed is reached after all threads have run: the Checker."""
        parts = [self.me.equals(len(self.threads)), self.hit.equals(code + 1)]
        for copy, guess in zip(self.copies, self.guessed, strict=False):
            parts += [same(Var(copy[x]), Var(guess[x])) for x in self.program.globals]
        return all_of(parts)

    def starts(self, kind: int, values: Sequence[Expr]) -> Iterator[tuple[Action, int | None]]:
        """Yield nothing: rounds are for a fixed number of threads."""
        yield Assume(FALSE), None


Schedule = Switches | Rounds
