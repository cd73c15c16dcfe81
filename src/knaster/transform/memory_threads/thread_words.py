"""Words of threads as steps on memory: what `semantics.memory.threads` does with a machine, with loads and stores.

A word is one step of its thread: whoever interrupts threads must not do so at the locations that are added here.
What is not known here is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.program.algebra import conjunction, negation
from knaster.program.expression import (
    NOWHERE,
    TRUE,
    Arithmetic,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    IntegerOperator,
)
from knaster.program.memory import Address, Addresses, AddressOf, Library, Load, Moved, Store
from knaster.program.model import Action, Assign, Assume, Edge, Location, Place, Procedure, Return
from knaster.program.types import Int
from knaster.transform.memory_threads.started_threads import StartedThread
from knaster.transform.regions.refusal import Refused

WORD = Int(32, False)
BUSY, DEADLOCKED, NO_SUCH = 16, 35, 3
SECTIONS = {"section_begin": 1, "section_end": -1}
_SILENT = """pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_mutexattr_destroy pthread_yield
sched_yield pthread_rwlock_destroy sem_destroy pthread_spin_destroy sleep usleep nanosleep pthread_attr_setstacksize"""
ARGUMENT, STARTED, ENDED, JOINED, RESULT = "#argument", "#started", "#ended", "#joined", "#result"


def own(what: str, number: int) -> str:
    """Return the name of the object that tells something about a thread."""
    return f"{what}.{number}"


@dataclass(slots=True)
class Copy:
    """A procedure of one thread while it is made; new locations come at the end."""

    procedure: Procedure
    name: str
    thread: StartedThread
    threads: list[StartedThread]
    starts: dict[Place, int]  # by the place of the start
    pointer: int
    asks_locks: bool = False  # whether somebody asks for the unlocking of what is not held
    edges: list[Edge] = field(default_factory=list)
    size: int = 0
    unclear: list[Location] = field(default_factory=list)
    unlocked: dict[Location, Span] = field(default_factory=dict)  # where that was, which was not held
    word: Edge | None = None  # the edge of the program of which steps are made
    span: Span = NOWHERE

    def __post_init__(self) -> None:
        self.size = self.procedure.size

    @property
    def is_root(self) -> bool:
        """Whether the thread begins here."""
        return self.procedure.name == self.thread.function

    def new(self) -> Location:
        """Return a new location."""
        self.size += 1
        return self.size - 1

    def step(self, source: Location, action: Action, target: Location | None = None) -> Location:
        """Add an edge in the midst of a step, after which nobody is interrupted; return where it leads to."""
        after = self.new() if target is None else target
        self.edges.append(Edge(source, action, after, self.span, self.word, True))
        return after

    def finish(self, source: Location, action: Action, edge: Edge) -> None:
        """Add the edge that stands for an edge of the program."""
        self.edges.append(Edge(source, action, edge.target, edge.span, edge, edge.keeps, edge.forgets))

    def answer(self, source: Location, edge: Edge, value: int) -> None:
        """Let a word give its result and be over."""
        assert isinstance(edge.action, Library)
        target = edge.action.target
        self.finish(source, Assume(TRUE) if target is None else Assign((target,), (Const(value),)), edge)

    # What words need

    def read(self, place: Expr, at: int = 0) -> Expr:
        """Return four bytes at a place."""
        where: Any = Moved(place, Const(at), 1, self.span, True) if at else place  # type: ignore[arg-type]
        return Load(where, WORD, self.span, "", True)  # type: ignore[return-value]

    def write(self, source: Location, place: Expr, value: Expr, at: int = 0) -> Location:
        """Let four bytes at a place be a number."""
        where: Any = Moved(place, Const(at), 1, self.span, True) if at else place  # type: ignore[arg-type]
        return self.step(source, Store(where, value, WORD, "", False, True))

    def named(self, what: str, number: int) -> Expr:
        """Return the address of what is known about a thread."""
        return AddressOf(own(what, number))  # type: ignore[return-value]

    def give_up(self, source: Location, condition: Expr) -> None:
        """Say that nobody knows here what happens where a condition holds."""
        self.unclear.append(self.step(source, Assume(condition)))


def is_number(value: Expr, number: int) -> Expr:
    """Return that an expression is a number."""
    return Compare(Comparison.EQUAL, value, Const(number))


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


Given = tuple[Expr, ...]


def _create(copy: Copy, edge: Edge, given: Given) -> None:
    number = copy.starts[copy.procedure.name, edge.source]
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
            copy.answer(copy.step(edge.source, Assume(same)), edge, DEADLOCKED)
        elif thread.number == 1:
            copy.give_up(edge.source, same)
        else:
            _join_one(copy, edge, copy.step(edge.source, Assume(same)), thread, place)
    nobody = conjunction([negation(same) for same in others])
    copy.answer(copy.step(edge.source, Assume(nobody)), edge, NO_SUCH)


def _join_one(copy: Copy, edge: Edge, here: Location, thread: StartedThread, place: Expr) -> None:
    joined = copy.read(copy.named(JOINED, thread.number))
    copy.answer(copy.step(here, Assume(negation(is_number(joined, 0)))), edge, NO_SUCH)
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
    if copy.thread.gives_result and values and number > 1:
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


# Mutexes of the plain kind


def _init(copy: Copy, edge: Edge, given: Given) -> None:
    if len(given) > 1 and not is_null(given[1]):
        raise Refused("a mutex has attributes", edge.span)
    copy.answer(copy.write(edge.source, given[0], Const(0)), edge, 0)


def _destroy(copy: Copy, edge: Edge, given: Given) -> None:
    free = is_number(copy.read(given[0]), 0)
    copy.answer(copy.step(edge.source, Assume(free)), edge, 0)
    copy.answer(copy.step(edge.source, Assume(negation(free))), edge, BUSY)


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


def is_null(place: Expr) -> bool:
    """Tell whether an argument is plainly a null pointer."""
    return isinstance(place, Const) and place.value in (0, Address(0, 0))


Making = Callable[[Copy, Edge, Given], None]
_WORDS: dict[str, Making] = {
    "pthread_create": _create, "pthread_join": _join, "pthread_exit": _exit, "pthread_self": _self,
    "pthread_equal": _equal, "pthread_mutex_init": _init, "pthread_mutex_destroy": _destroy,
    "pthread_mutex_lock": _lock, "pthread_mutex_trylock": _trylock, "pthread_mutex_unlock": _unlock,
    "pthread_spin_lock": _lock, "pthread_spin_trylock": _trylock, "pthread_spin_unlock": _unlock,
    "pthread_rwlock_init": _clear, "pthread_rwlock_rdlock": _read_lock, "pthread_rwlock_wrlock": _write_lock,
    "pthread_rwlock_tryrdlock": lambda copy, edge, given: _read_lock(copy, edge, given, True),
    "pthread_rwlock_trywrlock": lambda copy, edge, given: _write_lock(copy, edge, given, True),
    "pthread_rwlock_unlock": _unlock_either, "sem_init": _semaphore_init, "sem_wait": _semaphore_wait,
    "sem_trywait": lambda copy, edge, given: _semaphore_wait(copy, edge, given, True), "sem_post": _semaphore_post,
}  # fmt: skip
