"""Several workers at once: jobs are given out in order, and a worker that dies costs one job.

Small jobs go in portions.  Nothing but this process waits, for all workers together, so that nothing is shared and a
fork finds no other thread.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait

from knaster.base.deferred_interrupt import DeferredInterrupt
from knaster.base.named_tuples import NamedTuple
from knaster.jobs.portion import MOST, Portion
from knaster.jobs.work import Outcome, Work
from knaster.jobs.worker import EVERY, PATIENCE, Reply, Worker

Numbered = tuple[int, Outcome]


class Running(NamedTuple):
    """Jobs that a worker does, since when, and when the worker has to be ended."""

    portion: Portion
    worker: Worker
    began: float
    deadline: float | None


class Pool:
    """So many workers, for about so many jobs."""

    def __init__(self, count: int, jobs: int = 0) -> None:
        self.workers = [Worker() for _ in range(count)]
        self.interrupted = False
        self._left = jobs  # that are not given out yet
        self._size = 1  # of a portion

    def run(self, jobs: Iterable[tuple[int, Work]], pulse: Callable[[], None] | None = None) -> Iterator[Numbered]:
        """Yield the number and the outcome of each job as it ends; at Ctrl-C what is established, and no more jobs."""
        with DeferredInterrupt() as interrupt:  # whoever takes the outcomes writes them whole
            yield from self._run(_Queue(jobs), pulse, interrupt)

    def _run(self, queue: _Queue, pulse: Callable[[], None] | None, interrupt: DeferredInterrupt) -> Iterator[Numbered]:
        idle, busy = list(self.workers), dict[Connection, Running]()
        ended: deque[Numbered] = deque()
        try:
            while True:
                while idle and (portion := queue.take(self._portion_size())):  # no worker waits for what has ended
                    self._left -= len(portion.works)
                    ended += self._begin(idle, busy, portion, queue)
                while ended:
                    yield ended.popleft()
                if not busy:
                    return
                with interrupt.listening():
                    ready = wait(list(busy), EVERY)
                for connection in [each for each in busy if each in ready]:
                    ended += self._hear(connection, idle, busy, queue)
                _end_late(busy)
                if pulse is not None:
                    pulse()
        except KeyboardInterrupt:
            self.interrupted = True
            yield from ended
            for running in busy.values():
                yield from zip(running.portion.numbers, running.worker.halt(running.portion), strict=False)

    def stop(self) -> None:
        """End every worker."""
        for worker in self.workers:
            worker.stop()

    def _portion_size(self) -> int:
        """Return how many jobs a worker gets: few at the end, so that all workers end together."""
        return max(1, min(self._size, self._left // (2 * len(self.workers))))

    def _begin(
        self, idle: list[Worker], busy: dict[Connection, Running], portion: Portion, queue: _Queue
    ) -> Iterator[Numbered]:
        worker, now, limit = idle.pop(), time.monotonic(), portion.limits.seconds
        deadline = None if limit is None else now + limit + PATIENCE
        try:
            busy[worker.begin(portion)] = Running(portion, worker, now, deadline)
        except (EOFError, OSError):
            idle.append(worker)
            yield from self._bury(worker, portion, queue)

    def _hear(
        self, connection: Connection, idle: list[Worker], busy: dict[Connection, Running], queue: _Queue
    ) -> Iterator[Numbered]:
        """Yield the outcomes of jobs whose worker answers or has died."""
        portion, worker, began, _ = busy[connection]
        try:
            reply = connection.recv()
            if not isinstance(reply, Reply):
                return
            outcomes = worker.end(portion, reply)
        except (EOFError, OSError):
            yield from self._bury(worker, portion, queue)
        else:
            yield from zip(portion.numbers, outcomes, strict=False)
            self._adapt(portion, len(outcomes), time.monotonic() - began)
            self._give_back(portion.after(len(outcomes)), queue)
        del busy[connection]
        idle.append(worker)

    def _bury(self, worker: Worker, portion: Portion, queue: _Queue) -> Iterator[Numbered]:
        """Yield the outcome of the only job over which a worker died; several are done again, each alone."""
        outcomes = worker.bury(portion)
        if len(portion.works) == 1:
            yield portion.numbers[0], outcomes[0]
        else:
            self._give_back(portion, queue, alone=True)

    def _give_back(self, portion: Portion, queue: _Queue, alone: bool = False) -> None:
        self._left += len(portion.works)
        queue.give_back(portion, alone)

    def _adapt(self, portion: Portion, done: int, seconds: float) -> None:
        """Make portions larger where a whole one took little time, and smaller where not all of it was done."""
        if done < len(portion.works):
            self._size = done
        elif seconds < portion.enough / 2:
            self._size = min(MOST, max(self._size, 2 * done))


def _end_late(busy: dict[Connection, Running]) -> None:
    """End the workers that do not heed their limits."""
    now = time.monotonic()
    for running in busy.values():
        if running.deadline is not None and now > running.deadline:
            running.worker.kill()


class _Queue:
    """Jobs that nobody does yet: those that came back, then the others, one after the other."""

    def __init__(self, jobs: Iterable[tuple[int, Work]]) -> None:
        self._jobs = iter(jobs)
        self._returned: deque[tuple[int, Work]] = deque()
        self._alone: set[int] = set()  # a worker died over them, together with others

    def take(self, size: int) -> Portion | None:
        """Return the next jobs, at most so many; those with limits come alone."""
        taken: list[tuple[int, Work]] = []
        while len(taken) < size and (coming := self._next()) is not None:
            number, work = coming
            alone = number in self._alone or work.limits.seconds is not None or work.limits.megabytes is not None
            if alone and taken:
                self._returned.appendleft(coming)
                break
            taken.append(coming)
            if alone:
                break
        return Portion(tuple(number for number, _ in taken), tuple(work for _, work in taken)) if taken else None

    def give_back(self, portion: Portion, alone: bool) -> None:
        """Take jobs that were not done; `alone` says that each is to be done by itself."""
        self._returned.extend(zip(portion.numbers, portion.works, strict=True))
        self._alone.update(portion.numbers if alone else ())

    def _next(self) -> tuple[int, Work] | None:
        return self._returned.popleft() if self._returned else next(self._jobs, None)
