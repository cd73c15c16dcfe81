"""Tokens to expressions and to lists of them: operator precedence with two stacks, so that depth costs no recursion.

Dialects differ in precedence only.  `default`, tightest first: `= == !=`, `&`, `^`, `|`, `=> ->` (right associative).
`boppo`: `= == != => ->` are one right-associative level below `|`.  Everywhere `! ~` bind tightest and `?:` weakest.
Where an operand is due `*` and `?` are a choice; behind an operand `?` opens the conditional.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import Problem
from knaster.base.named_tuples import NamedTuple
from knaster.frontends.boolean.mistakes import Mistakes, Unexpected, constant, other_word
from knaster.frontends.text.tokens import Tokens
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var


class _Infix(NamedTuple):
    """A connective: operators on the stack that bind at least as tightly as `left` come first."""

    level: int
    left: int
    operator: Operator | None
    closed_by: str = ""


_OPEN = _Infix(-1, 0, None, ")")
_SCHOOSE_FIRST = _Infix(-1, 0, None, ",")
_SCHOOSE_SECOND = _Infix(-1, 0, None, "]")
_QUESTION = _Infix(-1, 0, None, ":")
_COLON = _Infix(0, 0, None)
_NOT = _Infix(6, 6, None)
_BOTTOM = _Infix(-2, 0, None)
_ENDS = frozenset((";", ",", ")", "constrain", "then", "do"))  # behind a first operand they end the expression

_CONSTANTS: Mapping[str, Expr] = {"T": TRUE, "1": TRUE, "F": FALSE, "0": FALSE, "*": CHOICE, "?": CHOICE}
_PREFIX: Mapping[str, _Infix] = {"!": _NOT, "~": _NOT, "(": _OPEN}


def _table(equal: tuple[int, int], implies: tuple[int, int]) -> Mapping[str, _Infix]:
    names = {
        "&": (4, 4, Operator.AND),
        "^": (3, 3, Operator.XOR),
        "|": (2, 2, Operator.OR),
        "=": (*equal, Operator.EQUAL),
        "!=": (*equal, Operator.XOR),
        "=>": (*implies, Operator.IMPLIES),
    }
    table = {name: _Infix(*entry) for name, entry in names.items()}
    return table | {"&&": table["&"], "||": table["|"], "==": table["="], "->": table["=>"]}


DIALECTS: Mapping[str, Mapping[str, _Infix]] = {
    "default": _table(equal=(5, 5), implies=(1, 2)),
    "boppo": _table(equal=(1, 2), implies=(1, 2)),
}


class ExpressionReader:
    """Reads expressions and names over the variables in `local` and `shared`.

    A name that is not declared is reported, once in each procedure, and read as any value.
    """

    __slots__ = ("_infix", "_mistakes", "_names", "_notes", "_tokens", "local", "primes", "reported", "shared")

    def __init__(self, tokens: Tokens, dialect: str, mistakes: Mistakes, notes: list[Problem]) -> None:
        self._tokens = tokens.spellings
        self._names = tokens.names
        self._infix = DIALECTS[dialect]
        self._mistakes = mistakes
        self._notes = notes
        self.shared: dict[str, Var] = {}
        self.local: Mapping[str, Var] = {}
        self.reported: set[str] = set()  # in this procedure
        self.primes = False  # whether 'x may be read: only in a constraint

    def read(self, at: int) -> tuple[Expr, int]:
        """Return the expression that starts at token `at`, and the token behind it."""
        tokens, infixes, local, shared = self._tokens, self._infix, self.local, self.shared
        token = tokens[at]
        leaf: Expr | None = local.get(token) or shared.get(token) or _CONSTANTS.get(token)
        if leaf is not None and tokens[at + 1] in _ENDS:
            return leaf, at + 1
        operands: list[Expr] = []
        operators = [_BOTTOM]
        while True:  # an operand is due at `at`
            token = tokens[at]
            operand: Expr | None = local.get(token) or shared.get(token) or _CONSTANTS.get(token)
            if operand is not None:
                at += 1
            elif token in _PREFIX:
                operators.append(_PREFIX[token])
                at += 1
                continue
            elif token == "schoose" and tokens[at + 1] == "[":
                operators.append(_SCHOOSE_FIRST)
                at += 2
                continue
            else:
                operand, at = self._rare_operand(at)
            operands.append(operand)
            while True:  # an operand ends before `at`
                while operators[-1] is _NOT:
                    operators.pop()
                    operands[-1] = Not(operands[-1])
                token = tokens[at]
                infix = infixes.get(token)
                if infix is not None:
                    _reduce(operands, operators, infix.left)
                    operators.append(infix)
                    at += 1
                    break
                if token == "?":
                    _reduce(operands, operators, 1)
                    operators.append(_QUESTION)
                    at += 1
                    break
                _reduce(operands, operators, 0)
                opened = operators[-1]
                if opened is _BOTTOM:
                    return operands[0], at
                if token != opened.closed_by:
                    raise Unexpected(at, f"an operator or '{opened.closed_by}'")
                at += 1
                operators.pop()
                if opened is _SCHOOSE_FIRST:
                    operators.append(_SCHOOSE_SECOND)
                    break
                if opened is _QUESTION:
                    operators.append(_COLON)
                    break
                if opened is _SCHOOSE_SECOND:
                    zero = operands.pop()
                    operands[-1] = Binary(Operator.OR, operands[-1], Binary(Operator.AND, Not(zero), CHOICE))

    def _rare_operand(self, at: int) -> tuple[Expr, int]:
        token = self._tokens[at]
        if token == "'":
            name = self._tokens[at + 1]
            variable = self.local.get(name) or self.shared.get(name)
            if not self.primes:
                raise Unexpected(at, "an expression", "a new value 'x is known only in a constraint")
            if variable is not None:
                return Var(variable.name, True), at + 2
            return self._report_undeclared(at + 1), at + 2
        return self._report_undeclared(at), at + 1

    def _report_undeclared(self, at: int) -> Expr:
        """Report a name that is not declared, once in each procedure."""
        token = self._tokens[at]
        if token == "_":
            raise Unexpected(at, "an expression", "'_' throws a result away and has no value")
        if token not in self._names:
            raise Unexpected(at, "an expression", "a constant is 0 or 1" if token.isdecimal() else "")
        if token not in self.reported:
            self._mistakes.add(at, f"'{token}' is not declared", self._suggest(at))
            self.reported.add(token)
        return CHOICE

    def _suggest(self, at: int) -> str:
        """Return what may be meant by an undeclared name: a constant or an operator of another language, a variable."""
        token = self._tokens[at]
        if value := constant(token):
            return f"write '{value}' for '{token}'"
        if hint := other_word(token):
            raise Unexpected(at, "an expression", hint)
        return self._mistakes.nearest(token, self.local, self.shared, ("T", "F"))

    # Lists, and names where no value is meant

    def values(self, at: int) -> tuple[list[Expr], int]:
        """Read one expression or more, with commas between them."""
        read, spellings = self.read, self._tokens
        value, at = read(at)
        values = [value]
        while spellings[at] == ",":
            value, at = read(at + 1)
            values.append(value)
        return values, at

    def constraint(self, at: int) -> tuple[Expr, int]:
        """Read an expression that may speak of new values."""
        self.primes = True
        try:
            return self.read(at)
        finally:
            self.primes = False

    def arguments(self, at: int) -> tuple[list[Expr], int]:
        """Read a list in parentheses; it may be empty."""
        if self._tokens[at] != "(":
            raise Unexpected(at, "'('")
        if self._tokens[at + 1] == ")":
            return [], at + 2
        values, at = self.values(at + 1)
        if self._tokens[at] != ")":
            raise Unexpected(at, "an operator, ',' or ')'")
        return values, at + 1

    def names(self, at: int) -> tuple[list[int], int]:
        """Read one name or more, with commas between them; return their tokens and the one behind."""
        names: list[int] = []
        while True:
            if self._tokens[at] not in self._names and self._tokens[at] != "_":
                raise Unexpected(at, "a name")
            names.append(at)
            if self._tokens[at + 1] != ",":
                return names, at + 1
            at += 2

    def variable(self, at: int) -> str | None:
        """Return what the variable of token `at` is called in the model, None for `_`."""
        token = self._tokens[at]
        variable = self.local.get(token) or self.shared.get(token)
        if variable is not None:
            return variable.name
        if token == "_":
            return None
        self._report_undeclared(at)
        return token

    def targets(self, places: list[int]) -> list[str | None]:
        """Return the variables of tokens `places`; of equal ones only the last counts, the others are thrown away."""
        names = [self.variable(at) for at in places]
        if len(names) > 1 and len(set(names)) < len(names):
            last = {name: index for index, name in enumerate(names)}
            for index, name in enumerate(names):
                if name is not None and last[name] != index:
                    message = f"'{name}' gets several values at once, of which the last counts"
                    self._notes.append(Problem(message, self._mistakes.tokens.span(places[index])))
                    names[index] = None
        return names


def _reduce(operands: list[Expr], operators: list[_Infix], least: int) -> None:
    """Apply the operators on the stack that bind at least as tightly as `least`."""
    while operators[-1].level >= least:
        operator = operators.pop().operator
        right = operands.pop()
        if operator is not None:
            operands[-1] = Binary(operator, operands[-1], right)
        else:  # the only other operator with a level is the colon of a conditional
            then = operands.pop()
            operands[-1] = Conditional(operands[-1], then, right)
