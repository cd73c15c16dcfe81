"""gcc's torture suite as questions: each program calls `abort` where a compiler is wrong, so `abort` is unreachable.

    python -m benchmarks.torture FOLDER [--seconds S] [--rows FILE] [--only TEXT] [--every N [--offset K]]

FOLDER is `gcc/testsuite/gcc.c-torture/execute` of gcc's sources, or any that has such programs.  Each question is a
command of its own, limited by processor time; `--rows` keeps every answer as soon as it is there, and a later run with
the same file asks only what is missing.  Ends with code 1 where `abort` is reachable in a program that is not disputed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import BIN, run
from benchmarks.kept_rows import append_row, read_rows

_WORDS = ("--property", "reach", "--define", "abort=reach_error", "--define", "__builtin_abort=reach_error")
_PLAIN = ("--volatile", "plain", "--trace", "none", "--format", "json")
_NO_TARGET, _NO_MAIN = "there is no assert and no error label", "there is no procedure 'main'"
_BECAME = {"TRUE": "right", "FALSE": "against", "UNKNOWN": "undecided", "time": "undecided"}
DISPUTED: Mapping[str, str] = {
    "20021127-1.c": "it defines `llabs` itself, which C leaves undefined; gcc takes its own",
    "950710-1.c": "it subtracts pointers to different objects, which C leaves undefined",
    "980701-1.c": "it subtracts a pointer to an object from a null pointer, which C leaves undefined",
}
"""Programs in which C leaves open what gcc means, and why."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was said about a file: a verdict, "refused", "no question", "time" where that was up, or "error"."""

    path: str
    seconds: str
    limit: str
    said: str
    detail: str = ""


def ask(folder: Path, path: str, seconds: float) -> Row:
    """Return what `knaster check` says about a file."""
    file = folder / path
    words = [str(file), *_WORDS, *_PLAIN, "--include", str(file.parent)]
    done = run([str(BIN / "python"), "-m", "knaster", "check", *words], seconds, "cpu")
    try:
        answer = json.loads(done.output)
    except ValueError:
        answer = {}
    said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(done.exit_code, "error")
    first = next((error["message"] for error in answer.get("errors", ())), answer.get("reason", ""))
    detail = " ".join(str(first or done.errors[-300:]).split())
    if _NO_TARGET in detail or _NO_MAIN in detail:
        said = "no question"
    return Row(path, f"{done.cpu_seconds:.2f}", f"{seconds:g}", "time" if done.timed_out else said, detail[:300])


def main() -> int:
    """Ask, and print how many answers are right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for each program")
    parser.add_argument("--rows", type=Path, help="keep the answers here, and ask nothing that is in it")
    parser.add_argument("--only", default="", help="only paths with this text")
    parser.add_argument("--every", type=int, default=1, help="a piece: only every N-th program")
    parser.add_argument("--offset", type=int, default=0, help="the first program of the piece, below N")
    options = parser.parse_args()
    paths = sorted(str(file.relative_to(options.folder)) for file in options.folder.rglob("*.c"))
    kept = read_rows(options.rows, Row, "path")
    counts: Counter[str] = Counter()
    wrong = False
    for path in [path for path in paths[options.offset :: options.every] if options.only in path]:
        row = kept.get((path,))
        if row is None:
            row = ask(options.folder, path, options.seconds)
            append_row(options.rows, row)
        became = _BECAME.get(row.said, row.said)
        counts["disputed" if became == "against" and path in DISPUTED else became] += 1
        if became in ("against", "error") and path not in DISPUTED:
            print(f"AGAINST GCC: {row.path}: {row.said} {row.detail}")
            wrong = True
    print(", ".join(f"{number} {what}" for what, number in counts.most_common()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
