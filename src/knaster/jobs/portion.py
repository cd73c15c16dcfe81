"""Several small files for a worker at once, so that nobody waits for another process after each of them.

A worker does the files of a portion one after the other, under one watchdog, and sends all outcomes together.  After
`ENOUGH` seconds it begins no other: what is left goes back, and whoever is free takes it.  Files with limits of their
own come alone.  A worker that dies over a portion tells nobody over which of its files, so all of them are done
again, each alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from knaster.base.named_tuples import NamedTuple
from knaster.jobs.work import Attempt, Outcome, Work

if TYPE_CHECKING:
    from knaster.base.limits import Limits

MOST = 16  # files in a portion
ENOUGH = 0.1  # seconds


class Portion(NamedTuple):
    """Files for one worker, with their numbers; the outcomes are those of the first of them, as many as there are."""

    numbers: tuple[int, ...]
    works: tuple[Work, ...]
    enough: float = ENOUGH

    @property
    def file(self) -> str:
        """The name of the first file."""
        return self.works[0].file

    @property
    def limits(self) -> Limits:
        """Time and memory: of the only file, or none."""
        return self.works[0].limits

    def after(self, count: int) -> Portion:
        """Return what is left when so many files are done."""
        return Portion(self.numbers[count:], self.works[count:], self.enough)

    def attempt(self) -> PortionAttempt:
        """Begin."""
        return PortionAttempt(self)

    def give_up(self, reason: str) -> list[Outcome]:
        """Return what is said where nothing is known."""
        return [work.give_up(reason) for work in self.works]

    def fail(self, error: Exception) -> list[Outcome]:
        """Return what is said where an error ended it."""
        return [work.fail(error) for work in self.works]


class PortionAttempt:
    """A portion that is being done: the outcomes until now, and the file that is being looked at."""

    def __init__(self, portion: Portion) -> None:
        self._portion = portion
        self._outcomes: list[Outcome] = []
        self._now: tuple[int, Attempt[Outcome]] | None = None  # how many outcomes there were when it began

    def do(self, progress: Callable[[str], None] | None) -> list[Outcome]:
        """Answer for the files until it is enough."""
        began = time.monotonic()
        for work in self._portion.works:
            if self._outcomes and time.monotonic() - began >= self._portion.enough:
                break
            attempt = work.attempt()
            self._now = (len(self._outcomes), attempt)
            self._outcomes.append(attempt.do(progress))
        return self._outcomes

    def stop(self, reason: str) -> list[Outcome]:
        """Answer for what is done, and what is established of the file that is not."""
        now, outcomes = self._now, list(self._outcomes)
        if now is None:
            return [self._portion.works[0].give_up(reason)]
        return [*outcomes, now[1].stop(reason)] if now[0] == len(outcomes) else outcomes
