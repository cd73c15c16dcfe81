"""Spin (`spin -a`, `gcc -O2`, `pan -a -f`) beside `knaster check --fair weak`: Peterson lets everybody in who waits.

    python -m benchmarks.spin_temporal

Seconds of processor time of whole commands, one after the other in the same run; ours checks a proof.  Needs the Debian
packages spin and gcc.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.spin import ROOT, processor_seconds

MODEL = ROOT / "benchmarks" / "promela" / "peterson.pml"
PROGRAM = ROOT / "examples" / "temporal" / "peterson.bp"
FORMULA = "G (at(WAIT_1) -> F at(IN_1))"


def spin() -> tuple[float, float]:
    """Return the seconds that Spin takes, and those of its search alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made, _ = processor_seconds(["spin", "-a", str(MODEL)], folder)
        compiled, _ = processor_seconds(["gcc", "-O2", "-o", "pan", "pan.c"], folder)
        ran, said = processor_seconds(["./pan", "-a", "-f", "-m100000"], folder)
    if "errors: 0" not in said:
        raise SystemExit(f"Spin finds an error:\n{said}")
    return made + compiled + ran, ran


def knaster() -> float:
    """Return the seconds that Knaster takes."""
    asked = ["--property", FORMULA, "--fair", "weak"]
    return processor_seconds([sys.executable, "-m", "knaster", "check", str(PROGRAM), *asked], ROOT)[0]


def main() -> None:
    """Print what both take."""
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        raise SystemExit("spin and gcc are needed")
    (theirs, search), ours = spin(), knaster()
    print(f"Spin {theirs:.2f} s, of which pan {search:.2f} s; Knaster {ours:.2f} s")


if __name__ == "__main__":
    main()
