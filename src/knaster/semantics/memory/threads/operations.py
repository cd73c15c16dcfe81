"""Threads that begin, end and are waited for, and THREADS: what every word of threads does to a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.memory import NULL, Address, Addresses
from knaster.program.types import Int
from knaster.semantics.memory.failure import CALL, LOCK, Fault, Unclear
from knaster.semantics.memory.threads import locks
from knaster.semantics.memory.threads.machine import Waiting

if TYPE_CHECKING:
    from knaster.semantics.memory.library import Does
    from knaster.semantics.memory.machine import Frame
    from knaster.semantics.memory.threads.machine import Thread, ThreadedMachine

Given = tuple[Any, ...]
NO_SUCH, INVALID = 3, 22
_INT = Int(32)


def _start(machine: ThreadedMachine, function: Any, argument: Any, span: Span) -> Thread:
    """Begin a thread that calls what an address names."""
    base, offset = function
    if machine.is_function_elsewhere(base):
        raise Unclear(f"a thread runs '{machine.objects[base].name}', and nobody defines it")
    name = machine.codes.names.get(base) if offset == 0 else None
    if name is None:
        raise Fault(CALL, span, "a thread is to run something that is no function")
    code = machine.codes.code(name)
    if len(code.procedure.parameters) > 1:
        raise Fault(CALL, span, f"a thread runs '{name}', which takes more than one argument")
    return machine.begin_thread(code, (argument,))


def _identity(machine: ThreadedMachine) -> Int:
    return Int(8 * machine.layout.pointer, False)


def create(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Begin a thread: where its number goes, attributes, function, argument."""
    thread = _start(machine, given[2], given[3], span)
    machine.store(given[0], _identity(machine), thread.number, span)
    return 0


def create_plain(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Begin a thread of C11: where its number goes, function, argument."""
    return create(machine, frame, (given[0], NULL, given[1], given[2]), span)


def fork(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Begin a thread that goes on here, and return 0; in that thread, return 1."""
    if machine.current.newborn:
        machine.current.newborn = False
        return True
    machine.fork(frame)
    return False


def leave(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """End the thread that runs."""
    machine.end_thread(given[0] if given else None)


def own_number(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Return who runs."""
    return machine.current.number


def are_equal(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Tell whether two numbers are those of one thread."""
    return int(given[0] == given[1])


def _named(machine: ThreadedMachine, number: Any) -> Thread | None:
    if not isinstance(number, int):
        raise Unclear("the number of a thread was made from a pointer")
    return machine.threads[number - 1] if 1 <= number <= len(machine.threads) else None


def _finished(machine: ThreadedMachine, number: Any, span: Span) -> Thread | int:
    """Return a thread that has ended, or why it cannot be waited for, which POSIX and C leave undefined."""
    thread = _named(machine, number)
    if thread is None or thread.joined or thread.detached or thread is machine.current:
        machine.lapse(LOCK, span, "a thread is joined that nobody can join (any more)")
    if thread is None or thread.joined:
        return NO_SUCH
    if thread.detached:
        return INVALID
    if thread is machine.current:
        return locks.DEADLOCKED
    if not thread.ended:
        raise Waiting
    thread.joined = True
    return thread


def _result(machine: ThreadedMachine, thread: Thread, type: Any, span: Span) -> Any:
    """Return what a thread has returned; an input where it has returned nothing."""
    if thread.result is None:
        thread.result = machine.choose(type, "what a thread returns", span)
    return thread.result


def join(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wait for a thread to end; store what it returned."""
    thread = _finished(machine, given[0], span)
    if isinstance(thread, int):
        return thread
    if given[1] != NULL and given[1] != 0:
        type = Addresses(machine.layout.pointer)
        result = _result(machine, thread, type, span)
        machine.store(given[1], type, Address(0, result) if isinstance(result, int) else result, span)
    return 0


def join_plain(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wait for a thread of C11 to end; store what it returned."""
    thread = _finished(machine, given[0], span)
    if isinstance(thread, int):
        return 2
    if given[1] != NULL and given[1] != 0:
        machine.store(given[1], _INT, _result(machine, thread, _INT, span), span)
    return 0


def detach(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Let nobody wait for a thread."""
    thread = _named(machine, given[0])
    if thread is None or thread.joined or thread.detached:
        machine.lapse(LOCK, span, "a thread is detached that nobody can join (any more)")
        return NO_SUCH if thread is None else INVALID
    thread.detached = True
    return 0


# Sections that nobody interrupts


def section_begin(machine: Any, frame: Frame, given: Given, span: Span) -> Any:
    """Let nobody else run from here on; nothing changes in a program of one thread."""
    if hasattr(machine, "section"):
        machine.section, machine.depth = machine.current.number, machine.depth + 1


def section_end(machine: Any, frame: Frame, given: Given, span: Span) -> Any:
    """Let others run again."""
    if getattr(machine, "depth", 0):
        machine.depth -= 1
        machine.section = machine.section if machine.depth else 0


# What is done once, and what belongs to one thread


def once_begin(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Tell whether it is to be done here; wait while somebody else does it."""
    state = locks.peek(machine, given[0], 0, span)
    if state == 1:
        raise Waiting
    if state == 0:
        locks.poke(machine, given[0], 0, 1, span)
    return state == 0


def once_end(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Note that it was done."""
    locks.poke(machine, given[0], 0, 2, span)


def key_create(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Make a key, under which each thread has a value of its own."""
    destructor = given[1] if len(given) > 1 and given[1] not in (NULL, 0) else None
    name = machine.codes.names.get(destructor[0]) if destructor is not None else None
    if destructor is not None and name is None:
        raise Unclear("nobody defines what is called when a thread with a key ends")
    machine.keys.append(machine.codes.code(name) if name is not None else None)
    machine.store(given[0], Int(32, False), len(machine.keys) - 1, span)
    return 0


def key_get(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Return the value of this thread under a key."""
    return machine.current.values.get(given[0], NULL)


def key_set(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Let this thread have a value under a key."""
    if not isinstance(given[0], int) or not 0 <= given[0] < len(machine.keys):
        return INVALID
    machine.current.values[given[0]] = given[1]
    return 0


# Cancellation, at `pthread_testcancel` alone


def cancel(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Ask a thread to end."""
    thread = _named(machine, given[0])
    if thread is None or thread.joined:
        return NO_SUCH
    thread.cancelled = True
    return 0


def test_cancel(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """End the thread that runs, where somebody wants that and it can be cancelled."""
    if machine.current.cancelled and machine.current.obeys:
        machine.end_thread(Address(0, (1 << 8 * machine.layout.pointer) - 1))


def set_cancel_state(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Say whether the thread that runs can be cancelled; store what was said before."""
    if given[1] != NULL and given[1] != 0:
        machine.store(given[1], _INT, int(not machine.current.obeys), span)
    machine.current.obeys = given[0] == 0
    return 0


def nothing(machine: Any, frame: Frame, given: Given, span: Span) -> Any:
    """Do nothing, and succeed."""
    return 0


SECTIONS: dict[str, Does] = {"section_begin": section_begin, "section_end": section_end}
_NAMED: dict[str, Any] = {
    "pthread_create": create, "thrd_create": create_plain, "fork_here": fork, "end_here": leave, "pthread_exit": leave,
    "thrd_exit": leave, "pthread_self": own_number, "thrd_current": own_number, "pthread_equal": are_equal,
    "thrd_equal": are_equal, "pthread_join": join, "thrd_join": join_plain, "pthread_detach": detach,
    "thrd_detach": detach, "once_begin": once_begin, "once_end": once_end, "pthread_key_create": key_create,
    "pthread_getspecific": key_get, "pthread_setspecific": key_set, "tss_create": key_create, "tss_get": key_get,
    "tss_set": key_set, "pthread_mutex_init": locks.mutex_init, "mtx_init": locks.mtx_init,
    "pthread_mutex_destroy": locks.mutex_destroy, "mtx_destroy": locks.mtx_destroy,
    "pthread_mutex_lock": locks.mutex_lock, "mtx_lock": locks.mutex_lock, "pthread_mutex_trylock": locks.mutex_trylock,
    "mtx_trylock": locks.mtx_trylock, "pthread_mutex_unlock": locks.mutex_unlock, "mtx_unlock": locks.mutex_unlock,
    "pthread_mutexattr_init": locks.clear, "pthread_mutexattr_settype": locks.set_kind,
    "pthread_spin_lock": locks.mutex_lock, "pthread_spin_trylock": locks.mutex_trylock,
    "pthread_spin_unlock": locks.mutex_unlock, "pthread_spin_init": locks.clear, "pthread_cond_init": locks.clear,
    "cnd_init": locks.clear, "pthread_rwlock_init": locks.clear, "pthread_rwlock_rdlock": locks.read_lock,
    "pthread_rwlock_wrlock": locks.write_lock, "pthread_rwlock_tryrdlock": locks.try_read_lock,
    "pthread_rwlock_trywrlock": locks.try_write_lock, "pthread_rwlock_unlock": locks.unlock_either,
    "wait_begin": locks.wait_begin, "wait_end": locks.wait_end, "timed_wait_end": locks.timed_wait_end,
    "pthread_cond_signal": locks.signal, "cnd_signal": locks.signal, "pthread_cond_broadcast": locks.broadcast,
    "cnd_broadcast": locks.broadcast, "sem_init": locks.semaphore_init, "sem_wait": locks.semaphore_wait,
    "sem_trywait": locks.semaphore_try, "sem_post": locks.semaphore_post, "sem_getvalue": locks.semaphore_value,
    "pthread_barrier_init": locks.barrier_init, "barrier_arrive": locks.barrier_arrive,
    "barrier_leave": locks.barrier_leave,
    "pthread_cancel": cancel,
    "pthread_testcancel": test_cancel,
    "pthread_setcancelstate": set_cancel_state,
}  # fmt: skip
_SILENT = """pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_mutexattr_destroy pthread_yield
sched_yield thrd_yield pthread_cond_destroy cnd_destroy pthread_rwlock_destroy pthread_barrier_destroy sem_destroy
pthread_spin_destroy pthread_key_delete tss_delete sleep usleep nanosleep thrd_sleep pthread_attr_setstacksize"""
_POINTS = """pthread_join thrd_join wait_begin wait_end timed_wait_end sem_wait sleep usleep nanosleep thrd_sleep"""


def _cancellable(does: Any) -> Any:
    """Return what a word does at which a thread may be cancelled; that it is cancelled there is not modelled."""

    def check(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
        if machine.current.cancelled and machine.current.obeys:
            raise Unclear("a thread is cancelled where it waits")
        return does(machine, frame, given, span)

    return check


THREADS: dict[str, Does] = {**_NAMED, **dict.fromkeys(_SILENT.split(), nothing)}
THREADS.update({name: _cancellable(THREADS[name]) for name in _POINTS.split()})
"""What each word of threads does."""
