"""What makes tests independent of how fast or how busy a machine is: clocks that count, and waiting for events."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

PATIENCE = 600  # seconds after which a process hangs rather than works


def count_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look at the clock of a budget be a second later than the one before: a limit is a number of looks."""
    seconds = itertools.count()
    monkeypatch.setattr("knaster.base.limits.clock", lambda: float(next(seconds)))


def wait_until_busy(process: subprocess.Popen[str], seconds: float = 0.3, watched: bool = True) -> None:
    """Return when a process has worked for so much processor time, counted from when its watchdog runs.

    Without `watched` it is counted from now; where the system does not tell, this waits for a while.
    """
    folder = Path(f"/proc/{process.pid}")
    if not folder.exists():
        time.sleep(5)
        return
    if watched:
        _poll(process, lambda: "Threads:\t1\n" not in (folder / "status").read_text())
    before = _ticks(folder)
    _poll(process, lambda: _ticks(folder) >= before + 100 * seconds)


def _ticks(folder: Path) -> int:
    """Return how many hundredths of a second a process has worked."""
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _poll(process: subprocess.Popen[str], is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end and not is_so():
        time.sleep(0.02)


class CallCount:
    """Counts the calls of Python functions inside a `with`: how much work that is, on whatever machine."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> CallCount:
        self.calls = 0
        sys.setprofile(self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _hear(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self.calls += 1
