"""Finds what a user may have meant by an unknown name, for the hint "did you mean"."""

from __future__ import annotations

from collections.abc import Collection

MOST = 2000  # names: comparing a misspelt one with more takes too long


def nearest(name: str, *known: Collection[str]) -> str:
    """Return the known name most like `name`: the same in other case, else a similar one; empty where none is.

    The answer does not depend on the order of the names.  Of very many names only one in other case is found.
    """
    folded = name.casefold()
    same = [each for names in known for each in names if each.casefold() == folded]
    if same:
        return min(same)
    if sum(map(len, known)) > MOST:
        return ""
    from difflib import get_close_matches  # only a mistake pays for the import

    close = get_close_matches(name, sorted(set().union(*known)), n=1)
    return close[0] if close else ""


def did_you_mean(name: str, *known: Collection[str]) -> str:
    """Return the question that names what `nearest` finds; empty where it finds nothing."""
    close = nearest(name, *known)
    return f"did you mean '{close}'?" if close else ""
