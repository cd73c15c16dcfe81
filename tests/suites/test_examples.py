"""Every file in examples/ does what its own comments say, from the command line as a user would."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from knaster.cli import main
from support import ROOT

EXAMPLES = ROOT / "examples"
EXPECT = re.compile(r"expect: (TRUE|FALSE)(.*)")
CODES = {"TRUE": 0, "FALSE": 10}


def expectations() -> list[tuple[Path, str, list[str]]]:
    found = []
    for path in [
        path for pattern in ("*.bp", "temporal/*.bp", "c/*.c", "lists/*.c") for path in sorted(EXAMPLES.glob(pattern))
    ]:
        matches = EXPECT.findall(path.read_text("utf-8"))
        assert matches, f"{path.name} does not say what to expect"
        found += [(path, verdict, options.split()) for verdict, options in matches]
    return found


@pytest.mark.parametrize(("path", "verdict", "options"), expectations())
def test_example(path: Path, verdict: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--certify", *options]) == CODES[verdict]
    assert capsys.readouterr().out.startswith(f"{path}: {verdict}.")


@pytest.mark.parametrize(
    "pattern", ["*.bp", "temporal/*.bp", "c/*.c", "threads/*.bp", "zing/*.zing", "properties/*.[bc]*", "pl/*.pl"]
)
def test_every_example_has_an_answer_when_it_is_simply_run(pattern: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(str(path) for path in EXAMPLES.glob(pattern))
    assert files
    main(["check", *files, "--trace", "none"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines if ": TRUE." in line or ": FALSE." in line] == files


def test_figure_1_has_the_line_numbers_of_the_paper() -> None:
    lines = (EXAMPLES / "figure1.bp").read_text("utf-8").splitlines()
    numbered = {6: "h := !g;", 7: "A(g,h);", 9: "A(g,h);", 11: "if (g) then", 12: "R: skip;", 14: "ERROR: skip;"}
    numbered |= {20: "if (a1) then", 21: "A(a2,a1);", 22: "skip;", 24: "g := a2;"}
    assert {number: lines[number - 1].strip() for number in numbered} == numbered


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_script(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert "FALSE - R is reachable" in capsys.readouterr().out
