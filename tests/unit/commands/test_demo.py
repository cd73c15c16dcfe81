"""`knaster demo`: the first command that somebody types, also after `pip install`."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from knaster.cli import main
from knaster.commands.demo import DEMOS
from support import ROOT

Capture = pytest.CaptureFixture[str]


def test_it_shows_a_program_a_question_and_an_answer(capsys: Capture) -> None:
    assert main(["demo"]) == 0
    out, err = capsys.readouterr()
    for line in (ROOT / "examples" / "figure1.bp").read_text().splitlines():
        assert line in out
    assert "$ knaster check figure1.bp --target R\nfigure1.bp: FALSE. R (line 12) is reachable" in out
    assert "FALSE: the claim that R is unreachable is false." in out and not err
    assert max(map(len, out.splitlines())) <= 80


def test_it_saves_the_examples(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "here"
    assert main(["demo", "--save", str(folder)]) == 0
    assert f"knaster check {folder / 'figure1.bp'} --target R" in capsys.readouterr().out
    assert main(["check", str(folder / "figure1.bp"), "--target", "R"]) == 10
    assert (folder / "figure1.bp").read_text() == (ROOT / "examples" / "figure1.bp").read_text()
    capsys.readouterr()
    assert main(["demo", "--save", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["demo", "--save", "/dev/null/here"]) == 2
    assert "/dev/null/here: cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("language", DEMOS)
def test_every_language_has_one(language: str, capsys: Capture) -> None:
    if language == "c":
        pytest.importorskip("clang")
    assert main(["demo", language]) == 0
    out, err = capsys.readouterr()
    assert f"\n$ knaster {shlex.join(DEMOS[language])}\n" in out and not err
    assert not out.endswith("\n$ knaster " + shlex.join(DEMOS[language]) + "\n")


@pytest.mark.slow
def test_it_works_after_a_wheel_is_installed(tmp_path: Path) -> None:
    def run(*command: str | Path) -> str:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        done = subprocess.run(
            [str(part) for part in command], cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("knaster-*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    assert "FALSE: the claim that R is unreachable is false." in run(programs / "knaster", "demo")
    run(programs / "knaster", "demo", "--save", "examples")
    assert "h := !g" in run(programs / "knaster", "show", "examples/figure1.bp")
    assert run(programs / "knaster", "--version").startswith("knaster ")
