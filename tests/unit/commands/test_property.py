"""`knaster property` on the examples and on bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("file", "automaton", "code", "said"),
    [
        ("lock.bp", "lock", 10, "Locked -> Twice at line 20."),
        ("properties/file.c", "file", 10, "Open -> LeftOpen at line 14"),
        ("properties/null.bp", "null", 0, "TRUE. No run ends in an error of null.aut (proof checked)."),
    ],
)
def test_examples(file: str, automaton: str, code: int, said: str, capsys: Capture) -> None:
    given = ["property", str(EXAMPLES / file), "--automaton", str(EXAMPLES / "properties" / f"{automaton}.aut")]
    assert main(given) == code
    assert said in capsys.readouterr().out.replace("\n", " ")
    assert main([*given, "--format", "json"]) == code
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "property"
    assert document["verdict"] == ("FALSE" if code else "TRUE")


def test_bad_input(tmp_path: Path, capsys: Capture) -> None:
    wrong = tmp_path / "m.aut"
    wrong.write_text("start A\nerror E\nA -> E : call acquir\n")
    assert main(["property", str(EXAMPLES / "lock.bp"), "--automaton", str(wrong)]) == 2
    assert "did you mean 'acquire'?" in capsys.readouterr().err
    assert main(["property", str(EXAMPLES / "lock.bp"), "--automaton", str(tmp_path / "none.aut")]) == 2
    assert "none.aut" in capsys.readouterr().err
