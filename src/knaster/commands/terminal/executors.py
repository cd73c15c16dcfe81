"""Who does the jobs of a command: processes of this machine (`-j`) or a cluster (`--cluster`)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from knaster.commands.terminal.interruption import whole_number
from knaster.jobs.work import Outcome, Work


class Executor(Protocol):
    """Does jobs, several at once."""

    interrupted: bool

    def run(
        self, jobs: Iterable[tuple[int, Work]], pulse: Callable[[], None] | None = None
    ) -> Iterator[tuple[int, Outcome]]:
        """Yield the number and the outcome of each job as it ends; at Ctrl-C what is established, and no more jobs."""

    def stop(self) -> None:
        """End everything that was started."""


def add_jobs(parser: argparse._ActionsContainer, alone: str = "") -> None:
    """Declare `-j`; `alone` says what it means for one file."""
    about = f"N files at once{alone}; 0 means as many as there are processors"
    parser.add_argument("-j", "--jobs", type=whole_number, metavar="N", help=about)


def add_cluster(parser: argparse._ActionsContainer) -> None:
    """Declare `--cluster`."""
    about = "do it on a cluster: the scheduler of dask.distributed at this address, or N workers here"
    parser.add_argument("--cluster", metavar="ADDRESS|local:N", help=about)


def executor_of(options: argparse.Namespace, count: int) -> Executor:
    """Return who does so many jobs."""
    if options.cluster is not None:
        from knaster.jobs.cluster import Cluster

        return Cluster(options.cluster)
    from knaster.jobs.pool import Pool

    return Pool(min(count_processes(options), max(1, count)), count)


def count_processes(options: argparse.Namespace) -> int:
    """Return how many processes `-j` allows."""
    import os

    return 1 if options.jobs is None else options.jobs or os.cpu_count() or 1
