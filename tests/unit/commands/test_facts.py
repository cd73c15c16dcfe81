"""`knaster facts` on good and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

TEXT = "int main(void) {\n  int i = 0, j = 0;\n  while (i < 9) {\n    i = i + 1;\n    j = j + 2;\n  }\n  return j;\n}\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(TEXT)


def test_text(capsys: Capture) -> None:
    assert main(["facts", "a.c", "--domain", "affine"]) == 0
    assert "       | j == 2*i (mod 2^32)\n    3    while (i < 9) {" in capsys.readouterr().out


def test_json_and_annotations(capsys: Capture) -> None:
    assert (
        main(["facts", "a.c", "--format", "json", "--at", "7", "--annotate", "b.c", "--integers", "mathematical"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert [each["text"] for each in document["lines"][0]["facts"]] == ["j == 18", "i == 9"]
    assert "  //@ assert j == 18;\n  //@ assert i == 9;\n  return j;" in Path("b.c").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.c", "--at", "99"], 1, "no statement begins on line 99"),
        (["a.c", "--annotate", "a.c"], 1, "is the file that is read"),
        (["missing.c"], 2, "missing.c"),
        (["t.bp"], 2, "has threads"),
        (["a.c", "--entry", "f"], 2, "'f'"),
    ],
)
def test_bad_input(arguments: list[str], code: int, said: str, capsys: Capture) -> None:
    Path("t.bp").write_text("void main_1() begin skip; end\nvoid main_2() begin skip; end\n")
    assert main(["facts", *arguments]) == code
    assert said in capsys.readouterr().err
