"""The core language: what every file means, over bits of declared variables.

Every declared variable of the file (a parameter or a quantified variable) has its own number; a `Bit` is one bit of
one of them.  Quantifiers run over the valid values of their variables; what a formula says about invalid codes of its
free variables does not matter, so negation is plain complement.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.syntax import Constraint, Expr, Kind, SimplifiedKind
from knaster.calculus.language.types import Type


class Bit(NamedTuple):
    """One bit of a declared variable."""

    variable: int
    position: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared variable."""

    number: int
    name: str
    type: Type
    _bits: tuple[Bit, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        bits = tuple(Bit(self.number, position) for position in range(self.type.width))
        object.__setattr__(self, "_bits", bits)

    def bits(self) -> tuple[Bit, ...]:
        """Return all its bits."""
        return self._bits


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Fixed:
    """The bits have these values."""

    bits: tuple[Bit, ...]
    values: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Same:
    """The bits on both sides are equal, pairwise."""

    left: tuple[Bit, ...]
    right: tuple[Bit, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """left operator right + shift, as numbers coded by the bits, or right missing: left operator shift."""

    operator: str  # one of = < <=
    left: tuple[Bit, ...]
    right: tuple[Bit, ...]
    shift: int


Argument = tuple[Bit, ...] | tuple[bool, ...]  # one entry for each bit of the parameter


@dataclass(frozen=True, slots=True)
class Call:
    """The predicate holds of the arguments."""

    name: str
    arguments: tuple[Argument, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Both sides have the same truth value."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Choose:
    """`then` where the condition holds, else `otherwise`."""

    condition: Formula
    then: Formula
    otherwise: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """Some valid values of the variables satisfy the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Simplify:
    """Some formula that agrees with `body` where `care` holds; false where `care` is false everywhere."""

    kind: SimplifiedKind
    body: Formula
    care: Formula


Formula = Truth | Fixed | Same | Order | Call | Not | And | Or | Equivalent | Choose | Exists | Simplify


@dataclass(frozen=True, slots=True)
class Predicate:
    """A named relation: a definition, or an input (no body) whose value is given from outside."""

    name: str
    kind: Kind
    parameters: tuple[Variable, ...]
    constraints: tuple[Constraint, ...]
    body: Formula | None
    source: Source
    start: int
    end: int
    written: Expr | None = None  # the body as written


def operands(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulas."""
    match formula:
        case Not(operand):
            return (operand,)
        case And(parts) | Or(parts):
            return parts
        case Equivalent(left, right):
            return (left, right)
        case Choose(condition, then, otherwise):
            return (condition, then, otherwise)
        case Exists(_, body):
            return (body,)
        case Simplify(_, body, care):
            return (body, care)
        case _:
            return ()


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield `formula` and everything in it, each before its operands."""
    todo = [formula]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(reversed(operands(current)))


def callees(formula: Formula) -> list[str]:
    """Return the predicates called in `formula`, each once, in the order of their first call."""
    return list(dict.fromkeys(part.name for part in subformulas(formula) if isinstance(part, Call)))
