"""How a command ends: one table of exit codes for every command, for `--help`, for JSON and for docs/output.md."""

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

MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.REACHABLE: "reachable",
    ExitCode.UNDECIDED: "undecided: a limit was reached, or Ctrl-C",
    ExitCode.USAGE: "the command line makes no sense",
    ExitCode.REFUSED: "the input was refused",
    ExitCode.FAULT: "our own fault; please report it",
}
"""What each code means wherever a command does not say it more exactly."""

OWN: dict[str, dict[ExitCode, str]] = {
    "check": {
        ExitCode.UNREACHABLE: "TRUE: every target is unreachable, or every run ends",
        ExitCode.REACHABLE: "FALSE: some target is reachable, or a run never ends",
        ExitCode.UNDECIDED: "UNKNOWN: a limit was reached, or Ctrl-C",
    },
    "certify": {
        ExitCode.DONE: "the proof holds",
        ExitCode.REFUSED: "the proof does not hold, or is of another program",
        ExitCode.UNDECIDED: "the proof holds within a bound only; a limit was reached, or Ctrl-C",
    },
    "compare": {
        ExitCode.DONE: "the engines agree",
        ExitCode.FAULT: "the engines disagree: our own fault; please report it",
    },
    "project": {ExitCode.DONE: "the projection is known"},
    "show": {ExitCode.DONE: "shown"},
    "solve": {
        ExitCode.DONE: "every query is answered",
        ExitCode.REFUSED: "the input was refused, or a query never becomes stable",
    },
    "pushdown": {ExitCode.DONE: "unreachable, or an automaton"},
    "demo": {ExitCode.DONE: "shown"},
}
"""What a code means for one command; `DONE` is among them for each command."""

ASKING = ("check", "pushdown")  # the commands that say by their code whether something is reachable

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


def meanings(command: str) -> dict[ExitCode, str]:
    """Return the codes that a command can end with, each with what it means."""
    known = {**MEANINGS, **OWN[command]}
    return {code: meaning for code, meaning in known.items() if code != ExitCode.REACHABLE or command in ASKING}


def exit_codes(command: str) -> str:
    """Return the exit codes of a command as lines for its `--help`."""
    rows = [f"  {int(code):<3} {meaning}" for code, meaning in meanings(command).items()]
    return "\n".join(["exit codes:", *rows])
