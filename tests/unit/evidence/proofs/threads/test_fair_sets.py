"""Fair sets in files: what is saved comes back and is checked again, and what is no proof is refused."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from pathlib import Path

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.threads.fair_sets import check_fair_sets
from knaster.cli import main
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.threads import fair_sets
from knaster.evidence.proofs.threads.fair_sets import FairSets
from support.thread_questions import BUSY


@pytest.mark.parametrize(
    ("asked", "claim"), [("termination", "every weakly fair run ends"), ("F ended", "F ended holds")]
)
def test_saved_and_certified(tmp_path: Path, asked: str, claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "t.bp", tmp_path / "t.proof"
    file.write_text(BUSY)
    assert main(["check", str(file), "--property", asked, "--fair", "weak", "--proof", str(proof)]) == 0
    assert main(["certify", str(file), str(proof)]) == 0
    assert claim in capsys.readouterr().out
    document = json.loads(proof.read_text())
    sets = document["fair_sets"]
    row = sets["reached"][0]
    wrongs: list[dict[str, object]] = [
        {"fair": "none"},
        {"fair": "very"},
        {"reached": sets["reached"][1:]},
        {"reached": [[*row[:3], len(sets["nodes"]) + 9]]},
        {"reached": [row[:3]]},
        {"removals": []},
        {"removals": [["hopes", 0, []]]},
        {"removals": [["moves", 7, sets["removals"][0][2]], *sets["removals"]]},
        {"started": -1},
        {"states": 2, "steps": []},
    ]
    for wrong in wrongs:
        forged = deepcopy(document)
        forged["fair_sets"] |= wrong
        proof.write_text(json.dumps(forged))
        assert main(["certify", str(file), str(proof)]) == 2, wrong


def test_sent_to_another_process() -> None:
    ((_, answer),) = knaster.check(BUSY, property="F ended", fair="weak", engine="states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets)
    again = pickle.loads(pickle.dumps(answer.proof))
    check_fair_sets(again, again.program, Budget())
    assert repr(again).startswith("<FairSets for ")


def test_how_many_threads_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, answer),) = knaster.check(BUSY, property="F ended", fair="weak", engine="states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets)
    proof = answer.proof
    count = len(proof.removals) + len(proof.inside)
    assert count and repr(proof) == f"<FairSets for {proof.program.file}: {count} removals>"
    document = json.loads(json.dumps(fair_sets.to_fields(proof, proof.program)))
    monkeypatch.setattr(fair_sets, "_MOST", 0)
    assert fair_sets.from_fields(document, proof.program, 1 << 16, Budget()).lanes == proof.lanes
    for started in (1, -1, True, "0"):
        document["fair_sets"]["started"] = started
        with pytest.raises(ProofError, match="the number of started threads is none"):
            fair_sets.from_fields(document, proof.program, 1 << 16, Budget())
