"""Several engines on one program: what each says, where they disagree, and the smallest program on which they do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from knaster.base.exits import ExitCode, worst
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.evidence.questions.question import BOUNDS

if TYPE_CHECKING:
    from knaster.evidence.answers.answer import Answer
    from knaster.evidence.questions.question import Question
    from knaster.program.model import Program
    from knaster.report.envelope import Json

CODES = {"answered": ExitCode.DONE, "undecided": ExitCode.UNDECIDED, "refused": ExitCode.REFUSED}
CODES |= {"usage": ExitCode.USAGE, "fault": ExitCode.FAULT}
EACH = 5.0  # seconds for one engine on one candidate, while a program is made smaller
Name = tuple[str, int]  # of a target, and its line
ENDLESS = ("a run that never ends", 0)  # what is claimed where the question is whether every run ends


class Claim(NamedTuple):
    """What is claimed of a target: that `reached` switches (rounds) reach it, that `missed` do not.

    Without threads there are no switches, and what is reached is reached with none; what is missed, with any number.
    """

    reached: float = inf
    missed: float = -1

    @classmethod
    def of(cls, reachable: bool | None, least: int | None, covered: int | None) -> Claim:
        """Return the claim of a target in JSON; `covered` is how far everything was explored."""
        if reachable:
            return cls(least or 0, (least or 0) - 1)
        if reachable is False:
            return cls(missed=inf)
        return cls(missed=-1 if covered is None else covered)


OPEN = Claim()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one engine said of one file: a claim for each target; `whole` where it answered all that was asked."""

    engine: str
    status: str
    verdict: str
    reason: str
    seconds: float | None
    claims: Mapping[Name, Claim]
    whole: bool = True
    kind: str = ""  # of the bound: switches or rounds; empty without threads

    @classmethod
    def of(cls, engine: str, text: str, elapsed: float) -> Outcome:
        """Return what `knaster check --format json` says; `elapsed` is how long it took where it does not say."""
        found: dict[str, Any] = json.loads(text)
        bound = found["bound"] or {"kind": "", "asked": None, "covered": None}
        asked, covered = bound["asked"], bound["covered"]
        targets = {
            (target["name"], target["line"]): Claim.of(target["reachable"], target["least"], covered)
            for target in found["targets"]
        }
        if found.get("property") in ("termination", "formula"):
            targets = {ENDLESS: Claim.of({"FALSE": True, "TRUE": False}.get(found["verdict"]), None, None)}
        seconds = found["stats"].get("seconds", elapsed if found["status"] == "undecided" else None)
        within = asked is not None and covered is not None and covered >= asked
        whole = found["status"] == "answered" or (found["status"] == "undecided" and within)
        return cls(engine, found["status"], found["verdict"], found["reason"], seconds, targets, whole, bound["kind"])

    @property
    def word(self) -> str:
        """The answer in one word."""
        return self.verdict if self.status in ("answered", "undecided") else self.status.upper()

    @property
    def code(self) -> ExitCode:
        """What the answer is worth: 0 also where only a bound was asked for, and everything within it was explored."""
        return ExitCode.DONE if self.whole else CODES[self.status]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A target of which some engines say that it is reachable, others that it is not: with threads, with `number`."""

    name: str
    line: int
    reachable: tuple[str, ...]
    unreachable: tuple[str, ...]
    number: int | None = None
    kind: str = ""

    def __str__(self) -> str:
        where = "" if str(self.line) in self.name else f" (line {self.line})"
        yes, no = " and ".join(self.reachable), " and ".join(self.unreachable)
        verbs = ["says" if len(engines) == 1 else "say" for engines in (self.reachable, self.unreachable)]
        kind = self.kind.removesuffix("s").replace("switche", "switch") if self.number == 1 else self.kind
        if (self.name, self.line) == ENDLESS:
            return f"whether every run ends: {no} {verbs[1]} so, {yes} {verbs[0]} no"
        how = f" with {self.number} {kind}" if self.number is not None else ""
        return f"{self.name}{where}: {yes} {verbs[0]} reachable{how}, {no} {verbs[1]} unreachable"


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
        codes = [outcome.code for outcome in self.outcomes]
        codes += [ExitCode.REFUSED] if self.unusable and self.named else []
        codes += [ExitCode.UNDECIDED] if len(self.outcomes) < 2 else []
        return worst(codes)


def disagreements(outcomes: Sequence[Outcome]) -> tuple[Disagreement, ...]:
    """Return the targets about which some outcomes disagree, in the order of the question."""
    found = []
    kind = next((outcome.kind for outcome in outcomes if outcome.kind), "")
    for name, line in dict.fromkeys(target for outcome in outcomes for target in outcome.claims):
        said = {outcome.engine: outcome.claims.get((name, line), OPEN) for outcome in outcomes}
        least = min(claim.reached for claim in said.values())
        yes = tuple(engine for engine, claim in said.items() if claim.reached == least < inf)
        no = tuple(engine for engine, claim in said.items() if claim.missed >= least)
        if yes and no:
            found.append(Disagreement(name, line, yes, no, int(least) if kind else None, kind))
    return tuple(found)


def body(compared: Comparison, smallest: str | None) -> dict[str, Json]:
    """Return the fields of a comparison in JSON."""
    engines: list[Json] = [
        {"engine": o.engine, "status": o.status, "verdict": o.verdict, "reason": o.reason, "seconds": o.seconds}
        for o in compared.outcomes
    ]
    return {
        "engines": engines,
        "unusable": dict(compared.unusable),
        "disagreements": [
            {
                "name": found.name,
                "line": found.line,
                "reachable": list(found.reachable),
                "unreachable": list(found.unreachable),
                "least": found.number,
            }
            for found in compared.disagreements
        ],
        "smallest": smallest,
    }


def usable(engines: Sequence[str], program: Program, question: Question) -> tuple[list[str], dict[str, str]]:
    """Return the engines that handle a question about a program, and of the others why not."""
    from knaster.engines.table import ENGINES

    why = {engine: ENGINES[engine].why_not(program, question) for engine in engines}
    return [e for e, reason in why.items() if reason is None], {e: r for e, r in why.items() if r is not None}


def smallest(
    program: Program, found: Disagreement, options: argparse.Namespace, more: Callable[[], bool]
) -> Program | None:
    """Return a small program on which two engines still disagree in the same way; None where they no longer do.

    Programs with other than Boolean variables, or with threads, are not made smaller.
    """
    from knaster.transform.shrink.search import shrink

    pair = found.reachable[0], found.unreachable[0]

    def still(candidate: Program) -> bool:
        yes, no = (_claims(candidate, engine, options) for engine in pair)
        return any(claim.reached <= no.get(name, OPEN).missed for name, claim in yes.items() if claim.reached < inf)

    if not still(program):
        return None
    from knaster.program.model import Kind

    plain = program.kind is Kind.BOOLEAN and not program.is_threaded
    return shrink(program, still, more) if plain else program


def _claims(program: Program, engine: str, options: argparse.Namespace) -> dict[str, Claim]:
    """Return what an engine claims of each target; nothing is checked."""
    from knaster.base.limits import Limits
    from knaster.decide.asked import Asked, Evidence, How, Source
    from knaster.decide.check import check

    seconds = EACH if options.timeout is None else min(EACH, options.timeout)
    asked = {name: getattr(options, name) for name in (*BOUNDS, "property", "fair")}
    try:
        question = Asked.of(options.target, options.thread, **asked)
        limits = Limits(seconds, options.memory)
        result = check(
            Source(program), question, How(engine, others=False), limits, Evidence(traces=False, proofs=False)
        )
    except Exception:  # whatever a candidate does to an engine, it is not the disagreement that is looked for
        return {}
    if options.property != "reach":
        return {ENDLESS[0]: Claim.of({"FALSE": True, "TRUE": False}.get(result.verdict.value), None, None)}
    covered = result.bound.covered if result.bound is not None else None
    return {target.name: _claim(answer, covered) for target, answer in result.answers}


def _claim(answer: Answer, covered: int | None) -> Claim:
    from knaster.evidence.answers.answer import Reachable, Unreachable

    match answer:
        case Reachable():
            return Claim.of(True, answer.least, covered)
        case Unreachable(_, None):
            return Claim.of(False, None, covered)
        case _:
            return Claim.of(None, None, covered)
