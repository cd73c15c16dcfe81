"""`certify` reads a program of C as it was read when its proof was saved, whatever `check` had chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.cli import main

READ = "extern int read(void);\n"
PROGRAMS = {
    "places for undefined steps": "int a[4];"
    " int main(void) { int i = read(); while (i > 0 && i < 4) { a[i] = 1; i = read(); } }",
    "no pointers, and decided by runs with memory": "int main(void) { int a[3] = {0}, i = 3; a[i - 1] = 1; return 0; }",
    "pointers": "int main(void) { int x = 3, *p = &x; return *p; }",
    "nothing that can be undefined": "#include <assert.h>\n"
    "int main(void) { int x = read() & 7; assert(x < 8); return 0; }",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_check_saves_is_certified(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, proof = tmp_path / "a.c", tmp_path / "proof.json"
    program.write_text(READ + PROGRAMS[name])
    assert main(["check", str(program), "--proof", str(proof)]) == 0
    assert main(["certify", str(program), str(proof)]) == 0
    assert "checked by the kernel" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("broken", ["a[i] = 1;", "i = read(); if (i == 7) a[i] = 1;"])
def test_a_run_that_check_saves_is_certified(broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, proof = tmp_path / "a.c", tmp_path / "proof.json"
    program.write_text(f"#include <assert.h>\n{READ}int main(void) {{ int a[3] = {{0}}, i = 3; {broken} return 0; }}")
    assert main(["check", str(program), "--proof", str(proof)]) == 10
    assert main(["certify", str(program), str(proof)]) == 0  # the evidence holds
    assert "checked by the kernel" in capsys.readouterr().out.splitlines()[-1]


def test_a_proof_of_another_program_is_refused_in_every_reading(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, proof = tmp_path / "a.c", tmp_path / "proof.json"
    program.write_text(READ + PROGRAMS["no pointers, and decided by runs with memory"])
    assert main(["check", str(program), "--proof", str(proof)]) == 0
    program.write_text(program.read_text().replace("i - 1", "i - 0"))
    assert main(["certify", str(program), str(proof)]) != 0
    assert "the proof is one of another program" in capsys.readouterr().err
