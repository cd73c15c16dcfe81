"""All runs of a Boolean program, walked through by the kernel itself: what a table of its reference model claims.

Such a proof is a table of another program, one with references that was made of the Boolean one; how it was made would
have to be trusted.  So the kernel uses nothing of the file and looks at the claim: a program of one thread is one
context (`bounded_stacks`), recursion included; of several threads every configuration is looked at, one by one, where
there are not too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from knaster_check.boolean.bounded_stacks import Contexts
from knaster_check.boolean.successors import valuations
from knaster_check.boolean.thread_steps import Letter, Shared, Stack, Threads
from knaster_check.evaluate import can_be
from knaster_check.program import UNBEGUN, Program, Target, Thread
from knaster_check.refused import Refused, Unsupported, expect, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.work import STEP

MOST = 50_000  # configurations


class Configuration(NamedTuple):
    """The globals, the stack of each thread, who runs, and whether inside a section."""

    shared: Shared
    stacks: tuple[Stack, ...]
    running: int
    section: bool


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(bool(targets), "the proof excludes no target")
    expect(all(target.procedure for target in targets), "the proof says nothing of what has no place")
    object_with(document["referred"], ("asked", "table"), "'referred'")
    if len(program.threads) == 1 and not _starts_threads(program):
        contexts = Contexts(program, targets, tick)
        contexts.run(False, 0)
        return Verdict("unreachable", targets, answered={"moves of stacks": contexts.count})
    return Verdict("unreachable", targets, answered={"configurations": Configurations(program, targets, tick).run()})


def _starts_threads(program: Program) -> bool:
    edges = (edge.action for procedure in program.procedures.values() for edge in procedure.edges)
    return any(isinstance(action, Thread) and action.operation == "start_thread" for action in edges)


class Configurations:
    """All configurations of a program."""

    def __init__(self, program: Program, targets: tuple[Target, ...], tick: Tick) -> None:
        self.program, self.threads, self.tick = program, Threads(program), tick
        self.targets = {(target.procedure, target.location): target.name for target in targets}

    def run(self) -> int:
        """Return how many there are; refuse where one is at a target."""
        todo = list(self.starts())
        seen = set(todo)
        for here in todo:  # grows
            self.tick(STEP)
            stack = here.stacks[here.running]
            name = self.targets.get((stack[0].procedure, stack[0].location)) if stack else None
            if name is not None:
                raise Refused("it is not excluded", name)
            for after in (*self.steps(here), *self.switches(here)):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
            if len(seen) > MOST:  # mutant(>): one configuration more or less
                raise Unsupported("there are too many configurations")
        return len(seen)

    def starts(self) -> Iterator[Configuration]:
        """Yield where runs begin: each thread may run first."""
        stacks = tuple((Letter(name, UNBEGUN, (), None, True),) for name in self.program.threads)
        for name in self.program.threads:
            expect(not self.program.procedures[name].parameters, "a thread has parameters", f"'{name}'")
        for state in valuations(self.program.globals):
            if can_be(self.program.init, True, state, None):
                for thread in range(len(stacks)):
                    yield Configuration(tuple(state.values()), stacks, thread, False)

    def steps(self, here: Configuration) -> Iterator[Configuration]:
        """Yield what the steps of the thread that runs lead to."""
        shared, stacks, running, section = here
        for step in self.threads.steps(stacks[running], section, shared):
            after = (*stacks[:running], step.stack, *stacks[running + 1 :])
            after += () if step.started is None else ((step.started,),)
            yield Configuration(step.shared, after, running, step.section)

    def switches(self, here: Configuration) -> Iterator[Configuration]:
        """Yield the same with another thread running, where one may: after a failure it can do no more than before."""
        if not here.section and not self.threads.is_locked(here.shared):
            for thread in range(len(here.stacks)):
                yield here._replace(running=thread)
