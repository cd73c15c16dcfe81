"""Whatever ends a job, what was established before is its answer: under a watchdog, at Ctrl-C, in a worker."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from knaster.base.limits import Limits
from knaster.decide.asked import Asked, Evidence, How
from knaster.evidence.answers.ledger import Ledger
from knaster.jobs.job import Job, do_job, stop_job
from knaster.report.formats import FORMATS, Style
from support.machines import PATIENCE

TEXT = """decl g; init (!g);
void main_1() begin A: g := T; end
void main_2() begin assume(g); B: skip; assume(F); C: skip; end
"""
SCRIPT = """
import hashlib, os, signal, sys, time

from knaster import cli
from knaster.engines.table import ENGINES
from knaster.evidence.questions.question import Bound

def run(task):
    a, b, c = task.targets
    task.ledger.note({{a: 0, b: 1}}, Bound("switches", 3))
    os.kill({process}, signal.SIGINT)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 30)  # minutes of native code

ENGINES["states"] = ENGINES["states"]._replace(run=run)
sys.exit(cli.main())
"""
ASK = ["--target", "A", "--target", "B", "--target", "C", "--engine", "states", "--format", "json"]


def stopped(folder: Path, process: str, *arguments: str) -> tuple[int, Any]:
    """Return the exit code and the documents of a check that hears Ctrl-C while native code runs."""
    (folder / "a.bp").write_text(TEXT)
    command = [sys.executable, "-c", SCRIPT.format(process=process), "check", *arguments, *ASK]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    assert not done.stderr
    return done.returncode, json.loads(done.stdout)


def check_document(document: Any) -> None:
    assert (document["verdict"], document["status"], document["reason"]) == ("FALSE", "answered", "A is reachable")
    said = [(target["reachable"], target["least"], target["checked"]) for target in document["targets"]]
    assert said == [(True, 0, False), (True, 1, False), (None, None, False)]
    assert document["bound"] == {"kind": "switches", "asked": None, "covered": 3}
    assert "not checked: interrupted" in document["notes"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_the_watchdog_says_what_is_known(tmp_path: Path) -> None:
    code, document = stopped(tmp_path, "os.getpid()", "a.bp")
    assert code == 10
    check_document(document)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_a_worker_says_what_is_known(tmp_path: Path) -> None:
    code, documents = stopped(tmp_path, "os.getppid()", "a.bp", "a.bp", "--timeout", "1000")
    assert code == 10
    check_document(documents[0])
    assert documents[1]["reason"] == "not checked, because an earlier file was interrupted"


def job(**choices: Any) -> Job:
    return Job("a.bp", TEXT, Asked.of("all-labels"), How(), Limits(), Evidence(), **choices)


def test_a_job_can_be_sent_elsewhere() -> None:
    assert pickle.loads(pickle.dumps(job())) == job()
    assert do_job(pickle.loads(pickle.dumps(job()))) == do_job(job())


@pytest.mark.parametrize("format", FORMATS)
def test_a_job_that_is_stopped_at_once(format: str) -> None:
    outcome = stop_job(job(format=format, style=Style()), "interrupted", Ledger())
    assert outcome.code == 5 and "nterrupted" in outcome.output + outcome.errors
