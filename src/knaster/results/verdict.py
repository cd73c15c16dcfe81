"""Questions and answers: what an engine is asked, what it may spend, what it says.

`Unknown` belongs to the answer from the first day: a budget that ran out is never an `Unreachable`.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from knaster.program.model import Location
from knaster.results.trace import Trace

if TYPE_CHECKING:
    from knaster.results.certificate import Certificate
    from knaster.symbolic.bdd import Bdd

Statistics = Mapping[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Target:
    """One question: can control stand at `location` of `procedure`?"""

    name: str
    procedure: str
    location: Location
    line: int


@dataclass(frozen=True, slots=True)
class Query:
    """All questions of one run.  A bound (on contexts, rounds, ...) is part of the question, never a silent limit.

    With `first` the engine may stop as soon as one target is found reachable; the others are then unknown.
    """

    targets: tuple[Target, ...]
    first: bool = False
    traces: bool = True
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """How an engine is to work, where it leaves a choice."""

    direction: str = "post"  # pushdown: forward from the start, or "pre", backward from each target
    fast: bool = False  # pushdown: by path expressions
    algorithm: str = "entry-forward"  # calculus: one of the paper's, or a file
    strategy: str = "frontier"  # calculus: how fixed points are computed


class Verdict(Enum):
    """TRUE: no target is reachable.  FALSE: some target is.  UNKNOWN: neither was established."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Reachable:
    """The target is reachable, by this trace (None where no trace was asked for)."""

    trace: Trace | None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The target is unreachable, by this certificate (None where the method gives none)."""

    certificate: Certificate | None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing was established, for this reason."""

    reason: str


Answer = Reachable | Unreachable | Unknown


class Summarizer(Protocol):
    """What a trace needs to know: the summaries of each procedure, and in which order they were found."""

    def demand(self, procedure: str, entered: Bdd) -> None:
        """Ask for everything that follows from entering a procedure with these valuations (NOW)."""

    def run(self) -> bool:
        """Work until every summary that was asked for is known."""

    def summary(self, procedure: str, before: int | None = None) -> Bdd:
        """Return the summaries of a procedure, all or those born before a time."""

    def born(self, procedure: str, some: Bdd) -> int:
        """Return when the first of some summaries was found; it was derived from summaries born before it alone."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What an engine found out, before anybody has checked it.

    Where `reason` is empty the engine is done, and what it did not reach is unreachable; otherwise `reason` says why
    that is unknown.  A method that works with path edges offers them as a certificate, and its summaries for traces;
    for other methods both are computed by `engines.summaries` when they are wanted.
    """

    reached: frozenset[Target]
    reason: str
    statistics: Statistics
    certificate: Certificate | None = None
    summarizer: Summarizer | None = None


class OutOfBudget(Exception):
    """Raised inside an engine at a safe point where its budget is spent; becomes `Unknown`."""


@dataclass(slots=True)
class Budget:
    """What one run may spend: seconds of wall clock, megabytes of memory; and whom to tell how far it is."""

    seconds: float | None = None
    megabytes: int | None = None
    progress: Callable[[str], None] | None = None
    started: float = field(default_factory=time.monotonic)
    _ticks: int = 0

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def bytes(self) -> int:
        """The memory that may be used: the limit, or three quarters of what the machine has."""
        if self.megabytes is not None:
            return self.megabytes << 20
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4

    def tell(self, message: str) -> None:
        """Report progress to whoever listens."""
        if self.progress is not None:
            self.progress(f"{self.spent:6.1f} s  {message}")

    def check(self) -> None:
        """Raise `OutOfBudget` where time or memory is spent.  Cheap enough for every step of a worklist."""
        self._ticks += 1
        if self.seconds is not None and self.spent > self.seconds:
            raise OutOfBudget(f"the time limit of {self.seconds:g} s was reached")
        if self.megabytes is not None and self._ticks % 256 == 0 and peak_megabytes() > self.megabytes:
            raise OutOfBudget(f"the memory limit of {self.megabytes} MB was reached")


def peak_megabytes() -> int:
    """Return the largest resident size of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> 20 if sys.platform == "darwin" else peak >> 10
