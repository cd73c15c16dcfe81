"""Tokens to expressions: operator precedence with two explicit stacks, so that depth costs no recursion.

Dialects differ in precedence only.  `default`, tightest first: `= == !=`, `&`, `^`, `|`, `=> ->` (right associative).
`boppo`: `= == != => ->` are one right-associative level below `|`.  Everywhere `! ~` bind tightest and `?:` weakest.
Where an operand is due `*` and `?` are a choice; behind an operand `?` opens the conditional.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.boolean.mistakes import Unexpected
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
    """Reads expressions over the variables in `local` and `shared`; other names go to `unknown`."""

    __slots__ = ("_infix", "_tokens", "_unknown", "local", "primes", "shared")

    def __init__(self, tokens: Sequence[str], dialect: str, unknown: Callable[[ExpressionReader, int], Expr]) -> None:
        self._tokens = tokens
        self._infix = DIALECTS[dialect]
        self._unknown = unknown
        self.shared: dict[str, Var] = {}
        self.local: Mapping[str, Var] = {}
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
            return self._unknown(self, at + 1), at + 2
        return self._unknown(self, at), at + 1


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
