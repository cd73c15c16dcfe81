"""What the kernel says of every proof and run of the shared suites, and its time beside that of the fast checker.

    python -m benchmarks.kernel [--every N [--offset K]] [--only TEXT] [--seconds S] [--rows FILE]

Asks every question of `../shared/benchmarks` and `../shared/models`, or every N-th one: assertions and the end of runs
of Boolean programs, the questions about C, the properties that models name in their first lines, and Zing models.  Each
is asked in a process of its own, limited by processor time.  What is decided is saved as a proof file, which our
checker and then the kernel look at.  `--rows` keeps each row as soon as it is there; a later run with the same file
asks only what is missing.  Ends with code 1 where one of the two refuses a proof.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import knaster
from benchmarks import c
from knaster.base.errors import InternalError, KnasterError, ProofError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.files import examine, proof_to_text
from knaster.checkers.kernel import ask_kernel
from knaster.evidence.proofs.files import read_document

SHARED = c.BENCHMARKS.parent
PROPERTY = re.compile(r"// property: (?P<property>.*?)  (?:fair: (?P<fair>\w+)  )?expect: (?P<expect>\w+)")
MEGABYTES = 3_000  # of a process
NODES = 1 << 20


class Question(NamedTuple):
    """What is asked of one file."""

    path: str  # below the shared folder
    asked: str  # a property, or empty: the assertions
    options: tuple[tuple[str, str], ...] = ()


class Row(NamedTuple):
    """What came of a question: the kind of its proof, what the kernel said of it, and seconds of the processor."""

    path: str
    asked: str
    kind: str = ""  # empty where nothing was decided
    word: str = ""  # "holds", or why not
    decided: float = 0.0
    checker: float = 0.0
    kernel: float = 0.0


def questions() -> Iterator[Question]:
    """Yield every question of the shared suites."""
    for path in sorted(SHARED.rglob("*.bp")) + sorted(SHARED.rglob("*.zing")):
        name, text = str(path.relative_to(SHARED)), path.read_text("utf-8", "replace")
        said = list(PROPERTY.finditer(text))
        for line in said:
            yield Question(name, line["property"], (("fair", line["fair"]),) if line["fair"] else ())
        if not said:
            yield from (Question(name, asked) for asked in ("", *(["termination"] if path.suffix == ".bp" else [])))
    for each in c.questions():
        options = (("integers", each.integers), ("data_model", each.data_model))
        yield Question(f"benchmarks/{each.path}", "" if each.asked == "reach" else each.asked, options)


def ask(question: Question, seconds: float) -> Row:
    """Return what comes of a question, asked in this process."""
    begin, path = time.process_time(), str(SHARED / question.path)
    named = {"property": question.asked} if question.asked else {}
    blank = Row(question.path, question.asked)
    try:
        result = knaster.check(path, limits=knaster.Limits(seconds), **named, **dict(question.options))  # type: ignore[arg-type]
        decided = time.process_time()
        proof = proof_to_text(result)
    except InternalError as wrong:
        return blank._replace(kind="mistake", word=f"refused: {wrong}")
    except KnasterError as error:
        return blank._replace(word=f"no proof: {str(error)[:100]}")
    kind, saved = read_document(proof)[1].name, time.process_time()
    found = blank._replace(kind=kind, decided=decided - begin)
    try:
        examine(proof, result.program, NODES, Budget())
        examined = time.process_time()
        word = ask_kernel(result.program, proof, Budget())
    except (ProofError, OutOfBudget) as wrong:
        return found._replace(word=f"refused: {wrong}")
    took = time.process_time() - examined
    said = "holds" if word.holds else f"silent: {word.silence}"
    return found._replace(word=said, checker=examined - saved, kernel=took)


def ask_apart(question: Question, seconds: float) -> Row:
    """Return what comes of a question, asked in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        limit = round(6 * seconds) + 5
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
        try:
            row = ask(question, seconds)
        except BaseException as error:
            row = Row(question.path, question.asked, "crash", f"refused: {type(error).__name__} {error}"[:200])
        os.write(writing, json.dumps(row).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read()
    status = os.waitpid(child, 0)[1]
    if text:
        return Row(*json.loads(text))
    why = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "nothing was said"
    return Row(question.path, question.asked, word=f"no proof: {why}")


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a table of rows by kind of proof, and then each proof that the kernel does not accept."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row.kind or "nothing to check", []).append(row)
    yield "| proofs | number | hold | silent | refused | checker, s | kernel, s | longest, s |"
    yield "|---|---|---|---|---|---|---|---|"
    for kind, own in sorted(kinds.items()):
        counts = [sum(row.word.startswith(word) for row in own) for word in ("holds", "silent", "refused")]
        times: list[float] = [sum(row.checker for row in own), sum(row.kernel for row in own)]
        times.append(max(row.kernel for row in own))
        yield f"| {kind} | {len(own)} | {' | '.join(map(str, counts))} | {' | '.join(f'{one:.2f}' for one in times)} |"
    for row in (row for own in kinds.values() for row in own if row.word.startswith(("silent", "refused"))):
        yield f"{row.path} [{row.asked or 'assertions'}] {row.kind}: {row.word}"


def main(arguments: Sequence[str]) -> int:
    """Ask the questions; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rows", type=Path)
    options: Any = parser.parse_args(arguments)
    os.environ["KNASTER_STRICT"] = (
        "1"  # a proof that the kernel refuses is an error, and not the next method's business
    )
    chosen = [q for q in questions() if options.only in q.path][options.offset :: options.every]
    rows = _rows_of(options.rows)
    for question in chosen:
        if question not in rows:
            rows[question] = ask_apart(question, options.seconds)
            if options.rows:
                with options.rows.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps([question, rows[question]]) + "\n")
    print("\n".join(table(rows.values())))
    return int(any(row.word.startswith("refused") for row in rows.values()))


def _rows_of(file: Path | None) -> dict[Question, Row]:
    """Return the rows that a file has."""
    if file is None or not file.exists():
        return {}
    found = {}
    for line in file.read_text("utf-8").splitlines():
        (path, asked, options), row = json.loads(line)
        found[Question(path, asked, tuple((name, value) for name, value in options))] = Row(*row)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
