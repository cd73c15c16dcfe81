"""`knaster schema` prints the schema of the package, with the number that documents have."""

from __future__ import annotations

import json

import pytest

from knaster.cli import main
from knaster.report.envelope import SCHEMA, schema


def test_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == schema() and found["$id"] == f"urn:knaster:schema:{SCHEMA}"
