"""Transition invariants for which the last visit suffices: a measure that descends until a loop is left.

Such an invariant relates each visit to every earlier one, which takes an invariant over two moments.  Of
`m then > m now`, the same expression m of both visits, it is enough that it holds of each visit and the one before
it, since `>` is transitive.  So it is of `m then > m now || (c then && !(c now))`, if moreover c has held at every
visit but the last: then each descent but the last one is one of m, and the last one is of either kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.competition.tokens import TokenText

_TYPES = {"int", "char", "short", "long", "unsigned", "signed", "_Bool", "__int128"}
_BETWEEN = {"+", "-", "*", "/", "%", "(", ")", "\\"}  # in a measure, outside of brackets
_PAST, _BEHIND = ["\\", "at", "("], [",", "AnyPrev", ")"]


class Descent(NamedTuple):
    """What has to hold at every visit but the last; empty where nothing has."""

    condition: str


def descent_of(value: str) -> Descent | None:
    """Return the descent that a transition invariant says; None where it says something else."""
    text = TokenText(value)
    words = [token.text for token in text.tokens]
    if not _is_balanced(text):
        return None
    ors = [place for place in _outside(text) if words[place] == "||"]
    if not ors:
        return Descent("") if _descends(words, text) else None
    if len(ors) != 1:
        return None
    parts = text.source(0, ors[0]), text.source(ors[0] + 1, len(words))
    for measure, left in (parts, parts[::-1]):
        one = TokenText(measure)
        condition = _left_when([token.text for token in TokenText(left).tokens])
        if condition is not None and _descends([token.text for token in one.tokens], one):
            return Descent(" ".join(condition))
    return None


def _descends(words: Sequence[str], text: TokenText) -> bool:
    """Tell whether an expression says that another one is less now than at an earlier visit."""
    outside = list(_outside(text))
    compared = [place for place in outside if words[place] == ">"]
    if len(compared) != 1 or any(_is_other(words[place]) for place in outside if place != compared[0]):
        return False
    before, now = list(words[: compared[0]]), list(words[compared[0] + 1 :])
    then = _as_of_now(before)
    return then is not None and "\\" not in now and then == now


def _is_other(word: str) -> bool:
    return word not in _BETWEEN and not (word[0].isalnum() or word[0] == "_")


def _as_of_now(words: list[str]) -> list[str] | None:
    """Return an expression of an earlier visit as one of now; None where it speaks of something else."""
    out: list[str] = []
    place, past = 0, 0
    while place < len(words):
        if words[place : place + 3] == _PAST:
            name = words[place + 3 : place + 4]
            if words[place + 4 : place + 7] != _BEHIND or not name or not _is_name(name[0]):
                return None
            out += name
            place, past = place + 7, past + 1
            continue
        if _is_name(words[place]) and words[place] not in _TYPES:
            return None
        out.append(words[place])
        place += 1
    return out if past else None


def _left_when(words: list[str]) -> list[str] | None:
    """Return c where an expression says that c has held at an earlier visit, and does not now."""
    if words[:1] != ["("] or words[-1:] != [")"]:
        return None
    words = words[1:-1]
    for size in range(1, len(words)):
        condition = words[-1 - size : -1]
        held = [*_PAST, "(", *condition, ")", *_BEHIND]
        if words == [*held, "&&", "!", "(", *condition, ")"] and "\\" not in condition:
            return condition if _is_balanced(TokenText(" ".join(condition))) else None
    return None


def _is_balanced(text: TokenText) -> bool:
    """Tell whether each bracket has a partner."""
    return all(place in text.partner for place, token in enumerate(text.tokens) if token.text in "()[]{}")


def _outside(text: TokenText) -> list[int]:
    """Return the tokens that stand in no brackets; brackets themselves do."""
    found, place = [], 0
    while place < len(text.tokens):
        found.append(place)
        opens = text.tokens[place].text in ("(", "[", "{")
        place = text.partner[place] + 1 if opens else place + 1
    return found


def _is_name(word: str) -> bool:
    return word[0].isalpha() or word[0] == "_"
