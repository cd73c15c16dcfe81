"""Several workers at once: jobs are given out in order, and a worker that dies costs one job.

Nothing but this process waits, for all workers together, so that nothing is shared and a fork finds no other thread.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait

from knaster.base.named_tuples import NamedTuple
from knaster.jobs.deferred_interrupt import DeferredInterrupt
from knaster.jobs.work import Outcome, Work
from knaster.jobs.worker import EVERY, PATIENCE, Reply, Worker


class Running(NamedTuple):
    """A job that a worker does, its number, and when the worker has to be ended."""

    number: int
    job: Work
    worker: Worker
    deadline: float | None


class Pool:
    """So many workers."""

    def __init__(self, count: int) -> None:
        self.workers = [Worker() for _ in range(count)]
        self.interrupted = False

    def run(
        self, jobs: Iterable[tuple[int, Work]], pulse: Callable[[], None] | None = None
    ) -> Iterator[tuple[int, Outcome]]:
        """Yield the number and the outcome of each job as it ends; at Ctrl-C what is established, and no more jobs."""
        with DeferredInterrupt() as interrupt:  # whoever takes the outcomes writes them whole
            yield from self._run(jobs, pulse, interrupt)

    def _run(
        self, jobs: Iterable[tuple[int, Work]], pulse: Callable[[], None] | None, interrupt: DeferredInterrupt
    ) -> Iterator[tuple[int, Outcome]]:
        idle, busy, rest = list(self.workers), dict[Connection, Running](), iter(jobs)
        ended: deque[tuple[int, Outcome]] = deque()
        try:
            coming = next(rest, None)
            while True:
                while idle and coming is not None:  # before anybody looks at what has ended: no worker waits for that
                    ended += self._begin(idle, busy, *coming)
                    coming = next(rest, None)
                while ended:
                    yield ended.popleft()
                if not busy:
                    return
                with interrupt.listening():
                    ready = wait(list(busy), EVERY)
                for connection in [each for each in busy if each in ready]:
                    ended += _hear(connection, idle, busy)
                _end_late(busy)
                if pulse is not None:
                    pulse()
        except KeyboardInterrupt:
            self.interrupted = True
            yield from ended
            for running in busy.values():
                yield running.number, running.worker.halt(running.job)

    def stop(self) -> None:
        """End every worker."""
        for worker in self.workers:
            worker.stop()

    def _begin(
        self, idle: list[Worker], busy: dict[Connection, Running], number: int, job: Work
    ) -> Iterator[tuple[int, Outcome]]:
        worker = idle.pop()
        limit = job.limits.seconds
        deadline = None if limit is None else time.monotonic() + limit + PATIENCE
        try:
            busy[worker.begin(job)] = Running(number, job, worker, deadline)
        except (EOFError, OSError):
            idle.append(worker)
            yield number, worker.bury(job)


def _hear(connection: Connection, idle: list[Worker], busy: dict[Connection, Running]) -> Iterator[tuple[int, Outcome]]:
    """Yield the outcome of a job whose worker answers or has died."""
    running = busy[connection]
    try:
        reply = connection.recv()
        if not isinstance(reply, Reply):
            return
        outcome = running.worker.end(running.job, reply)
    except (EOFError, OSError):
        outcome = running.worker.bury(running.job)
    del busy[connection]
    idle.append(running.worker)
    yield running.number, outcome


def _end_late(busy: dict[Connection, Running]) -> None:
    """End the workers that do not heed their limits."""
    now = time.monotonic()
    for running in busy.values():
        if running.deadline is not None and now > running.deadline:
            running.worker.kill()
