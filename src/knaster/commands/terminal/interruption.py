"""One way to limit and to interrupt a command: `--timeout`, `--memory`, `--progress`, Ctrl-C.

Work is told to stop at a safe point by its `Budget`; where it cannot stop, the watchdog speaks for it and ends the
process.  Either way what is known until then is said, and the exit code is that of an undecided question.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from knaster.base.exits import ExitCode
from knaster.base.limits import Budget, Limits, OutOfBudget
from knaster.commands.terminal.console import Console, Progress

T = TypeVar("T")


def add_limits(parser: argparse._ActionsContainer, for_each: str = "") -> None:
    """Declare `--timeout`, `--memory` and `--progress`; `for_each` says what they hold for."""
    parser.add_argument("--timeout", type=positive_number, metavar="S", help=f"give up after S seconds{for_each}")
    parser.add_argument("--memory", type=positive_integer, metavar="MB", help=f"give up beyond MB megabytes{for_each}")
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="say how far it is (default: on a terminal, after two seconds)",
    )


def run_limited(
    work: Callable[[Budget], T],
    report: Callable[[T], int],
    stop: Callable[[str], int],
    options: argparse.Namespace,
    console: Console,
    about: str,
) -> int:
    """Return the exit code of `report(work(budget))`, or of `stop(reason)` where a limit or Ctrl-C came first."""
    try:
        with watch(options, console, about, stop) as progress:
            found = work(Budget.of(limits_of(options), progress.listener))
    except OutOfBudget as spent:
        return stop(str(spent))
    except KeyboardInterrupt as interrupt:
        return stop(interruption(interrupt))
    return report(found)


def interruption(interrupt: KeyboardInterrupt) -> str:
    """Say that Ctrl-C ended the work, and how far it was, where the work says so."""
    return "; ".join(["interrupted", *map(str, interrupt.args)])


@contextmanager
def watch(options: argparse.Namespace, console: Console, about: str, stop: Callable[[str], int]) -> Iterator[Progress]:
    """Watch over the work in a `with` block; where it cannot be stop, `stop(reason)` answers, and that is all."""
    from knaster.jobs.watchdog import Watchdog

    def give_up(reason: str) -> None:
        code: int = ExitCode.UNDECIDED
        try:
            code = stop(reason)
        finally:  # whatever happens: nobody can stop the work any more
            os._exit(code)

    progress = console.follow(options.progress, about)
    if console.watches(stop):
        yield progress
        return
    try:
        with Watchdog(give_up, options.timeout, options.memory, progress.pulse):
            yield progress
    finally:
        progress.close()


def limits_of(options: argparse.Namespace) -> Limits:
    """Return the limits that were given on the command line."""
    return Limits(options.timeout, options.memory)


def positive_number(text: str) -> float:
    """Return a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no positive number")
    return value


def positive_integer(text: str) -> int:
    """Return a number of megabytes."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no positive whole number")
    return int(text)


def whole_number(text: str) -> int:
    """Return a number of processes."""
    if not text.isdecimal() or len(text) > 4:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from 0")
    return int(text)
