"""The tests of CBMC, ESBMC, 2LS and SatAbs as questions: how many are decided, by folder and property, beside CBMC.

    python -m benchmarks.c_tests [--tool knaster|cbmc|cbmc-growing]... [--seconds S] [--rows FILE] [--threads]
                                 [--property NAME] [--only TEXT] [--every N [--offset K]]

Reads `../shared/benchmarks/c-tests/questions.csv`; `--pthreads` also the pthread files of Ultimate, whose ACSL
assertions become C.  Each question is a command of its own, limited by processor time.  `--rows` keeps every answer as
soon as it is there, and a later run with the same file asks only what is missing.  Ends with code 1 where an answer of
ours contradicts a label that is not disputed.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.c import BENCHMARKS
from benchmarks.disputed_tests import DISPUTED
from benchmarks.harness import BIN, run
from benchmarks.kept_rows import append_row, read_rows

PTHREADS = BENCHMARKS / "ultimate" / "pthreads_regression"
CBMC = (str(shutil.which("prlimit")), "--as=6000000000", str(shutil.which("cbmc")))
CBMC_CHECKS: Mapping[str, tuple[str, ...]] = {
    "reach": ("--no-standard-checks",),
    "memory": (
        "--no-assertions",
        "--no-signed-overflow-check",
        "--no-div-by-zero-check",
        "--no-undefined-shift-check",
    ),
    "safety": ("--no-signed-overflow-check",),
    "overflow": ("--no-standard-checks", "--no-assertions", "--signed-overflow-check"),
    "leak": ("--no-standard-checks", "--no-assertions", "--memory-leak-check"),
}
"""What CBMC is asked for each property; it has no words for the others."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the list: a path below `benchmarks`, a property, and what the label says."""

    path: str
    asked: str
    holds: bool
    data_model: str
    options: tuple[tuple[str, str], ...]
    has_threads: bool

    @property
    def folder(self) -> str:
        """Who has the test, and in which suite."""
        return "/".join(self.path.removeprefix("c-tests/").split("/")[:2])


@dataclass(frozen=True, slots=True)
class Row:
    """What a tool said: a verdict, "refused", "time" where that was up, or "error"."""

    path: str
    asked: str
    tool: str
    seconds: str
    limit: str
    said: str
    method: str = ""
    detail: str = ""


def questions() -> Iterator[Question]:
    """Yield the questions of c-tests."""
    with open(BENCHMARKS / "c-tests" / "questions.csv", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            options = tuple((key, value) for key, _, value in (each.partition("=") for each in row["options"].split()))
            threads = any(word in row["features"] for word in ("thread", "atomic"))
            holds = row["expected"] == "true"
            yield Question("c-tests/" + row["path"], row["property"], holds, row["data_model"], options, threads)


def pthread_questions() -> Iterator[Question]:
    """Yield a question for each pthread file of Ultimate whose assertions can be written in C: do they hold."""
    for file in sorted(PTHREADS.rglob("*.c")):
        text = with_plain_assertions(file.read_text(encoding="utf-8"))
        label = re.search(r"//\s*#(Safe|Unsafe)", text)
        if label is not None and "assert(" in text and not re.search(r"assert\([^;]*(\\|==>)", text):
            path = str(file.relative_to(BENCHMARKS))
            yield Question(path, "reach", label[1] == "Safe", "LP64", (), True)


def with_plain_assertions(text: str) -> str:
    """Return a C text whose assertions in ACSL are calls of `assert`, on the same lines."""
    plain = re.sub(r"(?://|/\*)@\s*assert\s+([^;]*);(?:\s*\*/)?", r"assert(\1);", text)
    return plain if plain == text else "#include <assert.h>\n#line 1\n" + plain


def ask_knaster(question: Question, file: Path, seconds: float) -> Row:
    """Return what `knaster check` says."""
    options = dict(question.options)
    words = ["--target", options["label"]] if "label" in options else ["--property", question.asked]
    words += ["--target", "lost"] if "reachable-is-no-leak" in options else []
    words += ["--entry", options["entry"]] if "entry" in options else []
    words += ["--data-model", question.data_model, "--certify", "--first", "--format", "json"]
    done = run([str(BIN / "python"), "-m", "knaster", "check", str(file), *words], seconds, "cpu")
    try:
        answer = json.loads(done.output)
    except ValueError:
        answer = {}
    said = {0: "TRUE", 10: "FALSE", 5: "UNKNOWN", 2: "refused"}.get(done.exit_code, "error")
    if said in ("TRUE", "FALSE") and answer.get("verdict") != said:
        said = "error"
    detail = str(answer.get("reason", answer.get("error", ""))) or done.errors[-300:]
    method = str(answer.get("stats", {}).get("method", ""))
    return _row(question, "knaster", done.cpu_seconds, seconds, "time" if done.timed_out else said, method, detail)


def ask_cbmc(question: Question, file: Path, seconds: float, depths: Sequence[int], tool: str) -> Row:
    """Return what CBMC says with one depth of unwinding after another, as long as there is time."""
    if question.asked not in CBMC_CHECKS:
        return _row(question, tool, 0.0, seconds, "not asked")
    options, spent, said = dict(question.options), 0.0, "UNKNOWN"
    words = ["--unwinding-assertions", "--no-malloc-may-fail", *CBMC_CHECKS[question.asked]]
    words += ["--error-label", options.get("label", "ERROR")] if _has_label(file, options.get("label", "ERROR")) else []
    words += ["--function", options["entry"]] if "entry" in options else []
    words += ["--i386-linux"] if question.data_model == "ILP32" else []
    for depth in depths:
        done = run([*CBMC, str(file), "--unwind", str(depth), *words], seconds - spent, "cpu")
        spent += done.cpu_seconds
        said = "time" if done.timed_out else cbmc_verdict(done.exit_code, done.output)
        if said != "UNKNOWN" or spent + 1 > seconds:
            break
    return _row(question, tool, spent, seconds, said, str(depth))


def cbmc_verdict(exit_code: int, output: str) -> str:
    """Return what CBMC means: where an unwinding assertion fails it does not know; what has no body it refuses."""
    if exit_code == 0:
        return "TRUE"
    if exit_code != 10:
        return "refused"
    failures = re.findall(r"^\[(\S+)\](.*): FAILURE$", output, re.MULTILINE)
    bounded = [name for name, _ in failures if ".unwind." in name or ".recursion" in name]
    missing = [name for name, why in failures if ".no-body." in name or "no candidates for" in why]
    if len(bounded) + len(missing) < len(failures):
        return "FALSE"
    return "refused" if missing else "UNKNOWN"


TOOLS: Mapping[str, Callable[[Question, Path, float], Row]] = {
    "knaster": ask_knaster,
    "cbmc": lambda question, file, seconds: ask_cbmc(question, file, seconds, (12,), "cbmc"),
    "cbmc-growing": lambda question, file, seconds: ask_cbmc(question, file, seconds, (12, 48, 192), "cbmc-growing"),
}


def ask(tool: str, question: Question, seconds: float) -> Row:
    """Return what a tool says about a question."""
    file = BENCHMARKS / question.path
    text = file.read_text(encoding="utf-8", errors="replace")
    if question.path.startswith("c-tests/") or with_plain_assertions(text) == text:
        return TOOLS[tool](question, file, seconds)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, file.name)
        copy.write_text(with_plain_assertions(text), encoding="utf-8")
        return TOOLS[tool](question, copy, seconds)


def is_wrong(question: Question, said: str) -> bool:
    """Tell whether an answer contradicts the list, where the list means what is asked."""
    if (question.path, question.asked) in DISPUTED:
        return False
    return said == "error" or (said in ("TRUE", "FALSE") and (said == "TRUE") != question.holds)


def main() -> int:
    """Ask, and print tables for each tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append", choices=tuple(TOOLS), help="may be repeated (default: knaster)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for each question, whole ones")
    parser.add_argument("--rows", type=Path, help="keep the answers here, and ask nothing that is in it")
    parser.add_argument("--threads", action="store_true", help="only files with threads or atomics")
    parser.add_argument("--pthreads", action="store_true", help="the pthread files of Ultimate, too")
    parser.add_argument("--property", help="only this one")
    parser.add_argument("--only", default="", help="only paths with this text")
    parser.add_argument("--every", type=int, default=1, help="a piece: only every N-th question")
    parser.add_argument("--offset", type=int, default=0, help="the first question of the piece, below N")
    parser.add_argument("--table", action="store_true", help="ask nothing: the table of what the file has")
    options = parser.parse_args()
    asked = [*questions(), *(pthread_questions() if options.pthreads else ())]
    asked = [
        question
        for number, question in enumerate(asked)
        if number % options.every == options.offset
        and options.only in question.path
        and options.property in (None, question.asked)
        and question.has_threads >= options.threads
    ]
    wrong = False
    for tool in options.tool or ["knaster"]:
        pairs = list(answers(asked, tool, options.seconds, options.rows, options.table))
        print(f"\n{tool}, {sum(float(row.seconds) for _, row in pairs):.0f} s of processor time")
        print(*table("property", pairs, lambda question: question.asked), sep="\n")
        print(*table("folder", pairs, lambda question: question.folder), sep="\n")
        for question, row in pairs:
            if is_wrong(question, row.said):
                print(f"AGAINST THE LABEL: {row.path} {row.asked} {tool}: {row.said} {row.detail}")
                wrong |= tool == "knaster"
    return 1 if wrong else 0


def answers(
    asked: Sequence[Question], tool: str, seconds: float, path: Path | None, silent: bool
) -> Iterator[tuple[Question, Row]]:
    """Yield questions with their rows, asking what a file does not know unless nothing is to be asked."""
    kept = read_rows(path, Row, "path", "asked", "tool")
    for question in asked:
        row = kept.get((question.path, question.asked, tool))
        row = None if row is not None and is_starved(row) else row
        if row is None and silent:
            continue
        if row is None:
            row = ask(tool, question, seconds)
            append_row(path, row)
            print(row.said, row.seconds, row.method, row.path, row.asked, file=sys.stderr, flush=True)
        yield question, row


def table(head: str, pairs: Sequence[tuple[Question, Row]], key: Callable[[Question], str]) -> Iterator[str]:
    """Yield a table: for each key how many questions were asked, and what became of them."""
    yield f"| {head} | asked | right | undecided | refused | against the label |"
    yield "|---|---|---|---|---|---|"
    counts: dict[str, Counter[str]] = {}
    for question, row in pairs:
        for name in (key(question), "all"):
            counts.setdefault(name, Counter())[_became(question, row)] += 1
    for name in sorted(counts, key=lambda each: (each == "all", each)):
        cells = [counts[name].get(what, "") for what in ("right", "undecided", "refused", "against")]
        asked = sum(number for what, number in counts[name].items() if what != "not asked")
        yield f"| {name} | {asked} | {' | '.join(map(str, cells))} |"


def _became(question: Question, row: Row) -> str:
    if row.said in ("refused", "not asked"):
        return row.said
    if row.said in ("UNKNOWN", "time"):
        return "undecided"
    return "right" if row.said == ("TRUE" if question.holds else "FALSE") else "against"


def is_starved(row: Row) -> bool:
    """Tell whether the machine gave a question less processor time than its limit."""
    return row.said == "time" and float(row.seconds) < 0.85 * float(row.limit)


def _has_label(file: Path, label: str) -> bool:
    return re.search(rf"\b{re.escape(label)}\s*:", file.read_text(encoding="utf-8", errors="replace")) is not None


def _row(
    question: Question, tool: str, spent: float, limit: float, said: str, method: str = "", detail: str = ""
) -> Row:
    words = " ".join(detail.split())
    return Row(question.path, question.asked, tool, f"{spent:.2f}", f"{limit:g}", said, method, words)


if __name__ == "__main__":
    sys.exit(main())
