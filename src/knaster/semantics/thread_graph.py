"""Threads as a graph for questions about infinite runs: who can move where, where a run rests, and what holds there.

A *node* is a configuration in which nobody is scheduled yet, or the one inside an atomic section, whose thread goes
on.  A move is a statement of one thread; coming back into a caller is a move too, but takes no letter, and so is to
begin with some values of locals, with which a thread may wait for ever; a first statement begins as well.

A run that is over, because every thread has ended or an assertion failed, stays where it is, and so does one in a
deadlock.  Inside a section a thread cannot wait: one that blocks there is no run, so a thread before a section all of
whose ways block cannot move.  What a thread can do is asked outside sections only.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import TRUE as ALWAYS
from knaster.program.expression import variables
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Place, Procedure, Program
from knaster.program.state import State
from knaster.semantics.open_ways import open_ways
from knaster.semantics.threads import UNBEGUN, Configuration, Stack, Threads

Node = Configuration  # with 0 for who runs where anybody may


class Move(NamedTuple):
    """A move of a thread (0, 1, ...): from where, once it has begun, by which edge (None: into a caller), to where."""

    thread: int
    begun: Configuration
    edge: Edge | None
    after: Configuration

    @property
    def is_silent(self) -> bool:
        """Whether it takes no letter."""
        return self.edge is None

    @property
    def is_beginning(self) -> bool:
        """Whether a thread begins, and does nothing yet."""
        stack = self.begun.stacks[self.thread]
        return bool(stack) and stack[-1].location == UNBEGUN


class ThreadGraph:
    """The nodes and moves of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.threads = Threads(program)
        self._waiting: dict[str, bool] = {}
        self._able: dict[tuple[Node, int], bool] = {}
        self._open: dict[Configuration, bool] = {}  # inside a section: is there a way on that does not block?

    def starts(self) -> list[Node]:
        """Return the nodes in which runs begin."""
        return list(dict.fromkeys(self.node(start) for start in self.threads.starts()))

    def node(self, here: Configuration) -> Node:
        """Return the node of a configuration."""
        return here if self.is_inside(here) else here._replace(running=0)

    def is_inside(self, here: Configuration) -> bool:
        """Tell whether only the thread that runs may go on."""
        return not self.threads.may_switch(here) and not self.has_failed(here)

    def has_failed(self, here: Configuration) -> bool:
        """Tell whether an assertion has failed."""
        tops = (stack[-1] for stack in here.stacks if stack)
        return any(top.location in self.threads.procedures[top.procedure].failures for top in tops)

    def is_over(self, here: Node) -> bool:
        """Tell whether the run has come to its end."""
        return all(map(self.threads.has_ended, here.stacks)) or self.has_failed(here)

    def rests(self, here: Node) -> bool:
        """Tell whether a run that comes here stays for ever: it is over, or nobody can move."""
        if self.is_over(here):
            return True
        return not self.is_inside(here) and not any(self.can_move(here, each) for each in range(len(here.stacks)))

    def count(self, here: Node) -> int:
        """Return how many threads there are so far."""
        return len(here.stacks)

    def size(self, here: Node) -> int:
        """Return how many activations a node holds."""
        return 1 + sum(map(len, here.stacks))

    def moves(self, here: Node) -> Iterator[Move]:
        """Yield the moves of all threads, those of the first one first."""
        if self.has_failed(here):
            return
        for thread in (here.running,) if self.is_inside(here) else range(len(here.stacks)):
            yield from self._moves_of(here, thread)
            yield from self.beginnings(here, thread)

    def beginnings(self, here: Node, thread: int) -> Iterator[Move]:
        """Yield how a thread whose locals decide whether it can move can begin without a step."""
        stack = here.stacks[thread]
        if stack and stack[-1].location == UNBEGUN and self._may_wait(self.threads.procedures[stack[-1].procedure]):
            before = here._replace(running=thread)
            for begun in self.threads.begin(before):
                yield Move(thread, before, None, begun)

    def _may_wait(self, procedure: Procedure) -> bool:
        """Tell whether a thread may wait before its first statement because of its locals."""
        if procedure.name not in self._waiting:
            actions = [edge.action for edge in procedure.leaving.get(procedure.entry, ())]
            guards = [each.condition for each in actions if isinstance(each, Assume)]
            guards += [each.constraint for each in actions if isinstance(each, Assign)]
            reads = any(not variables(guard).isdisjoint(procedure.frame) for guard in guards)
            section = any(isinstance(each, Concurrent) for each in actions)  # its statements may wait
            called = [self.threads.procedures[each.procedure] for each in actions if isinstance(each, Call)]
            enforced = any(each.enforce is not ALWAYS for each in (procedure, *called))
            self._waiting[procedure.name] = bool(procedure.frame) and (reads or section or enforced)
        return self._waiting[procedure.name]

    def _moves_of(self, here: Node, thread: int) -> Iterator[Move]:
        for begun in self.threads.begin(here._replace(running=thread)):
            for edge, after in self.threads.steps(begun):
                yield Move(thread, begun, edge, after)

    def can_move(self, here: Node, thread: int) -> bool:
        """Tell whether some way of a thread through its next step or section does not block; asked outside sections."""
        key = here, thread
        if key not in self._able:
            moves = self._moves_of(here, thread) if not self.has_failed(here) else ()
            self._able[key] = any(self._goes_on(move.after) for move in moves)
        return self._able[key]

    def _goes_on(self, here: Configuration) -> bool:
        """Tell whether a thread can leave the section that it is in, fail there, or go on in it for ever."""
        if not self.is_inside(here):
            return True
        if here not in self._open:

            def after(inside: Configuration) -> Iterator[Configuration]:
                return (move.after for move in self._moves_of(inside, inside.running))

            self._open |= open_ways(here, after, self.is_inside, lambda node: len(node.stacks[node.running]))
        return self._open[here]

    def places(self, here: Node) -> Iterator[tuple[int, Place]]:
        """Yield each thread that stands before a statement, with its place; none where the run is over."""
        if self.is_over(here):
            return
        for thread, stack in enumerate(here.stacks):
            if (place := self._place(stack)) is not None:
                yield thread, place

    def _place(self, stack: Stack) -> Place | None:
        if not stack:
            return None
        procedure = self.threads.procedures[stack[-1].procedure]
        location = procedure.entry if stack[-1].location == UNBEGUN else stack[-1].location
        return None if location == procedure.exit else (procedure.name, location)

    def shared(self, here: Node) -> State:
        """Return the values of the globals."""
        return dict(zip(self.program.globals, here.shared, strict=True))
