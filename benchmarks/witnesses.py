"""Every witness that Knaster writes: that it keeps the rules of the format, and that `validate` confirms it.

    python -m benchmarks.witnesses [FIRST [COUNT]] [--tests] [--only TEXT] [--seconds S] [--rows FILE]
                                   [--mixed] [--cache-rows FILE]

Asks the questions of `../shared/benchmarks/c-questions.csv` (with `--tests` those of `c-tests`), from FIRST on.  Each
answer is asked for a witness, the witness is looked at by `benchmarks.witness_rules` and validated by another process,
both limited by processor time.  `--rows` keeps what came out; a later run with the same file goes on.
`--cache-rows` has questions about the integers of the machine asked a second time from a cache, and keeps the rows of
`benchmarks.cache`, which need not ask them then.  Ends with code 1 where a witness breaks a rule or is not confirmed.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.c import BENCHMARKS
from benchmarks.cache import ask_again
from benchmarks.forked import prepare, run_forked
from benchmarks.harness import Run
from benchmarks.kept_rows import append_row, read_rows
from benchmarks.witness_rules import problems

_CONFIRMED, _LATE = "confirmed", "late"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a list: a path below the benchmarks, the property, and options of `check` that ask for it."""

    path: str
    property: str
    reading: tuple[str, ...]
    words: tuple[str, ...]
    as_listed: bool = True  # False: the list asks it about mathematical integers


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a question: the answer, what was said of its witness, and processor seconds of both commands."""

    path: str
    property: str
    said: str
    witness: str  # "confirmed", or what else; "none: " and why where there is no witness
    seconds: str
    validation: str


def questions(tests: bool) -> Iterator[Asked]:
    """Yield the questions of a list; integers are those of the machine, as the format means them."""
    folder = "c-tests/" if tests else ""
    name = "c-tests/questions.csv" if tests else "c-questions.csv"
    with open(BENCHMARKS / name, encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            given = row.get("options", "").split()
            options = dict(each.split("=", 1) for each in given if "=" in each)
            words = ["--target", options["label"]] if "label" in options else ["--property", row["property"]]
            words += ["--target", "lost"] if "reachable-is-no-leak" in given else []
            words += ["--entry", options["entry"]] if "entry" in options else []
            reading = ("--data-model", row["data_model"])
            yield Asked(folder + row["path"], row["property"], reading, tuple(words), row.get("integers") == "machine")


def look(asked: Asked, seconds: float, cache_rows: Path | None = None) -> Row:
    """Return what becomes of one question; keep how it is answered from a cache where that is wanted."""
    file = str(BENCHMARKS / asked.path)
    with tempfile.TemporaryDirectory() as folder:
        witness = Path(folder, "witness.yml")
        command = ["check", file, *asked.words, *asked.reading, "--format", "json", "--witness", str(witness)]
        if cache_rows is not None and asked.as_listed:
            command += ["--cache", str(Path(folder, "cache"))]
        done = run_forked(command, seconds)
        said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(done.exit_code, f"exit {done.exit_code}")
        said = "time" if done.timed_out else said
        first = f"{done.cpu_seconds:.2f}"
        if not witness.exists():
            row = Row(asked.path, asked.property, said, f"none: {_why_none(done)}", first, "")
        else:
            wrong = problems(witness.read_text(), Path(file).read_bytes())
            checked = run_forked(["validate", file, str(witness), *asked.reading], 3 * seconds)
            words = checked.output.removeprefix(f"{file}: ") or checked.errors
            became = _LATE if checked.timed_out else " ".join(words.split())
            became = _CONFIRMED if checked.exit_code == 0 else became
            became = f"breaks a rule: {wrong[0]}" if wrong else became
            row = Row(asked.path, asked.property, said, became, first, f"{checked.cpu_seconds:.2f}")
        if "--cache" in command:
            append_row(cache_rows, ask_again(asked.path, asked.property, command, done, seconds))
        return row


def _why_none(done: Run) -> str:
    """Return the note of a command that says why there is no witness."""
    notes = json.loads(done.output).get("notes", []) if done.output.startswith("{") else []
    return next((note for note in notes if note.startswith("No witness")), "")


def is_good(row: Row) -> bool:
    """Tell whether nothing speaks against a row."""
    return row.witness == _CONFIRMED or row.witness.startswith("none")


def main() -> int:
    """Look at a piece of a list; print what is not confirmed, and a count of everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("count", nargs="?", type=int)
    parser.add_argument("--tests", action="store_true", help="the questions of c-tests")
    parser.add_argument("--only", default="", help="only paths with this text")
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time for an answer (validation: 3 x)")
    parser.add_argument("--mixed", action="store_true", help="in another order, so that a piece is a sample")
    parser.add_argument("--rows", type=Path, help="keep what came out here, and ask nothing that is in it")
    parser.add_argument("--cache-rows", type=Path, help="ask again from a cache, and keep the rows of benchmarks.cache")
    options = parser.parse_args()
    asked = [one for one in questions(options.tests) if options.only in one.path]
    if options.mixed:
        asked.sort(key=lambda one: hashlib.sha256(f"{one.path} {one.property}".encode()).digest())
    asked = asked[options.first : None if options.count is None else options.first + options.count]
    counts: Counter[str] = Counter()
    prepare()
    known, bad = read_rows(options.rows, Row, "path", "property"), False
    for one in asked:
        row = known.get((one.path, one.property))
        if row is None:
            row = look(one, options.seconds, options.cache_rows)
            append_row(options.rows, row)
        counts[f"{row.said}: {row.witness if is_good(row) else 'NOT CONFIRMED'}"] += 1
        if not is_good(row):
            bad = True
            print(f"{row.path} {row.property} {row.said}: {row.witness}", flush=True)
    for what, count in counts.most_common():
        print(f"{count:6} {what}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
