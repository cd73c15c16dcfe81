"""Threads as a graph for questions about infinite runs: who can move where, where a run rests, and what holds there.

A *node* has the globals, a stack for each thread and, inside a section or while the global `atomic` is true, the thread
that alone may go on.  A move is a statement of one thread; coming back into a caller is one too, but takes no letter,
and so is the beginning of a thread whose locals decide whether it can move at all.
A run that is over, because every thread has ended or an assertion failed, rests where it is, and so does one in a
deadlock.  Inside a section a thread cannot wait: one that blocks there is no run, so a thread can move only if one of
its moves leads out of all sections, or to an assertion that fails, or can go on inside for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from knaster_check.boolean.successors import valuations
from knaster_check.boolean.thread_steps import Letter, Shared, Stack, Threads
from knaster_check.evaluate import State, can_be
from knaster_check.program import UNBEGUN, Assign, Assume, Call, Edge, Program, Thread
from knaster_check.refused import expect, list_of, number_of, text_of, truth_of
from knaster_check.temporal.graph import goes_on
from knaster_check.temporal.letters import Place


class Node(NamedTuple):
    """A configuration; who runs is 0 where anybody may."""

    shared: Shared
    stacks: tuple[Stack, ...]
    running: int
    section: bool


class Move(NamedTuple):
    """A move of a thread (0, 1, ...) to a node: its edge (None: back into a caller, a beginning), from which stack."""

    thread: int
    edge: Edge | None
    begun: Stack
    after: Node

    @property
    def silent(self) -> bool:
        """Whether it takes no letter."""
        return self.edge is None


class ThreadGraph:
    """The nodes and moves of one program."""

    def __init__(self, program: Program) -> None:
        self.program, self.threads = program, Threads(program)
        self._able: dict[tuple[Node, int], bool] = {}

    def starts(self) -> Iterator[Node]:
        """Yield the nodes in which runs begin: a thread that could not begin has not begun."""
        stacks = tuple((Letter(name, UNBEGUN, (), None, True),) for name in self.program.threads)
        for name in self.program.threads:
            expect(not self.program.procedures[name].parameters, "a thread has parameters", f"'{name}'")
        for state in valuations(self.program.globals):
            if can_be(self.program.init, True, state, None):
                shared = tuple(state.values())
                for thread, stack in enumerate(stacks):
                    for step in self.threads.steps(stack, False, shared):
                        begun = (*stacks[:thread], step.stack, *stacks[thread + 1 :])
                        yield self._node(shared, begun, thread, False)

    def _node(self, shared: Shared, stacks: tuple[Stack, ...], running: int, section: bool) -> Node:
        here = Node(shared, stacks, running, section)
        return here if self.is_inside(here) else here._replace(running=0)

    def is_inside(self, here: Node) -> bool:
        """Tell whether only the thread that runs may go on."""
        return (here.section or self.threads.is_locked(here.shared)) and not self.has_failed(here)

    def has_failed(self, here: Node) -> bool:
        """Tell whether an assertion has failed."""
        tops = (stack[0] for stack in here.stacks if stack)
        return any(top.location in self.program.procedures[top.procedure].failures for top in tops)

    def is_over(self, here: Node) -> bool:
        """Tell whether the run has come to its end."""
        return all(map(self.threads.has_ended, here.stacks)) or self.has_failed(here)

    def rests(self, here: Node) -> bool:
        """Tell whether a run that comes here stays for ever."""
        if self.is_over(here) or self.is_inside(here):
            return self.is_over(here)
        return not any(self.can_move(here, thread) for thread in range(len(here.stacks)))

    def moves(self, here: Node) -> Iterator[Move]:
        """Yield the moves of all threads that may run."""
        if not self.has_failed(here):
            for thread in (here.running,) if self.is_inside(here) else range(len(here.stacks)):
                yield from self.moves_of(here, thread)
                yield from self.beginnings(here, thread)

    def moves_of(self, here: Node, thread: int) -> Iterator[Move]:
        """Yield the moves of a thread; where it has not begun, it begins and moves at once."""
        stack = here.stacks[thread]
        begun = [stack]
        if stack and stack[0].location == UNBEGUN:
            begun = [step.stack for step in self.threads.steps(stack, here.section, here.shared)]
        for own in begun:
            for step in self.threads.steps(own, here.section, here.shared):
                stacks = (*here.stacks[:thread], step.stack, *here.stacks[thread + 1 :])
                stacks += () if step.started is None else ((step.started,),)
                yield Move(thread, step.edge, own, self._node(step.shared, stacks, thread, step.section))

    def beginnings(self, here: Node, thread: int) -> Iterator[Move]:
        """Yield how a thread begins without a step: then its locals may let it wait for ever."""
        stack = here.stacks[thread]
        if stack and stack[0].location == UNBEGUN and self._may_wait(stack[0].procedure):
            for step in self.threads.steps(stack, here.section, here.shared):
                stacks = (*here.stacks[:thread], step.stack, *here.stacks[thread + 1 :])
                yield Move(thread, None, stack, self._node(here.shared, stacks, thread, here.section))

    def _may_wait(self, name: str) -> bool:
        """Tell whether the first statement of a procedure passes with some values of its locals only."""
        procedure = self.program.procedures[name]
        first = [edge.action for edge in procedure.edges if edge.source == procedure.entry]
        guards = [each.condition for each in first if isinstance(each, Assume)]
        guards += [each.constraint for each in first if isinstance(each, Assign)]
        read = {node[1] for guard in guards for node in guard if node[0] == "variable"}
        called = [self.program.procedures[each.procedure] for each in first if isinstance(each, Call)]
        enforced = any(node[0] == "variable" for each in (procedure, *called) for node in each.enforce)
        enters = enforced or any(isinstance(each, Thread) for each in first)
        return bool(read & set(procedure.frame)) or (bool(procedure.frame) and enters)

    def can_move(self, here: Node, thread: int) -> bool:
        """Tell whether a thread can move; asked outside sections."""
        key = here, thread
        if key not in self._able:
            failed = thread >= len(here.stacks) or self.has_failed(here)
            self._able[key] = not failed and any(goes_on(self, move.after) for move in self.moves_of(here, thread))
        return self._able[key]

    def count(self, here: Node) -> int:
        """Return how many threads there are so far."""
        return len(here.stacks)

    def shared(self, here: Node) -> State:
        """Return the values of the globals."""
        return dict(zip(self.program.globals, here.shared, strict=True))

    def state(self, here: Node, stack: Stack) -> State:
        """Return the globals of a node and the variables of the topmost activation of a stack."""
        frame = self.program.procedures[stack[0].procedure].frame
        return {**self.shared(here), **dict(zip(frame, stack[0].frame, strict=True))}

    def standing(self, here: Node) -> Iterator[tuple[int, Place]]:
        """Yield each thread (1, 2, ...) that stands before a statement, with its place; none where the run is over."""
        for thread, stack in enumerate(() if self.is_over(here) else here.stacks, start=1):
            if stack:
                procedure = self.program.procedures[stack[0].procedure]
                location = procedure.entry if stack[0].location == UNBEGUN else stack[0].location
                if location != procedure.exit:
                    yield thread, (procedure.name, location)

    def read(self, shared: object, stacks: object, running: object, section: object) -> Node:
        """Return a node of a file, whose stacks have their lowest activation first."""
        values = _bits(shared, len(self.program.globals))
        found = []
        for stack in list_of(stacks, "stacks"):
            rows = list_of(stack, "a stack")
            found.append(tuple(self._letter(row, number == 0) for number, row in enumerate(rows))[::-1])
        return Node(values, tuple(found), number_of(running, "a thread", len(found)), truth_of(section, "a section"))

    def _letter(self, data: object, lowest: bool) -> Letter:
        name, location, frame, calling = list_of(data, "an activation", 4)
        expect(text_of(name, "an activation") in self.program.procedures, "an activation is of no procedure")
        procedure = self.program.procedures[name]
        unbegun = type(location) is int and location == UNBEGUN
        expect(unbegun or number_of(location, "an activation", procedure.size) >= 0, "an activation has no place")
        values = _bits(frame, len(procedure.parameters if unbegun else procedure.frame))
        if calling is not None:
            number_of(calling, "an activation", len(procedure.edges))
        return Letter(name, location, values, calling, lowest)


def _bits(data: object, count: int) -> tuple[bool, ...]:
    return tuple(bool(number_of(bit, "a value", 2)) for bit in list_of(data, "values", count))
