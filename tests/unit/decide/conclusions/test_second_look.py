"""The second look: the kernel is asked about small proofs, the answer says so, and its refusal is our mistake."""

from __future__ import annotations

import json

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.checkers import kernel
from knaster.checkers.kernel import Word
from knaster.decide.conclusions import second_look
from knaster.evidence.answers.answer import Unreachable

TEXT = "decl g; init(!g); void main() begin g := g; if (g) then R: skip; fi S: skip; end\n"


def ask(**options: object) -> knaster.Result:
    return knaster.check(TEXT, ["R", "S"], file="a.bp", **options)  # type: ignore[arg-type]


def test_a_small_proof_is_checked_by_the_kernel() -> None:
    result = ask()
    kernel_says = {target.name: getattr(answer, "kernel", None) for target, answer in result.answers}
    assert kernel_says == {"R": True, "S": None}
    assert "proof checked by the kernel" in result.to_text()
    assert [target["kernel"] for target in json.loads(result.to_json())["targets"]] == [True, False]


@pytest.mark.parametrize("limit", ["EDGES", "NODES", "CHARACTERS", "WORK"])
def test_a_large_one_is_not(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(second_look, limit, 0)
    result = ask()
    assert "proof checked)" in result.to_text()
    assert not any(isinstance(answer, Unreachable) and answer.kernel for _, answer in result.answers)


def test_what_was_not_checked_is_not_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "ask_kernel", None)
    assert "not checked" in ask(evidence=knaster.Evidence(proofs=False)).to_text()


def test_a_refusal_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Word:
        raise ProofError("a state is missing")

    monkeypatch.setattr(kernel, "ask_kernel", refuse)
    monkeypatch.setenv("KNASTER_STRICT", "1")
    with pytest.raises(InternalError, match="a state is missing"):
        ask()


def test_silence_is_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "ask_kernel", lambda *_: Word(False, "nothing is known of it"))
    assert "proof checked)" in ask().to_text()
