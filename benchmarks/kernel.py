"""The time that the kernel takes for the proofs and runs of all programs of some folders, beside the check itself.

    python -m benchmarks.kernel FOLDER ...

Seconds are of the processor.  A program that is not decided within five seconds is left out.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import proof_to_text
from knaster.checkers.kernel import ask_kernel

SECONDS = 5


def measure(folder: Path) -> str:
    """Return a row for the programs of a folder."""
    count = holds = 0
    check = kernel = largest = 0.0
    for file in sorted(path for path in folder.rglob("*") if path.suffix in (".bp", ".c", ".zing")):
        begin = time.process_time()
        try:
            result = knaster.check(file, limits=knaster.Limits(SECONDS))
            decided, proof = time.process_time(), proof_to_text(result)
            saved = time.process_time()
            word = ask_kernel(result.program, proof, Budget())
        except KnasterError:
            continue
        took = time.process_time() - saved
        count, holds, check, kernel = count + 1, holds + word.holds, check + decided - begin, kernel + took
        largest = max(largest, took)
    return f"| {folder.name} | {count} | {holds} | {check:.1f} | {kernel:.1f} | {largest:.2f} |"


if __name__ == "__main__":
    print("| folder | proofs and runs | hold | check, s | kernel, s | largest, s |\n|---|---|---|---|---|---|")
    for name in sys.argv[1:]:
        print(measure(Path(name)), flush=True)
