"""Zing models that are none, that are very large, or that never end: an answer or a clear message, in time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from knaster.base.limits import Budget
from knaster.cli import main
from support.machines import PATIENCE, CallCount, count_looks

Capture = pytest.CaptureFixture[str]
BODY = "class M { static int x; activate static void main() { x = 1; %s } };\n"
RECURSION = """class M { static int x; activate static void one() { f(0); } %s
  static void f(int k) { x = k; f(k + 1); } };"""
ALLOCATION = """class C { C f; };
class M { static C g; activate static void one() { C n; while (true) { n = new C; n.f = g; g = n; } } %s };"""
CHANNEL = """chan Q int;
class M { static Q c = new Q; activate static void one() { while (true) { send(c, 1); } } %s };"""
OTHER = "activate static void two() { bool b; b = choose(bool); }"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", 2, "no method is marked 'activate'"),
        (b"\n \t\n", 2, "no method is marked 'activate'"),
        (bytes(range(256)) * 20, 2, "is a binary file"),
        (b"\xef\xbb\xbf" + (BODY % "assert(x == 1);").encode(), 0, "TRUE"),
        ((BODY % "assert(x == 1);").replace(" ", "\r\n").encode(), 0, "TRUE"),
        (b"// caf\xe9\n" + (BODY % "").encode(), 0, "TRUE"),
        ((BODY % "").replace("activate ", "").encode(), 2, "no method is marked 'activate'"),
        ((BODY % "Foo f;").encode(), 2, "there is no type 'Foo'"),
        ((BODY % "go();").encode(), 2, "'go'"),
        ((BODY % "goto L;").encode(), 2, "there is no label 'L'"),
        ((BODY % "M m; m.y = 1;").encode(), 2, "the class 'M' has no field 'y'"),
        ((BODY % "main(1);").encode(), 2, "'main' takes no argument, not 1"),
        ((BODY % "x = true;").encode(), 2, "the left side is int, this is bool"),
        ((BODY % "int i; int i;").encode(), 2, "there is already a variable 'i'"),
        (b"class M { static void f(out int o) { } activate static void main() { int i; f(i); } };", 2, "out parameter"),
        (b"class A { B b = new B; }; class B { A a = new A; activate static void m() { } };", 2, "without end"),
        (b"class M { activate static void main() {", 2, "end of the text"),
        (b"\x00\x01", 2, "binary"),
    ],
)
def test_texts_that_are_odd_or_none(data: bytes, code: int, said: str, capsys: Capture) -> None:
    Path("a.zing").write_bytes(data)
    assert main(["check", "a.zing"]) == code
    captured = capsys.readouterr()
    assert said in captured.out + captured.err and "Traceback" not in captured.err


def test_a_directory(capsys: Capture) -> None:
    Path("d.zing").mkdir()
    assert main(["check", "d.zing"]) == 2
    assert "is a directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    "body",
    [
        "x = 2;\n" * 5000,
        pytest.param("x = 2;\n" * 100_000, marks=pytest.mark.slow),
        "{" * 5000 + "x = 2;" + "}" * 5000,
        "x = " + "(" * 5000 + "2" + ")" * 5000 + ";",
        "if (x == 1) {" * 2000 + "x = 2;" + "}" * 2000,
        "x = 0" + " + 1" * 5000 + ";",
    ],
    ids=["statements", "many statements", "blocks", "parentheses", "ifs", "a sum"],
)
def test_large_texts_are_decided(body: str, capsys: Capture) -> None:
    Path("a.zing").write_text(BODY % body)
    assert main(["check", "a.zing", "--no-certify"]) == 0
    assert "TRUE" in capsys.readouterr().out


@pytest.mark.parametrize("engine", ["auto", "explicit"])
@pytest.mark.parametrize("text", [RECURSION, ALLOCATION, CHANNEL], ids=["recursion", "allocation", "channel"])
@pytest.mark.parametrize("threads", ["", OTHER], ids=["one", "two"])
def test_what_never_ends_is_unknown_in_time(
    engine: str, text: str, threads: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.zing").write_text(text % threads)
    count_looks(monkeypatch)
    assert main(["check", "a.zing", "--engine", engine, "--timeout", "2000", "--format", "json"]) == 5
    reason = json.loads(capsys.readouterr().out)["reason"]
    assert "2000 s was reached" in reason and "seen" in reason and "deepest stack" in reason
    assert "largest heap" in reason or "states between transactions" in reason


@pytest.mark.parametrize(
    ("text", "seen"),
    [(RECURSION % "", "path edges seen"), (ALLOCATION % OTHER, "states seen")],
    ids=["calls", "states"],
)
def test_what_is_known_is_said_on_ctrl_c(
    text: str, seen: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []

    def check(_: Budget) -> None:
        looked.append(1)
        if len(looked) > 200:
            raise KeyboardInterrupt

    monkeypatch.setattr(Budget, "check", check)
    Path("a.zing").write_text(text)
    assert main(["check", "a.zing"]) == 5
    out = capsys.readouterr().out
    assert out.startswith("a.zing: UNKNOWN. Interrupted; ") and seen in out and "largest heap" in out


def test_memory_is_held() -> None:
    Path("a.zing").write_text(RECURSION % "")
    done = subprocess.run(
        [sys.executable, "-m", "knaster", "check", "a.zing", "--memory", "70"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 5 and "memory limit of 70 MB" in done.stdout


def test_an_atomic_loop_that_never_ends(capsys: Capture) -> None:
    Path("a.zing").write_text(BODY % "atomic { x = 2; while (true) { x = 5 - x; } }")
    for engine in ("auto", "visible", "patterns", "explicit"):
        assert main(["check", "a.zing", "--engine", engine]) == 10
        assert "an atomic region does not end" in capsys.readouterr().out.lower()


REGION = "class C { C f; }; chan Q int; class M { static int x; static C g; static Q q = new Q; %s %s };"
MAIN = "activate static void one() { atomic { C c; int i; %s } } "
SAME = "static void f(int k) { if (k > 0) { f(k - 1); } else { f(5); } }"
OTHERS = "static void f(int k) { f(k + 1); }"


@pytest.mark.parametrize("target", ["any failure", "failures"])
@pytest.mark.parametrize("threads", ["", OTHER], ids=["one", "two"])
@pytest.mark.parametrize(
    "body",
    ["f(1);", "while (true) { c = new C; }", "while (true) { c = new C; c.f = g; g = c; c.f = null; x = 1 - x; }"],
    ids=["recursion", "garbage", "cells"],
)
def test_an_atomic_region_that_does_the_same_again_never_ends(
    body: str, threads: str, target: str, capsys: Capture
) -> None:
    Path("a.zing").write_text(REGION % (MAIN % body + SAME, threads))
    with CallCount() as counting:
        assert main(["check", "a.zing", "--engine", "explicit", "--target", target, "--format", "json"]) == 10
    assert counting.calls < 1_000_000  # a million steps of the interpreter are more
    found = json.loads(capsys.readouterr().out)["targets"]
    assert [each["failure"]["kind"] for each in found if each["reachable"]] == ["endless-atomic"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("f(1);", "more than 20,000 steps, where its stack has 20,0"),
        ("while (true) { c = new C; c.f = g; g = c; }", "more than 20,000 steps, where its stack has 1 frames"),
        ("while (true) { i = i + 1; }", "more than 20,000 steps"),
        ("while (true) { send(q, 1); }", "more than 20,000 steps"),
    ],
    ids=["recursion", "allocation", "counting", "channel"],
)
def test_an_atomic_region_that_goes_on_is_unknown(body: str, said: str, capsys: Capture) -> None:
    Path("a.zing").write_text(REGION % (MAIN % body + OTHERS, OTHER))
    assert main(["check", "a.zing", "--region", "20000"]) == 5
    out = " ".join(capsys.readouterr().out.split())
    assert said in out and "states seen" in out


def test_an_atomic_region_that_ends_late_is_decided(capsys: Capture) -> None:
    Path("a.zing").write_text(REGION % (MAIN % "while (i < 9000) { i = i + 1; } assert(i > 9000);", OTHER))
    assert main(["check", "a.zing", "--region", "20000"]) == 10
    assert main(["check", "a.zing", "--region", "10000"]) == 5
    assert "--region" not in capsys.readouterr().err


def test_a_channel_that_grows_in_an_atomic_region(capsys: Capture) -> None:
    Path("a.zing").write_text(REGION % (MAIN % "while (true) { send(q, 1); }", OTHER))
    assert main(["check", "a.zing"]) == 5
    assert "grows beyond 10,000 elements in one" in " ".join(capsys.readouterr().out.split())


def test_a_condition_that_never_ends(capsys: Capture) -> None:
    waits = "activate static void one() { select { wait(m()) -> ; } }"
    Path("a.zing").write_text(REGION % (waits + "static bool m() { bool b; b = m(); return b; }", OTHER))
    assert main(["check", "a.zing"]) == 10
    assert "an atomic region does not end" in capsys.readouterr().out.lower()
    Path("a.zing").write_text(
        REGION % (waits + "static bool m() { while (x >= 0) { x = x + 1; } return true; }", OTHER)
    )
    assert main(["check", "a.zing", "--region", "5000"]) == 5
    assert "more than 5,000 steps" in capsys.readouterr().out


def test_a_long_region_is_looked_at_once(capsys: Capture) -> None:
    """A run through a region of n steps takes time n, not n * n: nobody asks at each step whether it ends."""
    Path("a.zing").write_text(REGION % (MAIN % "while (i < 2000) { i = i + 1; } assert(i < 2000);", ""))
    with CallCount() as counting:
        assert main(["check", "a.zing", "--engine", "patterns"]) == 10
    assert counting.calls < 2_000_000  # it takes a third
    assert "Assertion at line 1" in capsys.readouterr().out
