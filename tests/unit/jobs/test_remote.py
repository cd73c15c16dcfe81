"""What a worker of a cluster does with a job: hard limits, one more try, and a word that stops all of a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from knaster.base.errors import UsageError
from knaster.base.exits import ExitCode
from knaster.jobs import remote
from knaster.version import VERSION
from support.deadly_work import DeadlyWork


@pytest.fixture(autouse=True)
def _end_processes() -> Iterator[None]:
    yield
    remote.dismiss()


def test_a_job_that_ends_its_process_is_tried_once_more(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    assert remote.answer(DeadlyWork("f", str(counter), deaths=1), "run", VERSION).output == "answered"
    assert len(counter.read_text().splitlines()) == 2


def test_a_job_that_ends_its_process_twice_is_undecided(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    outcome = remote.answer(DeadlyWork("f", str(counter), deaths=9), "run", VERSION)
    assert outcome.code == ExitCode.UNDECIDED
    assert outcome.output == "nothing: it ended its worker 2 times; the last time by signal 9"
    assert len(counter.read_text().splitlines()) == 2


def test_the_process_is_kept_for_the_next_job(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    for _ in range(2):
        remote.answer(DeadlyWork("f", str(counter)), "run", VERSION)
    first, second = counter.read_text().splitlines()
    assert first == second


def test_a_run_is_stopped_and_says_what_is_established(tmp_path: Path) -> None:
    counter = tmp_path / "counter"

    def halt() -> None:
        while not counter.exists():
            time.sleep(0.05)
        remote.halt("stopped run")

    thread = threading.Thread(target=halt)
    thread.start()
    work = DeadlyWork("f", str(counter), waits=True)
    assert remote.answer(work, "stopped run", VERSION).output == "stopped: interrupted"
    thread.join()
    assert "interrupted" in remote.answer(work, "stopped run", VERSION).output


def test_another_version_is_refused(tmp_path: Path) -> None:
    assert remote.version() == VERSION
    with pytest.raises(UsageError, match=f"a worker of the cluster has Knaster {VERSION}, and 0.0.1 asks"):
        remote.answer(DeadlyWork("f", str(tmp_path / "counter")), "run", "0.0.1")
