"""The second look: what the kernel cannot read it is silent about, and whoever asked is told so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import knaster_check
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers import kernel
from knaster.checkers.files import proof_to_text
from knaster.checkers.kernel import _check, ask_kernel
from knaster.cli import main
from knaster.evidence.questions.question import Bound
from support.kinds_of_proofs import ASKED, result_with


def test_a_program_with_memory_is_run_by_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = result_with("memory_runs")
    word = ask_kernel(result.program, proof_to_text(result), Budget())
    assert word.holds and word.answered["runs"] == 1
    file, proof = tmp_path / "a.c", tmp_path / "a.proof"
    file.write_text(ASKED["memory_runs"][1])
    assert main(["check", str(file), "--property", "termination", "--proof", str(proof)]) == 0
    assert main(["certify", str(file), str(proof)]) == 0
    assert "the kernel" in capsys.readouterr().out


def test_what_is_claimed_is_said_of_all_runs_within_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, object] = {"claim": "ends", "bound": None, "answered": {}, "formula": "", "fair": "none"}

    def ask(wanted: str = "", **other: object) -> kernel.Word:
        monkeypatch.setattr(knaster_check, "read_program", lambda text: None)
        monkeypatch.setattr(knaster_check, "check", lambda *_: SimpleNamespace(**{**said, **other}))
        return _check("", "", Budget(), None, wanted)

    assert ask().claim == ask("ends").claim == "ends"
    assert ask(formula="G x").claim == ask(fair="weak").claim == ""
    assert ask(bound=("rounds", 2)).bound == Bound("rounds", 2)
    for wrong in ({"claim": "unreachable"}, {"bound": ("rounds", 2)}):
        with pytest.raises(ProofError, match="not 'ends'"):
            ask("ends", **wrong)
