"""The questions about C programs: how many are decided, by folder, and that none is answered wrongly.

    python -m benchmarks.c [--seconds S] [--engine NAME]... [--every N [--offset K]] [--rows FILE]
                           [--property reach|termination] [--recursive] [--only TEXT]

Reads `../shared/benchmarks/c-questions.csv`.  Each question is a `knaster check` of its own, limited by processor time,
so that what else the machine does changes no count.  `--rows` keeps every answer in a file as soon as it is there, and
a later run with the same file asks only what is missing; the table is about all questions of the piece that the file
knows.  Ends with code 1 where an answer is wrong.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import BIN, run
from benchmarks.kept_rows import append_row, read_rows

BENCHMARKS = Path(__file__).resolve().parents[2] / "shared" / "benchmarks"
ENGINES = ("auto", "yasm", "horn", "search", "ranking", "recurrence")
ONLY_ABOUT = {"horn": "reach", "ranking": "termination", "recurrence": "termination"}
DISPUTED = {
    (
        "tpdb/C/SV-COMP_Mixed_Categories/McCarthy91_false-unreach-call_false-termination.c",
        "termination",
    ): "McCarthy's function ends for every integer, and so does a run at __VERIFIER_error, which the label has endless",
    (
        "svcomp/termination-crafted-lit/ChawdharyCookGulwaniSagivYang-ESOP2008-random1d.c",
        "termination",
    ): "where max is 2147483647 the loop ends by a signed overflow only, which the label takes for the end of a run; "
    "with integers that wrap (gcc -fwrapv) it goes on for ever",
    (
        "svcomp/termination-crafted-lit/AliasDarteFeautrierGonnord-SAS2010-Fig1.c",
        "termination",
    ): "where m is 2147483647 the inner loop ends by a signed overflow only; with integers that wrap it never ends",
}
"""Questions whose label means something else, and what."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the list."""

    path: str
    asked: str  # "reach" or "termination"
    holds: bool
    integers: str
    data_model: str
    recursive: bool

    @property
    def folder(self) -> str:
        """The first two folders of the path."""
        return "/".join(self.path.split("/")[:2])


@dataclass(frozen=True, slots=True)
class Row:
    """What an engine said about a question: a verdict, "refused", "time" where that was up, or "error"."""

    path: str
    asked: str
    engine: str
    seconds: str
    limit: str
    said: str
    method: str = ""
    detail: str = ""


def questions(every: int = 1, offset: int = 0) -> Iterator[Question]:
    """Yield the questions, or every n-th of them, beginning with one of the first n."""
    with open(BENCHMARKS / "c-questions.csv", encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream)):
            if number % every == offset:
                yield Question(
                    row["path"],
                    row["property"],
                    row["holds"] == "true",
                    row["integers"],
                    row["data_model"],
                    row["recursive"] == "yes",
                )


def ask(question: Question, seconds: float, engine: str = "auto") -> Row:
    """Return what an engine says within so many seconds of processor time."""
    command = [str(BIN / "python"), "-m", "knaster", "check", str(BENCHMARKS / question.path)]
    command += ["--property", question.asked, "--integers", question.integers, "--data-model", question.data_model]
    done = run([*command, "--engine", engine, "--certify", "--first", "--format", "json"], seconds, "cpu")
    try:
        answer = json.loads(done.output)
    except ValueError:
        answer = {}
    said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(done.exit_code, "error")
    if said in ("TRUE", "FALSE") and answer.get("verdict") != said:
        said = "error"
    detail = str(answer.get("reason", "")) if said != "error" else f"exit code {done.exit_code}: {done.errors[-300:]}"
    return Row(
        question.path,
        question.asked,
        engine,
        f"{done.cpu_seconds:.2f}",
        f"{seconds:g}",
        "time" if done.timed_out else said,
        str(answer.get("stats", {}).get("method", "")),
        "" if done.timed_out else " ".join(detail.split()),
    )


def is_wrong(question: Question, said: str) -> bool:
    """Tell whether an answer contradicts the list, where the list means what is asked."""
    if (question.path, question.asked) in DISPUTED:
        return False
    return said == "error" or (said in ("TRUE", "FALSE") and (said == "TRUE") != question.holds)


def main() -> int:
    """Ask, and print a table by folder for each engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="a piece: only every N-th question")
    parser.add_argument("--offset", type=int, default=0, help="the first question of the piece, below N")
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for each question, whole ones")
    parser.add_argument("--engine", action="append", choices=ENGINES, help="may be repeated (default: auto)")
    parser.add_argument("--rows", type=Path, help="keep the answers here, and ask nothing that is in it")
    parser.add_argument("--property", choices=("reach", "termination"))
    parser.add_argument("--recursive", action="store_true", help="only recursive programs")
    parser.add_argument("--only", default="", help="only paths with this text")
    options = parser.parse_args()
    asked = [
        question
        for question in questions(options.every, options.offset)
        if options.only in question.path
        and options.property in (None, question.asked)
        and question.recursive >= options.recursive
    ]
    wrong = False
    for engine in options.engine or ["auto"]:
        rows = answers(asked, engine, options.seconds, options.rows)
        print(
            f"{engine}, {sum(float(row.seconds) for row in rows):.0f} s of processor time",
            *table(asked, rows),
            sep="\n",
        )
        for question, row in zip(asked, rows, strict=True):
            if is_wrong(question, row.said):
                print(f"WRONG: {row.path} {row.asked} {engine}: {row.said} {row.detail}")
                wrong = True
    return 1 if wrong else 0


def answers(asked: Sequence[Question], engine: str, seconds: float, path: Path | None) -> list[Row]:
    """Return a row for each question, asking what a file does not know."""
    known, rows = read_rows(path, Row, "path", "asked", "engine"), []
    for question in asked:
        row = known.get((question.path, question.asked, engine))
        if row is None and ONLY_ABOUT.get(engine, question.asked) != question.asked:
            row = Row(question.path, question.asked, engine, "0", "0", "not asked")
        elif row is None:
            row = ask(question, seconds, engine)
            append_row(path, row)
            print(row.said, row.seconds, row.method, row.path, row.asked, file=sys.stderr, flush=True)
        rows.append(row)
    return rows


def table(asked: Sequence[Question], rows: Sequence[Row]) -> Iterator[str]:
    """Yield the rows of the table: decided of asked, for each folder and kind of question."""
    yield "| folder | reach, holds | reach, fails | terminates | does not | refused |"
    yield "|---|---|---|---|---|---|"
    both = list(zip(asked, rows, strict=True))
    parts = {
        folder: [pair for pair in both if pair[0].folder == folder] for folder in sorted({q.folder for q in asked})
    }
    parts["all"] = both
    parts["all recursive ones"] = [pair for pair in both if pair[0].recursive]
    for name, part in parts.items():
        cells = []
        for kind in (("reach", True), ("reach", False), ("termination", True), ("termination", False)):
            mine = [(q, r) for q, r in part if (q.asked, q.holds) == kind and r.said not in ("refused", "not asked")]
            right = sum(row.said == ("TRUE" if question.holds else "FALSE") for question, row in mine)
            cells.append(f"{right} of {len(mine)}" if mine else "")
        refused = sum(row.said == "refused" for _, row in part)
        yield f"| {name} | {' | '.join(cells)} | {refused or ''} |"


if __name__ == "__main__":
    sys.exit(main())
