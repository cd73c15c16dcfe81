"""Tokens to the parts of a statement: lists of expressions, of arguments, of variables."""

from __future__ import annotations

from knaster.base.errors import Problem
from knaster.frontends.boolean import habits
from knaster.frontends.boolean.expressions import ExpressionReader
from knaster.frontends.boolean.mistakes import Mistakes, Unexpected
from knaster.frontends.text.tokens import Tokens
from knaster.program.expression import CHOICE, Expr


class Undeclared:
    """Reports names that are not declared, once in each procedure, and reads them as any value."""

    __slots__ = ("_mistakes", "_names", "_spellings", "reported")

    def __init__(self, tokens: Tokens, mistakes: Mistakes) -> None:
        self._spellings = tokens.spellings
        self._names = tokens.names
        self._mistakes = mistakes
        self.reported: set[str] = set()  # in this procedure

    def __call__(self, reader: ExpressionReader, at: int) -> Expr:
        """Report a name that is not declared, once in each procedure."""
        token = self._spellings[at]
        if token == "_":
            raise Unexpected(at, "an expression", "'_' throws a result away and has no value")
        if token not in self._names:
            raise Unexpected(at, "an expression", "a constant is 0 or 1" if token.isdecimal() else "")
        if token not in self.reported:
            self._mistakes.add(at, f"'{token}' is not declared", self._suggest(reader, at))
            self.reported.add(token)
        return CHOICE

    def _suggest(self, reader: ExpressionReader, at: int) -> str:
        """Return what may be meant by an undeclared name: a constant or an operator of another language, a variable."""
        token = self._spellings[at]
        if constant := habits.constant(token):
            return f"write '{constant}' for '{token}'"
        if hint := habits.other_word(token):
            raise Unexpected(at, "an expression", hint)
        return self._mistakes.nearest(token, reader.local, reader.shared, ("T", "F"))


class OperandReader:
    """Reads expressions and names over the variables in scope."""

    __slots__ = ("_mistakes", "_names", "_notes", "_spellings", "_tokens", "expressions", "undeclared")

    def __init__(self, tokens: Tokens, dialect: str, mistakes: Mistakes, notes: list[Problem]) -> None:
        self._tokens = tokens
        self._spellings = tokens.spellings
        self._names = tokens.names
        self._mistakes = mistakes
        self._notes = notes
        self.undeclared = Undeclared(tokens, mistakes)
        self.expressions = ExpressionReader(tokens.spellings, dialect, self.undeclared)

    def values(self, at: int) -> tuple[list[Expr], int]:
        """Read one expression or more, with commas between them."""
        read, spellings = self.expressions.read, self._spellings
        value, at = read(at)
        values = [value]
        while spellings[at] == ",":
            value, at = read(at + 1)
            values.append(value)
        return values, at

    def constraint(self, at: int) -> tuple[Expr, int]:
        """Read an expression that may speak of new values."""
        self.expressions.primes = True
        try:
            return self.expressions.read(at)
        finally:
            self.expressions.primes = False

    def arguments(self, at: int) -> tuple[list[Expr], int]:
        """Read a list in parentheses; it may be empty."""
        if self._spellings[at] != "(":
            raise Unexpected(at, "'('")
        if self._spellings[at + 1] == ")":
            return [], at + 2
        values, at = self.values(at + 1)
        if self._spellings[at] != ")":
            raise Unexpected(at, "an operator, ',' or ')'")
        return values, at + 1

    def names(self, at: int) -> tuple[list[int], int]:
        """Read one name or more, with commas between them; return their tokens and the one behind."""
        names: list[int] = []
        while True:
            if self._spellings[at] not in self._names and self._spellings[at] != "_":
                raise Unexpected(at, "a name")
            names.append(at)
            if self._spellings[at + 1] != ",":
                return names, at + 1
            at += 2

    def variable(self, at: int) -> str | None:
        """Return what the variable of token `at` is called in the model, None for `_`."""
        token = self._spellings[at]
        variable = self.expressions.local.get(token) or self.expressions.shared.get(token)
        if variable is not None:
            return variable.name
        if token == "_":
            return None
        self.undeclared(self.expressions, at)
        return token

    def targets(self, places: list[int]) -> list[str | None]:
        """Return the variables of tokens `places`; of equal ones only the last counts, the others are thrown away."""
        names = [self.variable(at) for at in places]
        if len(names) > 1 and len(set(names)) < len(names):
            last = {name: index for index, name in enumerate(names)}
            for index, name in enumerate(names):
                if name is not None and last[name] != index:
                    message = f"'{name}' gets several values at once, of which the last counts"
                    self._notes.append(Problem(message, self._tokens.span(places[index])))
                    names[index] = None
        return names
