"""Which steps other threads can notice: those that use something shared, wait, or end the run.

A front end that reads threads gives every use of memory an edge of its own, whose address needs no memory: so what the
next step uses is known before it is taken.  Everything else can be done at once; no other thread sees when.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Const, postorder
from knaster.program.memory import Address, Begin, Library, Load, Store, bytes_of
from knaster.program.model import Assign, Edge, Return
from knaster.semantics.memory.bits import BITS, OVERFLOWS, width_of
from knaster.semantics.memory.evaluate import meaning
from knaster.semantics.memory.machine import Frame
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.operations import SECTIONS, THREADS
from knaster.semantics.memory.unknown import force

ANYWHERE = -1  # as an object: it may be any
MEMORY, OPERATION, END = "memory", "operation", "end"
_NEW = "main_arguments malloc calloc alloca __builtin_alloca aligned_alloc memalign valloc va_end"
FRESH = frozenset(_NEW.split())
_ALONE = """pthread_self thrd_current pthread_equal thrd_equal pthread_exit thrd_exit end_here pthread_getspecific
tss_get pthread_setspecific tss_set pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_yield
sched_yield thrd_yield sleep usleep nanosleep thrd_sleep pthread_attr_setstacksize pthread_key_delete tss_delete"""
JOINS = ("pthread_join", "thrd_join")
ENDS = ("pthread_exit", "thrd_exit")
ALONE = frozenset(_ALONE.split())  # words that concern the thread itself


class Access(NamedTuple):
    """What a step uses: some bytes of an object, or a word of threads."""

    base: int
    offset: int
    size: int
    writes: bool
    kind: str
    span: Span
    text: str = ""


Look = Callable[[ThreadedMachine, Frame], Access | None]


class Looks:
    """What the edges of a program use, each worked out when it is first asked."""

    def __init__(self) -> None:
        self._looks: dict[tuple[str, int], Look | None] = {}

    def next_access(self, machine: ThreadedMachine) -> Access | None:
        """Return what the next step of the running thread uses that others can notice; None where nobody can."""
        frame = machine.frames[-1]
        if frame.objects or frame.owned:
            ending = _ending(machine, frame)
            if ending is not None:
                return ending
        key = frame.code.procedure.name, frame.location
        if key not in self._looks:
            steps = frame.code.steps.get(frame.location, ())
            self._looks[key] = _look(steps[0][0]) if len(steps) == 1 else None
        look = self._looks[key]
        return look(machine, frame) if look is not None else None

    def peek(self, machine: ThreadedMachine, number: int) -> Access | None:
        """Return what the next step of a thread uses that others can notice; nothing changes, and nothing is chosen.

        Raises `Unclear` where that depends on an input that is not chosen yet.
        """
        before = machine.current.number
        machine.switch(number)
        machine.inputs.frozen = True
        try:
            return self.next_access(machine)
        finally:
            machine.inputs.frozen = False
            machine.switch(before)


def _ending(machine: ThreadedMachine, frame: Frame) -> Access | None:
    """Return that a local which others can reach ends with the next step; None where none does."""
    steps = frame.code.steps.get(frame.location, ())
    bases: list[int] = []
    if not steps or (isinstance(steps[0][0].action, Return) and len(machine.frames) == 1):
        bases = [*frame.objects.values(), *frame.owned]
    else:
        for edge, _, _, forgets in steps:
            again = (edge.action.name,) if isinstance(edge.action, Begin) else ()
            bases += [frame.objects[name] for name in (*forgets, *again) if name in frame.objects]
    span = steps[0][0].span if steps else frame.code.procedure.span
    ending = next((base for base in bases if base in machine.shared), None)
    return Access(ending, 0, machine.objects[ending].size, True, OPERATION, span, "end") if ending else None


def _look(edge: Edge) -> Look | None:
    """Return how to see what an edge uses; None where it uses nothing."""
    action: Any = edge.action
    match action:
        case Assign(_, values):
            return _loads(values, edge)
        case Store(address, _, type, text):
            return _bytes(meaning(address), bytes_of(type), True, edge.span, text)
        case Library("end_here" | "fork_here" | "section_end"):
            return None
        case Library(name, arguments) if name in THREADS or name in SECTIONS:
            return _operation(name, arguments, edge)
        case Library(name, arguments) if name in OVERFLOWS:
            text = f"the result of __builtin_{name.split()[1]}_overflow()"
            return _bytes(meaning(arguments[2]), width_of(name) // 8, True, edge.span, text)
        case Library(name, arguments) if name not in BITS and name not in FRESH:
            return _call(name, arguments, edge)
        case Return():
            return _end_of_main(edge)
    return None


def _loads(values: tuple[Any, ...], edge: Edge) -> Look | None:
    for value in values:
        for node in postorder(value):
            if isinstance(node, Load):
                return _bytes(meaning(node.address), bytes_of(node.type), False, edge.span, node.text)
    return None


def _bytes(address: Any, size: int, writes: bool, span: Span, text: str) -> Look:
    def look(machine: ThreadedMachine, frame: Frame) -> Access | None:
        base, offset = address(machine, frame)
        if base not in machine.shared or not (writes or machine.objects[base].writable):
            return None
        return Access(base, offset, size, writes, MEMORY, span, text)

    return look


def _operation(name: str, arguments: tuple[Any, ...], edge: Edge) -> Look:
    first = meaning(arguments[0]) if arguments and not isinstance(arguments[0], Const) else None
    writes = not (name in JOINS and isinstance(arguments[1], Const))  # what the other thread has returned

    def look(machine: ThreadedMachine, frame: Frame) -> Access | None:
        place = force(first(machine, frame)) if first is not None else None
        base, offset = place if isinstance(place, Address) else (ANYWHERE, 0)
        return Access(base, offset, 1, writes, OPERATION, edge.span, name)

    return look


def _call(name: str, arguments: tuple[Any, ...], edge: Edge) -> Look:
    meanings = tuple(map(meaning, arguments))

    def look(machine: ThreadedMachine, frame: Frame) -> Access | None:
        given = [force(each(machine, frame)) for each in meanings]
        bases = [value.base for value in given if isinstance(value, Address) and value.base in machine.shared]
        if not any(machine.objects[base].writable for base in bases):
            return None
        return Access(ANYWHERE, 0, 0, True, MEMORY, edge.span, name)

    return look


def _end_of_main(edge: Edge) -> Look:
    def look(machine: ThreadedMachine, frame: Frame) -> Access | None:
        if machine.current.number != 1 or len(machine.frames) > 1:
            return None
        return Access(ANYWHERE, 0, 0, True, END, edge.span, "return")

    return look
