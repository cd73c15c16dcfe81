"""`knaster solve`: output, exit codes, pictures, limits."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from knaster.cli import main
from support.machines import PATIENCE, count_looks

REACH = """
enum S { 0..7 };
bool T(S s, S t) t = s + 1;
mu bool Reach(S s) s = 0 | (exists S t. Reach(t) & T(t, s));
#print "how many?";
#ons Reach;
#size Reach;
Reach(7);
exists S s. ! Reach(s);
"""
SLOW = "enum S { 0..4194303 }; mu bool R(S s) s = 0 | (exists S t. R(t) & s = t + 1); 1; #ons R; R(1);"


@dataclass
class Solve:
    """Runs the command on a text."""

    file: Path
    capsys: pytest.CaptureFixture[str]

    def __call__(self, text: str, *options: str) -> tuple[str, str, int]:
        """Return standard output, standard error and the exit code."""
        self.file.write_text(text)
        code = main(["solve", str(self.file), *options])
        captured = self.capsys.readouterr()
        return captured.out, captured.err, code


@pytest.fixture
def solve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Solve:
    return Solve(tmp_path / "some.mu", capsys)


def test_text(solve: Solve) -> None:
    text, errors, code = solve(REACH)
    assert (code, errors) == (0, "")
    assert text.splitlines() == [
        "how many?",
        ": onset size of `Reach' is 2^3.000 -- 8 (100.000000% out of 2^3.000)",
        ": size of `Reach' is 2^0.000 -- 1",
        ": value of",
        ":   Reach(7)",
        ": is",
        ":   true",
        ": value of",
        ":   exists S s. ! Reach(s)",
        ": is",
        ":   false",
    ]


def test_json(solve: Solve) -> None:
    text, _, code = solve(REACH, "--format", "json", "--stats")
    data = json.loads(text)
    assert code == data["exit_code"] == 0 and data["file"] == str(solve.file)
    assert data["queries"] == [True, False] and data["queries_asked"] == 2
    assert [answer["kind"] for answer in data["answers"]] == ["text", "count", "size", "query", "query"]
    assert data["answers"][1] == {"kind": "count", "line": 6, "predicate": "Reach", "count": 8, "out_of": 8}
    assert data["statistics"]["rounds_of"] == {"Reach": len(data["sizes"]["Reach"])}


def test_statistics_in_text(solve: Solve) -> None:
    text, _, _ = solve(REACH, "--stats")
    assert "+++ rounds: 8" in text and "+++ Reach: 8 rounds" in text


def test_refused_input(solve: Solve) -> None:
    text, errors, code = solve("exists S s. 1;\nexists bool b. c;")
    assert (text, code) == ("", 2)
    assert f"{solve.file}:1:8: error: unknown type 'S'" in errors
    assert f"{solve.file}:2:16: error: unknown variable 'c'" in errors
    text, errors, code = solve("exists S s. 1;", "--format", "json")
    data = json.loads(text)
    assert data["exit_code"] == code == 2 and "unknown type 'S'" in errors
    problem = {"line": 1, "column": 8, "length": 3, "message": "unknown type 'S'", "hint": ""}
    assert data["errors"] == data["problems"] == [problem]


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "no/such/file.mu"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err == "knaster: no/such/file.mu: there is no such file\n"


@pytest.mark.parametrize("options", [["--timeout", "0"], ["--memory", "x"], ["--strategy", "magic"], ["--format", "x"]])
def test_wrong_options(options: list[str], solve: Solve) -> None:
    with pytest.raises(SystemExit) as ended:
        solve("1;", *options)
    assert ended.value.code == 1


def test_a_time_limit_keeps_what_was_answered(solve: Solve, monkeypatch: pytest.MonkeyPatch) -> None:
    count_looks(monkeypatch)
    text, errors, code = solve(SLOW, "--timeout", "1000")
    assert (code, errors) == (5, "")
    assert text.splitlines()[-10:] == [
        ":   true",
        ": value of",
        ":   #ons R",
        ": is",
        ":   <unknown>",
        ": value of",
        ":   R(1)",
        ": is",
        ":   <unknown>",
        "*** the time limit of 1000 s was reached",
    ]
    data = json.loads(solve(SLOW, "--timeout", "1000", "--format", "json", "--stats")[0])
    assert data["queries"] == [True] and data["queries_asked"] == 2
    assert data["reason"] == "the time limit of 1000 s was reached"
    assert [answer["kind"] for answer in data["answers"]] == ["query", "unknown", "unknown"]
    assert data["answers"][2] == {"kind": "unknown", "line": 1, "query": "R(1)", "reason": data["reason"]}
    assert data["statistics"]["rounds"] > 0


def test_a_memory_limit(solve: Solve) -> None:
    text, _, code = solve(SLOW, "--memory", "1")
    assert code == 5 and text.endswith("*** the memory limit of 1 MB was reached\n") and ":   true" in text


def test_progress_on_a_terminal(solve: Solve, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("knaster.commands.terminal.console.Progress.hear", lambda self, text: said.append(text))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    solve(REACH, "--progress")
    assert any("round 3 of 'Reach'" in text for text in said) and any("line 8: Reach(7)" in text for text in said)


INTERRUPTED = """
import signal, sys
from knaster import cli
from knaster.base.limits import Budget

real = Budget.check


def check(self):
    if self._ticks == 1000:  # the first answer takes a few, the second a million
        signal.raise_signal(signal.SIGINT)
    real(self)


Budget.check = check
sys.exit(cli.main())
"""


@pytest.mark.parametrize("format", ["text", "json"])
def test_control_c_keeps_what_was_answered(format: str, tmp_path: Path) -> None:
    file = tmp_path / "slow.mu"
    file.write_text(SLOW)
    command = [sys.executable, "-c", INTERRUPTED, "solve", str(file), "--format", format]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert "Traceback" not in done.stderr and done.returncode == 5
    if format == "json":
        found = json.loads(done.stdout)
        assert found["reason"] == "interrupted" and found["queries"] == [True]
    else:
        assert ":   true" in done.stdout and done.stdout.endswith(":   <unknown>\n*** interrupted\n")


def test_rounds_that_repeat(solve: Solve) -> None:
    text, _, code = solve("mu bool Q(bool s) s & ! Q(s);\nexists bool s. Q(s);\n1;")
    assert code == 2
    assert f"--- {solve.file}:1:25: warning: 'Q' depends negatively on 'Q'" in text
    assert "<undefined>" in text and "never become stable" in text and text.endswith(":   true\n")


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_prototype_without_a_value(format: str, solve: Solve) -> None:
    text, errors, code = solve("1; bool f(bool a); exists bool a. f(a);", "--format", format)
    assert code == 2 and "only a prototype" in errors
    if format == "json":
        data = json.loads(text)
        assert data["queries"] == [True] and "only a prototype" in data["problems"][0]["message"]
    else:
        assert text.endswith(":   true\n")


def test_print_and_dump_and_timer(solve: Solve) -> None:
    text, _, code = solve(
        "enum E { a, b }; class C { E e; bool f[2]; }; mu bool M(E e) M(e);\n"
        "bool g(E e, bool x) e = b & ! x; #print E, M; #print C; #print nothing; #dump g; #timer go; #timer; #print;\n"
        "#print symbols; #print statistics; #reset all; #vis g; #frontier on; #verbose off;"
    )
    assert code == 0
    assert ": (type) enum E { a, b };\n: (symbolic definition) mu bool M(E)" in text
    assert ": (type) class C { E e; bool f[2]; };" in text
    assert "--- there is no symbol 'nothing'" in text
    assert ": <DUMP>\n: g = _1_;\n: _1_ = e[0] & _2_ | !e[0] & 0;\n: _2_ = x & 0 | !x & 1;\n: </DUMP>" in text
    assert ": timer at 0.0" in text and ": bdd variables: " in text


def test_a_picture(solve: Solve, tmp_path: Path) -> None:
    file = tmp_path / "sizes.svg"
    _, _, code = solve(REACH, "--plot", str(file))
    assert code == 0
    root = ElementTree.parse(file).getroot()
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Reach" in words and "round" in words and "BDD nodes" in words
    _, errors, code = solve(REACH, "--plot", str(tmp_path / "no" / "folder.svg"))
    assert code == 0 and "No such file or directory" in errors  # the answers are those that were asked for
