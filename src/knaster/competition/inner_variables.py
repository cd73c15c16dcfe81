"""Past values of variables that a block or a `for` declares: kept one by one, where the body of the function begins.

`__typeof__(i)` means nothing there, so a variable of the type that i is declared with keeps it; where a name has
several types, a `long long` does, and a cast restores the type where i is in scope.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from knaster.competition.past_values import PastValue
from knaster.competition.sequence import NotValidated
from knaster.competition.tokens import TokenText

_INTEGERS = {"int", "char", "short", "long", "unsigned", "signed", "_Bool", "const", "volatile"}
_QUALIFIERS = ("const", "volatile")
_NO_VARIABLES = {*_INTEGERS, "__int128", "sizeof"}


def inner_integers(text: TokenText, first: int, last: int) -> dict[str, str]:
    """Return the names that declarations between two tokens give to integers, with their type; empty: with several."""
    words = [token.text for token in text.tokens]
    found: dict[str, str] = {}
    place = first
    while place < last:
        if words[place] not in _INTEGERS or words[place - 1] not in ("(", ";", "{", "}"):
            place += 1
            continue
        begin = place
        while words[place] in _INTEGERS:
            place += 1
        type = " ".join(word for word in words[begin:place] if word not in _QUALIFIERS)
        while _is_name(words[place]) and words[place + 1] in ("=", ";", ","):
            found[words[place]] = type if found.get(words[place], type) == type else ""
            place = _behind_declarator(text, place + 1)
    return found


def _behind_declarator(text: TokenText, place: int) -> int:
    """Return the token behind the comma that ends a declarator, or the `;` of the last one."""
    words = text.tokens
    while words[place].text not in (",", ";"):
        place = text.partner.get(place, place) + 1
    return place + 1 if words[place].text == "," else place


def keep_inner(value: str, past: list[PastValue], inner: Mapping[str, str]) -> tuple[str, list[PastValue]]:
    """Return an expression and its past values, those that speak of inner variables taken apart."""
    kept: list[PastValue] = []
    for one in past:
        if inner.keys().isdisjoint(token.text for token in TokenText(one.expression).tokens):
            kept.append(one)
            continue
        written, parts = _take_apart(one, inner)
        value = written.join(re.split(rf"\b{one.variable}\b", value))
        kept += parts
    return value, kept


def _take_apart(one: PastValue, inner: Mapping[str, str]) -> tuple[str, list[PastValue]]:
    """Return a past value as an expression over past values of its variables."""
    text = TokenText(one.expression)
    words = ["", *(token.text for token in text.tokens), ""]
    parts: dict[str, PastValue] = {}
    out: list[str] = []
    for before, word, after in zip(words, words[1:-1], words[2:], strict=False):
        if word in ("[", ".", "->", "\\") or (word in "*&" and not _ends_operand(before)):
            raise NotValidated(f"the earlier value of '{one.expression}' is one of memory, and has inner variables")
        if not _is_name(word) or word in _NO_VARIABLES:
            out.append(word)
            continue
        if after == "(":
            raise NotValidated(f"the earlier value of '{one.expression}' has a call")
        type = (inner[word] or "long long") if word in inner else ""
        part = parts.setdefault(word, PastValue(f"{one.variable}_{len(parts)}", word, one.when, type))
        out.append(part.variable if inner.get(word, type) == type else f"((__typeof__({word})){part.variable})")
    return f"({' '.join(out)})", list(parts.values())


def _is_name(word: str) -> bool:
    return bool(word) and (word[0].isalpha() or word[0] == "_")


def _ends_operand(word: str) -> bool:
    return bool(word) and (word[0].isalnum() or word[0] == "_" or word == ")")
