"""`knaster crash` on good and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

TEXT = "int f(int x) {\n  return x;\n}\nint main(void) {\n  int y = f(3);\n  return y;\n}\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(TEXT)
    Path("s.txt").write_text("#0 f (x=3) at a.c:2\n#1 main () at a.c:5\n")


def test_a_path(capsys: Capture) -> None:
    assert main(["crash", "a.c", "--stack", "s.txt"]) == 0
    assert "a run with this stack, 2 statements (replayed)" in capsys.readouterr().out
    assert main(["crash", "a.c", "--stack", "s.txt", "--no-replay"]) == 0
    assert "a path of the control flow with this stack" in capsys.readouterr().out
    assert main(["crash", "a.c", "--stack", "s.txt", "--format", "json"]) == 0
    assert [step["line"] for step in json.loads(capsys.readouterr().out)["path"]] == [5, 2]


@pytest.mark.parametrize(
    ("stack", "arguments", "code", "said"),
    [
        ("nonsense here", [], 1, "the stack has no frame"),
        ("f:2", ["--through", "77"], 1, "no statement begins on line 77"),
        ("f:2", ["--stack", "missing.txt"], 2, "missing.txt"),
    ],
)
def test_bad_input(stack: str, arguments: list[str], code: int, said: str, capsys: Capture) -> None:
    Path("s.txt").write_text(stack)
    assert main(["crash", "a.c", "--stack", "s.txt", *arguments]) == code
    assert said in capsys.readouterr().err
