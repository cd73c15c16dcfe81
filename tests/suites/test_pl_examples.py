"""The examples in PL have the answers that their first lines tell."""

from __future__ import annotations

import re

import pytest

from knaster.cli import main
from support import ROOT

FILES = sorted((ROOT / "examples" / "pl").glob("*.pl"))
CODES = {"TRUE": 0, "FALSE": 10}


@pytest.mark.parametrize(
    ("file", "expected", "options"),
    [
        pytest.param(str(file), *found, marks=[pytest.mark.slow] if found[1] else [])
        for file in FILES
        for found in re.findall(r"// expect: (TRUE|FALSE) ?(.*)", file.read_text("utf-8"))
    ],
)
def test_examples(file: str, expected: str, options: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", file, *options.split()]) == CODES[expected]
    assert "checked" in (said := capsys.readouterr().out) or "replayed" in said
