"""Looks ahead after a mistake, to tell what is missing from what is misspelt, so that one slip gives one message."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.frontends.text.tokens import Tokens

_HEADERS = frozenset(("", "void", "bool"))


def starts_statement(tokens: Tokens, at: int) -> bool:
    """Tell whether a line starts at token `at` with what can only be a statement."""
    spellings = tokens.spellings
    return (
        spellings[at + 1] in (":=", ":", "(")
        and (spellings[at] in tokens.names or spellings[at].isdecimal())
        and tokens.line(at) > tokens.line(at - 1)
    )


def ends_procedure(spellings: Sequence[str], at: int) -> bool:
    """Tell whether another procedure or declaration stands behind the `end` at `at`, so that it closes no block."""
    at += 1
    while spellings[at] == ";":
        at += 1
    if spellings[at] in _HEADERS or spellings[at] in ("decl", "proc", "dfs"):
        return True
    if spellings[at + 1] != "(":
        return False
    while spellings[at] not in _HEADERS and spellings[at] not in (";", "begin", "end"):
        at += 1
    return spellings[at] == "begin"


def closed_behind(spellings: Sequence[str], at: int) -> int:
    """Return how many of the blocks that are open at token `at` are closed behind it in the same procedure."""
    closed = 0
    at += 1
    while spellings[at] not in _HEADERS and spellings[at] != "end":
        closed += (spellings[at] in ("fi", "od")) - (spellings[at] in ("if", "while"))
        at += 1
    return closed
