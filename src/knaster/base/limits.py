"""What a run may spend: seconds of wall clock and megabytes of memory, and who is told how far it is.

A spent budget is no error: inside an engine `OutOfBudget` ends the work at a safe point, and the answer is `Unknown`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from knaster.base.records import dataclass, field

_CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_ASSUMED = 8 << 30  # bytes of memory where the machine does not say

clock: Callable[[], float] = time.monotonic
"""The clock of every budget, in seconds; tests put their own here, so that no test depends on a machine's speed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one question may cost; None means as much as it takes."""

    seconds: float | None = None
    megabytes: int | None = None
    cores: int = 1  # processes that may work on it at once
    whole: float | None = None  # the limit that messages name where `seconds` are what is left of it


class OutOfBudget(Exception):
    """Raised inside an engine at a safe point where its budget is spent; becomes `Unknown`."""


class OutOfTime(OutOfBudget):
    """Raised where it is the time that is over: nothing else is worth trying then."""


@dataclass(slots=True)
class Budget:
    """What is left of the limits while a run goes on."""

    seconds: float | None = None
    megabytes: int | None = None
    progress: Callable[[str], None] | None = None
    started: float = field(default_factory=lambda: clock())
    cores: int = 1
    whole: float | None = None  # the limit that is meant where these seconds are what is left of it
    _ticks: int = 0

    @classmethod
    def of(cls, limits: Limits, progress: Callable[[str], None] | None = None) -> Budget:
        """Return the budget of a run that begins now."""
        return cls(limits.seconds, limits.megabytes, progress, cores=limits.cores, whole=limits.whole)

    @property
    def seconds_spent(self) -> float:
        """Seconds since the start."""
        return clock() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit; None where there is none."""
        return None if self.seconds is None else max(0.0, self.seconds - self.seconds_spent)

    @property
    def bytes(self) -> int:
        """The memory that may be used: the limit, or three quarters of what the machine has."""
        if self.megabytes is not None:
            return self.megabytes << 20
        return machine_bytes() * 3 // 4

    def part(self, seconds: float) -> Budget:
        """Return a budget for one step of a longer method: so many seconds from now, if as many are left."""
        left, whole = self.seconds_left, None
        if left is not None and left < seconds:
            seconds, whole = left, self.seconds if self.whole is None else self.whole
        return Budget(seconds, self.megabytes, self.progress, cores=self.cores, whole=whole)

    def tell(self, message: str) -> None:
        """Report progress to whoever listens, in words that a user understands."""
        if self.progress is not None:
            self.progress(message)

    def check(self) -> None:
        """Raise `OutOfBudget` where time or memory is spent.  Cheap enough for every step of a worklist."""
        self._ticks += 1
        if self.seconds is not None and self.seconds_spent > self.seconds:
            raise OutOfTime(self.time_is_over())
        if self._ticks % 256 == 0:
            self._check_memory()

    def time_is_over(self) -> str:
        """Return what is said where the time is over: the limit that somebody has set."""
        return f"the time limit of {self.seconds if self.whole is None else self.whole:g} s was reached"

    def overdrawn(self) -> str:
        """Return which limit is passed now; empty where none is."""
        try:
            self.check()
            self._check_memory()
        except OutOfBudget as spent:
            return str(spent)
        return ""

    def _check_memory(self) -> None:
        if self.megabytes is not None and peak_megabytes() > self.megabytes:
            raise OutOfBudget(f"the memory limit of {self.megabytes} MB was reached")


def machine_bytes() -> int:
    """Return the memory that this machine allows us, limits of a container included; a guess where nobody tells."""
    try:
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        found = _ASSUMED
    return min(limit for limit in (found, address_space(), _container_bytes()) if limit is not None)


def address_space() -> int | None:
    """Return the bytes of address space that this process may have (`ulimit -v`); None where there is no limit."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def ulimit_advice() -> str:
    """Return what to do where memory cannot be had and the address space is limited; empty where it is not."""
    limit = address_space()
    if limit is None:
        return ""
    return (
        f"; {limit >> 20:,} MB of it are allowed: raise the limit with 'ulimit -v', "
        "or take it away with 'ulimit -v unlimited'"
    )


def _container_bytes() -> int | None:
    """Return the memory that a container (cgroup) allows; None where there is no limit."""
    for file in _CONTAINER:
        try:
            with open(file) as text:
                return int(text.read())
        except (OSError, ValueError):  # not there, or "max"
            continue
    return None


def peak_megabytes() -> int:
    """Return the largest resident size of this process so far; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> 20 if sys.platform == "darwin" else peak >> 10
