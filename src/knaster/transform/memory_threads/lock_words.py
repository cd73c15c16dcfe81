"""Words of mutexes, reader-writer locks and semaphores as steps on memory, as `semantics.memory.threads` has them.

The first four bytes of a mutex have the number of the thread that holds it; mutexes are of the plain kind.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.program.algebra import conjunction, negation
from knaster.program.expression import TRUE, Arithmetic, Const, Convert, Expr, IntegerOperator
from knaster.program.model import Assume, Edge
from knaster.transform.memory_threads.copied_procedure import WORD, Copy, Given, is_null, is_number
from knaster.transform.regions.refusal import Refused

BUSY = 16


def _init(copy: Copy, edge: Edge, given: Given) -> None:
    if len(given) > 1 and not is_null(given[1]):
        raise Refused("a mutex has attributes", edge.span)
    copy.answer(copy.write(edge.source, given[0], Const(0)), edge, 0)


def _destroy(copy: Copy, edge: Edge, given: Given) -> None:
    free = is_number(copy.read(given[0]), 0)
    copy.answer(copy.step(edge.source, Assume(free)), edge, 0)
    held = copy.step(edge.source, Assume(negation(free)))
    copy.mark_lock(held, edge)
    copy.answer(held, edge, BUSY)


def _lock(copy: Copy, edge: Edge, given: Given) -> None:
    here = copy.step(edge.source, Assume(is_number(copy.read(given[0]), 0)))
    copy.answer(copy.write(here, given[0], Const(copy.thread.number)), edge, 0)


def _trylock(copy: Copy, edge: Edge, given: Given) -> None:
    free = is_number(copy.read(given[0]), 0)
    here = copy.step(edge.source, Assume(free))
    copy.answer(copy.write(here, given[0], Const(copy.thread.number)), edge, 0)
    copy.answer(copy.step(edge.source, Assume(negation(free))), edge, BUSY)


def _unlock(copy: Copy, edge: Edge, given: Given) -> None:
    here = edge.source
    if copy.asks_locks:
        held = is_number(copy.read(given[0]), copy.thread.number)
        wrong, right = copy.step(here, Assume(negation(held))), copy.step(here, Assume(held))
        copy.unlocked[copy.step(wrong, Assume(TRUE))] = edge.span
        here = copy.step(wrong, Assume(TRUE), right)
    copy.answer(copy.write(here, given[0], Const(0)), edge, 0)


# Reader-writer locks and semaphores


def _clear(copy: Copy, edge: Edge, given: Given) -> None:
    here = copy.write(edge.source, given[0], Const(0))
    copy.answer(copy.write(here, given[0], Const(0), 4), edge, 0)


def _add(value: Expr, number: int) -> Expr:
    sign = IntegerOperator.ADD if number > 0 else IntegerOperator.SUBTRACT
    return Arithmetic(sign, value, Const(abs(number)), WORD)


def _no_writer(copy: Copy, place: Expr) -> Expr:
    return is_number(copy.read(place), 0)


def _nobody(copy: Copy, place: Expr) -> Expr:
    return conjunction((_no_writer(copy, place), is_number(copy.read(place, 4), 0)))


def _read_lock(copy: Copy, edge: Edge, given: Given, tries: bool = False) -> None:
    free = _no_writer(copy, given[0])
    here = copy.step(edge.source, Assume(free))
    copy.answer(copy.write(here, given[0], _add(copy.read(given[0], 4), 1), 4), edge, 0)
    if tries:
        copy.answer(copy.step(edge.source, Assume(negation(free))), edge, BUSY)


def _write_lock(copy: Copy, edge: Edge, given: Given, tries: bool = False) -> None:
    free = _nobody(copy, given[0])
    here = copy.step(edge.source, Assume(free))
    copy.answer(copy.write(here, given[0], Const(copy.thread.number)), edge, 0)
    if tries:
        copy.answer(copy.step(edge.source, Assume(negation(free))), edge, BUSY)


def _unlock_either(copy: Copy, edge: Edge, given: Given) -> None:
    mine = is_number(copy.read(given[0]), copy.thread.number)
    nobody = is_number(copy.read(given[0], 4), 0)
    here = copy.step(edge.source, Assume(mine))
    copy.answer(copy.write(here, given[0], Const(0)), edge, 0)
    other = copy.step(edge.source, Assume(negation(mine)))
    here = copy.step(other, Assume(negation(nobody)))
    copy.answer(copy.write(here, given[0], _add(copy.read(given[0], 4), -1), 4), edge, 0)
    wrong = copy.step(other, Assume(nobody))
    if copy.asks_locks:
        copy.unlocked[copy.step(wrong, Assume(TRUE))] = edge.span
        wrong = copy.step(wrong, Assume(TRUE))
    copy.answer(wrong, edge, 0)


def _semaphore_init(copy: Copy, edge: Edge, given: Given) -> None:
    copy.answer(copy.write(edge.source, given[0], Convert(given[2], WORD)), edge, 0)


def _semaphore_wait(copy: Copy, edge: Edge, given: Given, tries: bool = False) -> None:
    empty = is_number(copy.read(given[0]), 0)
    here = copy.step(edge.source, Assume(negation(empty)))
    copy.answer(copy.write(here, given[0], _add(copy.read(given[0]), -1)), edge, 0)
    if tries:
        copy.answer(copy.step(edge.source, Assume(empty)), edge, -1)


def _semaphore_post(copy: Copy, edge: Edge, given: Given) -> None:
    copy.answer(copy.write(edge.source, given[0], _add(copy.read(given[0]), 1)), edge, 0)


LOCK_WORDS: dict[str, Callable[[Copy, Edge, Given], None]] = {
    "pthread_mutex_init": _init, "pthread_mutex_destroy": _destroy,
    "pthread_mutex_lock": _lock, "pthread_mutex_trylock": _trylock, "pthread_mutex_unlock": _unlock,
    "pthread_spin_lock": _lock, "pthread_spin_trylock": _trylock, "pthread_spin_unlock": _unlock,
    "pthread_rwlock_init": _clear, "pthread_rwlock_rdlock": _read_lock, "pthread_rwlock_wrlock": _write_lock,
    "pthread_rwlock_tryrdlock": lambda copy, edge, given: _read_lock(copy, edge, given, True),
    "pthread_rwlock_trywrlock": lambda copy, edge, given: _write_lock(copy, edge, given, True),
    "pthread_rwlock_unlock": _unlock_either, "sem_init": _semaphore_init, "sem_wait": _semaphore_wait,
    "sem_trywait": lambda copy, edge, given: _semaphore_wait(copy, edge, given, True), "sem_post": _semaphore_post,
}  # fmt: skip
"""What each word does."""
