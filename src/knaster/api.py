"""The Python interface beside `cli`: `check` with the keywords that users give, as the records that the rooms take."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.limits import Limits
from knaster.decide.asked import Asked, Evidence, How, Source
from knaster.decide.check import check as check_source
from knaster.evidence.answers.answer import Result
from knaster.evidence.questions.properties import Wording
from knaster.frontends.languages import language_options
from knaster.frontends.languages import load as parse
from knaster.program.model import Program

__all__ = ["check", "parse"]


def check(
    source: str | os.PathLike[str] | Program,
    question: Wording = None,
    *,
    file: str | None = None,
    engine: str | None = None,
    limits: Limits = Limits(),  # noqa: B008  # frozen
    evidence: Evidence = Evidence(),  # noqa: B008
    first: bool = False,
    entry: str | None = None,
    switches: int | None = None,
    rounds: int | None = None,
    delays: int | None = None,
    preemptions: int | None = None,
    threads: Sequence[str] | None = None,
    property: str = "reach",
    fair: str = "none",
    dialect: str = "default",
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Result:
    """Answer a question about a program; `source` is a file, a text with a newline in it, or a Program.

    `file` is the name of a text, which then needs no newline.

    The question is a `Reach` or a `Termination`, or in short the names of targets: labels, `FILE:LINE`, "asserts" or
    "all-labels"; None means the asserts and the usual error labels, or with `property` "termination" whether every run
    ends, or a formula of linear temporal logic.  With threads only runs that are `fair` count: "weak" or
    "strong".  `options` are those of the engine and of the language.  Every trace is replayed and every proof is
    checked (by default where the program is small) before the result is returned.

    Of programs with threads, `switches`, `rounds`, `delays` or `preemptions` is the bound; without one it grows by
    itself.  `threads` names the procedures that run ("NAME", "NAME*3", or "NAME*" for any number); without it the
    program says so itself.
    """
    schedule = {"switches": switches, "rounds": rounds, "delays": delays, "preemptions": preemptions}
    asked = Asked.of(question, threads, entry, **schedule, property=property, fair=fair, first=first)
    reading = {name: options.pop(name) for name in language_options() if name in options}
    program = Source(source, file, dialect, reading)
    return check_source(program, asked, How(engine, options), limits, evidence, progress)


def _program_picture(program: Program) -> str | None:
    from knaster.report.notebook import program_picture

    return program_picture(program)


Program._repr_svg_ = _program_picture  # type: ignore[attr-defined]  # the model knows no pictures; a notebook wants one
