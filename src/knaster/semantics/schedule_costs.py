"""Costs of schedules: from the thread that ran last and those that can run, what it costs to let another one run.

`preemptions`: M. Musuvathi and S. Qadeer, Iterative Context Bounding for Systematic Testing of Multithreaded Programs
(PLDI 2007): a switch from a thread that could go on costs 1; one from a thread that waits or has ended is free.

`delays`: M. Emmi, S. Qadeer and Z. Rakamarić, Delay-Bounded Scheduling (POPL 2011): threads take turns in the order of
their numbers.  The one that runs goes on until it waits or has ended, and then the next one that can run does; a delay,
which costs 1, passes the turn to the next one that can run.

`rounds` (A. Lal and T. Reps, CAV 2008): in a round threads run in the order of their numbers, each at most once;
whoever runs after a later one begins another round.  `switches`: whoever runs after another one costs 1.
"""

from __future__ import annotations

from collections.abc import Sequence

KINDS = ("delays", "preemptions")


def cost_of_turn(kind: str, last: int, thread: int, runnable: Sequence[int]) -> int:
    """Return what the next step of a thread costs; `last` is who ran before, 0 at the start.

    Requires: `runnable` has the threads that can run, in ascending order, and `thread` is one of them.
    """
    if kind == "switches":
        return int(last not in (0, thread))
    if kind == "rounds":
        return int(thread < last)
    if kind == "preemptions":
        return int(thread != last and last in runnable)
    return sorted(runnable, key=lambda each: each < last).index(thread)
