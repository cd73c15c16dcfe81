"""Which shared bytes the next step of a thread uses where it is a call of the library: the call is tried on a copy.

`memcpy`, functions of strings and of formats use as many bytes as their arguments and the bytes themselves say, so what
they use is known best from what they do.  What is given back to the heap is written as a whole.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Span
from knaster.program.memory import bytes_of
from knaster.semantics.memory.failure import Fault, Stopped
from knaster.semantics.memory.objects import Object
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.visible import Access


class _Trial(ThreadedMachine):
    """A machine that notes which shared bytes it uses."""

    def __init__(self, machine: ThreadedMachine, call: Access) -> None:
        self.__dict__.update(machine.copy().__dict__)
        self.call = call
        self.uses: list[Access] = []
        self.before = frozenset(machine.shared)

    def _note(self, base: int, offset: int, size: int, writes: bool) -> None:
        found = self.objects[base]
        if base in self.before and (writes or found.writable):
            self.uses.append(self.call._replace(base=base, offset=offset, size=size, writes=writes))

    def usable(self, place: Any, size: int, span: Span) -> Object:
        """Return the object of an address, and note that these bytes are used."""
        found = super().usable(place, size, span)
        self._note(place[0], place[1], size, False)
        return found

    def write(self, place: Any, type: Any, value: Any) -> None:
        """Write, and note it."""
        self._note(place[0], place[1], bytes_of(type), True)
        super().write(place, type, value)

    def kill(self, base: int) -> None:
        """Let an object die, and note it."""
        self._note(base, 0, self.objects[base].size, True)
        super().kill(base)


def library_uses(machine: ThreadedMachine, number: int, call: Access) -> list[Access]:
    """Return the shared bytes that a call uses; raise `Unclear` where that depends on an input not chosen yet."""
    trial = _Trial(machine, call)
    trial.switch(number)
    trial.inputs.frozen = True
    try:
        trial.step()
    except (Fault, Stopped):
        pass  # what it uses up to there
    finally:
        trial.inputs.frozen = False
    return trial.uses
