"""Whether a run of threads has come to a deadlock: another thread may run, not all have ended, and none can step.

A thread that stands before `atomic_begin` can step only where there is a way through its section.  What a thread that
has not run yet was started with may be left open: it stands still where it does for some of these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster_check.boolean.successors import results
from knaster_check.boolean.thread_steps import Letter, Shared, Stack, Step, Threads
from knaster_check.program import UNBEGUN, Program
from knaster_check.refused import Unsupported, expect
from knaster_check.run import Schedule, Waiting

MOST_INSIDE = 5_000  # moments of one section


def check_deadlock(program: Program, schedule: Schedule, last: int) -> None:
    """Refuse where a thread can still step after all segments, of which the last one was of this thread."""
    threads, section, shared = Threads(program), schedule.section, _shared(program, schedule)
    count = len(program.threads) + len(schedule.started)
    top = schedule.stacks[last][-1] if schedule.stacks[last] else None
    failed = top is not None and top.location in top.procedure.failures
    expect(not (section or threads.is_locked(shared) or failed), "the run ends where no other thread may run")
    left = [thread for thread in range(1, count + 1) if thread not in schedule.ended]
    expect(bool(left), "all threads have ended")
    for thread in left:
        stands = any(not _can_step(threads, stack, shared) for stack in _stacks(program, schedule, thread))
        expect(stands, f"thread {thread} can still step")


def _shared(program: Program, schedule: Schedule) -> Shared:
    assert schedule.shared is not None
    return tuple(bool(schedule.shared[name]) for name in program.globals)


def _stacks(program: Program, schedule: Schedule, thread: int) -> Iterator[Stack]:
    """Yield what the stack of a thread can be: one, unless it was started with choices and has not run."""
    if thread in schedule.stacks:
        yield tuple(_letters(schedule.stacks[thread]))[::-1]
    elif thread <= len(program.threads):
        yield (Letter(program.threads[thread - 1], UNBEGUN, (), None, True),)
    else:
        starter, action, state = schedule.started[thread - len(program.threads) - 1]
        if action.procedure is None:
            assert action.location is not None
            yield (Letter(starter.name, action.location, tuple(bool(state[x]) for x in starter.frame), None, True),)
            return
        names = program.procedures[action.procedure].parameters
        for passed in results(names, action.arguments, state):
            yield (Letter(action.procedure, UNBEGUN, tuple(bool(passed[x]) for x in names), None, True),)


def _letters(waiting: Iterable[Waiting]) -> Iterator[Letter]:
    """Yield the activations of a stack, the lowest first."""
    for number, (procedure, location, state, edge) in enumerate(waiting):
        calling = None if edge is None else procedure.edges.index(edge)
        yield Letter(procedure.name, location, tuple(bool(state[x]) for x in procedure.frame), calling, number == 0)


def _can_step(threads: Threads, stack: Stack, shared: Shared) -> bool:
    begun = [stack]
    if stack[0].location == UNBEGUN:
        begun = [step.stack for step in threads.steps(stack, False, shared)]
    return any(_leads_out(threads, step) for own in begun for step in threads.steps(own, False, shared))


def _leads_out(threads: Threads, first: Step) -> bool:
    """Tell whether there is a way out of the section that a step leads into, if it does."""
    todo, seen = [first], set()
    while todo:
        step = todo.pop()
        if not step.section:
            return True
        if (step.stack, step.shared) not in seen:
            seen.add((step.stack, step.shared))
            if len(seen) > MOST_INSIDE:
                raise Unsupported("a section is too large")
            todo += threads.steps(step.stack, True, step.shared)
    return False
