"""A process that is nobody's fork: a worker for hosts that have threads, or that may have no children otherwise.

The host (a worker of a cluster, a language server) talks to it by a pipe; where the host dies, the pipe is closed and
the process ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import Any

_SCRIPT = "from knaster.jobs.apart import main; main()"


class Apart:
    """As `multiprocessing.Process`, as far as a `Worker` asks."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, theirs: Connection) -> None:
        """Start it with its end of the pipe."""
        number = theirs.fileno()
        folders = os.pathsep.join(folder for folder in sys.path if folder)
        environment = {**os.environ, "KNASTER_PIPE": str(number), "PYTHONPATH": folders}
        os.set_inheritable(number, True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SCRIPT],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            close_fds=True,
            pass_fds=[number],
            env=environment,
        )

    @property
    def exitcode(self) -> int:
        """How it ended: the code, or minus a signal."""
        assert self._process is not None
        return self._process.wait()

    @property
    def pid(self) -> int | None:
        """Its number."""
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """End it."""
        assert self._process is not None
        self._process.kill()

    def join(self) -> None:
        """Wait until it has ended."""
        assert self._process is not None
        self._process.wait()


def can_start() -> bool:
    """Tell whether pipes can be handed to another process here."""
    return sys.platform != "win32"


def main() -> None:
    """Serve the pipe that the environment names."""
    from knaster.jobs.worker import serve

    connection: Any = Connection(int(os.environ.pop("KNASTER_PIPE")))
    serve(connection)
