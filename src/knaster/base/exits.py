"""How a run ends: the exit codes, the word of the JSON output for each, and the worst of several."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """How a run ended, as users of CBMC know it."""

    DONE = 0
    UNREACHABLE = 0
    USAGE = 1
    REFUSED = 2
    UNDECIDED = 5
    FAULT = 6
    REACHABLE = 10


STATUS = {
    ExitCode.DONE: "answered",
    ExitCode.REACHABLE: "answered",
    ExitCode.UNDECIDED: "undecided",
    ExitCode.USAGE: "usage",
    ExitCode.REFUSED: "refused",
    ExitCode.FAULT: "fault",
}
"""The word of the JSON output for each code."""

_WORST_FIRST = (
    ExitCode.FAULT,
    ExitCode.REFUSED,
    ExitCode.USAGE,
    ExitCode.REACHABLE,
    ExitCode.UNDECIDED,
    ExitCode.DONE,
)


def worst(codes: Iterable[int]) -> ExitCode:
    """Return the exit code of several runs together: 6, 2, 1, 10, 5, 0, whichever comes first."""
    present = set(codes)
    return next((code for code in _WORST_FIRST if code in present), ExitCode.DONE)
