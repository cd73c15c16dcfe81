"""What a worker of a cluster does: jobs in a process beside it, one at a time for each of its threads.

The process is kept for the next job.  A job that ends it is tried once more, in a fresh one; one that does it twice is
undecided.  Whoever asked may have all jobs of a run stopped; then each answers what is established.
"""

from __future__ import annotations

from queue import Empty, SimpleQueue

from knaster.base.errors import UsageError
from knaster.jobs.work import Outcome, Work
from knaster.jobs.worker import Worker
from knaster.version import VERSION

TRIES = 2
_idle: SimpleQueue[Worker] = SimpleQueue()
_halted: set[str] = set()


def answer(work: Work, run: str, wanted: str, number: int | None = None) -> Outcome:
    """Do a job; `run` is the command that it belongs to, with its number there, `wanted` the version of Knaster."""
    if wanted != VERSION:
        raise UsageError(f"a worker of the cluster has Knaster {VERSION}, and {wanted} asks")
    if number is not None:
        _write_down(run, number)

    def listen() -> None:
        if run in _halted:
            raise KeyboardInterrupt

    for _ in range(TRIES):
        if run in _halted:
            return work.give_up("not checked, because the command was interrupted")
        worker = _take()
        outcome = worker.do(work, pulse=listen)
        if not worker.died:
            _idle.put(worker)
            return outcome
    return work.give_up(f"it ended its worker {TRIES} times; the last time {worker.died}")


def _write_down(run: str, number: int) -> None:
    """Have the scheduler write down that a job begins: one that only waits while its worker dies is not to blame."""
    from distributed import get_worker
    from distributed.utils import sync

    worker = get_worker()
    sync(worker.loop, worker.scheduler.log_event, topic=run, msg=number)


def halt(run: str) -> None:
    """Have the jobs of a run stopped, those that are being done and those that come."""
    _halted.add(run)


def dismiss() -> None:
    """End the processes that wait for jobs."""
    while (worker := _next_idle()) is not None:
        worker.stop()


def version() -> str:
    """Return the version of Knaster here."""
    return VERSION


def _take() -> Worker:
    return _next_idle() or Worker(apart=True)


def _next_idle() -> Worker | None:
    try:
        return _idle.get_nowait()
    except Empty:
        return None
