"""Work for the tests of workers: it answers, ends processes, or goes on until it is told to stop."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from knaster.base.exits import ExitCode
from knaster.base.limits import Limits
from knaster.jobs.work import Outcome


class DeadlyWork(NamedTuple):
    """Ends its process as often as `deaths` says, counted in a file; then it answers, or waits."""

    file: str
    counter: str  # a file with a line for each attempt
    deaths: int = 0
    host: bool = False  # the process that has started the worker dies too
    waits: bool = False
    limits: Limits = Limits()

    def attempt(self) -> DeadlyWork:
        return self

    def do(self, progress: Callable[[str], None] | None) -> Outcome:
        counter = Path(self.counter)
        with counter.open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        if len(counter.read_text().splitlines()) <= self.deaths:
            if self.host:
                os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        while self.waits:
            time.sleep(0.05)
        return Outcome(self.file, ExitCode.DONE, "answered")

    def stop(self, reason: str) -> Outcome:
        return Outcome(self.file, ExitCode.UNDECIDED, f"stopped: {reason}")

    def give_up(self, reason: str) -> Outcome:
        return Outcome(self.file, ExitCode.UNDECIDED, f"nothing: {reason}")

    def fail(self, error: Exception) -> Outcome:
        return Outcome(self.file, ExitCode.REFUSED, f"failed: {error}")

    def carry(self) -> DeadlyWork:
        return self
