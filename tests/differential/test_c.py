"""Random programs of C: what the engines say is what an oracle finds that runs them on every input."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import knaster
from knaster.evidence.answers.answer import Unknown, Verdict
from knaster.report.harness import harness
from support.generators.c_programs import CProgram, random_program, text, truth
from support.machines import PATIENCE

EXAMPLES = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BLOCK = 30


def shrunk(program: CProgram, message: str) -> str:
    return f"{message}\n{text(program)}"


@pytest.mark.parametrize("block", range(0, EXAMPLES, BLOCK))
def test_search_finds_what_the_oracle_finds(block: int) -> None:
    for seed in range(block, block + BLOCK):
        program = random_program(seed)
        expected = truth(program)
        for property, wrong in (("reach", expected.error), ("termination", expected.endless)):
            targets = "reach_error();" in text(program)
            if property == "reach" and not targets:
                continue
            result = knaster.check(text(program), property=property, engine="search", file="random.c", runs=5_000)
            said = result.verdict is Verdict.FALSE
            if wrong is not None:
                assert said == wrong, shrunk(program, f"{property}, seed {seed}: {result.verdict}")
            if wrong is False and not program.inputs:
                assert result.verdict is Verdict.TRUE, shrunk(program, f"{property}, seed {seed}: {result.verdict}")


@pytest.mark.parametrize("block", range(0, EXAMPLES // 10, 6))
def test_horn_never_contradicts_the_oracle(block: int) -> None:
    """What is decided is right, and most is decided; no run and no proof is believed that is not checked."""
    decided = asked = 0
    for seed in range(block, block + 6):
        program = random_program(seed)
        expected = truth(program)
        if "reach_error();" not in text(program):
            continue
        result = knaster.check(text(program), engine="horn", file="random.c", units=400_000)
        asked += expected.error is not None
        decided += expected.error is not None and result.verdict is not Verdict.UNKNOWN
        if expected.error is not None and result.verdict is not Verdict.UNKNOWN:
            said = result.verdict is Verdict.FALSE
            assert said == expected.error, shrunk(program, f"seed {seed}: {result.verdict}")
        assert all(answer.checked for _, answer in result.answers if not isinstance(answer, Unknown))
    assert decided * 2 >= asked


@pytest.mark.parametrize("block", range(0, EXAMPLES // 8, 5))
def test_unrolled_never_contradicts_the_oracle(block: int) -> None:
    """What is decided is right, and most is decided; every run replays, and another checker accepts every depth."""
    decided = asked = 0
    for seed in range(block, block + 5):
        program = random_program(seed)
        expected = truth(program).error
        if "reach_error();" not in text(program) or expected is None:
            continue
        result = knaster.check(text(program), engine="unrolled", file="random.c", depth=8, work=10)
        asked += 1
        decided += result.verdict is not Verdict.UNKNOWN
        if result.verdict is not Verdict.UNKNOWN:
            assert (result.verdict is Verdict.FALSE) == expected, shrunk(program, f"seed {seed}: {result.verdict}")
        assert all(answer.checked for _, answer in result.answers if not isinstance(answer, Unknown))
    assert decided * 2 >= asked


PROVED = 3 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
UNITS = 1_000_000


@pytest.mark.parametrize("engine", ["ranking", "recurrence"])
def test_proofs_agree_with_the_oracle(engine: str) -> None:
    decided = 0
    wanted = {"ranking": False, "recurrence": True}[engine]  # half of the programs are such that it may succeed
    alike = [seed for seed in range(10 * PROVED) if truth(random_program(seed)).endless is wanted]
    for seed in sorted({*range(PROVED // 2), *alike[:PROVED]}):
        program = random_program(seed)
        expected = truth(program).endless
        result = knaster.check(text(program), property="termination", engine=engine, file="random.c", units=UNITS)
        decided += result.verdict is not Verdict.UNKNOWN
        wrong = Verdict.FALSE if expected is False else Verdict.TRUE
        assert expected is None or result.verdict is not wrong, shrunk(program, f"seed {seed}: {result.verdict}")
    assert decided


def test_the_oracle_knows_both_answers() -> None:
    """The programs are not all alike: each kind of run is there, and the oracle rarely gives up."""
    found = [truth(random_program(seed)) for seed in range(120)]
    assert sum(one.error is True for one in found) > 15
    assert sum(one.endless is True for one in found) > 10
    assert sum(one.error is False and one.endless is False for one in found) > 15
    assert sum(one.error is None for one in found) < 40


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_compiled_program_runs_into_the_error_with_its_harness(tmp_path: Path) -> None:
    tried = 0
    for seed in range(200):
        program = random_program(seed)
        if not program.inputs or not truth(program).error:
            continue
        result = knaster.check(text(program), engine="search", file="random.c")
        assert result.trace is not None
        (tmp_path / "random.c").write_text(text(program))
        (tmp_path / "out.c").write_text(harness(result.program, result.trace))
        binary = tmp_path / "binary"
        compiler: list[str | Path] = ["cc", "-w", "-fwrapv", "-o", binary, tmp_path / "random.c", tmp_path / "out.c"]
        subprocess.run(compiler, check=True, timeout=PATIENCE)
        done = subprocess.run([binary], capture_output=True, timeout=PATIENCE)
        assert done.returncode == 10 and b"the error is reached" in done.stderr, f"seed {seed}\n{text(program)}"
        tried += 1
        if tried == 6:
            break
    assert tried == 6
