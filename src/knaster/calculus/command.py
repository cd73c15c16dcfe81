"""The `solve` command: a file in, text and an exit code out."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from knaster.calculus.evaluation import Session
from knaster.calculus.outcomes import Answer, Truth, Undefined
from knaster.calculus.plot import plot as plot_sizes
from knaster.calculus.render import answer_json, answer_text, warning_text
from knaster.calculus.system import parse
from knaster.errors import SourceError, UsageError

ANSWERED, USAGE, REFUSED, OUT_OF_BUDGET = 0, 1, 2, 5
FORMATS = ("text", "json")


class OutOfTime(Exception):
    """The time limit was reached."""


def run(
    path_or_text: Path | str,
    *,
    format: str = "text",
    stats: bool = False,
    plot: Path | str | None = None,
    strategy: str = "frontier",
    timeout: float | None = None,
) -> tuple[str, int]:
    """Return what evaluating a file (a `Path`) or a text (a `str`) prints, and the exit code.

    0: every query is answered.  1: the request makes no sense.  2: the input is refused, or the rounds of a query never
    become stable.  5: the time limit was reached; what was answered before is there.
    """
    started = time.monotonic()
    if format not in FORMATS:
        return f"unknown format '{format}'; choose one of {', '.join(FORMATS)}", USAGE

    def tick() -> None:
        if timeout is not None and time.monotonic() - started > timeout:
            raise OutOfTime

    try:
        name, text = _read(path_or_text)
        session = Session(parse(text, file=name), strategy=strategy, tick=tick, record=stats or plot is not None)
    except UsageError as error:
        return str(error), USAGE
    except SourceError as error:
        return _refusal(error, format), REFUSED
    answers: list[Answer] = []
    code, note = ANSWERED, ""
    try:
        for answer in session.answers():
            answers.append(answer)
            if isinstance(answer, Undefined):
                code = REFUSED
    except OutOfTime:
        code, note = OUT_OF_BUDGET, f"the time limit of {timeout:g} s was reached"
    except SourceError as error:
        code, note = REFUSED, str(error)
    if plot is not None:
        try:
            Path(plot).write_text(plot_sizes(session.sizes, f"{Path(name).name}: size of each relation"), "utf-8")
        except OSError as error:
            return f"cannot write '{plot}': {error.strerror}", USAGE
    seconds = time.monotonic() - started
    if format == "json":
        return _json(session, name, answers, code, note, stats, seconds), code
    return _text(session, answers, note, stats, seconds), code


def _read(path_or_text: Path | str) -> tuple[str, str]:
    if isinstance(path_or_text, str):
        return "<text>", path_or_text
    try:
        return str(path_or_text), path_or_text.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read '{path_or_text}': {error.strerror}") from None


def _refusal(error: SourceError, format: str) -> str:
    if format == "text":
        return str(error)
    problems = [
        {"line": each.span.line, "column": each.span.column, "message": each.message, "hint": each.hint}
        for each in error.problems
    ]
    return json.dumps({"file": error.file, "exit_code": REFUSED, "problems": problems}, indent=2)


def _text(session: Session, answers: list[Answer], note: str, stats: bool, seconds: float) -> str:
    blocks = [warning_text(source, problem) for source, problem in session.system.warnings]
    blocks += [answer_text(answer) for answer in answers]
    if stats:
        blocks.append(f"+++ {seconds:.2f} seconds")
        blocks += [f"+++ {name.replace('_', ' ')}: {value}" for name, value in session.statistics.items()]
        for name, rounds in session.rounds.items():
            blocks.append(f"+++ {name}: {rounds} rounds, {max(session.sizes.get(name, [0]))} nodes at most")
    if note:
        blocks.append(f"*** {note}")
    return "\n".join(blocks)


def _json(session: Session, name: str, answers: list[Answer], code: int, note: str, stats: bool, seconds: float) -> str:
    asked = sum(1 for request in session.system.requests if not request.directive)
    data: dict[str, Any] = {
        "file": name,
        "exit_code": code,
        "queries": [answer.value for answer in answers if isinstance(answer, Truth)],
        "queries_asked": asked,
        "answers": [answer_json(answer) for answer in answers],
        "warnings": [
            {
                "file": source.name,
                "line": problem.span.line,
                "column": problem.span.column,
                "message": problem.message,
                "hint": problem.hint,
            }
            for source, problem in session.system.warnings
        ],
    }
    if note:
        data["reason"] = note
    if stats:
        data["statistics"] = {**session.statistics, "seconds": round(seconds, 3), "rounds_of": dict(session.rounds)}
        data["sizes"] = session.sizes
    return json.dumps(data, indent=2)
