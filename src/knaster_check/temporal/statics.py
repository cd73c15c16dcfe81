"""Conditions over the statics of a program with references: `!`, then `< <= > >=`, then `== !=`, `&&`, `||`.

Names are written with their class, as in `Main.x > 2 && !Main.done`.  What is not understood here is not decided.
"""

from __future__ import annotations

import re

from knaster_check.program import Formula, Program
from knaster_check.refused import Unsupported

_TOKEN = re.compile(r"\s*([A-Za-z_][\w.]*|[0-9]+(?![\w.])|==|!=|<=|>=|&&|\|\||[()!<>])")
_LEVELS = (("<", "<=", ">", ">="), ("==", "!="), ("&&",), ("||",))
_MOST = 1_000  # tokens
Typed = tuple[str, Formula]  # "int" or "bool"


def read_condition(program: Program, text: str) -> Formula:
    """Return the condition that a text says."""
    tokens: list[str] = []
    at = 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None or len(tokens) > _MOST:  # mutant(>): one token more or less
            raise _not_understood(text)
        tokens.append(token[1])
        at = token.end()
    kind, formula = _Reader(program, text, [*tokens, ""]).read()
    if kind != "bool":
        raise _not_understood(text)
    return formula


def _not_understood(text: str) -> Unsupported:
    # mutant: how much of it a message shows
    return Unsupported(f"the condition '{text[:40]}' is not understood")


class _Reader:
    def __init__(self, program: Program, text: str, tokens: list[str]) -> None:
        self.program, self.text, self.tokens = program, text, tokens[::-1]

    def read(self) -> Typed:
        found = self._level(len(_LEVELS))
        if self.tokens != [""]:
            raise _not_understood(self.text)
        return found

    def _level(self, level: int) -> Typed:
        if level == 0:
            return self._operand()
        left = self._level(level - 1)
        while self.tokens[-1] in _LEVELS[level - 1]:
            left = self._combine(self.tokens.pop(), left, self._level(level - 1))
        return left

    def _combine(self, operator: str, left: Typed, right: Typed) -> Typed:
        both = (*left[1], *right[1])
        match operator, left[0], right[0]:
            case (("&&" | "||"), "bool", "bool"):
                return "bool", (*both, ("logic", operator[0]))
            case (("==" | "!="), "bool", "bool"):
                return "bool", (*both, ("logic", "=" if operator == "==" else "^"))
            case (("==" | "!=" | "<" | "<=" | ">" | ">="), "int", "int"):
                return "bool", (*both, ("compare", operator))
        raise _not_understood(self.text)

    def _operand(self) -> Typed:
        token = self.tokens.pop() if self.tokens[-1] else ""
        if token == "!":
            kind, formula = self._operand()
            if kind == "bool":
                return kind, (*formula, ("not",))
        elif token == "(":
            inner = self._level(len(_LEVELS))
            if self.tokens[-1] == ")":
                self.tokens.pop()
                return inner
        elif token in ("true", "false"):
            return "bool", (("truth", token == "true"),)
        elif token.isdecimal():
            return "int", (("number", int(token)),)
        elif token in self.program.globals and self.program.types[token][0] in ("int", "bool"):
            return self.program.types[token][0], (("variable", token),)
        raise _not_understood(self.text)
