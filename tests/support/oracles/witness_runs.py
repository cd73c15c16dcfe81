"""What a violation sequence means, by enumeration: every run of a small program as its events, and who represents it.

The program is that of `tests/unit/competition/test_validate.py`, written again by hand; one input, of which some values
stand for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

INPUTS = range(-2, 9)


class Event(NamedTuple):
    """Something that is evaluated: of which type, on which line, and with which outcome."""

    type: str
    line: int
    outcome: int


def events_of(a: int) -> Iterator[Event]:
    """Yield what the run with an input evaluates; `assumption` events have the value of `n`."""
    yield Event("function_return", 4, a)
    n = 0
    while True:
        yield Event("branching", 6, int(n < 3))
        if not n < 3:
            break
        yield Event("branching", 7, int(a == n))
        if a == n:
            n += 2
        yield Event("assumption", 9, n)
        n += 1
    yield Event("branching", 11, a)
    n = {1: 7, 2: 9}.get(a, 8)
    yield Event("branching", 16, int(n > 6 and a < 5))
    if n > 6 and a < 5:
        yield Event("target", 16, 0)


class Point(NamedTuple):
    """A waypoint: what it looks at, and the outcome with which it is passed; of a switch 99 is `default`."""

    action: str
    type: str
    line: int
    wanted: int

    def looks_at(self, event: Event) -> bool:
        """Tell whether an event evaluates it."""
        return (self.type, self.line) == (event.type, event.line)

    def is_passed(self, event: Event) -> bool:
        """Tell whether an event passes it."""
        if self.line == 11 and self.wanted == 99:
            return event.outcome not in (1, 2)
        return self.type == "target" or event.outcome == self.wanted

    def __str__(self) -> str:
        said = {"assumption": f" n == {self.wanted}", "function_return": f" \\\\result == {self.wanted}", "target": ""}
        branch = str(self.wanted) if self.line == 11 else "true" if self.wanted else "false"
        branch = "default" if self.wanted == 99 else branch
        column = {4: ":33", 9: ":5"}.get(self.line, "")
        return f"{self.type} {self.action} {self.line}{column}{said.get(self.type, f' {branch}')}"


def represents(segments: Sequence[Sequence[Point]], a: int) -> bool:
    """Tell whether a witness represents the run with an input."""
    due = 0
    for event in events_of(a):
        *avoids, last = segments[due]
        if any(point.looks_at(event) and point.is_passed(event) for point in avoids):
            return False
        if last.looks_at(event):
            if not last.is_passed(event):
                return False
            if last.type == "target":
                return True
            due += 1
    return False


def random_sequence(rng: Random) -> list[list[Point]]:
    """Return a random witness: up to four segments, which often follow a run."""
    run = list(events_of(rng.choice(INPUTS)))[:-1]
    count = rng.randrange(4)
    shown = sorted(rng.sample(range(len(run)), min(count, len(run))))
    segments = []
    for index in shown:
        event = run[index] if rng.random() < 0.8 else rng.choice(run)
        wanted = event.outcome if rng.random() < 0.8 else rng.choice([0, 1, 2, 99 if event.line == 11 else 3])
        wanted = wanted if event.type != "branching" or event.line == 11 else int(bool(wanted))
        segments.append([*_avoids(rng, run), Point("follow", event.type, event.line, wanted)])
    return [*segments, [*_avoids(rng, run), Point("follow", "target", 16, 0)]]


def _avoids(rng: Random, run: Sequence[Event]) -> Iterator[Point]:
    while rng.random() < 0.25:
        event = rng.choice(run)
        yield Point("avoid", event.type, event.line, event.outcome if rng.random() < 0.5 else int(not event.outcome))
