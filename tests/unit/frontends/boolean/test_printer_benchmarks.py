"""Every file of the public benchmarks is read, is well formed, and is given back by the printer."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from knaster.frontends.boolean import parse
from knaster.frontends.boolean.printer import to_text
from knaster.frontends.languages import load
from knaster.program.validate import validate
from support import SHARED

TABLE = SHARED / "benchmarks" / "verdicts.csv"


def files() -> list[Path]:
    if not TABLE.exists():
        return []
    with TABLE.open(newline="") as table:
        listed = [TABLE.parent / row[0] for row in list(csv.reader(table))[1:]]
    return [*listed, *sorted((SHARED / "models").glob("*.bp"))]


@pytest.mark.shared
def test_every_benchmark() -> None:
    if not TABLE.exists():
        pytest.skip(f"{TABLE.name} is not there")
    assert len(files()) > 100
    for path in files():
        program = load(path)
        assert validate(program) == [], path
        assert parse(to_text(program)) == program, path
