"""Several workers at once: the same output in the same order, and what happens to one file happens to no other."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from knaster.base.limits import Limits
from knaster.cli import main
from knaster.jobs.pool import Pool
from knaster.jobs.portion import Portion
from support.deadly_work import DeadlyWork
from support.machines import PATIENCE

SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
SCRIPT = """
import os, signal, sys, time
from knaster import cli
from knaster.jobs import job as jobs

real = jobs._ask

def ask(job, progress, ledger):
    if job.file == "two.bp":
        {action}
    return real(job, progress, ledger)

jobs._ask = ask
sys.exit(cli.main())
"""
FILES = ["one.bp", "two.bp", "three.bp", "bad.bp", "missing.bp"]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"one.bp": SAFE, "two.bp": UNSAFE, "three.bp": UNSAFE, "bad.bp": "x"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def start(action: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT.format(action=action), "check", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> tuple[int, Any]:
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    return process.returncode, json.loads(out)


@pytest.mark.parametrize("arguments", [[], ["--trace", "full", "--timeout", "100000"], ["--format", "github"]])
def test_the_output_is_that_of_one_after_the_other(arguments: list[str], capsys: Capture) -> None:
    assert main(["check", *FILES, *arguments]) == 2
    alone = capsys.readouterr()
    assert main(["check", *FILES, *arguments, "-j", "2"]) == 2
    assert capsys.readouterr() == alone


def test_a_worker_that_is_killed_costs_its_file(capsys: Capture) -> None:
    kill = "os.kill(os.getpid(), signal.SIGKILL)"
    code, answers = finish(start(kill, *FILES[:3], *FILES[:1] * 3, "-j", "2", "--format", "json"))
    assert [one["verdict"] for one in answers] == ["TRUE", "UNKNOWN", "FALSE", "TRUE", "TRUE", "TRUE"] and code == 10
    assert answers[1]["reason"] == "its process was ended by signal 9"


def test_control_c_keeps_what_is_there() -> None:
    process = start(
        "print('waits', file=sys.stderr, flush=True); time.sleep(99)", *FILES[:3], "-j", "2", "--format", "json"
    )
    assert process.stderr is not None and process.stderr.readline() == "waits\n"
    process.send_signal(signal.SIGINT)
    code, answers = finish(process)
    assert len(answers) == 3 and answers[1]["verdict"] == "UNKNOWN" and "interrupted" in answers[1]["reason"]
    assert code in (5, 10)


def test_as_many_as_there_are_processors(capsys: Capture) -> None:
    assert main(["check", "one.bp", "one.bp", "-j", "0"]) == 0
    assert capsys.readouterr().out.endswith("2 files: 2 TRUE.\n")
    with pytest.raises(SystemExit):
        main(["check", "one.bp", "-j", "many"])


def test_a_worker_has_its_next_job_before_anybody_looks_at_the_last_answer(tmp_path: Path) -> None:
    pool, begun = Pool(1), tmp_path / "begun"
    answers = pool.run(enumerate(DeadlyWork(f"{number}.bp", str(begun)) for number in range(3)))
    try:
        assert next(answers)[0] == 0
        deadline = time.monotonic() + PATIENCE
        while len(begun.read_text().splitlines()) < 2:  # nobody has asked for the second answer yet
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert [number for number, _ in answers] == [1, 2]
    finally:
        pool.stop()


def run_all(pool: Pool, works: list[DeadlyWork]) -> dict[int, str]:
    try:
        return {number: outcome.output for number, outcome in pool.run(enumerate(works))}
    finally:
        pool.stop()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No portion takes too long, however busy the machine is."""
    monkeypatch.setattr("knaster.jobs.pool.Portion", partial(Portion, enough=PATIENCE))


def test_a_worker_that_dies_over_several_files_costs_one(tmp_path: Path, patient: None) -> None:
    works = [DeadlyWork(f"{number}.bp", str(tmp_path / f"{number}"), deaths=99 * (number == 9)) for number in range(40)]
    outcomes = run_all(Pool(1, len(works)), works)
    assert {number for number, output in outcomes.items() if output != "answered"} == {9} and len(outcomes) == 40
    assert outcomes[9] == "nothing: its process was ended by signal 9"
    begun = [len((tmp_path / f"{number}").read_text().splitlines()) for number in range(40)]
    assert begun[9] == 2 and begun[7] == 2 and begun[0] == 1  # the ninth was in a portion, and again alone


def test_files_with_limits_come_alone(tmp_path: Path, patient: None) -> None:
    limited = Limits(seconds=PATIENCE)
    works = [DeadlyWork(f"{number}.bp", str(tmp_path / f"{number}"), limits=limited) for number in range(12)]
    works[5] = works[5]._replace(deaths=99)
    outcomes = run_all(Pool(1, len(works)), works)
    assert outcomes[5] == "nothing: its process was ended by signal 9"
    assert all(len((tmp_path / f"{number}").read_text().splitlines()) == 1 for number in range(12))


def test_what_a_worker_gives_back_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def size(pool: Pool) -> int:
        sizes.append(pool._size)
        return 8

    monkeypatch.setattr(Pool, "_portion_size", size)
    monkeypatch.setattr("knaster.jobs.pool.Portion", partial(Portion, enough=0.0))
    works = [DeadlyWork(f"{number}.bp", str(tmp_path / f"{number}")) for number in range(20)]
    outcomes = run_all(Pool(2, len(works)), works)
    assert sorted(outcomes) == list(range(20)) and set(outcomes.values()) == {"answered"} and set(sizes) == {1}
    assert all(len((tmp_path / f"{number}").read_text().splitlines()) == 1 for number in range(20))


def test_control_c_while_an_answer_is_written_comes_after_it(tmp_path: Path) -> None:
    pool = Pool(1)
    works = [DeadlyWork(f"{number}.bp", str(tmp_path / "begun"), waits=number == 1) for number in range(3)]
    outcomes: dict[int, str] = {}
    try:
        for number, outcome in pool.run(enumerate(works)):
            if number == 0:
                signal.raise_signal(signal.SIGINT)
            outcomes[number] = outcome.output  # is written whole
    finally:
        pool.stop()
    assert pool.interrupted and outcomes[0] == "answered" and sorted(outcomes) == [0, 1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
