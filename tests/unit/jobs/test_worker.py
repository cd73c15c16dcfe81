"""Several files with limits: each counts for itself, and what happens to one file happens to no other."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.bdd.store import Store
from support.machines import PATIENCE
from support.trusting import SEQUENTIAL

SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
SCRIPT = """
import hashlib, os, signal, sys, time
from knaster import cli
from knaster.jobs import job as jobs

real = jobs._ask

class Later:
    def monotonic(self):
        return time.monotonic() + 1000


def ask(job, progress, ledger):
    if job.file == "two.bp":
        {action}
    return real(job, progress, ledger)

jobs._ask = ask
sys.exit(cli.main())
"""
FOREVER = 'hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 30)'  # minutes of native code


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"one.bp": SAFE, "two.bp": UNSAFE, "three.bp": UNSAFE}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def start(action: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a check of three files in which `action` happens before the second is checked."""
    script = SCRIPT.format(action=action)
    command = [sys.executable, "-c", script, "check", "one.bp", "two.bp", "three.bp", "--format", "json", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> tuple[int, Any]:
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    return process.returncode, json.loads(out)


def test_a_hard_limit_ends_only_its_file() -> None:
    later = "from knaster.jobs import watchdog; watchdog.time = Later()"
    code, answers = finish(start(f"{later}; {FOREVER}", "--timeout", "99"))
    assert [one["verdict"] for one in answers] == ["TRUE", "UNKNOWN", "FALSE"] and code == 10
    assert answers[1]["reason"] == "the time limit of 99 s was reached"


def test_memory_is_counted_for_each_file() -> None:
    code, answers = finish(start("keep = b'1' * (300 << 20)", "--memory", "200"))
    assert [one["verdict"] for one in answers][::2] == ["TRUE", "FALSE"] and code == 10
    code, answers = finish(start(f"keep = b'1' * (300 << 20); {FOREVER}", "--memory", "200"))
    assert [one["verdict"] for one in answers] == ["TRUE", "UNKNOWN", "FALSE"] and code == 10
    assert answers[1]["reason"] == "the memory limit of 200 MB was reached"


def test_a_process_that_dies_is_replaced() -> None:
    code, answers = finish(start("os.kill(os.getpid(), signal.SIGKILL)", "--timeout", "99"))
    assert [one["verdict"] for one in answers] == ["TRUE", "UNKNOWN", "FALSE"] and code == 10
    assert answers[1]["reason"] == "its process was ended by signal 9"


@pytest.mark.parametrize("stops", [signal.SIGINT, signal.SIGTERM])
def test_control_c_leaves_clean_answers_for_all(stops: signal.Signals) -> None:
    process = start(f"sys.stderr.write('now\\n'); sys.stderr.flush(); {FOREVER}", "--timeout", "99")
    assert process.stderr is not None and process.stderr.readline() == "now\n"
    process.send_signal(stops)
    code, answers = finish(process)  # long before the work would be done
    assert [one["verdict"] for one in answers] == ["TRUE", "UNKNOWN", "UNKNOWN"] and code == 5
    assert answers[1]["reason"] == "interrupted" and "earlier file" in answers[2]["reason"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_files_with_a_limit_share_one_process_that_was_forked() -> None:
    """A fresh interpreter for each made forty files cost 25 times as much."""
    saying = "pass\n    sys.stderr.write(f'{os.getpid()} {os.getppid()}\\n')"
    process = start(saying, "--timeout", "99")
    out, err = process.communicate(timeout=PATIENCE)
    assert [one["verdict"] for one in json.loads(out)] == ["TRUE", "FALSE", "FALSE"]
    pairs = [line.split() for line in err.splitlines()]
    assert len(pairs) == 3 and len({own for own, _ in pairs}) == 1
    assert {int(parent) for _, parent in pairs} == {process.pid}


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_what_a_check_leaves_behind_keeps_no_store_alive(engine: str) -> None:
    """The command line switches the collector off, and a store of BDDs is large."""

    def stores() -> int:
        return sum(isinstance(thing, Store) for thing in gc.get_objects())

    knaster.check(UNSAFE, engine=engine).to_text()
    gc.collect()
    before = stores()
    gc.disable()
    try:
        for text in (SAFE, UNSAFE):
            result = knaster.check(text, engine=engine)
            result.to_json()
            result.to_text()
            del result
        assert stores() == before
    finally:
        gc.enable()
