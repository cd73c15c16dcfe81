"""Formulas of linear temporal logic, from their text to negation normal form.

    true  false  ATOM  !f  X f  F f  G f  f U g  f W g  f R g  f & g  f | g  f -> g  f <-> g

Unary operators bind most tightly, then U W R, then &, |, -> and <->; U W R -> <-> lean to the right.  An atom is a
word, perhaps with dots and parentheses, such as `thread(1).at(L)`, or an expression in braces.

In normal form a tree is ("true",), ("false",), ("atom", text, value), ("&", f, g), ("|", f, g), ("X", f), ("U", f, g)
or ("R", f, g): until and release, of which the one is the negation of the other.
"""

from __future__ import annotations

import re
from typing import Any

from knaster_check.refused import Refused, Unsupported, expect

Tree = tuple[Any, ...]
_TOKEN = re.compile(r"\s*(?:(<->|->|[()!&|])|(\{[^{}]*\}|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\([^()]*\))*))")
_LEVELS = (("U", "W", "R"), ("&",), ("|",), ("->",), ("<->",))
_UNARY = ("!", "X", "F", "G")
_LONGEST, _DEEPEST, _MOST_EQUIVALENCES = 10_000, 100, 8


def read_formula(text: str) -> Tree:
    """Return the tree of a text, with all operators."""
    expect(len(text) <= _LONGEST, "a formula is too long")  # mutant(<=): one letter more or less
    parser = _Parser(text)
    found = parser.level(len(_LEVELS))
    expect(parser.here == "", f"a formula has '{parser.here[:40]}' where an operator is due")
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise Unsupported(f"a formula has '{text[at : at + 40]}', which is not understood")
            spelling, at = token[1] or token[2], token.end()
            word = re.match(r"[XFGUWR](?=\()", spelling)  # an operator before a parenthesis is no atom
            if word is not None:
                at, spelling = token.start(2) + 1, word[0]
            self.tokens.append(spelling)
        self.tokens.append("")
        self.at = self.depth = 0

    @property
    def here(self) -> str:
        return self.tokens[self.at]

    def level(self, level: int) -> Tree:
        """Read operators of a level and all that bind more tightly."""
        if level == 0:
            return self._unary()
        found = self.level(level - 1)
        while self.here in _LEVELS[level - 1]:
            operator = self._next()
            right = self.level(level - 1 if operator in "&|" else level)
            found = (operator, found, right)
        return found

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _unary(self) -> Tree:
        token = self._next()
        self.depth += 1
        expect(self.depth < _DEEPEST, "a formula is nested too deeply")  # mutant(<): one level more or less
        if token in _UNARY:
            found: Tree = (token, self._unary())
        elif token == "(":
            found = self.level(len(_LEVELS))
            expect(self._next() == ")", "a formula has a '(' that is not closed")
        elif token in ("true", "false"):
            found = (token,)
        else:
            expect(bool(re.match(r"[\w${]", token)), f"a formula has '{token}' where an atom is due")
            found = ("atom", token)
        self.depth -= 1
        return found


def atoms(formula: Tree) -> list[str]:
    """Return the atoms of a formula, each once."""
    if formula[0] == "atom":
        return [formula[1]]
    return list(dict.fromkeys(atom for part in formula[1:] for atom in atoms(part)))


def normal_form(formula: Tree, value: bool) -> Tree:
    """Return a formula, or with `value` false its negation, in negation normal form."""
    # mutant(<=): one more or less
    expect(_equivalences(formula) <= _MOST_EQUIVALENCES, "a formula has too many '<->'")
    return _normal(formula, value)


def _equivalences(formula: Tree) -> int:
    if formula[0] == "atom":
        return 0
    return int(formula[0] == "<->") + sum(map(_equivalences, formula[1:]))


def _normal(formula: Tree, value: bool) -> Tree:
    both, either, until, release = ("&", "|", "U", "R") if value else ("|", "&", "R", "U")
    yes, no = (("true",), ("false",)) if value else (("false",), ("true",))
    match formula:
        case ("true",):
            return yes
        case ("false",):
            return no
        case ("atom", text):
            return ("atom", text, value)
        case ("!", a):
            return _normal(a, not value)
        case ("X", a):
            return ("X", _normal(a, value))
        case ("F", a):
            return (until, yes, _normal(a, value))
        case ("G", a):
            return (release, no, _normal(a, value))
        case ("&" | "|" as operator, a, b):
            return (both if operator == "&" else either, _normal(a, value), _normal(b, value))
        case ("->", a, b):
            return (either, _normal(a, not value), _normal(b, value))
        case ("<->", a, b):
            first, second = _normal(b, value), _normal(b, not value)
            return ("|", ("&", _normal(a, True), first), ("&", _normal(a, False), second))
        case ("U" | "R" as operator, a, b):
            return (until if operator == "U" else release, _normal(a, value), _normal(b, value))
        case ("W", a, b):  # b R (a | b)
            left, right = _normal(a, value), _normal(b, value)
            return (release, right, (either, left, right))
    raise Refused(f"there is no operator '{formula[0]}'")
