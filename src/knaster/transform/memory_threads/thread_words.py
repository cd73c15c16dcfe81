"""Words of threads as steps on memory: what `semantics.memory.threads` does with a machine, with loads and stores.

What is not known here or in `lock_words` is refused by name.
"""

from __future__ import annotations

from typing import Any

from knaster.program.algebra import conjunction, negation
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr
from knaster.program.memory import Addresses, AddressOf, Library, Load, Store
from knaster.program.model import Assume, Edge, Location, Return
from knaster.program.types import Int
from knaster.transform.memory_threads.copied_procedure import (
    ARGUMENT,
    ENDED,
    JOINED,
    RESULT,
    STARTED,
    Copy,
    Given,
    is_null,
    is_number,
)
from knaster.transform.memory_threads.lock_words import LOCK_WORDS
from knaster.transform.memory_threads.started_threads import StartedThread
from knaster.transform.regions.refusal import Refused

DEADLOCKED, NO_SUCH = 35, 3
SECTIONS = {"section_begin": 1, "section_end": -1}
_SILENT = """pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_mutexattr_destroy pthread_yield
sched_yield pthread_rwlock_destroy sem_destroy pthread_spin_destroy sleep usleep nanosleep pthread_attr_setstacksize"""


def take_word(copy: Copy, edge: Edge) -> bool:
    """Make the steps of a word of threads; tell whether the edge has one."""
    action = edge.action
    if not isinstance(action, Library):
        return False
    copy.word, copy.span = edge, edge.span
    if action.name in SECTIONS:
        copy.finish(edge.source, Assume(TRUE), edge)
    elif action.name in _SILENT.split():
        copy.answer(edge.source, edge, 0)
    elif action.name in _WORDS:
        _WORDS[action.name](copy, edge, action.arguments)
    else:
        raise Refused(f"'{action.name}'", edge.span)
    return True


def _create(copy: Copy, edge: Edge, given: Given) -> None:
    number = copy.starts.get((copy.procedure.name, edge.source))
    if number is None:
        return  # control does not get there
    thread = next(each for each in copy.threads if each.number == number)
    here = copy.step(edge.source, Store(given[0], Const(number), Int(8 * copy.pointer, False)))
    if thread.takes_argument:
        here = copy.step(here, Store(copy.named(ARGUMENT, number), given[3], Addresses(copy.pointer)))
    here = copy.write(here, copy.named(STARTED, number), Const(1))
    copy.answer(here, edge, 0)


def _join(copy: Copy, edge: Edge, given: Given) -> None:
    wanted, place = given[0], given[1]
    if not (is_null(place) or isinstance(place, AddressOf)):
        raise Refused("it is not plain where the result of a thread goes to", edge.span)
    others: list[Expr] = []
    for thread in copy.threads:
        same = is_number(wanted, thread.number)
        others.append(same)
        if thread.number == copy.thread.number:
            itself = copy.step(edge.source, Assume(same))
            copy.mark_lock(itself, edge)
            copy.answer(itself, edge, DEADLOCKED)
        elif thread.number == 1:
            copy.give_up(edge.source, same)
        else:
            _join_one(copy, edge, copy.step(edge.source, Assume(same)), thread, place)
    nobody = conjunction([negation(same) for same in others])
    missing = copy.step(edge.source, Assume(nobody))
    copy.mark_lock(missing, edge)
    copy.answer(missing, edge, NO_SUCH)


def _join_one(copy: Copy, edge: Edge, here: Location, thread: StartedThread, place: Expr) -> None:
    joined = copy.read(copy.named(JOINED, thread.number))
    again = copy.step(here, Assume(negation(is_number(joined, 0))))
    copy.mark_lock(again, edge)
    copy.answer(again, edge, NO_SUCH)
    here = copy.step(here, Assume(is_number(joined, 0)))
    here = copy.step(here, Assume(negation(is_number(copy.read(copy.named(ENDED, thread.number)), 0))))
    here = copy.write(here, copy.named(JOINED, thread.number), Const(1))
    if not is_null(place):
        if not thread.gives_result:
            copy.give_up(here, TRUE)
            return
        type = Addresses(copy.pointer)
        result: Any = Load(copy.named(RESULT, thread.number), type, edge.span)
        here = copy.step(here, Store(place, result, type))
    copy.answer(here, edge, 0)


def end_thread(copy: Copy, source: Location, values: Given, edge: Edge) -> None:
    """Make the steps by which a thread ends in its first activation."""
    here, number = source, copy.thread.number
    copy.word, copy.span = edge, edge.span
    if values and number > 1:
        here = copy.step(here, Store(copy.named(RESULT, number), values[0], Addresses(copy.pointer)))
    if number > 1:
        here = copy.write(here, copy.named(ENDED, number), Const(1))
    copy.edges.append(Edge(here, Return(()), copy.procedure.exit, edge.span, edge, edge.keeps, edge.forgets))


def _exit(copy: Copy, edge: Edge, given: Given) -> None:
    if not copy.is_root or copy.thread.number == 1:
        raise Refused("'pthread_exit' in main or in what a thread calls", edge.span)
    end_thread(copy, edge.source, given, edge)


def _self(copy: Copy, edge: Edge, given: Given) -> None:
    copy.answer(edge.source, edge, copy.thread.number)


def _equal(copy: Copy, edge: Edge, given: Given) -> None:
    same = Compare(Comparison.EQUAL, given[0], given[1])
    copy.answer(copy.step(edge.source, Assume(same)), edge, 1)
    copy.answer(copy.step(edge.source, Assume(negation(same))), edge, 0)


_WORDS = {
    **LOCK_WORDS, "pthread_create": _create, "pthread_join": _join, "pthread_exit": _exit, "pthread_self": _self,
    "pthread_equal": _equal,
}  # fmt: skip
