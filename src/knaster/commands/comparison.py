"""Several engines on one program: what each says, where they disagree, and the smallest program on which they do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from knaster.commands.exits import ExitCode, worst
from knaster.commands.one_file import Checked

if TYPE_CHECKING:
    from knaster.program.model import Program
    from knaster.results.question import Question

CODES = {"answered": ExitCode.DONE, "undecided": ExitCode.UNDECIDED, "refused": ExitCode.REFUSED}
CODES |= {"usage": ExitCode.USAGE, "fault": ExitCode.FAULT}
EACH = 5.0  # seconds for one engine on one candidate, while a program is made smaller
Name = tuple[str, int]  # of a target, and its line


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one engine said of one file; None stands for a target of which it said nothing."""

    engine: str
    status: str
    verdict: str
    reason: str
    seconds: float | None
    reachable: Mapping[Name, bool | None]

    @classmethod
    def of(cls, engine: str, checked: Checked, elapsed: float) -> Outcome:
        """Return what `knaster check --format json` says; `elapsed` is how long it took where it does not say."""
        found: dict[str, Any] = json.loads(checked.output)
        targets = {(target["name"], target["line"]): target["reachable"] for target in found["targets"]}
        seconds = found["stats"].get("seconds", elapsed if found["status"] == "undecided" else None)
        return cls(engine, found["status"], found["verdict"], found["reason"], seconds, targets)

    @property
    def word(self) -> str:
        """The answer in one word."""
        return self.verdict if self.status in ("answered", "undecided") else self.status.upper()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A target of which some engines say that it is reachable, others that it is not."""

    name: str
    line: int
    reachable: tuple[str, ...]
    unreachable: tuple[str, ...]

    def __str__(self) -> str:
        where = "" if str(self.line) in self.name else f" (line {self.line})"
        yes, no = " and ".join(self.reachable), " and ".join(self.unreachable)
        verbs = ["says" if len(engines) == 1 else "say" for engines in (self.reachable, self.unreachable)]
        return f"{self.name}{where}: {yes} {verbs[0]} reachable, {no} {verbs[1]} unreachable"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the engines said of one file; `unusable` are those that do not handle it, with why."""

    file: str
    outcomes: tuple[Outcome, ...]
    unusable: Mapping[str, str]
    named: bool = False  # the engines were named, so one that cannot be used is an error

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The targets about which the engines disagree."""
        return disagreements(self.outcomes)

    @property
    def code(self) -> ExitCode:
        """6 where engines disagree or fail, 2 where one refuses, 5 where one does not know or there are not two, 0."""
        if self.disagreements:
            return ExitCode.FAULT
        codes = [CODES[outcome.status] for outcome in self.outcomes]
        codes += [ExitCode.REFUSED] if self.unusable and self.named else []
        codes += [ExitCode.UNDECIDED] if len(self.outcomes) < 2 else []
        return worst(codes)


def disagreements(outcomes: Sequence[Outcome]) -> tuple[Disagreement, ...]:
    """Return the targets about which some outcomes disagree, in the order of the question."""
    found = []
    for name, line in dict.fromkeys(target for outcome in outcomes for target in outcome.reachable):
        said = {outcome.engine: outcome.reachable.get((name, line)) for outcome in outcomes}
        yes = tuple(engine for engine, answer in said.items() if answer is True)
        no = tuple(engine for engine, answer in said.items() if answer is False)
        if yes and no:
            found.append(Disagreement(name, line, yes, no))
    return tuple(found)


def usable(engines: Sequence[str], program: Program, question: Question) -> tuple[list[str], dict[str, str]]:
    """Return the engines that handle a question about a program, and of the others why not."""
    from knaster.engines.table import ENGINES

    why = {engine: ENGINES[engine].handles(program, question) for engine in engines}
    return [e for e, reason in why.items() if reason is None], {e: r for e, r in why.items() if r is not None}


def smallest(
    program: Program, found: Disagreement, options: argparse.Namespace, more: Callable[[], bool]
) -> Program | None:
    """Return a small program on which two engines still disagree in the same way; None where they no longer do.

    Programs with other than Boolean variables, or with threads, are not made smaller.
    """
    from knaster.program.shrink import shrink

    pair = found.reachable[0], found.unreachable[0]

    def still(candidate: Program) -> bool:
        yes, no = (_reached(candidate, engine, options) for engine in pair)
        return bool(yes[0] & no[1])

    if not still(program):
        return None
    plain = program.is_boolean and not program.is_threaded and program.objects is None
    return shrink(program, still, more) if plain else program


def _reached(program: Program, engine: str, options: argparse.Namespace) -> tuple[set[str], set[str]]:
    """Return the targets that an engine says are reachable, and those that it says are not; nothing is checked."""
    from knaster.conclude import Evidence
    from knaster.limits import Limits
    from knaster.pipeline import check
    from knaster.results.answer import Reachable, Unreachable

    seconds = EACH if options.timeout is None else min(EACH, options.timeout)
    try:
        limits = Limits(seconds, options.memory)
        result = check(program, options.target, engine=engine, limits=limits, evidence=Evidence(False, False))
    except Exception:  # whatever a candidate does to an engine, it is not the disagreement that is looked for
        return set(), set()
    yes = {target.name for target, answer in result.answers if isinstance(answer, Reachable)}
    no = {t.name for t, answer in result.answers if isinstance(answer, Unreachable) and answer.bound is None}
    return yes, no
