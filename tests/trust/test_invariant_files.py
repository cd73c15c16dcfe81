"""Invariants in files: what was saved holds in another process, what was changed is refused, and people can read it."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.invariants import Invariants
from knaster.report.json import schema
from support.machines import PATIENCE
from support.proof_files import refused

PROGRAM = """int __VERIFIER_nondet_int(void); void reach_error(void);
int id(int n) { if (n <= 1) return n; return id(n - 2); }
int main() {
  int n = __VERIFIER_nondet_int(), x = 0;
  if (n < 0) return 0;
  while (x < n) x++;
  if (x != n) reach_error();
  if (id(x) > 1) reach_error();
}
"""


@pytest.fixture(scope="module")
def result() -> knaster.Result:
    found = knaster.check(PROGRAM, file="id.c", engine="horn")
    assert found.verdict.value == "TRUE"
    return found


def test_people_can_read_what_was_proved(result: knaster.Result) -> None:
    lines = result.to_text().splitlines()
    assert any(line.strip().startswith("line 6, main: always") for line in lines)
    assert any(line.strip().startswith("id guarantees") and "\\result" in line for line in lines)
    assert "@0" not in result.to_text()
    document = json.loads(result.to_json())
    jsonschema.validate(document, schema())
    assert document["proof"]["invariants"][0]["line"] == 6
    assert document["proof"]["functions"][0]["function"] == "id"


def test_a_saved_proof_holds_in_another_process(result: knaster.Result, tmp_path: Path) -> None:
    (tmp_path / "id.c").write_text(PROGRAM)
    (tmp_path / "id.proof").write_text(proof_to_text(result))
    command = [sys.executable, "-m", "knaster", "certify", "id.c", "id.proof"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "unreachable" in done.stdout, done.stderr
    again = pickle.loads(pickle.dumps(result.proof))
    assert isinstance(again, Invariants) and again == result.proof


def test_what_was_changed_is_refused(result: knaster.Result) -> None:
    document = json.loads(proof_to_text(result))
    assert not refused(document, result.program)
    changes: list[tuple[Any, ...]] = [
        ("invariants", None),
        ("invariants", {"requires": []}),
        ("invariants", {**document["invariants"], "at": document["invariants"]["at"][1:]}),
        ("invariants", {**document["invariants"], "requires": []}),
    ]
    for field, value in changes:
        assert refused({**document, field: value}, result.program)
    choose = Random(3)
    nodes: list[Any] = [["number", "7"], ["variable", "nobody"], ["compare", "<>"], ["not"], [], 5]
    for node in nodes:  # some of them say what is true all the same; none ends in anything but a refusal
        mutant = copy.deepcopy(document)
        formula = choose.choice(mutant["invariants"]["at"])[2]
        formula[choose.randrange(len(formula))] = node
        refused(mutant, result.program)
    emptied = copy.deepcopy(document)
    for entry in emptied["invariants"]["at"]:
        entry[2] = [["truth", True]]
    assert refused(emptied, result.program)
