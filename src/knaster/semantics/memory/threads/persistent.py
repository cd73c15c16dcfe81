"""Threads whose next step concerns nobody else, now or later: then no other thread needs to move before it.

P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems (1996): persistent sets of one thread.
What others may still do is the static `footprints`.
"""

from __future__ import annotations

from knaster.program.model import Program
from knaster.semantics.memory.failure import Fault, Unclear
from knaster.semantics.memory.threads.footprints import THREAD, Footprints
from knaster.semantics.memory.threads.machine import Thread, ThreadedMachine
from knaster.semantics.memory.threads.visible import ALONE, ANYWHERE, ENDS, JOINS, MEMORY, OPERATION, Access, Looks

_CREATES = ("pthread_create", "thrd_create")
_TWO = ("wait_begin", "wait_end", "timed_wait_end", "pthread_mutex_init", "pthread_cancel", "pthread_setcancelstate",
        "pthread_testcancel", "pthread_detach", "thrd_detach", "sem_getvalue")  # fmt: skip
_NOBODY = ("section_begin", "pthread_key_create", "tss_create")


class PersistentThreads:
    """Which threads of one program may move alone."""

    def __init__(self, program: Program, looks: Looks) -> None:
        self.footprints = Footprints(program)
        self.looks = looks

    def threads(self, machine: ThreadedMachine, first: int) -> list[int]:
        """Return the threads that may move alone, the one that moved last first."""
        running = machine.running
        if machine.section or len(running) < 2 or any(machine.keys):
            return []
        future = {number: self.future(machine.threads[number - 1]) for number in running}
        found = []
        for number in sorted(running, key=lambda number: (number != first, number)):
            mask = self.mask(machine, number)
            if mask is not None and not any(future[other] & mask for other in running if other != number):
                found.append(number)
        return found

    def future(self, thread: Thread) -> int:
        """Return what a thread may still use."""
        frames, mask = thread.frames, 0
        for frame, above in zip(frames, [*frames[1:], None], strict=True):
            location = frame.location if above is None else above.after
            mask |= self.footprints.at(frame.code.procedure.name, location)
        return mask

    def mask(self, machine: ThreadedMachine, number: int) -> int | None:
        """Return what meets the next step of a thread; None where that is not known."""
        try:
            access = self.looks.peek(machine, number)
        except (Fault, Unclear):
            return None
        if access is None:
            return 0
        return self._meets(machine, access, machine.threads[number - 1])

    def _meets(self, machine: ThreadedMachine, access: Access, thread: Thread) -> int | None:
        if access.kind == OPERATION and access.text in ENDS:
            bases = (base for frame in thread.frames for base in (*frame.objects.values(), *frame.owned))
            return None if any(base in machine.shared for base in bases) else 0
        if access.kind == OPERATION and access.text in ALONE:
            return 0
        if access.kind == OPERATION and access.text in JOINS:
            return None if access.writes else THREAD  # it waits for nobody where it can move
        if access.kind not in (MEMORY, OPERATION) or access.base == ANYWHERE or access.text in (*_TWO, *_NOBODY):
            return None
        found = machine.objects.get(access.base)
        name = found.name if found is not None and access.base <= len(self.footprints.names) else None
        mask = self.footprints.conflicts(name, access.writes)
        return mask | (THREAD if access.text in _CREATES else 0)
