"""Views of a thread on a schedule: nothing of it, or the shared states in which its own contexts begin and end.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008): what a thread
does depends on nothing but the shared states that it finds.  So its steps are the same in every schedule that hands the
same states to it, wherever in the schedule its contexts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.program.expression import TRUE, Binary, Expr, Not, Operator, Var
from knaster.program.model import Action, Assign, Assume, Program
from knaster.transform.formulae import Fresh, all_of, any_of, choices, same
from knaster.transform.threads.schedules import Names, Slot


class NoSchedule:
    """No context has a number: a step to a later one says only that others may have changed what is shared."""

    slots: tuple[Slot, ...] = ()

    def __init__(self, program: Program) -> None:
        self.shared = program.globals

    @property
    def groups(self) -> tuple[Names, ...]:
        """What belongs together: nothing."""
        return ((), *((name,) for name in self.shared))

    def init(self) -> Expr:
        """Return what holds at the start: nothing."""
        return TRUE

    def moves(self, free: Expr) -> Iterator[Action]:
        """Yield the step that others take: it reads and writes whatever is shared."""
        yield Assign(self.shared, choices(self.shared), all_of([free, _read(self.shared)]))

    def departures(self, free: Expr) -> Iterator[Action]:
        """Yield nothing: nobody gives up control for ever."""
        yield from ()

    def starts(self, kind: int, values: Sequence[Expr]) -> Iterator[tuple[Action, int | None]]:
        """Yield nothing but to forget it: nobody is started."""
        yield Assume(TRUE), None


class OwnContexts(NoSchedule):
    """Contexts 0 .. `contexts` - 1 of a thread that is one of so many kinds.

    There are `width` copies of the shared variables: copy 2m is where context m begins, copy 2m + 1 where it ends.
    They are never written, and neither is the kind; all that a thread does is found for each of their values.
    """

    def __init__(self, program: Program, fresh: Fresh, kinds: int, contexts: int, width: int) -> None:
        super().__init__(program)
        self.kind = fresh.number("kind", kinds)
        self.k = fresh.number("context", contexts)
        self.contexts = contexts
        self.copies: list[Mapping[str, str]] = [
            {x: fresh.name(f"{x}_at{copy}") for x in program.globals} for copy in range(width)
        ]
        self.more: Names = ()  # names of somebody else, to stand above the copies

    @property
    def groups(self) -> tuple[Names, ...]:
        """What belongs together, the first group on top."""
        head = (*self.kind.bits, *self.k.bits, *self.more)
        return (head, *((x, *(copy[x] for copy in self.copies)) for x in self.shared))

    def moves(self, free: Expr) -> Iterator[Action]:
        """Yield the step to the next context of the thread, where `free` allows it."""
        targets = (*self.k.bits, *self.shared)
        ways = []
        for m in range(self.contexts - 1):
            ends = (same(Var(x), Var(self.copies[2 * m + 1][x])) for x in self.shared)
            begins = (same(Var(x, primed=True), Var(self.copies[2 * m + 2][x])) for x in self.shared)
            ways.append(all_of([self.k.equals(m), self.k.equals(m + 1, primed=True), *ends, *begins]))
        key = _read((*self.kind.bits, *self.copies[0].values()))
        yield Assign(targets, choices(targets), all_of([free, key, any_of(ways)]))


def _read(names: Sequence[str]) -> Expr:
    """Return what is always true and says that some variables matter."""
    return all_of(Binary(Operator.OR, Var(name), Not(Var(name))) for name in names)


Local = NoSchedule | OwnContexts
