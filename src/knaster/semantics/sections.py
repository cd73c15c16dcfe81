"""Sections: from a configuration inside an atomic section, whether the thread that runs can get out of it.

The section may recurse, so calls are summarised: each activation that begins is followed once, and where it is at its
exit, every call that began it so goes on.  After M. Sharir and A. Pnueli, Two Approaches to Interprocedural Data Flow
Analysis (1981).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.named_tuples import NamedTuple

if TYPE_CHECKING:
    from knaster.semantics.threads import Activation, Configuration, Stack, Threads, Valuation


class Standing(NamedTuple):
    """Where an activation stands, and the globals there."""

    shared: Valuation
    top: Activation


class Begin(NamedTuple):
    """How an activation began: by a call, or (with so many frames below) on the stack of the thread."""

    start: Standing
    below: int | None = None


class Waiter(NamedTuple):
    """A call that waits: whose it is, and its activation."""

    begin: Begin
    caller: Activation


def leaves_section(threads: Threads, here: Configuration) -> bool:
    """Tell whether the running thread can get out of its section."""
    return _Section(threads, here).leaves()


class _Section:
    """The activations of one thread inside a section: where each can be, and who waits for it to return."""

    def __init__(self, threads: Threads, here: Configuration) -> None:
        self.threads, self.here = threads, here
        self.seen: set[tuple[Begin, Standing]] = set()
        self.todo: list[tuple[Begin, Standing]] = []
        self.ends: dict[Begin, set[Standing]] = {}
        self.waiters: dict[Begin, set[Waiter]] = {}

    def leaves(self) -> bool:
        """Tell whether some step leads out."""
        self.resume(self.here.shared, self.here.stacks[self.here.running])
        while self.todo:
            begin, at = self.todo.pop()
            if self.end(begin, at) if self.threads.is_at_exit(at.top) else self.step(begin, at):
                return True
        return False

    def resume(self, shared: Valuation, stack: Stack) -> None:
        """Let the top of what is left of the stack go on."""
        at = Standing(shared, stack[-1])
        self.add(Begin(at, len(stack) - 1), at)

    def add(self, begin: Begin, at: Standing) -> None:
        """Add where an activation can be, if it is new."""
        if (begin, at) not in self.seen:
            self.seen.add((begin, at))
            self.todo.append((begin, at))

    def step(self, begin: Begin, at: Standing) -> bool:
        """Take every step of an activation that has another one below; tell whether one leads out."""
        for _, after in self.threads.steps(self.configuration(at.shared, (at.top, at.top))):
            if not after.section:
                return True
            _, top, *callee = after.stacks[after.running]
            if callee:
                self.call(Waiter(begin, top), Standing(after.shared, callee[0]))
            else:
                self.add(begin, Standing(after.shared, top))
        return False

    def call(self, waiter: Waiter, start: Standing) -> None:
        """Let a call wait for its callee."""
        begin = Begin(start)
        self.waiters.setdefault(begin, set()).add(waiter)
        self.add(begin, start)
        for end in self.ends.get(begin, set()).copy():
            self.come_back(waiter, end)

    def end(self, begin: Begin, at: Standing) -> bool:
        """Let every call go on that waits for an activation; tell whether the section or the thread ends."""
        if begin.below is not None:
            return begin.below == 0 or self.unwind(begin.below, at)
        self.ends.setdefault(begin, set()).add(at)
        for waiter in self.waiters[begin].copy():
            self.come_back(waiter, at)
        return False

    def unwind(self, below: int, at: Standing) -> bool:
        """Return to a frame of the stack; tell whether the thread ends there."""
        stack = (*self.here.stacks[self.here.running][:below], at.top)
        for _, after in self.threads.steps(self.configuration(at.shared, stack)):
            if not after.section:
                return True
            self.resume(after.shared, after.stacks[after.running])
        return False

    def come_back(self, waiter: Waiter, end: Standing) -> None:
        """Go on behind a call."""
        stack = waiter.caller, waiter.caller, end.top
        for _, after in self.threads.steps(self.configuration(end.shared, stack)):
            self.add(waiter.begin, Standing(after.shared, after.stacks[after.running][-1]))

    def configuration(self, shared: Valuation, stack: Stack) -> Configuration:
        """Return the configuration of the running thread alone, with another stack, in its section."""
        return self.here._replace(shared=shared, stacks=(stack,), running=0, section=True)
