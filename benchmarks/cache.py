"""What `--cache` saves on questions about C: each is asked twice, and the second time its evidence is checked again.

    python -m benchmarks.cache [FIRST [COUNT]] [--only TEXT] [--seconds S] [--mixed] [--rows FILE]

Asks the questions of `../shared/benchmarks/c-questions.csv` from FIRST on, each twice with the same folder, and prints
processor time of both runs (without the start of an interpreter: `benchmarks.forked`), which questions were decided
again, and which check takes more than a third.  `--rows` keeps what came out; a later run with the same file goes on.
Ends with code 1 where a decided question is not kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.c import BENCHMARKS, Question, questions
from benchmarks.forked import prepare, run_forked
from benchmarks.harness import Run
from benchmarks.kept_rows import append_row, read_rows


@dataclass(frozen=True, slots=True)
class Row:
    """Both runs of a question: verdict, whether the second came from the cache, and processor seconds."""

    path: str
    property: str
    said: str
    cached: str
    first: str
    second: str
    method: str


def look(question: Question, seconds: float) -> Row:
    """Ask a question twice."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["check", str(BENCHMARKS / question.path), "--cache", folder]
        command += ["--property", question.asked, "--integers", question.integers, "--data-model", question.data_model]
        command += ["--format", "json"]
        return ask_again(question.path, question.asked, command, run_forked(command, seconds), seconds)


def ask_again(path: str, asked: str, command: list[str], first: Run, seconds: float) -> Row:
    """Return the row of a question that was asked once with an empty cache, and is asked again where it was decided."""
    runs = [first]
    said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(first.exit_code, "time")
    cached, method = "", ""
    if said in ("TRUE", "FALSE"):
        runs.append(run_forked(command, seconds))
        before, after = (json.loads(one.output or "{}") for one in runs)
        cached, method = str(after.get("cached")).lower(), str(before.get("stats", {}).get("method", ""))
        cached = cached if after.get("verdict") == before["verdict"] else f"differs: {after.get('verdict')}"
    before_after = [f"{one.cpu_seconds:.2f}" for one in (runs[0], runs[-1])]
    return Row(path, asked, said, cached, before_after[0], before_after[1], method)


def main() -> int:
    """Look at a piece of the list; print what was not kept, what is slow, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("count", nargs="?", type=int)
    parser.add_argument("--only", default="", help="only paths with this text")
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time for each run")
    parser.add_argument("--rows", type=Path, help="keep what came out here, and ask nothing that is in it")
    parser.add_argument("--mixed", action="store_true", help="in another order, so that a piece is a sample")
    options = parser.parse_args()
    asked = [one for one in questions() if options.only in one.path]
    if options.mixed:
        asked.sort(key=lambda one: hashlib.sha256(f"{one.path} {one.asked}".encode()).digest())
    asked = asked[options.first : None if options.count is None else options.first + options.count]
    prepare()
    known, rows = read_rows(options.rows, Row, "path", "property"), []
    for question in asked:
        row = known.get((question.path, question.asked))
        if row is None:
            row = look(question, options.seconds)
            append_row(options.rows, row)
        rows.append(row)
    decided = [row for row in rows if row.said in ("TRUE", "FALSE")]
    again = [row for row in decided if row.cached != "true"]
    for row in again:
        print(f"not from the cache: {row.path} {row.property} {row.said} {row.method} {row.cached}")
    for row in decided:
        if row.cached == "true" and float(row.second) > max(1.0, float(row.first) / 3):
            print(f"slow: {row.first} s, {row.second} s: {row.path} {row.property} {row.said} {row.method}")
    first, second = (sum(float(getattr(row, name)) for row in decided) for name in ("first", "second"))
    print(f"{len(rows)} asked, {len(decided)} decided, {len(decided) - len(again)} of them kept")
    print(f"{first:.1f} s of processor time, then {second:.1f} s: {second / first if first else 0:.2f}")
    return 1 if again else 0


if __name__ == "__main__":
    sys.exit(main())
