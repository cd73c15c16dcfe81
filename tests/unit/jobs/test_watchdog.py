"""The watchdog speaks when nobody else can: during an operation that no signal interrupts."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from knaster.jobs.watchdog import Watchdog
from support.machines import PATIENCE, wait_until_busy

SCRIPT = """
import hashlib, os, sys
from knaster.jobs.watchdog import Watchdog

def give_up(reason):
    sys.stdout.write(reason)
    sys.stdout.flush()
    os._exit(5)

print("ready", flush=True)
with Watchdog(give_up, {limits}):
    hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 30)   # minutes of native code that releases the interpreter's lock
"""


def start(limits: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(limits=limits)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def test_the_clock_ends_a_native_operation() -> None:
    process = start("seconds=0.1")
    assert process.communicate(timeout=PATIENCE)[0] == "the time limit of 0.1 s was reached"
    assert process.returncode == 5


def test_memory_ends_a_native_operation() -> None:
    process = start("megabytes=1")
    assert process.communicate(timeout=PATIENCE)[0] == "the memory limit of 1 MB was reached"
    assert process.returncode == 5


def test_control_c_ends_a_native_operation() -> None:
    process = start("")
    wait_until_busy(process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[0] == "interrupted"
    assert process.returncode == 5


def test_it_is_silent_when_the_work_is_done_in_time() -> None:
    said: list[str] = []
    with Watchdog(said.append, seconds=60, megabytes=1 << 20) as watchdog:
        pass
    time.sleep(0.01)
    assert not said and not watchdog.interrupted


def test_it_leaves_signals_as_they_were() -> None:
    before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(before)
    with Watchdog(lambda reason: None):
        pass
    assert signal.set_wakeup_fd(before) == before


def test_a_limit_that_is_noticed_in_time_needs_no_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.jobs.watchdog.GRACE", 1000.0)
    said: list[str] = []
    with Watchdog(said.append, seconds=0.01):
        time.sleep(0.5)  # longer than the limit, shorter than the grace
    assert not said


LOST = """
import sys, time
from knaster.jobs.watchdog import Watchdog

class Interrupted:
    def __del__(self):
        raise {error}

def give_up(reason):
    pass

with Watchdog(give_up):
    Interrupted()
print("done")
"""


def test_an_interrupt_that_python_loses_prints_nothing() -> None:
    for error, printed in (("KeyboardInterrupt", False), ("ValueError", True)):
        done = subprocess.run(
            [sys.executable, "-c", LOST.format(error=error)], capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.stdout == "done\n" and ("Exception ignored" in done.stderr) == printed


class _HalfMade:
    def __del__(self) -> None:
        raise AttributeError("there is no context")


def test_what_is_half_made_when_ctrl_c_arrives_is_destroyed_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.unraisablehook
    sys.unraisablehook = sys.__unraisablehook__
    try:
        left = [_HalfMade()]
        with pytest.raises(KeyboardInterrupt), Watchdog(lambda reason: None) as watchdog:
            signal.raise_signal(signal.SIGINT)
        assert watchdog.interrupted
        left.clear()  # after the work was left
        assert capsys.readouterr().err == ""
        sys.unraisablehook = sys.__unraisablehook__
        with Watchdog(lambda reason: None):
            left.append(_HalfMade())
            left.clear()  # a mistake of its own is said
        assert "there is no context" in capsys.readouterr().err
        assert sys.unraisablehook is sys.__unraisablehook__
    finally:
        sys.unraisablehook = before


def test_what_is_raised_after_ctrl_c_is_the_interruption() -> None:
    before = sys.unraisablehook
    try:
        with pytest.raises(KeyboardInterrupt) as raised, Watchdog(lambda reason: None):
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise TypeError("argument 2: KeyboardInterrupt") from None  # as ctypes does
        assert isinstance(raised.value.__cause__, TypeError)
        with pytest.raises(TypeError), Watchdog(lambda reason: None):
            raise TypeError("a mistake")
    finally:
        sys.unraisablehook = before
