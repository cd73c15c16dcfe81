"""Every witness that Knaster writes: that it keeps the rules of the format, and that `validate` confirms it.

    python -m benchmarks.witnesses [FIRST [COUNT]] [--tests] [--only TEXT] [--seconds S] [--rows FILE]

Asks the questions of `../shared/benchmarks/c-questions.csv` (with `--tests` those of `c-tests`), from FIRST on.  Each
answer is asked for a witness, the witness is looked at by `benchmarks.witness_rules` and validated by another process,
both limited by processor time.  `--rows` keeps what came out; a later run with the same file goes on.  Ends with code 1
where a witness breaks a rule or is not confirmed.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.c import BENCHMARKS
from benchmarks.harness import BIN, run
from benchmarks.kept_rows import append_row, read_rows
from benchmarks.witness_rules import problems

KNASTER = (str(BIN / "python"), "-m", "knaster")
_CONFIRMED, _LATE = "confirmed", "late"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a list: a path below the benchmarks, the property, and options of `check`."""

    path: str
    property: str
    reading: tuple[str, ...]
    options: tuple[str, ...] = ()


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
            options = dict(each.split("=", 1) for each in row.get("options", "").split() if "=" in each)
            flags = {"entry": "--entry", "label": "--target"}
            asked = tuple(word for key, value in options.items() if key in flags for word in (flags[key], value))
            yield Asked(folder + row["path"], row["property"], ("--data-model", row["data_model"]), asked)


def look(asked: Asked, seconds: float) -> Row:
    """Return what becomes of one question."""
    file = str(BENCHMARKS / asked.path)
    with tempfile.TemporaryDirectory() as folder:
        witness = Path(folder, "witness.yml")
        question = ["--target", asked.options[1]] if "--target" in asked.options else ["--property", asked.property]
        entry = list(asked.options) if "--entry" in asked.options else []
        command = [*KNASTER, "check", file, *question, *entry, *asked.reading, "--witness", str(witness)]
        done = run(command, seconds, "cpu")
        said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(done.exit_code, f"exit {done.exit_code}")
        said = "time" if done.timed_out else said
        if not witness.exists():
            why = [line for line in done.output.splitlines() if line.startswith("No witness")]
            return Row(
                asked.path, asked.property, said, f"none: {why[0] if why else ''}", f"{done.cpu_seconds:.2f}", ""
            )
        wrong = problems(witness.read_text(), Path(file).read_bytes())
        checked = run([*KNASTER, "validate", file, str(witness), *asked.reading], 3 * seconds, "cpu")
        words = checked.output.removeprefix(f"{file}: ") or checked.errors
        became = _LATE if checked.timed_out else " ".join(words.split())
        became = _CONFIRMED if checked.exit_code == 0 else became
        became = f"breaks a rule: {wrong[0]}" if wrong else became
        times = (f"{one.cpu_seconds:.2f}" for one in (done, checked))
        return Row(asked.path, asked.property, said, became, *times)


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
    parser.add_argument("--rows", type=Path, help="keep what came out here, and ask nothing that is in it")
    options = parser.parse_args()
    asked = [one for one in questions(options.tests) if options.only in one.path]
    asked = asked[options.first : None if options.count is None else options.first + options.count]
    counts: Counter[str] = Counter()
    known, bad = read_rows(options.rows, Row, "path", "property"), False
    for one in asked:
        row = known.get((one.path, one.property))
        if row is None:
            row = look(one, options.seconds)
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
