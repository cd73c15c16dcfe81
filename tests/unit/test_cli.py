"""The command line as a user meets it: exit codes, messages, and what goes where."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from knaster.base.errors import InternalError
from knaster.base.exits import ExitCode, worst
from knaster.cli import main
from knaster.commands.table import COMMANDS
from knaster.decide import check as pipeline
from knaster.report.json import schema
from support import ROOT
from support.machines import PATIENCE, wait_until_busy

FIGURE_1 = str(ROOT / "examples" / "figure1.bp")
SAFE = "void main() begin\n  decl x;\n  x := T;\n  assert(x);\nend\n"
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file of each kind, which is also the current one."""
    (tmp_path / "safe.bp").write_text(SAFE)
    (tmp_path / "unsafe.bp").write_text(UNSAFE)
    (tmp_path / "wrong.bp").write_text("void main() begin\n  x := T;\n  goto L;\nend\n")
    (tmp_path / "empty.bp").write_text("")
    (tmp_path / "binary.bp").write_bytes(bytes(range(256)))
    (tmp_path / "crlf.bp").write_bytes(SAFE.replace("\n", "\r\n").encode())
    (tmp_path / "bom.bp").write_bytes(b"\xef\xbb\xbf" + SAFE.encode())
    (tmp_path / "latin.bp").write_bytes(b"// caf\xe9\n" + SAFE.encode())
    (tmp_path / "no_main.bp").write_text("void f() begin skip; end\n")
    (tmp_path / "no_target.bp").write_text("void main() begin skip; end\n")
    (tmp_path / "threads.bp").write_text("void main() begin start_thread f(); end\nvoid f() begin ERROR: skip; end\n")
    (tmp_path / "hard.bp").write_text(hard(26))
    (tmp_path / "folder.bp").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hard(pairs: int) -> str:
    """Return a program whose only guard is exponential in the order of declaration."""
    first, second = ([f"{letter}{index}" for index in range(pairs)] for letter in "xy")
    guard = " & ".join(f"({a} = {b})" for a, b in zip(first, second, strict=True))
    return f"void main() begin\n  decl {', '.join(first + second)};\n  assume({guard});\n  assert(x0);\nend\n"


def validated(text: str) -> Any:
    document = json.loads(text)
    jsonschema.Draft202012Validator(schema()).validate(document)
    return document


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("safe", 0),
        ("unsafe", 10),
        ("wrong", 2),
        ("empty", 2),
        ("binary", 2),
        ("crlf", 0),
        ("bom", 0),
        ("latin", 0),
        ("no_main", 2),
        ("no_target", 1),
        ("threads", 10),
        ("folder", 2),
        ("missing", 2),
    ],
)
def test_each_kind_of_file_has_its_exit_code(files: Path, capsys: Capture, name: str, code: int) -> None:
    assert main(["check", f"{name}.bp"]) == code
    out, err = capsys.readouterr()
    assert (out == "") == (code in (1, 2))
    assert (err == "") == (code not in (1, 2))
    assert f"{name}.bp" in out + err and "Traceback" not in err
    assert main(["check", f"{name}.bp", "--format", "json"]) == code
    document = validated(capsys.readouterr().out)
    assert document["file"] == f"{name}.bp"
    assert document["verdict"] == {0: "TRUE", 10: "FALSE"}.get(code, "UNKNOWN")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root can read every file")
def test_an_unreadable_file_is_refused(files: Path, capsys: Capture) -> None:
    (files / "safe.bp").chmod(0)
    assert main(["check", "safe.bp"]) == 2
    assert "safe.bp" in capsys.readouterr().err


def test_errors_are_data_in_json(files: Path, capsys: Capture) -> None:
    assert main(["check", "wrong.bp", "--format=json"]) == 2
    errors = validated(capsys.readouterr().out)["errors"]
    assert {error["line"] for error in errors} == {2, 3}


def test_figure_1_in_json(capsys: Capture) -> None:
    assert main(["check", FIGURE_1, "--target", "R", "--format", "json"]) == 10
    document = validated(capsys.readouterr().out)
    (target,) = document["targets"]
    assert (target["name"], target["line"], target["reachable"]) == ("R", 12, True)
    trace = target["trace"]
    assert [entry["line"] for entry in trace] == [6, 7, 20, 21, 20, 24, 22, 8, 9, 20, 21, 20, 24, 22, 10, 11, 12]
    assert trace[0]["state"] == {"g": 1}
    assert all(trace[index]["state"] == {"g": 1, "h": 0} for index in (1, 7, 8, 14, 15, 16))
    assert trace[2]["state"] == trace[6]["state"] == {"g": 1, "a1": 1, "a2": 0}
    assert trace[4]["state"] == trace[5]["state"] == {"g": 1, "a1": 0, "a2": 1}
    assert [entry["edge"] for entry in trace[:6]] == ["assign", "call", "assume", "call", "assume", "assign"]
    assert trace[16] == {
        "line": 12,
        "column": 12,
        "procedure": "main",
        "depth": 0,
        "thread": 1,
        "context": 0,
        "edge": "target",
        "state": {"g": 1, "h": 0},
    }


@pytest.mark.parametrize("form", ["full", "calls", "none"])
def test_forms_of_traces_in_json(capsys: Capture, form: str) -> None:
    assert main(["check", FIGURE_1, "--target", "R", "--format", "json", "--trace", form]) == 10
    trace = validated(capsys.readouterr().out)["targets"][0]["trace"]
    assert {"full": 17, "calls": 7, "none": 0}[form] == len(trace or ())


def test_all_labels_and_several_targets(capsys: Capture) -> None:
    assert main(["check", FIGURE_1, "--target", "all-labels", "--target", "figure1.bp:14", "--format", "json"]) == 10
    names = [target["name"] for target in validated(capsys.readouterr().out)["targets"]]
    assert names == ["R", "ERROR", "line 14"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chek"],
        ["check", FIGURE_1, "--nonsense"],
        ["check", FIGURE_1, "--timeout", "0"],
        ["check", FIGURE_1, "--timeout", "soon"],
        ["check", FIGURE_1, "--memory", "-1"],
        ["check", FIGURE_1, "--format", "xml"],
        ["show", FIGURE_1, "--as", "poem"],
    ],
)
def test_a_wrong_command_line_ends_with_1(capsys: Capture, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 1
    out, err = capsys.readouterr()
    assert not out and "--help" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "Q"], "there is no target 'Q'"),
        (["--target", "figure1.bp:13"], "line 12"),
        (["--engine", "magic"], "summaries"),
        (["--dialect", "magic"], "boppo"),
    ],
)
def test_a_request_that_makes_no_sense_says_what_would(capsys: Capture, arguments: list[str], words: str) -> None:
    assert main(["check", FIGURE_1, *arguments]) == 1
    assert words in capsys.readouterr().err


def test_several_files_get_a_line_each_and_a_summary(files: Path, capsys: Capture) -> None:
    assert main(["check", "safe.bp", "unsafe.bp", "crlf.bp"]) == 10
    assert capsys.readouterr().out.splitlines() == [
        "safe.bp: TRUE. Assert at line 4 cannot fail (proof checked by the kernel).",
        "unsafe.bp: FALSE. Assert at line 3 can fail (trace replayed).",
        "crlf.bp: TRUE. Assert at line 4 cannot fail (proof checked by the kernel).",
        "3 files: 2 TRUE, 1 FALSE.",
    ]
    assert main(["check", "safe.bp", "wrong.bp", "unsafe.bp"]) == 2
    assert capsys.readouterr().out.splitlines()[1:] == [
        "wrong.bp: REFUSED. The reason is on standard error.",
        "unsafe.bp: FALSE. Assert at line 3 can fail (trace replayed).",
        "3 files: 1 TRUE, 1 FALSE, 1 refused.",
    ]


def test_several_files_are_a_list_in_json(files: Path, capsys: Capture) -> None:
    assert main(["check", "safe.bp", "wrong.bp", "unsafe.bp", "--format", "json"]) == 2
    assert [one["verdict"] for one in validated(capsys.readouterr().out)] == ["TRUE", "UNKNOWN", "FALSE"]


SLOW = """
import itertools, sys
from knaster import cli
from knaster.base import limits
from knaster.jobs import job as jobs

real, clock = jobs._ask, limits.clock


def ask(job, progress, ledger):
    seconds = itertools.count(step=100)
    limits.clock = (lambda: float(next(seconds))) if job.file == "slow.bp" else clock
    return real(job, progress, ledger)


jobs._ask = ask
sys.exit(cli.main())
"""


def run_slowly(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process where every look at the clock is 100 seconds later while slow.bp is checked."""
    Path("slow.bp").write_text(UNSAFE.replace("  assert", "  x := !x;\n" * 50 + "  assert"))
    command = [sys.executable, "-c", SLOW, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def test_several_files_with_a_limit_are_checked_apart(files: Path) -> None:
    process = run_slowly("check", "safe.bp", "slow.bp", "wrong.bp", "unsafe.bp", "--timeout", "99", "--format", "json")
    answers = validated(process.stdout)
    assert [one["verdict"] for one in answers] == ["TRUE", "UNKNOWN", "UNKNOWN", "FALSE"]
    assert answers[1]["reason"] == "the time limit of 99 s was reached" and process.returncode == 2


def test_a_limit_gives_unknown_and_its_reason(files: Path) -> None:
    process = run_slowly("check", "slow.bp", "--timeout", "99.5")
    assert process.returncode == 5
    assert process.stdout == "slow.bp: UNKNOWN. The time limit of 99.5 s was reached.\n"


@pytest.mark.parametrize("stops", [signal.SIGINT, signal.SIGTERM])
def test_control_c_gives_unknown_and_exit_code_5(stops: signal.Signals, files: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "knaster",
        "check",
        "hard.bp",
        "safe.bp",
        "--order",
        "declaration",
        "--format=json",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until_busy(process)
    process.send_signal(stops)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 5 and "Traceback" not in err
    answers = validated(out)
    assert [one["verdict"] for one in answers] == ["UNKNOWN", "UNKNOWN"]
    assert answers[0]["reason"] == "interrupted"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "knaster", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=PATIENCE)


def test_a_reader_that_goes_away_is_no_error(files: Path) -> None:
    (files / "long.bp").write_text("void main() begin\n" + "  skip;\n" * 5000 + "  ERROR: skip;\nend\n")
    command = f"'{sys.executable}' -m knaster check long.bp --trace full | head -n 1; exit ${{PIPESTATUS[0]}}"
    process = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    assert process.returncode == 10
    assert process.stdout == "long.bp: FALSE. ERROR (line 5002) is reachable (trace replayed).\n"
    assert process.stderr == ""


def test_progress_is_silent_in_a_pipe(files: Path) -> None:
    process = run("check", "unsafe.bp", "--progress")
    assert process.returncode == 10 and process.stderr == ""


def test_our_own_fault_is_6_and_asks_for_a_report(
    files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise InternalError("a trace does not replay")

    monkeypatch.setattr(pipeline, "check", broken)
    monkeypatch.delenv("KNASTER_DEBUG", raising=False)
    assert main(["check", "safe.bp"]) == 6
    err = capsys.readouterr().err
    assert "a trace does not replay" in err and "report" in err and "Traceback" not in err
    monkeypatch.setenv("KNASTER_DEBUG", "1")
    with pytest.raises(InternalError):
        main(["check", "safe.bp"])


def test_no_memory_is_unknown(files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(pipeline, "check", greedy)
    assert main(["check", "safe.bp"]) == 5


def test_the_worst_code_counts() -> None:
    order = [ExitCode.UNREACHABLE, 5, 10, 1, 2, 6]
    for index, code in enumerate(order):
        assert worst(order[: index + 1]) == code
    assert worst([]) == 0


@pytest.mark.parametrize("form", ["source", "cfg", "dot", "svg"])
def test_show(capsys: Capture, form: str) -> None:
    assert main(["show", FIGURE_1, "--as", form]) == 0
    out = capsys.readouterr().out
    assert "a1" in out and out.endswith("\n")


def test_shown_source_is_read_again(files: Path, capsys: Capture) -> None:
    assert main(["show", FIGURE_1]) == 0
    (files / "again.bp").write_text(capsys.readouterr().out)
    assert main(["check", "again.bp", "--target", "R"]) == 10


def test_show_refuses_what_check_refuses(files: Path, capsys: Capture) -> None:
    for name in ("wrong", "binary", "folder", "missing"):
        assert main(["show", f"{name}.bp"]) == 2
        assert f"{name}.bp" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_fits_80_columns(capsys: Capture, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as end:
        main([*command, "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert "None" not in text  # a description that is not there


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
def test_help_imports_no_engine(arguments: list[str]) -> None:
    code = f"import sys\ntry:\n    import knaster.cli\n    knaster.cli.main({arguments})\nfinally:\n    "
    code += "sys.stderr.write(' '.join(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    loaded = process.stderr.split()
    assert "knaster.cli" in loaded
    assert not {"oxidd.bcdd", "knaster.decide.check", "knaster.program.model", "json", "subprocess"} & set(loaded)


def test_a_small_check_imports_nothing_that_it_does_not_need() -> None:
    code = f"import sys, knaster.cli\nknaster.cli.main(['check', {FIGURE_1!r}, '--target', 'R'])\n"
    code += "sys.stderr.write(' '.join(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    loaded = set(process.stderr.split())
    needless = {"queue", "locale", "json", "subprocess", "multiprocessing", "dataclasses", "inspect", "z3"}
    ours = {"program.evaluate", "program.memory", "program.checks.step_checks", "views.summaries.forced_runs"}
    assert "knaster.checkers.runs.replay" in loaded
    assert not loaded & (needless | {f"knaster.{name}" for name in ours})


def test_a_cached_answer_about_c_needs_no_bdds(tmp_path: Path) -> None:
    file = ROOT / "examples" / "c" / "shift.c"
    command = ["check", str(file), "--cache", str(tmp_path)]
    code = f"import sys, knaster.cli\nfor _ in 'ab':\n    knaster.cli.main({command})\n"
    code += "sys.stderr.write(' '.join(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    loaded = set(process.stderr.split())
    assert "from the cache" in process.stdout and "knaster.checkers.files" in loaded and "oxidd.bcdd" not in loaded


def test_version(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0 and capsys.readouterr().out.startswith("knaster ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chek", "safe.bp"], "there is no command 'chek'; did you mean 'check'?"),
        (["check", FIGURE_1, "--tmeout=4"], "unknown option '--tmeout'; did you mean '--timeout'?"),
        (["show", FIGURE_1, "other.bp"], "unexpected argument 'other.bp'"),
        (["check", FIGURE_1, "--timeout", "soon"], "'soon' is no positive number"),
        (["solve", FIGURE_1, "--memory", "0"], "'0' is no positive whole number"),
    ],
)
def test_a_slip_on_the_command_line_gets_a_hint(capsys: Capture, arguments: list[str], words: str) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert words in capsys.readouterr().err
