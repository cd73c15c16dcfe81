"""Fair sets in files: what is saved comes back and is checked again, and what is no proof is refused."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes
from knaster.checkers.threads.fair_sets import check_fair_sets
from knaster.cli import main
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.threads import fair_sets
from knaster.evidence.proofs.threads.fair_sets import FairSets
from knaster.program.layout.lanes import count_points
from support.thread_questions import BUSY, TAKES


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
    ((_, answer),) = knaster.check(TAKES, property="F R", fair="strong", engine="states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets)
    proof = answer.proof
    count = len(proof.removals) + len(proof.inside)
    assert proof.inside and repr(proof) == f"<FairSets for {proof.program.file}: {count} removals>"
    document = json.loads(json.dumps(fair_sets.to_fields(proof, proof.program)))
    monkeypatch.setattr(fair_sets, "_MOST", 0)
    assert fair_sets.from_fields(document, proof.program, 1 << 16, Budget()).lanes == proof.lanes
    for started in (1, -1, True, "0"):
        document["fair_sets"]["started"] = started
        with pytest.raises(ProofError, match="the number of started threads is none"):
            fair_sets.from_fields(document, proof.program, 1 << 16, Budget())


def test_sets_and_removals_have_places_and_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    functions: list[Any] = ["first", "last"]
    assert fair_sets._sets_of([[3, -1, 0, 0], [4, 0, 1, 1], [5, 1, 0, 1]], functions) == {
        (3, None): "first",
        (4, (0, True)): "last",
        (5, (1, False)): "last",
    }
    for wrong in ([3, -2, 0, 0], [3, -1, 2, 0], [3, -1, 0], [3, -1, 0, 0, 0]):
        with pytest.raises(ProofError, match="a set has no place"):
            fair_sets._sets_of([wrong], functions)
    for number in (-1, 2):
        with pytest.raises(MalformedNodes, match="none of the nodes"):
            fair_sets._sets_of([[3, -1, 0, number]], functions)
    assert fair_sets._removal(["moves", 1, []], functions) == ("moves", 1, {})
    for reason, thread in (("hopes", 1), ("moves", "1"), ("moves", True)):
        with pytest.raises(ProofError, match="a removal has no reason"):
            fair_sets._removal([reason, thread, []], functions)


def test_threads_whose_stacks_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, answer),) = knaster.check(BUSY, property="F ended", fair="weak", engine="states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets)
    program = answer.proof.program
    document = json.loads(json.dumps(fair_sets.to_fields(answer.proof, program)))
    points = count_points(program, 1000)
    monkeypatch.setattr(fair_sets, "_MOST_POINTS", points)
    fair_sets.from_fields(document, program, 1 << 16, Budget())
    monkeypatch.setattr(fair_sets, "_MOST_POINTS", points - 1)
    recursive = knaster.parse(BUSY.replace("do skip;", "do main_1();"))
    alone = knaster.parse("decl x; void main() begin skip; end\n")
    for wrong in (program, recursive, alone):
        with pytest.raises(ProofError, match="threads whose stacks have a bound"):
            fair_sets.from_fields(document, wrong, 1 << 16, Budget())
        monkeypatch.setattr(fair_sets, "_MOST_POINTS", 1000)
