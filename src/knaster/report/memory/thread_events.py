"""Events: from a trace of threads of C, what a compiled program can be made to do in the same order.

An event is a use of a global object, an input, or a word of threads.  `gcc -fsanitize=thread` calls a function before
each use of memory, words and inputs are functions themselves: so whoever defines these functions says when they go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knaster.base.errors import UnsupportedError
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_inputs import take_again
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of, strict_kinds
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.memory.failure import DEADLOCK, LEAK, LOST, RACE, Fault, Unclear
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.visible import ALONE, END, MEMORY, Access, Looks

INPUT, USE = "input", "use"
_ONE = """pthread_create pthread_join pthread_detach pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock
pthread_mutex_trylock pthread_mutex_unlock pthread_cond_init pthread_cond_destroy pthread_cond_signal
pthread_cond_broadcast pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock
pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock sem_init sem_destroy sem_wait
sem_trywait sem_post"""
WORDS = tuple(_ONE.split())  # one event each
WAITS = ("wait_begin", "wait_end")  # the two events of pthread_cond_wait
_SECTIONS = ("section_begin", "section_end")
_OTHER = re.compile(r"\b(_Atomic|atomic_\w+|__atomic_\w+|__sync_\w+|_Thread_local|__thread|__CPROVER_ASYNC_\w+)\b")


class Event(NamedTuple):
    """What a thread does: it uses a global object, reads an input, or says a word."""

    thread: int
    what: str


def thread_events(program: Program, trace: Trace, target: Target) -> list[Event]:
    """Return the events of a run in their order; refuse what a compiled program cannot be made to do, by name."""
    if target.kind in (DEADLOCK, RACE, LEAK, LOST):
        raise UnsupportedError(f"a compiled program does not stop at '{target.name}', so no harness is written")
    if (other := _OTHER.search(program.source)) is not None:
        raise UnsupportedError(f"no harness is written: the order of '{other[0]}' among threads is not forced")
    run = MemoryRun(program, inputs_of(trace), strict_kinds((target,)))
    machine, looks = run.machine, Looks()
    assert isinstance(machine, ThreadedMachine)
    found: list[Event] = []
    last, told = 1, 0
    for thread, step in take_again(run, trace):
        found += _inputs(run, last, told)
        last, told = thread, len(run.given.read)
        access = None if step is None else _access(machine, looks)
        found += [Event(thread, what) for what in _words_for(machine, access)]
    return found + _inputs(run, last, told)


def _inputs(run: MemoryRun, thread: int, told: int) -> list[Event]:
    """Return an event for each function that has returned an input since so many were told."""
    read = (reading.origin.partition(",")[0] for reading in run.given.read[told:])
    return [Event(thread, INPUT) for name in read if name.endswith("()")]


def _access(machine: ThreadedMachine, looks: Looks) -> Access | None:
    try:
        return looks.next_access(machine)
    except (Fault, Unclear):
        return None


def _words_for(machine: ThreadedMachine, access: Access | None) -> Iterator[str]:
    if access is None or access.kind == END or access.text in ALONE or access.text in _SECTIONS:
        return
    if access.kind != MEMORY:
        if access.text not in WORDS and access.text not in WAITS:
            raise UnsupportedError(f"no harness is written: the order of '{access.text}' among threads is not forced")
        yield access.text
        return
    found = machine.objects.get(access.base)
    if found is None or access.size not in (1, 2, 4, 8):
        raise UnsupportedError(f"line {access.span.line}: no harness is written: several parts are used in one step")
    if access.base > len(machine.layout.objects):
        raise UnsupportedError(f"no harness is written: '{found.name}' is no global, and several threads use it")
    yield USE
