"""`knaster pushdown` on files of cuba: what is asked, where it starts, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from knaster.cli import main
from support import ROOT

FILE = ROOT / "examples" / "pushdown" / "hand-over.pds"


@pytest.mark.parametrize(
    ("words", "code", "first"),
    [
        ([], 0, "8 visible states from 0|1,4, the last new one after 4 switches; nothing is new after 5"),
        (["--spec", "3|2,4"], 10, "reachable: 3|2,4 after 1 switch"),
        (["--spec", "3|1,4"], 0, "unreachable: 3|1,4"),
        (["--init", "1|2,4", "--spec", "0|1,6"], 10, "reachable: 0|1,6 after 2 switches"),
    ],
)
def test_what_is_asked(words: list[str], code: int, first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pushdown", str(FILE), *words]) == code
    assert capsys.readouterr().out.startswith(first)


def test_files_beside_it_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(FILE, tmp_path / "a.pds")
    (tmp_path / "a.init").write_text("1|2,4\n")
    (tmp_path / "a.spec").write_text("2|2,5\n")
    assert main(["pushdown", str(tmp_path / "a.pds"), "--format", "json"]) == 10
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["start"], found["wanted"]) == ("reachable", "1|2,4", "2|2,5")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--post", "<0, 1>"], "ask with --init and --spec"),
        (["--spec", "3"], "this is no visible state"),
    ],
)
def test_what_is_refused(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pushdown", str(FILE), *words]) in (1, 2)
    assert why in capsys.readouterr().err


def test_the_other_command_says_where_to_go(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FILE)]) == 2
    assert "knaster pushdown" in capsys.readouterr().err
