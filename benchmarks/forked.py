"""Run a command of Knaster in a fork of this process, which has imported what such commands need.

A process of its own as with `benchmarks.harness`, limited and measured alike, but without the start of an interpreter
and its libraries, which the files of one command have in common: half of the processor time of a small question.
Nothing is kept between two commands.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from benchmarks.harness import Run

_LEARN = """
import sys
from knaster.cli import main
for arguments in {commands!r}:
    main(arguments)
print("\\n".join(name for name in sys.modules if name.startswith("knaster")))
"""
_NOT_HERE = ("knaster.bdd", "knaster.views")  # they load BDDs, after which Knaster spawns instead of forking
EXAMPLES = Path(__file__).parents[1] / "examples" / "c"
_ASKED = (("shift.c", "reach"), ("shift.c", "termination"), ("ackermann.c", "termination"), ("aliases.c", "safety"))
_LIBRARIES = ("z3", "bitwuzla", "cvc5", "clang.cindex", "yaml")


@cache
def prepare() -> None:
    """Import here what commands about C programs import that are decided, and answered from a cache the next time."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["--format", "json", "--cache", folder]
        commands = 2 * [["check", str(EXAMPLES / file), "--property", asked, *words] for file, asked in _ASKED]
        script = _LEARN.format(commands=commands)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    learnt = [name for name in done.stdout.splitlines() if name.startswith("knaster") and " " not in name]
    for name in (*_LIBRARIES, *learnt):
        if not name.startswith(_NOT_HERE):
            import_module(name)
    import_module("knaster.frontends.c.clang.library").load_library()
    assert "oxidd.bcdd" not in sys.modules


def run_forked(arguments: Sequence[str], seconds: float) -> Run:
    """Run `knaster ARGUMENTS`, limited by processor time in whole seconds, and by a hundred times as much wall time."""
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        began = time.perf_counter()
        child = os.fork()
        if child == 0:
            _become(arguments, output, errors, math.ceil(seconds))
        late = _wait_until(child, began + 100 * seconds)
        _, status, usage = os.wait4(child, 0)
        exit_code = os.waitstatus_to_exitcode(status)
        return Run(
            time.perf_counter() - began,
            usage.ru_utime + usage.ru_stime,
            0.0,
            exit_code,
            late or exit_code == -signal.SIGXCPU,
            output.read_text(errors="replace") if output.exists() else "",
            errors.read_text(errors="replace") if errors.exists() else "",
        )


def _wait_until(child: int, deadline: float) -> bool:
    """Wait for the end of a process without taking its status; kill it and what it has started after a deadline."""
    pause = 0.002
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.perf_counter() > deadline:
            os.killpg(child, signal.SIGKILL)
            return True
        time.sleep(pause)
        pause = min(0.05, 1.5 * pause)
    return False


def _become(arguments: Sequence[str], output: Path, errors: Path, limit: int) -> NoReturn:
    """Be the command."""
    code = 70
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        writable = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        places = ((os.devnull, os.O_RDONLY, 0), (str(output), writable, 1), (str(errors), writable, 2))
        for path, flags, descriptor in places:
            os.dup2(os.open(path, flags), descriptor)
        sys.argv[1:] = arguments
        from knaster.cli import main

        code = main()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)
