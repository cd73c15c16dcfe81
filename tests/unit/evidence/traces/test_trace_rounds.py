"""How many rounds a schedule needs: the numbers of ../shared/specs/error-projection-and-concurrency.md, section 6."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from knaster.evidence.traces.trace import Path, Segment, Trace

PATH = Path("main", {}, ())


def rounds(schedule: tuple[int, ...]) -> int:
    return Trace(tuple(Segment(thread, (PATH,)) for thread in schedule), 0).rounds


@pytest.mark.parametrize("threads", [2, 3, 4])
@pytest.mark.parametrize("switches", [0, 1, 2, 3, 4, 5])
def test_every_schedule_fits(threads: int, switches: int) -> None:
    """k switches of n threads fit into 1 + k - k // n rounds, from thread 1 on into k - (k - 1) // n: both tight."""
    schedules = [
        schedule
        for schedule in product(range(1, threads + 1), repeat=switches + 1)
        if all(before != after for before, after in pairwise(schedule))
    ]
    assert max(map(rounds, schedules)) == 1 + switches - switches // threads
    if switches:
        first = [schedule for schedule in schedules if schedule[0] == 1]
        assert max(map(rounds, first)) == switches - (switches - 1) // threads
    for schedule in schedules:
        assert rounds(schedule) == 1 + sum(b < a for a, b in pairwise(schedule))


def test_two_threads_that_take_turns() -> None:
    """K rounds are 2K - 1 switches."""
    for number in range(1, 6):
        assert rounds((1, 2) * number) == number
