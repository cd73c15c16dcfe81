"""Fair tables in files: what is saved comes back, and what is no table is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

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
