"""A table of what people write who are used to other languages, and how it is written here."""

from __future__ import annotations

from collections.abc import Sequence

ASSIGN = "to assign, write ':='"
TYPES = ("bool", "int")
_DECLARE = "variables are declared by 'decl', whatever they hold"
BLOCKS = "blocks stand between 'begin' and 'end', 'then' and 'fi', 'do' and 'od'"
_BITS = "variables are single bits: compare them by '=' and '!='"

_OTHERWISE = {
    "and": "write '&' for 'and'",
    "or": "write '|' for 'or'",
    "xor": "write '^' for 'xor'",
    "not": "write '!' for 'not'",
    "elseif": "did you mean 'elsif'?",
    "elif": "did you mean 'elsif'?",
    "endif": "did you mean 'fi'?",
    "endwhile": "did you mean 'od'?",
    "done": "did you mean 'od'?",
    **dict.fromkeys(TYPES, _DECLARE),
    "<": _BITS,
    ">": _BITS,
}
CLOSERS = frozenset(("endif", "endwhile", "done"))
_CONSTANTS = {"true": "T", "false": "F"}


def constant(word: str) -> str:
    """Return `T` or `F` for a word that is a constant elsewhere, nothing for any other word."""
    return _CONSTANTS.get(word.lower(), "")


def other_word(word: str) -> str:
    """Return how a word of another language is written here, nothing for any other word."""
    return _OTHERWISE.get(word, "")


def hint(spellings: Sequence[str], at: int, expected: str) -> str:
    """Return what may have been meant by token `at`, where one of `expected` should stand, as far as it is known."""
    token = spellings[at]
    if token in ("=", "==") and "':='" in expected:
        return ASSIGN
    if token.startswith("{"):
        return BLOCKS
    return other_word(token) or (other_word(spellings[at - 1]) if "behind" in expected else "")
