"""The tree of a file as it was written; `elaborate` turns it into formulas over bits.

`start` and `end` are offsets in the text.  A *term* denotes a value (of any type), an *expression* a truth value.
"""

from __future__ import annotations

from typing import Literal

from knaster.base.records import dataclass
from knaster.calculus.language.lexer import Source

Kind = Literal["mu", "nu", ""]
QuantifierKind = Literal["exists", "forall"]
SimplifiedKind = Literal["assume", "cofactor"]
ConstraintKind = Literal["~+", "~-", "<"]


@dataclass(frozen=True, slots=True)
class Access:
    """A variable with selectors (member names and indices), or the name of a constant."""

    name: str
    path: tuple[str | int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number; `true` and `false` are 1 and 0 with `truth` set."""

    value: int
    start: int
    end: int
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Shifted:
    """`access + offset`, an integer that need not lie in the range."""

    access: Access
    offset: int
    start: int
    end: int


Term = Access | Number | Shifted


@dataclass(frozen=True, slots=True)
class TermFormula:
    """A term of type bool used as a formula: an access, 0, 1, true or false."""

    term: Access | Number
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right` with one of = != < <= > >=."""

    operator: str
    left: Term
    right: Term
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Application:
    """A predicate applied to terms."""

    name: str
    arguments: tuple[Term, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Negation:
    """Not."""

    operand: Expr
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Connective:
    """`&` or `|` of two or more operands; `->`, `<-`, `<->` or `<+>` of two."""

    operator: str
    operands: tuple[Expr, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared parameter, quantified variable or member: `type name` or `type name[length]`."""

    type_name: str
    name: str
    length: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`exists` or `forall` of one or more variables."""

    kind: QuantifierKind
    variables: tuple[Declared, ...]
    body: Expr
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cases:
    """The first arm whose condition holds; `otherwise` where none does."""

    arms: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Simplified:
    """`body assume care` or `body cofactor care`: free to differ from `body` where `care` is false."""

    kind: SimplifiedKind
    body: Expr
    care: Expr
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """An expression with a `{ show "label", x, ... }` attribute: what a witness prints there."""

    body: Expr
    label: str
    accesses: tuple[Access, ...]
    start: int
    end: int


Expr = TermFormula | Comparison | Application | Negation | Connective | Quantifier | Cases | Simplified | Shown


@dataclass(frozen=True, slots=True)
class Constraint:
    """An allocation hint: `left ~+ right` (interleave), `~-` (do not), `<` (before)."""

    operator: ConstraintKind
    left: str
    right: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EnumDefinition:
    """`enum name { a, b, c }` (names) or `enum name { low..high }` (no names)."""

    name: str
    names: tuple[tuple[str, int], ...]  # each with its offset
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class ClassDefinition:
    """`class name { members } constraints`."""

    name: str
    members: tuple[Declared, ...]
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class PredicateDefinition:
    """`[mu|nu] bool name(parameters) constraints body`; a prototype has no body."""

    kind: Kind
    name: str
    parameters: tuple[Declared, ...]
    constraints: tuple[Constraint, ...]
    body: Expr | None


@dataclass(frozen=True, slots=True)
class Query:
    """A closed expression whose truth is asked."""

    body: Expr


@dataclass(frozen=True, slots=True)
class Directive:
    """`#name arguments`, strings with their quotes; `body` is the expression of #wit and #cex."""

    name: str
    arguments: tuple[str, ...] = ()
    offsets: tuple[int, ...] = ()
    body: Expr | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """One command and where it stands."""

    source: Source
    action: EnumDefinition | ClassDefinition | PredicateDefinition | Query | Directive
    start: int
    end: int
