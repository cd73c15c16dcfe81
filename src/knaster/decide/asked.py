"""A question as plain records: the text (`Source`), what is asked (`Asked`), how (`How`), what vouches (`Evidence`).

Each can be pickled and sent to another process; none has looked at the program yet.  What makes no sense whatever the
program is, is refused here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import Problem, UsageError
from knaster.base.file_line import place
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.properties import REACH, Property, Wording, property_named
from knaster.evidence.questions.question import Bound, Temporal, Termination
from knaster.frontends.languages import load
from knaster.program.model import Kind, Program

SMALL_PROGRAM = 3_000  # edges; up to here proofs are checked unless the caller says otherwise
MOST_ROWS = 20_000  # the same for tables of programs with references
NONE: Mapping[str, Any] = {}  # no options


class Source(NamedTuple):
    """A program that is to be read: a file, a text with its name, or a program that was read already."""

    what: str | os.PathLike[str] | Program
    file: str | None = None
    dialect: str = "default"
    options: Mapping[str, Any] = NONE  # of the language
    before: tuple[Program, tuple[str, ...]] | None = None  # what was read of it before

    def read(self) -> tuple[Program, tuple[str, ...]]:
        """Return the program, and remarks about its text."""
        if self.before is not None:
            return self.before
        if isinstance(self.what, Program):
            if self.options:
                raise UsageError(f"the program was read already, so '{next(iter(self.options))}' comes too late")
            return self.what, ()
        remarks: list[Problem] = []
        program = load(self.what, self.dialect, remarks, self.file, **self.options)
        return program, tuple(f"{place(program.file, remark.span.line)}: {remark.message}" for remark in remarks)


class Asked(NamedTuple):
    """What is asked of a program: names of targets or a whole question, which threads run, and how far to look."""

    question: Wording = None  # None: what is asked where nobody names anything, which depends on the language
    threads: tuple[str, ...] = ()  # NAME, NAME*N, NAME*; without any, those of the program
    entry: str | None = None
    bound: Bound | None = None
    first: bool = False

    @classmethod
    def of(
        cls,
        question: Wording = None,
        threads: Sequence[str] | None = None,
        entry: str | None = None,
        *,
        switches: int | None = None,
        rounds: int | None = None,
        delays: int | None = None,
        preemptions: int | None = None,
        property: str | None = None,
        fair: str = "none",
        first: bool = False,
    ) -> Asked:
        """Return what a user asks; refuse what makes no sense of any program."""
        bound = _bound({"switches": switches, "rounds": rounds, "delays": delays, "preemptions": preemptions})
        if entry is not None and threads:
            raise UsageError("an entry is the only thread; give --entry or --thread, not both")
        if property is not None or fair != "none":
            question = property_named(property or REACH.name).wording(question, fair)
        return cls(question, tuple(threads or ()), entry, bound, first)

    def in_force(self) -> dict[str, object]:
        """Return the choices about threads as options of the JSON output."""
        given = {self.bound.kind: self.bound.number} if self.bound is not None else {}
        threads = list(self.threads) if self.threads else None
        others: dict[str, object] = {kind: given[kind] for kind in ("delays", "preemptions") if kind in given}
        return {"switches": given.get("switches"), "rounds": given.get("rounds"), **others, "thread": threads}

    def property_in_force(self) -> dict[str, object]:
        """Return which property about targets is asked, as an option of the JSON output; nothing where it is none."""
        if isinstance(self.question, Termination | Temporal):
            return {}
        return {"property": self.question.name if isinstance(self.question, Property) else REACH.name}


def _bound(given: Mapping[str, int | None]) -> Bound | None:
    """Return the bound that was given; refuse several, and numbers that are impossible."""
    numbers = {kind: number for kind, number in given.items() if number is not None}
    if len(numbers) > 1:
        named = " or of ".join(numbers)
        raise UsageError(f"a bound is a number of {named}, not both; give one of them")
    for kind, number in numbers.items():
        if number < (kind == "rounds"):
            raise UsageError(f"{number} {kind} are impossible; give {int(kind == 'rounds')} or more")
        return Bound(kind, number)
    return None


class How(NamedTuple):
    """The engine that is to answer, None for the one that fits; and the values of its options that were chosen."""

    engine: str | None = None
    options: Mapping[str, Any] = NONE
    others: bool = True  # where the engine makes a mistake, another one is asked


class Evidence(NamedTuple):
    """What is to vouch for an answer: traces, and whether proofs are checked (None: where the program is small)."""

    traces: bool = True
    proofs: bool | None = None
    short_proofs: bool = False  # invariants of C are made short, for people: up to half of the time of an answer

    def wants_proof(self, program: Program) -> bool:
        """Tell whether the proof of `unreachable` is to be checked."""
        return not self.no_proof(program)

    def no_proof(self, program: Program, rows: int = 0) -> str:
        """Say why the proof of `unreachable` is not to be checked; empty where it is."""
        if self.proofs is not None:
            return "" if self.proofs else "its check was switched off"
        if program.kind is Kind.REFERENCES:
            return "" if rows <= MOST_ROWS else f"a table of more than {MOST_ROWS:,} rows; --certify checks it"
        small = program.size <= SMALL_PROGRAM
        return "" if small else f"more than {SMALL_PROGRAM:,} edges; --certify checks it"
