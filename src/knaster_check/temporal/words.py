"""The word of a run that never ends, and what a formula in normal form says of it.

A letter is the set of atoms that hold just before a statement; after the end of a run there is one letter for ever.
Until is a least fixed point on the ring of positions, release a greatest one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knaster_check.refused import Refused
from knaster_check.temporal.formula import Tree

Letters = Sequence[set[str]]


def holds(formula: Tree, stem: Letters, cycle: Letters) -> bool:
    """Tell whether a formula in normal form holds on a word."""
    letters = [*stem, *cycle]
    after = [*range(1, len(letters)), len(stem)]
    return _truth(formula, letters, after, {})[0]


def _truth(formula: Tree, letters: Letters, after: list[int], known: dict[Tree, list[bool]]) -> list[bool]:
    if formula not in known:
        parts = [_truth(part, letters, after, known) for part in formula[1:]] if formula[0] != "atom" else []
        known[formula] = _combine(formula, parts, letters, after)
    return known[formula]


def _combine(formula: Tree, parts: list[list[bool]], letters: Letters, after: list[int]) -> list[bool]:
    match formula[0]:
        case "true" | "false" as word:
            return [word == "true"] * len(letters)
        case "atom":
            return [(formula[1] in one) == formula[2] for one in letters]
        case "X":
            return [parts[0][position] for position in after]
        case "&":
            return [a and b for a, b in zip(*parts, strict=True)]
        case "|":
            return [a or b for a, b in zip(*parts, strict=True)]
        case "U":
            return _fixed_point(False, lambda a, b, later: b or (a and later), parts, after)
        case "R":
            return _fixed_point(True, lambda a, b, later: b and (a or later), parts, after)
    raise Refused(f"'{formula[0]}' is no operator in normal form")


def _fixed_point(
    first: bool, rule: Callable[[bool, bool, bool], bool], parts: list[list[bool]], after: list[int]
) -> list[bool]:
    found = [first] * len(after)
    for _ in range(2):  # around the cycle, and once more for what its last position did not know yet
        for position in reversed(range(len(after))):
            found[position] = rule(parts[0][position], parts[1][position], found[after[position]])
    return found
