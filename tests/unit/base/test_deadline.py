"""A deadline ends Python code that looks at no clock, and nothing arrives afterwards."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

import knaster
from knaster import Limits
from knaster.base import deadline
from knaster.base.deadline import within_time
from knaster.base.limits import Budget, OutOfTime
from knaster.cli import main
from knaster.decide.asked import Source


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "GRACE", 0.0)


def endless() -> None:
    for _ in itertools.count():
        pass


def test_endless_work_ends() -> None:
    with pytest.raises(OutOfTime, match=r"the time limit of 0.01 s was reached while counting"):
        within_time(Budget(0.01), "counting", endless)


def test_whoever_catches_it_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def stubborn() -> None:
        try:
            endless()
        except OutOfTime:
            endless()

    monkeypatch.setattr(deadline, "_AGAIN", (0.01,))
    with pytest.raises(OutOfTime):
        within_time(Budget(0.01), "counting", stubborn)


@pytest.mark.parametrize("seconds", [None, 1e6, 1e300])
def test_nothing_happens_in_time(seconds: float | None) -> None:
    before = threading.active_count()
    during = within_time(Budget(seconds), "counting", threading.active_count)
    assert during == before + (seconds is not None) and threading.active_count() == before


@pytest.mark.parametrize("seconds", [0, 0.0001])
def test_nothing_arrives_afterwards(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """An alarm that nobody stops would ring again at once."""
    monkeypatch.setattr(deadline, "_AGAIN", (0.05,) * 3)
    before = threading.active_count()
    for _ in range(200):
        with suppress(OutOfTime):
            within_time(Budget(seconds), "counting", lambda: sum(range(1_000)))
        assert threading.active_count() == before
        assert sum(range(1_000)) == 499_500


PROFILED_AFTERWARDS = """
import faulthandler, sys
from knaster.base import deadline
from knaster.base.limits import Budget, OutOfTime
faulthandler.dump_traceback_later(100, exit=True)
deadline.GRACE = 0.0
for seconds in (0.0001, 1000):
    try:
        deadline.within_time(Budget(seconds), "counting", lambda: sum(range(1_000_000)))
    except OutOfTime:
        pass
calls = []
sys.setprofile(lambda frame, event, argument: calls.append(event))
(lambda: None)()
sys.setprofile(None)
print(len(calls))
"""


def test_the_interpreter_looks_for_nothing_afterwards() -> None:
    """An error that was taken back left CPython 3.11 looking for it for ever as soon as a profiler was set."""
    process = subprocess.run([sys.executable, "-c", PROFILED_AFTERWARDS], capture_output=True, text=True, check=False)
    assert process.returncode == 0 and process.stdout.strip() == "3", process.stderr


def test_other_errors_stay_what_they_are() -> None:
    def wrong() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        within_time(Budget(1e6), "counting", wrong)


def test_a_text_that_is_never_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the library, too: nobody watches there."""
    monkeypatch.setattr(Source, "read", lambda _: endless())
    with pytest.raises(OutOfTime, match="while the program was read"):
        knaster.check("void main() begin\nend\n", limits=Limits(0.01))
    monkeypatch.chdir(tmp_path)
    Path("x.bp").write_text("")
    assert main(["check", "x.bp", "--timeout", "0.01"]) == 5
    assert capsys.readouterr().out.startswith("x.bp: UNKNOWN. The time limit of 0.01 s was reached while the program")
