"""Spin (`spin -a`, `gcc -O2`, `pan -a`) beside `knaster check` on formulas about threads, fair runs or all of them.

    python -m benchmarks.spin_temporal

Seconds of processor time of whole commands, one after the other in the same run; ours checks a proof or replays a run.
Needs the Debian packages spin and gcc.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.spin import ROOT, processor_seconds

PROMELA, EXAMPLES = ROOT / "benchmarks" / "promela", ROOT / "examples"


class Case(NamedTuple):
    """A program, its model, a formula, and whether it holds on all runs, and on all weakly fair ones."""

    name: str
    program: Path
    model: Path
    formula: str
    holds: bool
    holds_fairly: bool
    threads: tuple[str, ...] = ()


def _case(name: str, formula: str, holds: bool, holds_fairly: bool) -> Case:
    return Case(name, EXAMPLES / "temporal" / f"{name}.bp", PROMELA / f"{name}.pml", formula, holds, holds_fairly)


DRIVER = EXAMPLES / "threads" / "driver-fixed.bp", PROMELA / "driver-stops.pml"
CASES = (
    _case("peterson", "G (at(WAIT_1) -> F at(IN_1))", True, True),
    _case("dekker", "G (at(WANT_1) -> F at(IN_1))", False, True),
    _case("bakery", "G (at(WAIT_1) -> F at(IN_1))", True, True),
    _case("leader", "F {leader}", True, True),
    Case("driver", *DRIVER, "F {stopped}", True, True, ("main_adder", "main_stopper")),
)


def spin(case: Case, fair: bool) -> tuple[bool, float, float]:
    """Return what Spin says, the seconds that it takes, and those of its search alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made, _ = processor_seconds(["spin", "-a", str(case.model)], folder)
        compiled, _ = processor_seconds(["gcc", "-O2", "-o", "pan", "pan.c"], folder)
        before = os.times()
        command = ["./pan", "-a", "-m100000", *(["-f"] if fair else [])]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        after = os.times()
        ran = after.children_user + after.children_system - before.children_user - before.children_system
    if "max search depth too small" in said or "errors: " not in said:
        raise SystemExit(f"Spin gives no answer:\n{said}")
    return "errors: 0" in said, made + compiled + ran, ran


def knaster(case: Case, fair: bool) -> tuple[bool, float]:
    """Return what Knaster says and the seconds that it takes."""
    asked = ["--property", case.formula, "--trace", "none", *(["--fair", "weak"] if fair else [])]
    asked += [word for thread in case.threads for word in ("--thread", thread)]
    before = os.times()
    command = [sys.executable, "-m", "knaster", "check", str(case.program), *asked]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode not in (0, 10):
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return done.returncode == 0, spent


def main() -> None:
    """Print what both say and take."""
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        raise SystemExit("spin and gcc are needed")
    print("| | runs | holds | Spin | of which `pan` | Knaster |\n|---|---|---|---|---|---|")
    for case in CASES:
        for fair, expected in ((False, case.holds), (True, case.holds_fairly)):
            theirs, whole, search = spin(case, fair)
            ours, seconds = knaster(case, fair)
            if not theirs == ours == expected:
                raise SystemExit(f"{case.name}: Spin says {theirs}, Knaster {ours}, expected {expected}")
            runs, says = "weakly fair" if fair else "all", "yes" if ours else "no"
            print(f"| {case.name} | {runs} | {says} | {whole:.2f} | {search:.2f} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
