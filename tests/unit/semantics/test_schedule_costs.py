"""What a turn costs in delays and in preemptions."""

from __future__ import annotations

import pytest

from knaster.semantics.schedule_costs import cost_of_turn


@pytest.mark.parametrize(
    ("kind", "last", "thread", "runnable", "cost"),
    [
        ("preemptions", 0, 2, [1, 2], 0),  # somebody begins
        ("preemptions", 1, 1, [1, 2], 0),
        ("preemptions", 1, 2, [1, 2], 1),
        ("preemptions", 1, 2, [2, 3], 0),  # thread 1 waits
        ("delays", 0, 1, [1, 2, 3], 0),
        ("delays", 0, 3, [1, 2, 3], 2),
        ("delays", 2, 2, [1, 2, 3], 0),
        ("delays", 2, 1, [1, 2, 3], 2),
        ("delays", 2, 3, [1, 2, 3], 1),
        ("delays", 2, 1, [1, 3], 1),  # thread 2 waits: the turn is that of thread 3
        ("delays", 3, 1, [1, 2], 0),  # round
        ("switches", 0, 2, [1, 2], 0),
        ("switches", 1, 2, [2], 1),
        ("switches", 2, 2, [1, 2], 0),
        ("rounds", 0, 2, [1, 2], 0),
        ("rounds", 1, 3, [1, 2, 3], 0),
        ("rounds", 3, 3, [1, 2, 3], 0),
        ("rounds", 3, 2, [2], 1),
    ],
)
def test_costs(kind: str, last: int, thread: int, runnable: list[int], cost: int) -> None:
    assert cost_of_turn(kind, last, thread, runnable) == cost
