"""Fair states in files: what is saved comes back, and what is no table is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

BUSY = """class C { C f; };
class Main {
  static bool stop;
  static C g;
  activate static void one() { while (!stop) { g = new C; step(); } }
  activate static void two() { atomic { g = null; stop = true; } assert(stop); }
  static void step() { g = null; }
};
"""


@pytest.mark.parametrize(("asked", "claim"), [("termination", "every weakly fair run ends"), ("F ended", "F ended")])
def test_saved_and_certified(tmp_path: Path, asked: str, claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "t.zing", tmp_path / "t.proof"
    file.write_text(BUSY)
    assert main(["check", str(file), "--property", asked, "--fair", "weak", "--proof", str(proof)]) == 0
    assert main(["certify", str(file), str(proof)]) == 0
    assert claim in capsys.readouterr().out
    document = json.loads(proof.read_text())
    rows = document["fair_states"]["rows"]
    (state, number), rest = rows[0], rows[1:]
    for wrong in (rest, [[state, "0"], *rest], [[state], *rest], [[[9, *state[1:]], number], *rest], [[state, 7]]):
        document["fair_states"]["rows"] = wrong
        proof.write_text(json.dumps(document))
        assert main(["certify", str(file), str(proof)]) == 2
    document["fair_states"] |= {"rows": rows, "fair": "none"}
    proof.write_text(json.dumps(document))
    assert main(["certify", str(file), str(proof)]) == 2
