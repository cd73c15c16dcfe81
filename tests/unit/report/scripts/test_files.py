"""Which script a file gets, and what is said where a proof has none."""

from __future__ import annotations

from pathlib import Path

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.base.limits import Budget
from knaster.cli import main
from knaster.report.scripts.files import script_of
from support.c_proofs import ENDLESS, ENDS, READ, SAFE, prove

BOOLEAN = "main() begin decl x; x := 1; if (!x) then ERROR: skip; fi; end\n"
ROUND = "int main(void) { int i = 1; while (i) i = 1; }"


def refusal(result: knaster.Result, file: str) -> str:
    """Return what is said where there is no script."""
    with pytest.raises(UsageError) as said:
        script_of(result, file, Budget())
    return str(said.value)


def test_a_proof_of_another_kind_is_refused_with_what_can_be_written() -> None:
    for ending in (".smt2", ".chc"):
        said = refusal(knaster.check(BOOLEAN, file="b.bp"), f"p{ending}")
        assert ending in said and "path_edges" in said and "another ending" in said


def test_clauses_are_refused_for_measures_and_sets() -> None:
    for text in (ENDS, ENDLESS):
        said = refusal(prove(text, termination=True), "p.chc")
        assert "Horn clauses" in said and ".smt2" in said


def test_a_run_is_no_script() -> None:
    assert "comes back" in refusal(prove(ROUND, termination=True), "p.smt2")


def test_without_a_proof_there_is_none() -> None:
    found = knaster.check(READ + "int main(void) { reach_error(); }", file="p.c")
    assert "there is no proof to write as .smt2" in refusal(found, "p.smt2")


def test_the_command_writes_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.c"
    program.write_text(READ + SAFE["loop"][0])
    for ending in ("smt2", "chc"):
        script = tmp_path / f"p.{ending}"
        assert main(["check", str(program), "--engine", "horn", "--proof", str(script)]) == 0
        assert f"The proof was saved in {script}" in capsys.readouterr().out.replace("\n", " ")
        assert "(check-sat)" in script.read_text()


def test_the_command_says_why_there_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "b.bp"
    program.write_text(BOOLEAN)
    assert main(["check", str(program), "--proof", str(tmp_path / "b.smt2")]) == 0
    assert "No proof was saved: .smt2 is for invariants" in capsys.readouterr().out.replace("\n", " ")
    assert not (tmp_path / "b.smt2").exists()
