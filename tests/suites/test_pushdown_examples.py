"""Every script in examples/pushdown prints what its first comment says."""

from __future__ import annotations

import ast
import runpy
import textwrap
from pathlib import Path

import pytest

from support import ROOT

EXAMPLES = ROOT / "examples" / "pushdown"


SLOW = ("queue.py",)  # ten seconds


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.slow) if path.name in SLOW else path
        for path in sorted(EXAMPLES.glob("*.py"))
    ],
    ids=lambda path: path.name,
)
def test_script(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documentation = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert documentation is not None
    expected = textwrap.dedent(documentation.partition("Prints:\n")[2])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip() == expected.strip() != ""
