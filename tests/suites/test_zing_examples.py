"""Every model in examples/zing does what its first line says, with every method that can."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import knaster
from knaster.cli import main
from knaster.decide.crew import question_about
from knaster.engines.references.patterns import CARD as PATTERNS
from knaster.evidence.answers.answer import Reachable
from support import ROOT

EXAMPLES = sorted((ROOT / "examples" / "zing").glob("*.zing"))
CODES = {"TRUE": 0, "FALSE": 10}


def expected(path: Path) -> tuple[str, str]:
    found = re.match(r"// expect: (TRUE|FALSE)(?: ([a-z-]+))?", path.read_text("utf-8"))
    assert found is not None, f"{path.name} does not say what to expect"
    return found.group(1), found.group(2) or ""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict, kind = expected(path)
    assert main(["check", str(path)]) == CODES[verdict]
    assert capsys.readouterr().out.startswith(f"{path}: {verdict}. {kind.capitalize()}")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_method_says_the_same(path: Path) -> None:
    program = knaster.parse(path)
    sequential = PATTERNS.why_not(program, question_about(program, None)) is None
    engines = ["visible", "patterns"] if sequential else []
    engines += [] if path.stem in ("endless", "par-recursion") else ["explicit"]
    engines += ["transactions"]
    for engine in engines:
        result = knaster.check(program, engine=engine)
        assert result.verdict.value == expected(path)[0], engine
        for _, answer in result.answers:
            assert not isinstance(answer, Reachable) or answer.checked
