"""Files with hard limits: a process beside this one checks them and is replaced when it dies.

The worker is forked while this process has no BDD manager (the command line never makes one), so starting it costs
milliseconds; where there is no fork, or somebody loaded the BDD library before, it is spawned.  It serves file after
file; where memory is counted it serves one, since the largest size of a process never shrinks.  It ignores Ctrl-C:
this process hears of it and ends the worker.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from knaster.commands.console import Console
from knaster.commands.limited import watched
from knaster.commands.tidy import tidy_up
from knaster.jobs.job import Checked, Input, check_input, unknown
from knaster.jobs.watchdog import GRACE


class _Answer(NamedTuple):
    """What a worker sends: what became of a file, whether it serves another one, and what it had to import."""

    checked: Checked
    goes_on: bool
    modules: list[str]


class Worker:
    """Checks files elsewhere, one after the other."""

    def __init__(self, options: argparse.Namespace, width: int) -> None:
        self._options = options
        self._width = width
        self._forks = hasattr(os, "fork") and "oxidd.bcdd" not in sys.modules
        self._context: Any = multiprocessing.get_context("fork" if self._forks else "spawn")
        self._process: Any = None
        self._connection: Connection | None = None

    def check(self, source: Input) -> Checked:
        """Check one file; a worker that dies over it costs no other file."""
        try:
            connection = self._connection or self._start()
            connection.send(source)
            answer = self._receive(connection)
        except (EOFError, OSError):
            self.stop()
            code = self._process.exitcode
            how = f"by signal {-code}" if code < 0 else f"with code {code}"
            return unknown(source.name, f"its process was ended {how}", self._options)
        except KeyboardInterrupt:
            self.stop()
            raise
        if self._options.memory is not None or not answer.goes_on:
            self._prepare(answer.modules)
            self.stop()
        return answer.checked

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self._process.kill()
            self._process.join()

    def _start(self) -> Connection:
        ours: Connection
        ours, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._options, self._width), name="knaster worker", daemon=True
        )
        self._process.start()
        theirs.close()
        self._connection = ours
        return ours

    def _prepare(self, modules: Sequence[str]) -> None:
        """Import here what a worker had to import, so that the next one finds it when it is forked."""
        for module in modules if self._forks else ():
            importlib.import_module(module)

    def _receive(self, connection: Connection) -> _Answer:
        """Return the answer of the worker; it is killed where it does not heed its limit."""
        seconds = self._options.timeout
        if seconds is not None and not connection.poll(seconds + 10 * GRACE):
            self._process.kill()
        answer: _Answer = connection.recv()
        return answer


def _serve(connection: Connection, options: argparse.Namespace, width: int) -> None:
    """Check what comes in until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    console, first = Console(), True
    while True:
        try:
            source: Input = connection.recv()
        except EOFError:
            return

        def stopped(reason: str, name: str = source.name) -> int:
            connection.send(_Answer(unknown(name, reason, options), False, _loaded()))
            return 0

        with watched(options, console, source.name, stopped) as progress:
            found = check_input(source, options, progress.listener, width)
        connection.send(_Answer(found, True, _loaded()))
        del found
        tidy_up(first)
        first = False


def _loaded() -> list[str]:
    return [name for name in list(sys.modules) if name.startswith("knaster.")]
