"""`knaster compare` about programs of C: both properties, both readings of the integers."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from knaster.cli import main
from knaster.engines import table
from knaster.engines.card import Card
from knaster.engines.contract import Findings, Task
from knaster.engines.integers.ranking import CARD as RANKING
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.report.envelope import schema

Capture = pytest.CaptureFixture[str]
ENDLESS = "int main(void) { int x = 1; while (x > 0) { x = x; } return 0; }\n"
GROWING = "int main(void) { int x = 1; while (x > 0) { x = x + 1; } assert(0); return 0; }\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("endless.c").write_text(ENDLESS)
    Path("growing.c").write_text(GROWING)


def test_engines_about_termination(capsys: Capture) -> None:
    assert main(["compare", "endless.c", "--property", "termination", "--engines", "search,yasm"]) == 0
    assert capsys.readouterr().out.count("FALSE") == 2


def test_the_integers_are_those_that_were_asked_for(capsys: Capture) -> None:
    command = ["compare", "growing.c", "--property", "termination", "--engines", "recurrence,yasm"]
    assert main([*command, "--integers", "mathematical"]) == 0
    assert capsys.readouterr().out.count("FALSE") == 2


def test_a_disagreement_about_termination(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def sure(task: Task) -> Findings:
        proof = Ranking(task.program, Invariants(task.program, {}, {}), {})
        return Findings(frozenset(), None, {}, ends=Terminates(proof))

    monkeypatch.setitem(table.ENGINES, "liar", Card("liar", "lies", RANKING.requires, sure, RANKING.options))
    command = ["compare", "endless.c", "--property", "termination", "--engines", "search,liar"]
    assert main(command) == 6
    out = capsys.readouterr().out
    assert "endless.c: whether every run ends: liar says so, search says no" in out and ENDLESS.split("{")[0] in out
    assert main([*command, "--format", "json"]) == 6
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema())
    assert [found["reachable"] for found in document["disagreements"]] == [["search"]]


def test_a_target_is_none_of_termination(capsys: Capture) -> None:
    command = ["compare", "growing.c", "--property", "termination", "--target", "asserts"]
    assert main(command) == 1
    assert "a target cannot be named" in capsys.readouterr().err
