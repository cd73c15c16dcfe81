"""Jobs on many machines: a scheduler of dask.distributed gives them out, and each worker does them as a pool would.

Texts travel, not paths.  A worker of the cluster does a job in a process beside itself (`remote`), so that limits are
hard and a job that ends its process costs nobody else anything.  The scheduler replaces workers that die, and gives
their jobs to others; a job over which workers die again and again is undecided, and says so.  One that only waited
where they died is given out again: workers have the scheduler write down which jobs begin.
"""

from __future__ import annotations

import socket
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from knaster.base.errors import KnasterError, UsageError
from knaster.jobs import remote
from knaster.jobs.work import Outcome, Work
from knaster.jobs.worker import EVERY
from knaster.version import VERSION

LOCAL = "local"
PATIENCE = 3  # seconds for a scheduler that does not answer
AHEAD = 8  # jobs that wait at the scheduler, besides two for each thread of a worker
FAREWELL = 5.0  # seconds for jobs that are told to stop
DEATHS = 2  # of workers at a job that they had begun
ROUNDS = 5  # of a job that is never begun, because the workers at which it waits die
DESERTED = 60.0  # seconds without a worker of our own, after which none comes back
_AGAIN = 2.0  # seconds after which workers are counted again


class Cluster:
    """A scheduler and its workers; the interface is that of `Pool`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.interrupted = False
        self.name = uuid.uuid4().hex
        self._local, self._client = _connect(address)
        self._pending: dict[int, tuple[Work, Any]] = {}
        self._rounds: Counter[int] = Counter()
        self._ended: SimpleQueue[int] = SimpleQueue()
        self._counted, self._room = 0.0, AHEAD
        self._manned = time.monotonic()  # when a worker was there the last time
        try:
            self._refuse_others()
        except BaseException:
            self.stop()
            raise

    def run(
        self, jobs: Iterable[tuple[int, Work]], pulse: Callable[[], None] | None = None
    ) -> Iterator[tuple[int, Outcome]]:
        """Yield the number and the outcome of each job as it ends; at Ctrl-C what is established, and no more jobs."""
        rest = iter(jobs)
        try:
            while True:
                while len(self._pending) < self._ahead() and (given := next(rest, None)) is not None:
                    yield from self._begin(*given)
                if not self._pending:
                    return
                yield from self._hear(EVERY)
                yield from self._give_up_alone()
                if pulse is not None:
                    pulse()
        except KeyboardInterrupt:
            self.interrupted = True
            yield from self._halt()

    def stop(self) -> None:
        """Leave the scheduler; end it and its workers where they are ours."""
        try:
            if self._pending:
                self._client.cancel([future for _, future in self._pending.values()], force=True)
            if self._local is None:
                self._client.run(remote.dismiss, on_error="ignore")
            self._client.close(timeout=2)
        except Exception:  # it is gone already
            pass
        finally:
            if self._local is not None:
                self._local.close(timeout=5)

    def _begin(self, number: int, job: Work) -> Iterator[tuple[int, Outcome]]:
        try:
            work = job.carry()
        except KnasterError as error:
            yield number, job.fail(error)
            return
        self._rounds[number] += 1
        key = f"knaster-{self.name}-{number}-{self._rounds[number]}"
        future = self._client.submit(remote.answer, work, self.name, VERSION, number, key=key, pure=False)
        self._pending[number] = job, future
        future.add_done_callback(lambda _: self._ended.put(number))

    def _hear(self, seconds: float) -> Iterator[tuple[int, Outcome]]:
        try:
            number = self._ended.get(timeout=seconds)
        except Empty:
            return
        job, future = self._pending.pop(number)
        outcome = self._outcome(number, job, future)
        if outcome is None:
            yield from self._begin(number, job)
        else:
            yield number, outcome

    def _outcome(self, number: int, job: Work, future: Any) -> Outcome | None:
        """Return what came back, or what is said of a job from which nothing did; None: it is to be done again."""
        from distributed import KilledWorker

        try:
            outcome: Outcome = future.result()
            return outcome
        except KilledWorker:
            begun = sum(said == number for _, said in self._client.get_events(self.name))
            if begun < DEATHS and self._rounds[number] < ROUNDS and not self.interrupted:
                return None
            return job.give_up("the workers of the cluster that did it died, one after the other")
        except KnasterError as error:
            return job.fail(error)
        except Exception as error:
            return job.give_up(f"the cluster at {self.address} did not do it: {type(error).__name__}: {error}")

    def _ahead(self) -> int:
        """Return how many jobs may be given out at a time: enough that no worker waits, however many there are."""
        if time.monotonic() - self._counted > _AGAIN:
            self._counted = time.monotonic()
            threads = self._client.nthreads()
            if threads or self._local is None:  # on a cluster of others workers may come later
                self._manned = self._counted
            self._room = AHEAD + 2 * sum(threads.values())
        return self._room

    def _give_up_alone(self) -> Iterator[tuple[int, Outcome]]:
        """Yield that jobs are undecided where all workers of our own are gone, and nobody replaces them."""
        if time.monotonic() - self._manned > DESERTED:
            for number in list(self._pending):
                job, _ = self._pending.pop(number)
                yield number, job.give_up("no worker of the cluster is left")

    def _halt(self) -> Iterator[tuple[int, Outcome]]:
        """Tell every worker to stop; yield what they have established."""
        self._client.run(remote.halt, self.name, on_error="ignore")
        until = time.monotonic() + FAREWELL
        while self._pending and time.monotonic() < until:
            yield from self._hear(EVERY)

    def _refuse_others(self) -> None:
        """Raise `UsageError` where a worker cannot do our jobs."""
        for name, said in self._client.run(remote.version, on_error="return").items():
            if said != VERSION:
                why = f"{type(said).__name__}: {said}" if isinstance(said, Exception) else f"it has {said}"
                raise UsageError(f"--cluster {self.address}: the worker at {name} has no Knaster {VERSION}: {why}")


def _connect(address: str) -> tuple[Any, Any]:
    """Return a cluster of our own, if that is meant, and a client."""
    try:
        import logging

        import dask
        import distributed
    except ImportError:
        raise UsageError("--cluster needs dask.distributed; install it with: pip install 'knaster[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    count = _local_workers(address)
    dask.config.set({"distributed.scheduler.allowed-failures": 1})
    try:
        if count is None:
            _expect_answer(address)
            return None, distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        cluster = distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            memory_limit=0,  # limits are those of each job
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any port: of a fixed one that is in use dask warns
            silence_logs=logging.CRITICAL,
        )
        return cluster, distributed.Client(cluster, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = "nobody answers" if isinstance(error, OSError) else str(error)
        raise UsageError(
            f"--cluster {address}: there is no scheduler: {why}; 'dask scheduler' starts one (docs/cluster.md)"
        ) from None


_OTHER_SCHEMES = ("ws", "wss", "ucx", "ucxx", "inproc")  # they are left to dask


def _expect_answer(address: str) -> None:
    """Raise `TimeoutError` unless a scheduler answers soon, and `ValueError` where an address is none.

    The client of dask may wait for ever.  Schedulers speak first, but for TLS.  A name is looked up in a thread, since
    that has no limit of its own.
    """
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", "tcp", "tls"):
        if scheme not in _OTHER_SCHEMES:
            raise ValueError(f"'{scheme}' is no way to reach one")
        return
    if not host or not port.isdecimal() or not int(port) < 1 << 16:
        raise ValueError("an address is HOST:PORT")
    answered = threading.Event()

    def look() -> None:
        with suppress(OSError), socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as door:
            if scheme == "tls" or door.recv(1):
                answered.set()

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    looking.join(PATIENCE)
    if not answered.is_set():
        raise TimeoutError


def _local_workers(address: str) -> int | None:
    """Return how many workers `local:N` means; None for the address of a scheduler."""
    word, _, number = address.partition(":")
    if word != LOCAL:
        return None
    if not number.isdecimal() or not 0 < int(number) < 1000:
        raise UsageError(f"--cluster {address}: write local:N, N workers on this machine")
    return int(number)
