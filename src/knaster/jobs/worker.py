"""Jobs with hard limits: a process beside this one does them and is replaced when it dies.

The worker is forked while this process has no BDD manager (the command line never makes one), so starting it costs
milliseconds; where there is no fork, or somebody loaded the BDD library before, it is spawned; where this process has
threads it is a program of its own (`apart`).  It does job after job;
where memory is counted it does one, since the largest size of a process never shrinks.  It ignores Ctrl-C and SIGTERM:
this process hears of them and tells the worker to stop, which answers what was established until then.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, TypeVar

from knaster.base.errors import KnasterError
from knaster.base.limits import address_space
from knaster.base.named_tuples import NamedTuple
from knaster.jobs.memory import tidy_up
from knaster.jobs.watchdog import GRACE, Watchdog
from knaster.jobs.work import Attempt, Errand

EVERY = 0.1  # seconds between two words about how far a job is
PATIENCE = 10 * GRACE  # for a worker that does not heed its limit
R = TypeVar("R")


class Reply(NamedTuple):
    """What a worker sends: what became of its errand, whether it takes another job, and what it had to import."""

    outcome: Any
    goes_on: bool
    modules: list[str]


class Worker:
    """Does jobs elsewhere, one after the other."""

    def __init__(self, apart: bool = False) -> None:
        self._apart = apart  # this process has threads: neither fork nor rely on `multiprocessing`
        self._forks = hasattr(os, "fork") and "oxidd.bcdd" not in sys.modules and not apart
        self._context: Any = multiprocessing.get_context("fork" if self._forks else "spawn")
        self._process: Any = None
        self._connection: Connection | None = None
        self.interrupted = False
        self._late = False  # it was ended because it did not heed its limit
        self.died = ""  # how the process ended over its last job by itself

    def do(
        self, job: Errand[R], hear: Callable[[str], None] | None = None, pulse: Callable[[], None] | None = None
    ) -> R:
        """Do one job; a worker that dies over it costs no other.  `hear` learns how far it is, `pulse` is often called.

        Where Ctrl-C stopped the job, `interrupted` says so from then on.
        """
        self.died = ""
        try:
            connection = self.begin(job, hear is not None)
            answer = self._receive(connection, job.limits.seconds, hear, pulse)
        except (EOFError, OSError):
            return self.bury(job)
        except KeyboardInterrupt:
            self.interrupted = True
            return self.halt(job)
        return self.end(job, answer)

    def begin(self, job: Errand[R], listening: bool = False) -> Connection:
        """Give the worker a job; return where its answer comes from."""
        connection = self._connection or self._start()
        connection.send((job, listening))
        return connection

    def end(self, job: Errand[R], answer: Reply) -> R:
        """Return the outcome of a job that is done; a worker whose memory was counted is replaced."""
        if job.limits.megabytes is not None or not answer.goes_on:
            self._prepare(answer.modules)
            self.stop()
        outcome: R = answer.outcome
        return outcome

    def bury(self, job: Errand[R]) -> R:
        """Return what is said of a job over which its worker died."""
        self.stop()
        code = self._process.exitcode
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        self.died = "" if self._late else how
        self._late = False
        if (limit := address_space()) is not None:
            return job.fail(_no_memory(job.file, limit, how))
        return job.give_up(f"its process was ended {how}")

    def kill(self) -> None:
        """End a process that does not heed its limit; whoever waits for its answer hears that there is none."""
        self._late = True
        self._process.kill()

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
        self._process = self._begin_process(theirs)
        atexit.register(self.stop)  # before `multiprocessing` waits for it
        theirs.close()
        self._connection = ours
        return ours

    def _begin_process(self, theirs: Connection) -> Any:
        if self._apart:
            from knaster.jobs.apart import Apart, can_start

            if can_start():
                apart = Apart()
                apart.start(theirs)
                return apart
        process = self._context.Process(target=serve, args=(theirs,), name="knaster worker", daemon=True)
        process.start()
        return process

    def _prepare(self, modules: Sequence[str]) -> None:
        """Import here what a worker had to import, so that the next one finds it when it is forked."""
        for module in modules if self._forks else ():
            importlib.import_module(module)

    def _receive(
        self,
        connection: Connection,
        seconds: float | None,
        hear: Callable[[str], None] | None,
        pulse: Callable[[], None] | None,
    ) -> Reply:
        """Return the answer of the worker; it is killed where it does not heed its limit."""
        deadline = None if seconds is None else time.monotonic() + seconds + PATIENCE
        while True:
            if connection.poll(EVERY):
                message = connection.recv()
                if isinstance(message, Reply):
                    return message
                if hear is not None:
                    hear(message)
            elif deadline is not None and time.monotonic() > deadline:
                self.kill()
            if pulse is not None:
                pulse()

    def halt(self, job: Errand[R]) -> R:
        """Return what the worker has established, if it says so in time; it is ended."""
        reason = "interrupted"
        try:
            if self._connection is not None:
                self._connection.send(reason)
                outcome: R = self._receive(self._connection, GRACE - PATIENCE, None, None).outcome
                return outcome
        except (EOFError, OSError):
            pass
        finally:
            self.stop()
        return job.give_up(reason)


def _no_memory(file: str, limit: int, how: str) -> KnasterError:
    """Return what is said of a process that died where the address space is limited."""
    return KnasterError(
        f"{file}: there is not enough memory: {limit >> 20:,} MB of address space are allowed, and the process that "
        f"checks it was ended {how}; raise the limit with 'ulimit -v', or take it away with 'ulimit -v unlimited'"
    )


def serve(connection: Connection) -> None:
    """Do what comes in until nobody asks any more."""
    for stops in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stops, signal.SIG_IGN)
    if address_space() is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # native code that gets no memory has much to say
    gc.disable()
    first, waiting = True, list[Any]()  # messages that came while a job was being done
    while True:
        try:
            message = waiting.pop(0) if waiting else connection.recv()
        except EOFError:
            return
        if isinstance(message, str):
            return  # to be stopped, after all is done
        _Service(connection, waiting, *message).do()
        tidy_up(first)
        first = False


class _Service:
    """One job of a worker: whoever speaks first answers for it, the work itself or the watchdog."""

    def __init__(self, connection: Connection, waiting: list[Any], job: Errand[object], listening: bool) -> None:
        self._connection = connection
        self._waiting = waiting
        self._job = job
        self._attempt: Attempt[object] = job.attempt()
        self._listening = listening
        self._speaking = Lock()
        self._answered = False
        self._last = 0.0

    def do(self) -> None:
        """Do the job and send the answer; what the watchdog needs to end is no part of the time that anybody waits."""
        limits = self._job.limits
        with Watchdog(self._stop, limits.seconds, limits.megabytes, self._listen):
            outcome = self._attempt.do(self._tell if self._listening else None)
            alone = limits.megabytes is not None  # another process does the next job
            with self._speaking:
                self._answered = True
                self._connection.send(Reply(outcome, True, _loaded_modules() if alone else []))

    def _stop(self, reason: str) -> None:
        with self._speaking:
            if not self._answered:
                self._connection.send(Reply(self._attempt.stop(reason), False, _loaded_modules()))
                os._exit(0)

    def _tell(self, text: str) -> None:
        if time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            with self._speaking:
                self._connection.send(text)

    def _listen(self) -> None:
        """Hear from outside while the work goes on: that it is to stop, or, once it is answered, the next job."""
        try:
            if not self._connection.poll():
                return
            message = self._connection.recv()
        except EOFError:
            os._exit(0)  # nobody is there any more
        if isinstance(message, str) and not self._answered:
            self._stop(message)
        self._waiting.append(message)


def _loaded_modules() -> list[str]:
    return [name for name in list(sys.modules) if name.startswith("knaster.")]
