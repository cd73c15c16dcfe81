"""The Python interface beside `cli`: `check` with the keywords that users give, as the records that the rooms take."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from knaster.base.limits import Limits
from knaster.decide.asked import Asked, Evidence, How, Source
from knaster.decide.check import check as check_source
from knaster.evidence.answers.answer import Result
from knaster.evidence.questions.properties import Wording
from knaster.frontends.languages import language_options
from knaster.frontends.languages import load as parse
from knaster.program.model import Program

__all__ = ["check", "parse"]

if TYPE_CHECKING:  # for type checkers, which see a mistake in the name or the type of an option
    from typing import TypedDict, Unpack

    class CheckOptions(TypedDict, total=False):
        """The options of all engines and languages; a test compares them with the tables."""

        algorithm: str
        branches: int
        calls: int
        changes: int
        argc: str
        data_model: str
        define: tuple[str, ...]
        depth: int
        direction: str
        edges: int
        effects: bool
        fast: bool
        fingerprints: bool
        include: tuple[str, ...]
        integers: str
        keep_call: tuple[str, ...]
        layout: str
        liveness: bool
        malloc: str
        objects: str
        checks: str
        order: str
        predicate: tuple[str, ...]
        random: int
        reduction: str
        refine: bool
        refinements: int
        region: int
        rules: int
        runs: int
        search: str
        seed: int
        sequential: str
        shapes: int
        solving: int
        most: int
        states: int
        std: str
        strategy: str
        undefine: tuple[str, ...]
        volatile: str
        units: int
        visits: int
        work: int


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
    property: str | None = None,
    fair: str = "none",
    dialect: str = "default",
    progress: Callable[[str], None] | None = None,
    **options: Unpack[CheckOptions],
) -> Result:
    """Answer a question about a program; `source` is a file, a text with a newline in it, or a Program.

    `file` is the name of a text, which then needs no newline.

    The question is a `Reach` or a `Termination`, or in short the names of targets: labels, `FILE:LINE`, "asserts" or
    "all-labels"; None means the asserts and the usual error labels, and in a text of C every step that may be
    undefined (`property` "safety").  With `property` "reach" it means those without the steps, with "termination"
    whether every run ends; or it is a formula of linear temporal logic.  With threads only runs that are `fair` count:
    "weak" or "strong".  `options` are those of the engine and of the language.  Every trace is replayed and every proof
    is checked (by default where the program is small) before the result is returned.

    Of programs with threads, `switches`, `rounds`, `delays` or `preemptions` is the bound; without one it grows by
    itself.  `threads` names the procedures that run ("NAME", "NAME*3", or "NAME*" for any number); without it the
    program says so itself.
    """
    schedule = {"switches": switches, "rounds": rounds, "delays": delays, "preemptions": preemptions}
    asked = Asked.of(question, threads, entry, **schedule, property=property, fair=fair, first=first)
    given = dict(options)
    _refuse_misspelt(given)
    reading = {name: given.pop(name) for name in language_options() if name in given}
    program = Source(source, file, dialect, reading)
    return check_source(program, asked, How(engine, given), limits, evidence, progress)


_LIMITS = "write limits=Limits(seconds, megabytes)"


def _refuse_misspelt(given: Collection[str]) -> None:
    """Raise `UsageError` where no engine, no language and no argument of `check` has an option of that name."""
    from knaster.base.errors import UsageError
    from knaster.base.hints import did_you_mean
    from knaster.base.options import names
    from knaster.engines.table import ENGINES

    if not given:
        return
    known = {*language_options(), *(name for card in ENGINES.values() for name in names(card.options))}
    own = [name for name in check.__annotations__ if name not in ("options", "return")]
    for name in given:
        if name not in known:
            hint = _LIMITS if name in ("timeout", "memory") else did_you_mean(name, known, own)
            hint = hint or "'knaster check --help-all' lists those of engines and languages"
            raise UsageError(f"there is no option '{name}'; {hint}")


def _program_picture(program: Program) -> str | None:
    from knaster.report.notebook import program_picture

    return program_picture(program)


Program._repr_svg_ = _program_picture  # type: ignore[attr-defined]  # the model knows no pictures; a notebook wants one
