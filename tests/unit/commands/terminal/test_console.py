"""What a command looks like on a terminal: colour, progress, the width there is; and what it does not do in a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from support import ROOT
from support.machines import PATIENCE

pty = pytest.importorskip("pty", reason="this system has no terminals")

FIGURE_1 = str(ROOT / "examples" / "figure1.bp")
LINE = "\r\x1b[K"  # what a line of progress begins with, and how it ends
SLOW = """
import sys
from knaster import cli
from knaster.commands.terminal import console
from knaster.jobs import job as jobs

real = jobs._ask


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now


console.time = Clock()


def ask(job, progress, ledger):
    for _ in range(10):  # tenths of the time that it takes
        console.time.now += {seconds} / 10
        if progress is not None:
            progress("7 steps done")
    return real(job, progress, ledger)

jobs._ask = ask
sys.exit(cli.main())
"""


def on_terminal(command: Sequence[str], columns: int = 80, environment: Mapping[str, str] | None = None) -> str:
    """Return what a terminal of a certain width receives from a command."""
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    kept |= {"TERM": "xterm"} | dict(environment or {})
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=kept)
    os.close(theirs)
    received = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so where others say nothing
            part = b""
        if not part:
            break
        received += part
    process.wait(timeout=PATIENCE)
    os.close(ours)
    return received.decode().replace("\r\n", "\n")


def knaster(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "knaster", *arguments]


def test_verdicts_and_errors_have_colour(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.bp"
    wrong.write_text("void main() begin\n  x := T;\nend\n")
    shown = on_terminal(knaster("check", FIGURE_1, "--target", "R", "--trace", "none"))
    assert ": \x1b[1;31mFALSE\x1b[0m. R (line 12) is reachable" in shown
    shown = on_terminal(knaster("check", str(wrong)))
    assert f"\x1b[1;31m{wrong}:2:3: error:\x1b[0m" in shown and "\x1b[36m^\x1b[0m" in shown
    assert "\x1b[1;31mknaster:\x1b[0m" in on_terminal(knaster("check", "missing.bp"))


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_colour_can_be_switched_off(environment: dict[str, str]) -> None:
    shown = on_terminal(knaster("check", FIGURE_1, "--target", "R", "--no-progress"), environment=environment)
    assert "\x1b" not in shown and "FALSE. R (line 12)" in shown


def test_a_pipe_has_no_colour_unless_it_is_asked_for() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    for extra, colour in (({}, False), ({"FORCE_COLOR": "1"}, True)):
        command = knaster("check", FIGURE_1, "--target", "R")
        done = subprocess.run(command, capture_output=True, text=True, env={**environment, **extra})
        assert ("\x1b[1;31mFALSE" in done.stdout) == colour
        document = subprocess.run([*command, "--format=json"], capture_output=True, text=True, env=environment | extra)
        assert "\x1b" not in document.stdout


@pytest.mark.parametrize("columns", [60, 80, 132])
def test_tables_use_the_width_there_is(columns: int, tmp_path: Path) -> None:
    names = [f"variable_{number}" for number in range(12)]
    file = tmp_path / "wide.bp"
    condition = " & ".join(names)
    file.write_text(
        f"decl {', '.join(names)};\nvoid main() begin\n  if ({condition}) then\n    ERROR: skip;\n  fi\nend\n"
    )
    shown = on_terminal(knaster("check", str(file)), columns, {"NO_COLOR": "1"})
    table = shown.split("\n\n")[1].splitlines()
    assert columns - 15 < max(map(len, table)) <= columns
    piped = subprocess.run(knaster("check", str(file)), capture_output=True, text=True).stdout
    assert 65 < max(map(len, piped.split("\n\n")[1].splitlines())) <= 80


def slow(seconds: float, *arguments: str) -> list[str]:
    script = SLOW.format(seconds=seconds)
    return [sys.executable, "-c", script, "check", FIGURE_1, "--target", "R", *arguments]


def test_progress_is_shown_after_two_seconds_without_being_asked() -> None:
    shown = on_terminal(slow(3.5))
    lines = shown.split(LINE)
    said = [re.findall(r": (\d+) s,? ?", line) for line in lines[1:-1]]
    assert said == [["2"], ["2"], ["3"], ["3"], ["4"]]  # after 2.1, 2.45, 2.8, 3.15 and 3.5 seconds
    assert "FALSE" in lines[-1].splitlines()[0]  # the line is gone before the answer comes


def test_progress_at_once_never_or_not_yet() -> None:
    assert LINE in on_terminal(slow(0.5, "--progress"))
    assert LINE not in on_terminal(slow(2.5, "--no-progress"))
    assert LINE not in on_terminal(slow(1.9))


def test_progress_is_silent_in_a_pipe() -> None:
    done = subprocess.run(slow(2.5, "--progress"), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (10, "")
