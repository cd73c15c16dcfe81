"""The reader of C against gcc: random programs without inputs compute the same as when they are compiled and run.

python tests/fuzz.py reader --first 1 --programs 1000 --seconds 150
python tests/fuzz.py reader --kind initial --first 1 --programs 1000 --seconds 150
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import knaster
from support.fuzz.pieces import arguments, compare
from support.generators.c_closed import ClosedProgram
from support.generators.c_initial import InitialProgram

COMPILER = shutil.which("gcc")
_FLAGS = ("-std=gnu17", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing")


_KINDS: dict[str, type[ClosedProgram | InitialProgram]] = {"closed": ClosedProgram, "initial": InitialProgram}


def printed(text: str) -> int | None:
    """Return the number that a program prints when gcc has compiled it; None where that is refused or too long."""
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "a.c", Path(folder) / "a.out"
        source.write_text(text, "utf-8")
        link = "void reach_error(void) { }\n"
        (Path(folder) / "b.c").write_text(link, "utf-8")
        command = [COMPILER, *_FLAGS, str(source), str(Path(folder) / "b.c"), "-o", str(program)]
        done = subprocess.run(command, capture_output=True, text=True)
        if "initializer" in done.stderr:
            return None  # a random list in braces that C does not have
        assert done.returncode == 0, done.stderr
        try:
            return int(subprocess.run([str(program)], capture_output=True, text=True, timeout=10).stdout)
        except subprocess.TimeoutExpired:
            return None


def difference(program: ClosedProgram | InitialProgram, count: Counter[str]) -> str:
    """Return what differs between gcc and us about a program; empty where nothing does."""
    value = printed(program.text())
    if value is None:
        count["no number"] += 1
        return ""
    for claim, verdict in ((value, "TRUE"), ((value + 1) % 2**64, "FALSE")):
        result = knaster.check(program.text(claim), file="a.c", engine="search")
        count[result.verdict.value] += 1
        if result.verdict.value not in (verdict, "UNKNOWN"):
            return f"gcc computes {value}; the sum {claim}: {result.verdict.value}\n{program.text(claim)}"
    return ""


def main(words: Sequence[str]) -> int:
    """Compare random programs until the time is spent; return 1 where something differs."""
    parser, count = arguments(__doc__), Counter[str]()
    parser.add_argument("--kind", choices=sorted(_KINDS), default="closed", help="statements, or initial values")
    options = parser.parse_args(words)
    return compare(options, count, lambda number: difference(_KINDS[options.kind](number), count))
