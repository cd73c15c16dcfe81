"""A pool of children, forked from this process one for each task: what the parent has loaded, they have."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
_MEGABYTES = 3000  # a change may make a loop that fills memory
_WALL = 20  # a child that computes nothing is stuck after so many times its seconds


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """What a child does: in a folder of its own, within seconds of processor time; its result is an exit code."""

    subject: T
    seconds: float
    work: Callable[[Path], int]


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """How a child ended."""

    subject: T
    code: int  # negative: the number of a signal
    note: str  # what it left in the file `note`
    late: bool  # it had to be stopped, or its processor time was over
    data: str  # what it left in the file `data`


@dataclass(slots=True)
class _Child(Generic[T]):
    task: Task[T]
    folder: Path
    until: float
    stopped: bool = False


def run_children(tasks: Iterable[Task[T]], jobs: int) -> Iterator[Ended[T]]:
    """Yield how each task ended, as they end."""
    waiting = iter(tasks)
    running: dict[int, _Child[T]] = {}
    top = Path(tempfile.mkdtemp(prefix="mutants-"))
    try:
        while True:
            while len(running) < jobs and (task := next(waiting, None)) is not None:
                child = _Child(task, Path(tempfile.mkdtemp(dir=top)), time.monotonic() + _WALL * (task.seconds + 3))
                running[_fork(child)] = child
            if not running:
                return
            yield from _collect(running)
            for pid, child in running.items():
                if time.monotonic() > child.until or _megabytes(pid) > _MEGABYTES:
                    child.stopped = True
                    _stop(pid)
    finally:
        for pid in running:
            _stop(pid)
        shutil.rmtree(top, ignore_errors=True)


def _fork(child: _Child[T]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        code = child.task.work(child.folder)
    except BaseException:
        (child.folder / "note").write_text(traceback.format_exc())
    finally:
        os._exit(code)


def _collect(running: dict[int, _Child[T]]) -> Iterator[Ended[T]]:
    """Yield the children that have ended; wait a little where none has."""
    for pid in list(running):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            child = running.pop(pid)
            _stop(pid)  # what it may have started
            code = os.waitstatus_to_exitcode(status)
            late = child.stopped or code == -signal.SIGXCPU
            yield Ended(child.task.subject, code, _read(child.folder / "note"), late, _read(child.folder / "data"))
            shutil.rmtree(child.folder, ignore_errors=True)
            return
    time.sleep(0.005)


def _read(file: Path) -> str:
    return file.read_text() if file.is_file() else ""


def _stop(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _megabytes(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
