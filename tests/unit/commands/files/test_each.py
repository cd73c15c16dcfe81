"""Several files of commands that answer for one: each as if it were alone, in order, with one exit code."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from knaster.base.limits import Limits
from knaster.cli import main
from knaster.commands.files.each import CommandWork
from support import ROOT
from support.machines import PATIENCE

Capture = pytest.CaptureFixture[str]
EXAMPLES = ROOT / "examples"
SYSTEMS = [str(EXAMPLES / "calculus" / name) for name in ("ctl.mu", "game.mu", "reachability.mu")]
PROGRAM = str(EXAMPLES / "figure1.bp")
PUSHDOWN = str(EXAMPLES / "pushdown" / "hand-over.pds")
SCRIPT = """
import os, signal, sys
from knaster import cli
from knaster.commands import solve

real = solve.run_one

def run_one(options, console):
    if options.file == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(options, console)

solve.run_one = run_one
sys.exit(cli.main())
"""


def outputs(arguments: list[str], capsys: Capture) -> tuple[int, str, str]:
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    "arguments",
    [["solve", *SYSTEMS], ["project", PROGRAM, PROGRAM, "--target", "R"], ["pushdown", PUSHDOWN, PUSHDOWN, "-j", "1"]],
    ids=lambda arguments: arguments[0],
)
def test_each_file_is_answered_as_if_it_were_alone(arguments: list[str], capsys: Capture) -> None:
    command, files = arguments[0], [argument for argument in arguments[1:] if Path(argument).exists()]
    rest = [argument for argument in arguments[1:] if argument not in files and argument not in ("-j", "1")]
    alone = [outputs([command, file, *rest], capsys)[1] for file in files]
    code, out, err = outputs(arguments, capsys)
    assert out == "".join(f"{file}:\n{text}\n" for file, text in zip(files, alone, strict=True)) + (
        f"{len(files)} files: {len(files)} answered.\n"
    )
    assert (code, err) == (0, "")
    assert outputs([*arguments, "-j", "2"], capsys) == (code, out, err)


def test_json_is_a_list_and_the_worst_code_counts(tmp_path: Path, capsys: Capture) -> None:
    bad, missing = tmp_path / "bad.mu", tmp_path / "missing.mu"
    bad.write_text("bool x(")
    files = [SYSTEMS[2], str(bad), str(missing), SYSTEMS[2]]
    code, out, err = outputs(["solve", *files, "--format", "json", "-j", "2"], capsys)
    answers = json.loads(out)
    assert [one["file"] for one in answers] == files and code == 2
    assert [one["status"] for one in answers] == ["answered", "refused", "refused", "answered"]
    assert "bad.mu:1:" in err and "there is no such file" in err


def test_what_is_for_one_file_is_refused_for_two(capsys: Capture) -> None:
    assert main(["solve", *SYSTEMS, "--plot", "out.svg"]) == 1
    assert main(["project", PROGRAM, PROGRAM, "--format", "html"]) == 1
    assert main(["solve", "-", "-"]) == 1
    errors = capsys.readouterr().err
    assert "--plot is for one file" in errors and "--format html is for one file" in errors
    assert "standard input can be read only once" in errors


def test_standard_input_is_one_of_them(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(Path(SYSTEMS[2]).read_text()))
    code, out, _ = outputs(["solve", "-", SYSTEMS[2]], capsys)
    assert code == 0 and out.startswith("<stdin>:\n") and out.endswith("2 files: 2 answered.\n")


def test_a_worker_that_is_killed_costs_its_file() -> None:
    command = [sys.executable, "-c", SCRIPT, "solve", *SYSTEMS[1:], *SYSTEMS[1:2], SYSTEMS[2], "-j", "2"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 5 and ended.stdout.endswith("4 files: 2 answered, 2 undecided.\n")
    assert ended.stderr == f"{SYSTEMS[1]}: UNKNOWN. Its process was ended by signal 9.\n" * 2


def test_whoever_must_stop_a_command_has_it_say_what_it_knows() -> None:
    attempt = CommandWork("solve", {"format": "text"}, "a.mu", None, Limits()).attempt()
    assert attempt.stop("too late").errors == "a.mu: UNKNOWN. Too late."

    def stop(reason: str) -> int:
        attempt.recorder.write(f"two of three, {reason}\n")
        return 5

    assert attempt.recorder.watches(stop)
    assert attempt.stop("too late")[:3] == ("a.mu", 5, "two of three, too late\n")


def test_engines_are_compared_side_by_side(tmp_path: Path, capsys: Capture) -> None:
    missing = str(tmp_path / "missing.bp")
    arguments = ["compare", PROGRAM, missing, PROGRAM, "--engines", "summaries,pushdown", "--format", "json"]
    alone, spread = (outputs([*arguments, *more], capsys) for more in ([], ["-j", "2"]))
    answers = [json.loads(text) for text in (alone[1], spread[1])]
    for one in (one for answer in answers for one in answer):
        for engine in one.get("engines", ()):
            del engine["seconds"]
    assert answers[0] == answers[1] and alone[0] == spread[0] == 2 and alone[2] == spread[2]


def test_what_does_not_travel_is_refused(tmp_path: Path, capsys: Capture) -> None:
    system, start = tmp_path / "a.pds", tmp_path / "a.init"
    system.write_text(Path(PUSHDOWN).read_text())
    start.write_text("0|1,4")
    assert main(["pushdown", str(system), "--cluster", "local:1"]) == 1
    assert "a.init: does not travel to a cluster; write --init STATE" in capsys.readouterr().err
    assert main(["pushdown", str(system), "--init", "0|1,4", "--post", str(start), "--cluster", "local:1"]) == 1
    assert "--post" in capsys.readouterr().err


def test_a_property_of_several_files(capsys: Capture) -> None:
    automaton = str(EXAMPLES / "properties" / "lock.aut")
    arguments = ["property", str(EXAMPLES / "lock.bp"), PROGRAM, "--automaton", automaton, "--trace", "none"]
    code, out, err = outputs([*arguments, "-j", "2"], capsys)
    assert code == 10 and out.endswith("2 files: 2 answered.\n") and not err
    assert outputs(arguments, capsys) == (code, out, err)
