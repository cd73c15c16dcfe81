"""`knaster facts`: what always holds at each line of a program, and what each procedure does (Lal 2009, chapter 3)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from knaster.base.deadline import within_time
from knaster.base.errors import UsageError
from knaster.base.hints import did_you_mean
from knaster.base.limits import Budget, Limits
from knaster.decide.asked import Source
from knaster.decide.crew import start_at
from knaster.evidence.answers.facts import Alias, Equation, Fact, Facts, LineFacts, Range, SummaryFacts
from knaster.program.kind import Kind
from knaster.program.model import Location, Procedure, Program, Return
from knaster.views.weighted.alias_facts import AliasFacts
from knaster.views.weighted.interval_facts import IntervalFacts
from knaster.views.weighted.program_facts import AffineFacts, ConstantFacts, TooManyVariables

NUMBERS = ("affine", "constants", "intervals")
DOMAINS = (*NUMBERS, "aliases")
Domain = AffineFacts | ConstantFacts | IntervalFacts | AliasFacts


class Teller(Protocol):
    """What a domain knows of a program."""

    def at(self, place: tuple[str, Location], /) -> tuple[Fact, ...] | None:
        """Return what holds at a place; None where nothing leads there."""
        ...

    def summary(self, procedure: Procedure, /) -> tuple[Fact, ...] | None:
        """Return what a call does; None where none returns."""
        ...


def facts(
    source: str | os.PathLike[str] | Program,
    domain: str = "all",
    *,
    at: Collection[int] = (),
    file: str | None = None,
    entry: str | None = None,
    dialect: str = "default",
    limits: Limits = Limits(),  # noqa: B008  # frozen
    progress: Callable[[str], None] | None = None,
    **reading: object,
) -> Facts:
    """Return what holds before each line (or those `at` some lines) of a sequential Boolean or C program.

    The domain is "affine" (equations between variables), "constants", "intervals", "aliases" of C with pointers, or
    "all" that fit, where intervals tell the others what they know.  `reading` are options of the language.
    """
    if domain not in (*DOMAINS, "all"):
        hint = did_you_mean(domain, DOMAINS) or f"there are {', '.join(DOMAINS)} and all"
        raise UsageError(f"there is no domain '{domain}'; {hint}")
    budget = Budget.of(limits, progress)
    program = start_at(Source(source, file, dialect, reading).read()[0], entry)
    fitting = ("aliases",) if program.kind is Kind.MEMORY else NUMBERS
    if domain not in (*fitting, "all"):
        raise UsageError(_misfit(program, domain, fitting))
    names = fitting if domain == "all" else (domain,)
    return within_time(budget, "facts were computed", lambda: _facts(program, names, at, budget))


def _misfit(program: Program, domain: str, fitting: tuple[str, ...]) -> str:
    """Say why a domain does not fit a program, and which do."""
    why = "has no pointers" if domain == "aliases" else "has pointers, and its numbers are not looked at"
    return f"{program.file} {why}; the domains that fit are {', '.join(fitting)} and all"


def _facts(program: Program, names: tuple[str, ...], at: Collection[int], budget: Budget) -> Facts:
    missing = [line for line in at if line not in {line for _, _, line in places_of(program)}]
    if missing:
        raise UsageError(f"no statement begins on line {missing[0]} of {program.file}")
    advice = IntervalFacts(program) if "intervals" in names else None
    known: list[Domain] = []
    note = ""
    for name in names:
        try:
            known.append(_domain(name, program, advice))
        except TooManyVariables as many:
            if len(names) == 1:
                raise
            note = str(many)
    names = tuple(name for name in names if not note or name != "affine")
    return facts_of(program, names, known, at, budget, note)


def facts_of(
    program: Program,
    names: tuple[str, ...],
    known: Sequence[Teller],
    at: Collection[int],
    budget: Budget,
    note: str = "",
) -> Facts:
    """Return what solved domains say of each line, or of those asked for."""
    budget.tell("solved; asking every line")
    rows = [
        LineFacts(procedure, line, _join([one.at((procedure, location)) for one in known]))
        for procedure, location, line in places_of(program)
        if not at or line in at
    ]
    called = [own for own in program.procedures if own.name not in program.threads] if not at else []
    summaries = [SummaryFacts(own.name, _join([one.summary(own) for one in known])) for own in called]
    return Facts(program, names, tuple(rows), tuple(summaries), note)


def _domain(name: str, program: Program, advice: IntervalFacts | None) -> Domain:
    if name == "aliases":
        return AliasFacts(program)
    if name == "intervals":
        assert advice is not None
        return advice
    return AffineFacts(program, advice) if name == "affine" else ConstantFacts(program, advice)


def places_of(program: Program) -> Iterator[tuple[str, Location, int]]:
    """Yield the first place of each procedure on each line, in the order of the text."""
    first: dict[tuple[int, str], Location] = {}
    for own in program.procedures:
        if own.name != program.initializer:
            for edge in own.edges:
                if isinstance(edge.action, Return) and edge.span == own.span and edge.source != own.entry:
                    continue  # the end of a function without a statement
                key = (edge.span.line, own.name)
                first[key] = min(first.get(key, edge.source), edge.source)
    for (line, procedure), location in sorted(first.items()):
        yield procedure, location, line


def _join(found: Sequence[tuple[Fact, ...] | None]) -> tuple[Fact, ...] | None:
    """Return the facts of several domains, each once: a constant that the first knows is not said again."""
    if any(each is None for each in found):
        return None
    joined: list[Fact] = []
    for each in found:
        settled = {name for own in joined if (name := _settled(own))}
        joined += [own for own in each or () if _only(own) not in settled]
    return tuple(joined)


def _settled(fact: Fact) -> str:
    """Return the variable that a fact says the value of; empty where it is about more."""
    return (
        fact.factors[0][0] if isinstance(fact, Equation) and len(fact.factors) == 1 and fact.factors[0][1] == 1 else ""
    )


def _only(fact: Fact) -> str | None:
    """Return the variable that a fact is about; None where it is about several."""
    if isinstance(fact, Range):
        return fact.variable
    if isinstance(fact, Alias):
        return None
    return fact.factors[0][0] if len(fact.factors) == 1 else None
