"""The second look: what the kernel cannot read it is silent about, and whoever asked is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.base.limits import Budget
from knaster.checkers.files import proof_to_text
from knaster.checkers.kernel import ask_kernel
from knaster.cli import main
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
