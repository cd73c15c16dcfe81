"""Fair tables in files: what is saved comes back, and what is no table is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.cli import main
from knaster.evidence.proofs.fair_table import _activation, _row
from knaster.frontends.boolean import parse
from knaster.semantics.threads import Activation

BUSY = "decl x := 0; void main_1() begin while (!x) do f(); od end void main_2() begin x := 1; end "
BUSY += "void f() begin skip; end\n"


@pytest.mark.parametrize(
    ("asked", "claim"), [("termination", "every weakly fair run ends"), ("F ended", "F ended holds")]
)
def test_saved_and_certified(tmp_path: Path, asked: str, claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "t.bp", tmp_path / "t.proof"
    file.write_text(BUSY)
    assert (
        main(["check", str(file), "--property", asked, "--fair", "weak", "--engine", "explicit", "--proof", str(proof)])
        == 0
    )
    assert main(["certify", str(file), str(proof)]) == 0
    assert claim in capsys.readouterr().out
    document = json.loads(proof.read_text())
    rows = document["fair_table"]["rows"]
    wrongs = [rows[1:], [[*rows[0][:4], "0"], *rows[1:]], [rows[0][:4], *rows[1:]], [[[2], *rows[0][1:]], *rows[1:]]]
    for wrong in wrongs:
        document["fair_table"]["rows"] = wrong
        proof.write_text(json.dumps(document))
        assert main(["certify", str(file), str(proof)]) == 2
    document["fair_table"] |= {"rows": rows, "fair": "none"}
    proof.write_text(json.dumps(document))
    assert main(["certify", str(file), str(proof)]) == 2


PROGRAM = parse("decl x, y; void main_1() begin decl l; f(l); end void f(a) begin decl b; skip; end\n", "a.bp")
SIZE = PROGRAM.procedure("f").size
EDGES = len(PROGRAM.procedure("f").edges)


@pytest.mark.parametrize(
    ("entry", "is_one"),
    [
        (["f", 0, [0, 1], None], True),
        (["f", SIZE - 1, [0, 1], EDGES - 1], True),
        (["f", 0, [1, 1], 0], True),
        (["f", -1, [1], None], True),  # it has not begun: parameters alone
        (["f", -1, [], None], True),
        (["f", 0, [], None], True),
        (["f", 0, [0], None], False),
        (["f", -1, [0, 1], None], False),
        (["f", SIZE, [0, 1], None], False),
        (["f", -2, [0, 1], None], False),
        (["f", True, [0, 1], None], False),
        (["f", 0, [0, 2], None], False),
        (["f", 0, [0, True], None], False),
        (["f", 0, {}, None], False),
        (["f", 0, 7, None], False),
        (["f", 0, [0, 1], EDGES], False),
        (["f", 0, [0, 1], -1], False),
        (["f", 0, [0, 1], True], False),
        (["nobody", 0, [0, 1], None], False),
        ([7, 0, [0, 1], None], False),
        (["f", 0, [0, 1]], False),
        ({}, False),
    ],
)
def test_activations(entry: Any, is_one: bool) -> None:
    if is_one:
        assert _activation(entry, PROGRAM) == Activation(entry[0], entry[1], tuple(map(bool, entry[2])), entry[3])
    else:
        with pytest.raises(ProofError):
            _activation(entry, PROGRAM)


@pytest.mark.parametrize(
    ("entry", "is_one"),
    [
        ([[0, 1], [[["main_1", 0, [0], None]]], 0, False, 3], True),
        ([[0, 1], [[], []], 1, True, 3], True),
        ([[0, 1], [[], []], 2, True, 3], False),
        ([[0, 1], [[], []], -1, True, 3], False),
        ([[0], [[]], 0, False, 3], False),
        ([[], [[]], 0, False, 3], False),
        ([[0, 1, 1], [[]], 0, False, 3], False),
        ([[0, 1], [[]], 0, 0, 3], False),
        ([[0, 1], [[]], False, False, 3], False),
        ([[0, 1], [[]], 0, False, "3"], False),
        ([[0, 1], {}, 0, False, 3], False),
        ([[0, 1], [[]], 0, False], False),
    ],
)
def test_rows(entry: Any, is_one: bool) -> None:
    if is_one:
        node, state = _row(entry, PROGRAM)
        assert (node.shared, node.running, node.section, state) == ((False, True), *entry[2:])
    else:
        with pytest.raises(ProofError):
            _row(entry, PROGRAM)
