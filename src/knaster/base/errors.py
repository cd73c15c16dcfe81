"""Exceptions by whose fault they are: the source text's, the user's, a missing feature's, ours.

`KnasterError` is the user's side: the input (`SourceError`), the request (`UsageError`), or a construct that we do not
handle yet (`UnsupportedError`).  `InternalError` is ours.  Running out of budget is no error but an answer, `Unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.base.file_line import place
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass

SHOWN = 1000  # problems in a message
LONGEST = 1000  # letters of one: a name or a number may be very long


class Span(NamedTuple):
    """A stretch of source text on one line; lines and columns count from 1."""

    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at one place, and what to do about it."""

    message: str
    span: Span
    hint: str = ""


class KnasterError(Exception):
    """An error that the user can do something about."""


class UsageError(KnasterError):
    """The request makes no sense: an unknown target, an impossible combination of options."""


class MissingError(UsageError):
    """A package that is needed is not installed."""


class SourceError(KnasterError):
    """A text that was refused, with every problem found in it."""

    def __init__(self, file: str, source: str, problems: Sequence[Problem]) -> None:
        self.file = file
        self.source = source
        self.problems = tuple(problems)
        super().__init__(self.render())

    def render(self) -> str:
        """Return every problem with its line and a caret below it; beyond `SHOWN` problems, how many more there are."""
        lines = self.source.split("\n")  # not `splitlines`: a form feed or a Latin-1 control character ends no line
        shown = [_render(self.file, lines, problem) for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            shown.append(f"{self.file}: {len(self.problems) - SHOWN} more errors are not shown")
        return "\n".join(shown)


class UnsupportedError(KnasterError):
    """A construct that is understood but not handled by the method that was asked for."""

    def __init__(self, feature: str, span: Span | None = None, file: str = "") -> None:
        self.feature = feature
        self.span = span
        self.file = file
        where = f"{place(file, span.line)}:{span.column}: " if span else f"{file}: " if file else ""
        super().__init__(where + feature)


class DisagreementError(KnasterError):
    """A method that the user wrote says something else than what a replayed trace or a checked proof shows.

    `evidence` is the program, the target, and the trace; None in its place stands for a proof that was checked.
    """

    def __init__(self, author: str, claim: str, *evidence: Any) -> None:
        self.author = author
        self.claim = claim
        self.evidence = evidence
        super().__init__(author, claim, *evidence)

    def __str__(self) -> str:
        program, target, trace = self.evidence
        shown = "a proof that it is not was checked" if trace is None else "this trace reaches it"
        return f"{program.file}: {target}: {self.author} says {self.claim}; {shown}"


class ProofError(KnasterError):
    """A proof in a file that does not hold, is of another program, or is no proof at all."""


class InternalError(Exception):
    """Our own fault: a trace that does not replay, a certificate that does not hold."""


class KernelRefusal(InternalError):
    """The kernel refuses what our own checkers have accepted."""


class MalformedNodes(Exception):
    """What is said to be a list of BDD nodes is none (`bdd.nodes`; whoever catches it needs no BDDs)."""


def _render(file: str, lines: Sequence[str], problem: Problem) -> str:
    line, column, length = problem.span
    said = (
        problem.message if len(problem.message) <= LONGEST else f"{problem.message[:200]} ... {problem.message[-200:]}"
    )
    text = f"{place(file, line)}:{column}: error: {said}"
    if 1 <= line <= len(lines):
        start = max(0, column - 60)  # a very long line is shown around the caret only
        shown = "".join(letter if letter.isprintable() else " " for letter in lines[line - 1][start : start + 100])
        text += (
            f"\n  {shown}\n  {' ' * (column - 1 - start)}{'^' * max(1, min(length, len(shown) - column + 1 + start))}"
        )
    return f"{text}\n  {problem.hint}" if problem.hint else text
