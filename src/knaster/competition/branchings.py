"""The branchings of a run, from the places that it passes: each `if` or loop, and whether its condition was true.

A condition was true where the run goes on in the body; a body that is a jump is left at once, and then it was true
where the run does not go on behind the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.competition.statements import end_of_statement
from knaster.competition.tokens import TokenText

_MOST_JUMPS = 100  # from one jump to the next that are followed
_JUMPS = ("goto", "break", "continue", "return")


class Branching(NamedTuple):
    """A keyword, and what became of its condition."""

    token: int
    outcome: bool


def branchings_of(text: TokenText, spans: Sequence[Span]) -> Iterator[Branching]:
    """Yield the branchings on the way through some places, but for the last one, behind which nothing is known."""
    places = [text.at(span.line, span.column) for span in spans]
    for here, there in pairwise(places):
        if here is None or there is None or here == there or text.tokens[here].text not in ("if", "while", "for"):
            continue
        closed = text.partner.get(here + 1)
        end = None if closed is None else end_of_statement(text, closed + 1)
        if closed is None or end is None:
            continue
        inside = closed < there < end
        yield Branching(here, inside or (_jumps(text, closed + 1) and not _is_behind(text, end, there)))


def _jumps(text: TokenText, body: int) -> bool:
    first = body + 1 if text.tokens[body].text == "{" else body
    return text.tokens[first].text in _JUMPS


def _is_behind(text: TokenText, end: int, place: int) -> bool:
    """Tell whether a place is where a run goes on behind a statement, or in what stands behind its `else`."""
    tokens, behind = text.tokens, end
    if behind < len(tokens) and tokens[behind].text == "else":
        last = end_of_statement(text, behind + 1)
        return last is not None and end < place <= last
    for _ in range(_MOST_JUMPS):
        while behind < len(tokens) and tokens[behind].text == "}":
            behind += 1
            if behind < len(tokens) and tokens[behind].text == "else":
                behind = end_of_statement(text, behind + 1) or len(tokens)
        if behind + 1 >= len(tokens) or tokens[behind].text != "goto":
            break
        label = tokens[behind + 1].text
        found = [n for n in range(len(tokens) - 1) if (tokens[n].text, tokens[n + 1].text) == (label, ":")]
        if len(found) != 1:
            break
        behind = found[0]
    return place in (end, behind) or (tokens[behind + 1 : behind + 2] != [] and place == _behind_label(text, behind))


def _behind_label(text: TokenText, token: int) -> int | None:
    """Return the statement behind a label; None where there is no label."""
    return token + 2 if text.tokens[token + 1].text == ":" else None
