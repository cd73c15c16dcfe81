"""Proofs about threads by the sequential program for a bound: they are saved, hold again, and not beyond the bound."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.files import examine, proof_to_text
from knaster.checkers.threads.sequential_program import check_sequential_program
from knaster.evidence.proofs.threads.sequential_program import SequentialProof, from_fields
from knaster.evidence.questions.question import Bound
from knaster.frontends.boolean import parse
from knaster.program.model import Kind

HANDED = """decl a, b;
void one()
begin
  b := F;
  a := T;
  if (b) then
    R: skip;
  fi
  S: skip;
end
void two()
begin
  b := a;
  a := F;
end
void main()
begin
  skip;
end
"""  # R needs two switches: one, two, one


def bounded(engine: str, switches: int, targets: tuple[str, ...] = ("R",)) -> knaster.Result:
    """Return what an engine says within a bound."""
    more: dict[str, Any] = {"threads": ["one", "two"], "evidence": knaster.Evidence(proofs=True)}
    return knaster.check(HANDED, targets, file="a.bp", engine=engine, switches=switches, **more)


@pytest.mark.parametrize("engine", ["lazy", "eager"])
def test_a_proof_is_saved_and_holds_within_its_bound(engine: str) -> None:
    result = bounded(engine, 1)
    text = proof_to_text(result)
    found = examine(text, result.program, 1 << 16, Budget())
    assert found.bound == Bound("switches", 1) and [target.name for target in found.targets] == ["R"]


@pytest.mark.parametrize("engine", ["lazy", "eager"])
def test_what_is_changed_is_refused(engine: str) -> None:
    result = bounded(engine, 1)
    document = json.loads(proof_to_text(result))
    data = document["sequential"]
    changes: list[dict[str, Any]] = [
        {"bound": ["switches", 2]},
        {"bound": ["rounds", 1]},
        {"bound": ["switches", True]},
    ]
    changes += [{"bound": ["switches"]}, {"asked": []}, {"asked": [*data["asked"], *data["asked"]]}, {"nodes": []}]
    changes += [{"procedures": {}}, {"more": 1}, {"asked": [{**data["asked"][0], "location": 99}]}]
    for change in changes:
        with pytest.raises(ProofError):
            examine(json.dumps({**document, "sequential": {**data, **change}}), result.program, 1 << 16, Budget())


def test_a_target_that_was_not_asked_about_is_not_excluded() -> None:
    result, other = bounded("lazy", 1), bounded("lazy", 0, ("R", "S"))
    assert isinstance(result.proof, SequentialProof)
    document = json.loads(proof_to_text(result))
    targets = [target for target, _ in other.answers]
    document["targets"] = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in targets]
    with pytest.raises(ProofError, match="other targets"):
        examine(json.dumps(document), result.program, 1 << 16, Budget())


def test_the_sets_of_the_sequential_program_exclude_the_target() -> None:
    """Sets of all states are closed under every step, and exclude nothing."""
    result = bounded("lazy", 1)
    proof = result.proof
    assert isinstance(proof, SequentialProof)
    check_sequential_program(proof, result.program, proof.asked, Budget())
    full = proof.certificate.store.true
    sets = {name: tuple(full for _ in each) for name, each in proof.certificate.path_edges.items()}
    wrong = replace(proof, certificate=replace(proof.certificate, path_edges=sets))
    check_sequential_program(wrong, result.program, (), Budget())
    with pytest.raises(InternalError, match="does not exclude"):
        check_sequential_program(wrong, result.program, proof.asked, Budget())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bound": ["switches", -1]}, "a bound is none"),
        ({"bound": ["delays", 1]}, "a bound is none"),
        ({"bound": ["switches", True]}, "a bound is none"),
        ({"bound": ["switches"]}, "a bound is none"),
        ({"bound": ["switches", 1, 1]}, "a bound is none"),
        ({"asked": []}, "a target is there twice, or none is"),
        ({"asked": 2}, "a target is there twice, or none is"),
    ],
)
def test_why_it_is_no_proof(change: dict[str, Any], message: str) -> None:
    result = bounded("lazy", 1)
    data = json.loads(proof_to_text(result))["sequential"]
    if change.get("asked") == 2:
        change = {"asked": data["asked"] * 2}
    with pytest.raises(ProofError, match=message):
        from_fields({"sequential": {**data, **change}}, result.program, 1 << 16, Budget())
    alone = parse(HANDED.replace("void main()", "void start()"), "a.bp")
    for program in (replace(alone, threads=("one",)), replace(result.program, kind=Kind.REFERENCES)):
        with pytest.raises(ProofError, match="about Boolean threads"):
            from_fields({"sequential": data}, program, 1 << 16, Budget())


def test_no_switch_is_a_bound() -> None:
    result = bounded("lazy", 0)
    document = json.loads(proof_to_text(result))
    assert document["sequential"]["bound"] == ["switches", 0]
    assert from_fields(document, result.program, 1 << 16, Budget()).bound == Bound("switches", 0)
