"""Proof files say what the integers of C were, and are checked with these."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knaster.cli import main

GROWING = "int main(void) { int x = 1; while (x > 0) { x = x + 1; } return 0; }\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(GROWING)
    command = ["check", "a.c", "--property", "termination", "--integers", "mathematical", "--proof", "a.proof"]
    assert main(command) == 10
    capsys.readouterr()
    found: dict[str, Any] = json.loads(Path("a.proof").read_text())
    return found


def test_a_proof_is_checked_with_its_own_integers(saved: dict[str, Any], capsys: Capture) -> None:
    assert saved["reading"] == {"integers": "mathematical", "data_model": "LP64"}
    assert main(["certify", "a.c", "a.proof"]) == 0
    assert "a run never ends (mathematical integers, LP64, checked by the kernel)" in capsys.readouterr().out
    assert main(["certify", "a.c", "a.proof", "--integers", "machine"]) == 2
    assert "read with other options: data_model LP64, integers mathematical" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        (3, "'reading' is wrong"),
        ({"integers": 3}, "'reading' is wrong"),
        ({"integers": "odd"}, "read with other options"),
        ({"colour": "red"}, "read with other options"),
        ({"integers": "machine", "data_model": "LP64"}, "the proof does not hold"),
    ],
)
def test_other_readings_are_refused(saved: dict[str, Any], capsys: Capture, reading: object, message: str) -> None:
    Path("a.proof").write_text(json.dumps({**saved, "reading": reading}))
    assert main(["certify", "a.c", "a.proof"]) == 2
    assert message in capsys.readouterr().err


def test_a_file_that_does_not_say_is_read_as_asked(saved: dict[str, Any]) -> None:
    del saved["reading"]
    Path("a.proof").write_text(json.dumps(saved))
    assert main(["certify", "a.c", "a.proof"]) == 2
    assert main(["certify", "a.c", "a.proof", "--integers", "mathematical"]) == 0
