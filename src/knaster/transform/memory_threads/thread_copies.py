"""The program with memory in which each thread has procedures of its own, and words of threads are steps on memory.

Thread 1 keeps the names of its procedures; `f@2` is `f` of thread 2.  What threads tell each other is in objects of
four bytes (`#started.2`) or of a pointer (`#argument.2`).  Locations keep their numbers; `calm` has those at which a
thread may be interrupted as far as sections say, once there are several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.errors import Span
from knaster.base.records import dataclass, replace
from knaster.program.expression import Compare, Comparison, Const
from knaster.program.memory import Addresses, AddressOf, Load, ObjectDeclaration
from knaster.program.model import Assign, Assume, Call, Place, Procedure, Program, Return
from knaster.transform.memory_threads.copied_procedure import (
    ARGUMENT,
    ENDED,
    JOINED,
    RESULT,
    STARTED,
    WORD,
    Copy,
    own,
)
from knaster.transform.memory_threads.sections import calm_places
from knaster.transform.memory_threads.started_threads import StartedThread, called_from, find_threads
from knaster.transform.memory_threads.thread_words import end_thread, take_word
from knaster.transform.regions.refusal import Refused


@dataclass(frozen=True, slots=True)
class CopiedThreads:
    """A program whose threads have procedures of their own; `threads` of the program are where they begin."""

    original: Program
    program: Program
    threads: tuple[StartedThread, ...]
    owners: Mapping[str, int]  # the thread of each procedure
    sources: Mapping[str, str]  # the procedure that each is a copy of
    unclear: tuple[Place, ...]
    unlocked: Mapping[Place, Span]  # where something was unlocked that was not held
    counts: Mapping[Place, frozenset[int]]  # how many threads there may be at places of main
    alone: frozenset[Place]  # places where main has not started any thread
    calm: Mapping[str, frozenset[int]]  # places outside of sections after a thread was started, by procedure


def copy_name(name: str, number: int) -> str:
    """Return the name of a procedure of a thread."""
    return name if number == 1 else f"{name}@{number}"


def copy_threads(program: Program, asks_locks: bool) -> CopiedThreads:
    """Return the copies of the threads of a program; raise `Refused` where there are none."""
    assert program.memory is not None
    if any(declared.per_thread for declared in program.memory.objects):
        raise Refused("a thread has objects of its own")
    threads, counts = find_threads(program)
    alone = frozenset(place for place, count in counts.items() if count == {1})
    starts = {thread.site: thread.number for thread in threads if thread.site is not None}
    copies: list[Copy] = []
    for thread in threads:
        for procedure in called_from(program, thread.function):
            name = copy_name(procedure.name, thread.number)
            copy = Copy(procedure, name, thread, threads, starts, program.memory.pointer, asks_locks)
            _make(copy)
            copies.append(copy)
    made = tuple(_procedure(copy) for copy in copies)
    objects = (*program.memory.objects, *_objects(threads, program.memory.pointer))
    shown = [((copy.name, name), parts) for (owner, name), parts in program.memory.locals for copy in copies
             if copy.procedure.name == owner]  # fmt: skip
    members = [(("", name), extents) for (owner, name), extents in program.memory.members if not owner]
    members += [((copy.name, name), extents) for (owner, name), extents in program.memory.members for copy in copies
                if copy.procedure.name == owner]  # fmt: skip
    layout = replace(program.memory, objects=objects, locals=tuple(shown), threaded=False, members=tuple(members))
    roots = tuple(copy_name(thread.function, thread.number) for thread in threads)
    calm = calm_places(made, roots, {copy.name: copy.procedure.size for copy in copies})
    return CopiedThreads(
        program,
        replace(program, procedures=made, threads=roots, memory=layout),
        tuple(threads),
        {copy.name: copy.thread.number for copy in copies},
        {copy.name: copy.procedure.name for copy in copies},
        tuple((copy.name, location) for copy in copies for location in copy.unclear),
        {(copy.name, location): span for copy in copies for location, span in copy.unlocked.items()},
        counts,
        alone,
        {name: places - {location for owner, location in alone if owner == name} for name, places in calm.items()},
    )


def _objects(threads: Sequence[StartedThread], pointer: int) -> list[ObjectDeclaration]:
    found = []
    for thread in threads[1:]:
        found += [ObjectDeclaration(own(what, thread.number), 4) for what in (STARTED, ENDED, JOINED)]
        found += [ObjectDeclaration(own(what, thread.number), pointer) for what in (ARGUMENT, RESULT)]
    return found


def _make(copy: Copy) -> None:
    """Make the edges of a copy."""
    number = copy.thread.number
    for edge in copy.procedure.edges:
        action = edge.action
        if isinstance(action, Call):
            if action.procedure == copy.thread.function:
                raise Refused(f"'{action.procedure}' begins a thread and is called", edge.span)
            copy.finish(edge.source, replace(action, procedure=copy_name(action.procedure, number)), edge)
        elif isinstance(action, Return) and copy.is_root and number > 1:
            end_thread(copy, edge.source, action.values, edge)
        elif not take_word(copy, edge):
            copy.finish(edge.source, action, edge)


def _procedure(copy: Copy) -> Procedure:
    """Return the procedure; a thread that is started waits for that first, and takes its argument."""
    entry = copy.procedure.entry
    if copy.is_root and copy.thread.number > 1:
        number, copy.span, copy.word = copy.thread.number, copy.procedure.span, None
        start = Load(copy.named(STARTED, number), WORD, copy.span)
        begun = copy.new()
        here = copy.step(begun, Assume(Compare(Comparison.EQUAL, start, Const(1))))
        if copy.thread.takes_argument:
            value = Load(AddressOf(own(ARGUMENT, number)), Addresses(copy.pointer), copy.span)
            here = copy.step(here, Assign(copy.procedure.parameters, (value,)))
        copy.step(here, Assume(Const(True)), entry)
        entry = begun
    parameters = () if copy.is_root else copy.procedure.parameters
    more = copy.procedure.parameters if copy.is_root else ()
    results = () if copy.is_root and copy.thread.number > 1 else copy.procedure.results
    return replace(
        copy.procedure,
        name=copy.name,
        entry=entry,
        parameters=parameters,
        results=results,
        locals=(*more, *copy.procedure.locals),
        edges=tuple(sorted(copy.edges, key=lambda edge: edge.source)),
        failures=(*copy.procedure.failures, *copy.unclear, *copy.unlocked),
    )
