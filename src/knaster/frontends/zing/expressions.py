"""Expressions: operator precedence with two stacks, typed as they are read; nothing recurses.

Precedence, tightest first: fields and elements; unary `+ - ! ~`; `* / %`; `+ -`; `<< >>`; `< <= > >= in`; `== !=`;
`&`; `^`; `|`; `&&`; `||`.
"""

from __future__ import annotations

from knaster.base.records import dataclass, field
from knaster.frontends.zing.calls import Calls
from knaster.frontends.zing.kinds import INT, Kinds
from knaster.frontends.zing.kinds import words as spelled
from knaster.frontends.zing.lexer import is_name
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.operators import PRECEDENCE, UNARY, Operand, Operators
from knaster.frontends.zing.primaries import Callee, Primaries, Scope
from knaster.program.expression import Index, SizeOf
from knaster.program.objects import ArrayCell

_DEEPEST = 50  # calls inside the arguments of calls


@dataclass(slots=True)
class _Stacks:
    """The work of one expression."""

    operands: list[Operand] = field(default_factory=list)
    symbols: list[tuple[str, int, str]] = field(default_factory=list)  # symbol, token, type of a `new`
    calls: list[Operand] = field(default_factory=list)


class Expressions:
    """Reads expressions of one text."""

    def __init__(self, kinds: Kinds, mistakes: Mistakes) -> None:
        self.kinds = kinds
        self.mistakes = mistakes
        self.tokens = mistakes.tokens
        self.words = mistakes.tokens.spellings
        self.operators = Operators(kinds, mistakes)
        self.primaries = Primaries(kinds, mistakes)
        self.calls = Calls(self)
        self.depth = 0

    @property
    def scope(self) -> Scope:
        """What names mean."""
        return self.primaries.scope

    @scope.setter
    def scope(self, scope: Scope) -> None:
        self.primaries.scope = scope

    def read(self, at: int) -> tuple[Operand, int]:
        """Read an expression; return it and the token behind it.  A call in it is an `Apply`."""
        found, behind, calls = self._read(at)
        for call in calls:
            self.calls.require_value(call)
        return found, behind

    def read_whole(self, at: int) -> tuple[Operand, int]:
        """Read what stands in a statement by itself or right of `=`: an expression, or a call of any method."""
        found, behind, calls = self._read(at)
        for call in calls:
            if call is not found:
                self.calls.require_value(call)
        return found, behind

    def _read(self, at: int) -> tuple[Operand, int, list[Operand]]:
        if self.depth > _DEEPEST:
            self.mistakes.add(at, f"calls are nested more than {_DEEPEST} deep", "assign some of the results first")
            raise Unexpected(at, "")
        self.depth += 1
        try:
            stacks = _Stacks()
            while True:
                while self._opens(stacks, at):
                    at += 2 if self.words[at] == "sizeof" else 3 if self.words[at] == "new" else 1
                primary, at = self.primaries.read(at)
                if isinstance(primary, Callee):
                    primary, at = self._call(stacks, primary)
                stacks.operands.append(primary)
                found, at = self._behind_operand(stacks, at)
                if found is not None:
                    return found, at, stacks.calls
        finally:
            self.depth -= 1

    def _call(self, stacks: _Stacks, callee: Callee) -> tuple[Operand, int]:
        found, behind = self.calls.read(callee)
        stacks.calls.append(found)
        return found, behind

    def _opens(self, stacks: _Stacks, at: int) -> bool:
        """Push what stands before an operand: a sign, a bracket, `sizeof(`, `new T[`."""
        word = self.words[at]
        if word in ("!", "-", "+", "~"):
            stacks.symbols.append(("unary" + word, at, ""))
        elif word == "(":
            stacks.symbols.append(("(", at, ""))
        elif word == "sizeof":
            if self.words[at + 1] != "(":
                raise Unexpected(at + 1, "'('")
            if self.primaries.fixed_length(at) is not None:
                return False
            stacks.symbols.append(("sizeof", at, ""))
        elif word == "new" and self.words[at + 2] == "[":
            stacks.symbols.append(("new", at, self.words[at + 1]))
        else:
            return False
        return True

    def _behind_operand(self, stacks: _Stacks, at: int) -> tuple[Operand | None, int]:
        """Read what follows an operand: fields, elements, closing brackets, then an operator or the end."""
        while True:
            word = self.words[at]
            if word == ".":
                at = self._select(stacks, at)
            elif word == "[":
                stacks.symbols.append(("[", at, ""))
                return None, at + 1
            elif word in (")", "]"):
                if not self._close(stacks, word):
                    return self._finish(stacks, at)
                at += 1
            elif word in PRECEDENCE:
                self._reduce(stacks, PRECEDENCE[word])
                stacks.symbols.append((word, at, ""))
                return None, at + 1
            else:
                return self._finish(stacks, at)

    def _finish(self, stacks: _Stacks, at: int) -> tuple[Operand, int]:
        self._reduce(stacks, 0)
        if stacks.symbols:
            raise Unexpected(at, "']'" if stacks.symbols[-1][0] in ("[", "new") else "')'")
        return stacks.operands[-1], at

    def _reduce(self, stacks: _Stacks, level: int) -> None:
        """Apply the operators on top that bind at least as tightly as `level`."""
        while stacks.symbols:
            symbol, at, _ = stacks.symbols[-1]
            if symbol.startswith("unary"):
                if level > UNARY:
                    return
                operand = stacks.operands.pop()
                stacks.operands.append(self.operators.unary(symbol[5:], at, operand))
            elif symbol in PRECEDENCE and PRECEDENCE[symbol] >= level:
                right, left = stacks.operands.pop(), stacks.operands.pop()
                stacks.operands.append(self.operators.binary(symbol, at, left, right))
            else:
                return
            stacks.symbols.pop()

    def _close(self, stacks: _Stacks, word: str) -> bool:
        """Close the innermost bracket; tell whether there was one that fits."""
        self._reduce(stacks, 0)
        opening = ("(", "sizeof") if word == ")" else ("[", "new")
        if not stacks.symbols or stacks.symbols[-1][0] not in opening:
            return False
        symbol, at, name = stacks.symbols.pop()
        inner = stacks.operands.pop()
        if symbol == "sizeof":
            if self.kinds.collection(inner.type) is None and inner.type is not None:
                message = f"'sizeof' asks for an array, a set or a channel, this is {spelled(inner.type)}"
                self.mistakes.add(inner.at, message)
            inner = Operand(SizeOf(inner.expr, self.tokens.span(at)), INT, at)
        elif symbol == "[":
            inner = self._element(stacks.operands.pop(), inner, at)
        elif symbol == "new":
            self.operators.require_number(inner, "the length of an array")
            inner = self.primaries.new(at, name, inner)
        stacks.operands.append(inner)
        return True

    def _element(self, array: Operand, index: Operand, at: int) -> Operand:
        cell = self.kinds.collection(array.type)
        self.operators.require_number(index, "an index")
        if isinstance(cell, ArrayCell):
            return Operand(Index(array.expr, index.expr, self.tokens.span(at)), cell.element, array.at)
        if array.type is not None:
            self.mistakes.add(array.at, f"only arrays have elements, this is {spelled(array.type)}")
        return Operand(array.expr, None, array.at)

    def _select(self, stacks: _Stacks, at: int) -> int:
        """Read `.name` behind an operand: a field, or a call; return the token behind it."""
        if not is_name(self.words[at + 1]):
            raise Unexpected(at + 1, "the name of a field or a method")
        inner = stacks.operands.pop()
        if self.words[at + 2] == "(":
            found, behind = self._call(stacks, Callee(inner, None, at + 1))
            stacks.operands.append(found)
            return behind
        stacks.operands.append(self.primaries.field(inner, at + 1))
        return at + 2
