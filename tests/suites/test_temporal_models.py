"""The programs of models/temporal: every property as their first lines say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import knaster
from knaster.frontends.languages import load
from support import SHARED

MODELS = SHARED / "models" / "temporal"
LINE = re.compile(r"// property: (?P<property>.*?)  (?:fair: (?P<fair>\w+)  )?expect: (?P<expect>\w+)")


def sequential() -> list[tuple[Path, str, str]]:
    """Return the questions about programs of one thread."""
    found = []
    for path in sorted(MODELS.glob("*.bp")):
        if not load(path).is_threaded:
            found += [(path, line["property"], line["expect"]) for line in LINE.finditer(path.read_text("utf-8"))]
    return found


@pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not here")
def test_sequential_programs() -> None:
    cases = sequential()
    assert len(cases) == 98
    for path, asked, expected in cases:
        result = knaster.check(path, property=asked)
        assert result.verdict.value == expected, (path.name, asked)
        assert all(answer.checked for _, answer in result.answers)


def threaded() -> list[tuple[Path, str, str, str]]:
    """Return the questions about programs with threads."""
    found = []
    for path in sorted(MODELS.glob("*.bp")):
        if load(path).is_threaded:
            lines = LINE.finditer(path.read_text("utf-8"))
            found += [(path, line["property"], line["fair"] or "none", line["expect"]) for line in lines]
    return found


@pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not here")
@pytest.mark.parametrize("engine", ["states", "explicit"])
def test_threads(engine: str) -> None:
    cases = threaded()
    assert len(cases) == 72
    for path, asked, fair, expected in cases:
        result = knaster.check(path, property=asked, fair=fair, engine=engine)
        assert result.verdict.value == expected, (path.name, asked, fair)
        assert all(answer.checked for _, answer in result.answers)
