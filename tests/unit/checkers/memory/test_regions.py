"""A proof about the reduced program is checked on the program, reduced again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers import checked
from knaster.checkers.memory import regions
from knaster.checkers.memory.regions import check_ending, check_regions
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.memory.regions import RegionProof, from_fields, to_fields
from knaster.evidence.questions.question import Target
from knaster.frontends.languages import load

TEXT = """int any(void);
void add(int *p) { *p += 1; }
int main(void) { int x = 0, n = any(); if (n < 0) return 0; for (int i = 0; i < n; i++) add(&x);
if (x != n) { ERROR: ; } return 0; }
"""


def test_a_proof_is_checked_and_another_is_refused() -> None:
    ((target, answer),) = knaster.check(TEXT, file="a.c", engine="regions", property="reach").answers
    assert isinstance(answer, Unreachable) and answer.checked and isinstance(answer.proof, RegionProof)
    proof = answer.proof
    check_regions(proof, proof.program, [target], Budget())
    with pytest.raises(InternalError, match="other targets"):
        check_regions(replace(proof, asked=()), proof.program, [target], Budget())
    other = load(TEXT.replace("+= 1", "+= 2"), file="a.c")
    with pytest.raises(InternalError, match="another program"):
        check_regions(proof, other, [target], Budget())
    with pytest.raises(InternalError, match="another reduced program"):
        check_regions(replace(proof, program=other), other, [target], Budget())


def test_a_file_has_a_proof_of_the_reduced_program() -> None:
    ((_, answer),) = knaster.check(TEXT, file="a.c", engine="regions", property="reach").answers
    assert isinstance(answer, Unreachable) and isinstance(answer.proof, RegionProof)
    fields = to_fields(answer.proof, answer.proof.program)
    assert from_fields(fields, answer.proof.program, 0, Budget()).asked == answer.proof.asked
    for wrong in ({}, {"nothing": 1}, fields, 7):
        with pytest.raises(ProofError, match="its proof is none"):
            from_fields({"regions": {**fields["regions"], "proof": wrong}}, answer.proof.program, 0, Budget())


def test_what_the_reduced_program_does_not_know_is_excluded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Target("first", "main", 1, 1), Target("second", "main", 2, 2)
    originals = {"of the first": first, "of the second": second, "of nobody": None}
    ones = [(Target(name, "main", 0, 0), original) for name, original in originals.items()]
    inner: Any = SimpleNamespace(program="reduced")
    proof = RegionProof("program", (first, second), inner)  # type: ignore[arg-type]
    monkeypatch.setattr(regions, "reduce_memory", lambda *_: SimpleNamespace(program="reduced", targets=ones))
    asked: list[Any] = []

    def believe(given: object, program: object, targets: Any, budget: Budget) -> Any:
        asked.append([target.name for target in targets])
        return SimpleNamespace(how="checked")

    monkeypatch.setattr(checked, "check_excludes", believe)
    monkeypatch.setattr(checked, "check_ends", lambda *_: SimpleNamespace(how="ended"))
    for targets in ([first], [first, second], []):
        assert check_regions(proof, "program", targets, Budget()) == "checked"  # type: ignore[arg-type]
    assert asked == [["of the first", "of nobody"], [*originals], ["of nobody"]]
    with pytest.raises(InternalError, match="knows nothing"):
        check_ending(proof, "program", Budget())  # type: ignore[arg-type]
    monkeypatch.setattr(regions, "reduce_memory", lambda *_: SimpleNamespace(program="reduced", targets=ones[:2]))
    assert check_ending(proof, "program", Budget()) == "ended"  # type: ignore[arg-type]
