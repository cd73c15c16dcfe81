"""What `--cache` saves on questions about C: each is asked twice, and the second time its evidence is checked again.

    python -m benchmarks.cache [FIRST [COUNT]] [--only TEXT] [--seconds S] [--rows FILE]

Asks the questions of `../shared/benchmarks/c-questions.csv` from FIRST on, each twice with the same folder, and prints
processor time of both runs, which questions were decided again, and which check takes more than a third.  `--rows`
keeps what came out; a later run with the same file goes on.  Ends with code 1 where a decided question is not kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.c import BENCHMARKS, Question, questions
from benchmarks.harness import BIN, run
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
        command = [str(BIN / "python"), "-m", "knaster", "check", str(BENCHMARKS / question.path), "--cache", folder]
        command += ["--property", question.asked, "--integers", question.integers, "--data-model", question.data_model]
        runs = [run([*command, "--format", "json"], seconds, "cpu")]
        said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(runs[0].exit_code, "time")
        cached, method = "", ""
        if said in ("TRUE", "FALSE"):
            runs.append(run([*command, "--format", "json"], seconds, "cpu"))
            before, after = (json.loads(one.output or "{}") for one in runs)
            cached, method = str(after.get("cached")).lower(), str(before.get("stats", {}).get("method", ""))
            cached = cached if after.get("verdict") == before["verdict"] else f"differs: {after.get('verdict')}"
        first, second = (f"{one.cpu_seconds:.2f}" for one in (runs[0], runs[-1]))
        return Row(question.path, question.asked, said, cached, first, second, method)


def start_up() -> float:
    """Return the processor seconds of a question about a program in which there is nothing to do."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "empty.c")
        file.write_text("int main(void) { return 0; }\n")
        command = [str(BIN / "python"), "-m", "knaster", "check", str(file), "--property", "termination"]
        return min(run(command, 60, "cpu").cpu_seconds for _ in range(3))


def main() -> int:
    """Look at a piece of the list; print what was not kept, what is slow, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("count", nargs="?", type=int)
    parser.add_argument("--only", default="", help="only paths with this text")
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time for each run")
    parser.add_argument("--rows", type=Path, help="keep what came out here, and ask nothing that is in it")
    options = parser.parse_args()
    asked = [one for one in questions() if options.only in one.path]
    asked = asked[options.first : None if options.count is None else options.first + options.count]
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
    start = start_up() * len(decided)
    share = (second - start) / (first - start) if first > start else 0
    print(
        f"without {len(decided)} starts of a process: {first - start:.1f} s, then {second - start:.1f} s: {share:.2f}"
    )
    return 1 if again else 0


if __name__ == "__main__":
    sys.exit(main())
