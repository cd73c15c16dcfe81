"""The questions about C programs: how many are decided, by folder, and that none is answered wrongly.

    python -m benchmarks.c [--every N] [--seconds S] [--property reach|termination] [--only TEXT]

Reads `../shared/benchmarks/c-questions.csv`; each question in this process, with a limit of wall time.  Ends with
code 1 where an answer is wrong.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import knaster
from knaster.errors import KnasterError, SourceError
from knaster.limits import Limits

BENCHMARKS = Path(__file__).resolve().parents[2] / "shared" / "benchmarks"


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


def questions(every: int = 1) -> Iterator[Question]:
    """Yield the questions, or every n-th of them."""
    with open(BENCHMARKS / "c-questions.csv", encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream)):
            if number % every == 0:
                yield Question(
                    row["path"],
                    row["property"],
                    row["holds"] == "true",
                    row["integers"],
                    row["data_model"],
                    row["recursive"] == "yes",
                )


def ask(question: Question, seconds: float) -> str:
    """Return the verdict, "refused" where the file is outside the language, or what went wrong."""
    try:
        result = knaster.check(
            BENCHMARKS / question.path,
            property=question.asked,
            limits=Limits(seconds),
            integers=question.integers,
            data_model=question.data_model,
        )
    except SourceError:
        return "refused"
    except KnasterError as error:
        return f"error: {error}"
    return result.verdict.value


DISPUTED = {
    (
        "tpdb/C/SV-COMP_Mixed_Categories/McCarthy91_false-unreach-call_false-termination.c",
        "termination",
    ): "McCarthy's function ends for every integer, and so does a run at __VERIFIER_error, which the label has endless",
}
"""Questions whose label means something else, and what."""


def is_wrong(question: Question, said: str) -> bool:
    """Tell whether an answer contradicts the list, where the list means what is asked."""
    if (question.path, question.asked) in DISPUTED:
        return False
    return said in ("TRUE", "FALSE") and (said == "TRUE") != question.holds


def main() -> int:
    """Ask, and print a table by folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="only every N-th question")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each question")
    parser.add_argument("--property", choices=("reach", "termination"))
    parser.add_argument("--only", default="", help="only paths with this text")
    options = parser.parse_args()
    counts: Counter[tuple[str, str, bool, str]] = Counter()
    wrong, started = [], time.process_time()
    for question in questions(options.every):
        if options.only not in question.path or options.property not in (None, question.asked):
            continue
        said = ask(question, options.seconds)
        if is_wrong(question, said) or said.startswith("error"):
            wrong.append(f"{question.path} {question.asked}: {said}")
        counts[question.folder, question.asked, question.holds, said] += 1
    for line in table(counts):
        print(line)
    print(f"{time.process_time() - started:.0f} s of processor time")
    for line in wrong:
        print("WRONG:", line)
    return 1 if wrong else 0


def table(counts: Counter[tuple[str, str, bool, str]]) -> Iterator[str]:
    """Yield the rows of the table: decided of asked, for each folder and kind of question."""
    yield "| folder | reach, holds | reach, fails | terminates | does not | refused |"
    yield "|---|---|---|---|---|---|"
    folders = sorted({folder for folder, *_ in counts})
    for folder in [*folders, "all"]:
        mine = {key[1:]: 0 for key in counts}
        for (where, *rest), number in counts.items():
            if folder in (where, "all"):
                mine[tuple(rest)] += number  # type: ignore[index]
        cells = []
        for kind in (("reach", True), ("reach", False), ("termination", True), ("termination", False)):
            total = sum(n for (a, b, said), n in mine.items() if (a, b) == kind and said != "refused")
            right = mine.get((*kind, "TRUE" if kind[1] else "FALSE"), 0)
            cells.append(f"{right} of {total}" if total else "")
        refused = sum(n for (_, _, said), n in mine.items() if said == "refused")
        yield f"| {folder} | {' | '.join(cells)} | {refused or ''} |"


if __name__ == "__main__":
    sys.exit(main())
