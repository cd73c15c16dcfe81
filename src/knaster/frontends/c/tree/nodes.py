"""The records of the tree that a C file becomes: every expression has its type, every conversion is a node.

A statement that is an expression is that expression.  `at` is where a node begins, as line and column; `Text` in
`spots` makes spans of it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from knaster.base.records import dataclass, field
from knaster.frontends.c.names.types import CType

Spot = tuple[int, int]  # line and column


@dataclass(slots=True, eq=False)
class Object:
    """A variable of C, the same record for all of its declarations."""

    name: str
    type: CType
    at: Spot
    storage: str  # "local", "parameter", "static" in a function, "global", or "extern" where nothing defines it
    initial: Initial | None = None


# Expressions


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A constant."""

    value: int
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A text in quotes, as characters without the last 0; each has `width` bytes."""

    codes: tuple[int, ...]
    type: CType
    at: Spot
    width: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """The use of a variable."""

    object: Object
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Subscript:
    """An element of an array."""

    array: Expr
    index: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of a struct."""

    record: Expr
    name: str
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """A binary operator of two values that have the same type, shifts apart; `&&`, `||` and `,` as well."""

    op: str
    left: Expr
    right: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`-`, `+`, `~` or `!`."""

    op: str
    operand: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """`++` or `--`; `after` where the value is the one before."""

    op: str
    operand: Expr
    after: bool
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """An assignment: `op` is `=`, or the operator with `=`; then the value has the type in which C computes."""

    op: str
    target: Expr
    value: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`condition ? then : otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Elvis:
    """`value ?: otherwise`: the value where it is not 0."""

    value: Expr
    otherwise: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Convert:
    """A conversion, whether the text says it or C does it without a word."""

    operand: Expr
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call by name."""

    name: str
    arguments: tuple[Expr, ...]
    type: CType
    at: Spot
    ours: bool = False  # whether only a header of ours or the compiler declares it


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """`({ ... })`: its value is that of its last statement."""

    body: Compound
    type: CType
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Refused:
    """Something that is not read; why is among the problems of its function."""

    type: CType
    at: Spot


# Initial values


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A part of a list in braces; `path` is what a designator says, empty where there is none."""

    path: tuple[str | int, ...]
    value: Initial
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Braces:
    """A list in braces, as it is written."""

    items: tuple[Item, ...]
    at: Spot


# Statements


@dataclass(frozen=True, slots=True, eq=False)
class Compound:
    """A block."""

    parts: tuple[Node, ...]
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """A local or static variable where it is declared."""

    object: Object
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Declarations:
    """Several declarations in one statement, or none; no block."""

    parts: tuple[Node, ...]
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """A branch, or two."""

    condition: Expr
    then: Node
    otherwise: Node | None
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """A loop with its condition before the body."""

    condition: Expr
    body: Node
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile:
    """A loop with its condition after the body."""

    body: Node
    condition: Expr
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """A loop with a beginning, a condition and a step; each may be missing."""

    start: Node | None
    condition: Expr | None
    step: Expr | None
    body: Node
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    """A switch; the type of the subject is the one to which its cases are converted."""

    subject: Expr
    body: Node
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A case from `first` to `last`; the default where they are None."""

    first: int | None
    last: int | None
    body: Node
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A label before its statement."""

    name: str
    body: Node
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    """A jump to a label."""

    name: str
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """Leaves the innermost loop or switch."""

    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    """Goes on with the innermost loop."""

    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """Ends the function."""

    value: Expr | None
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Empty:
    """Does nothing."""

    at: Spot


# The file


@dataclass(slots=True, eq=False)
class Function:
    """A function with a body; `problems` is what is not read in it."""

    name: str
    result: CType
    parameters: tuple[Object, ...]
    body: Compound
    at: Spot
    problems: list[Any] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class File:
    """The functions and the variables of a file, in the order of the text; `names` are all names of the file."""

    functions: tuple[Function, ...]
    objects: tuple[Object, ...]
    names: frozenset[str]


Expr: TypeAlias = (
    "Number | Text | Name | Subscript | Field | Binary | Unary | Step | Assign | Conditional | Elvis | Convert | Call"
    " | Block | Refused"
)
Initial: TypeAlias = "Expr | Braces"
Statement: TypeAlias = (
    "Compound | Declaration | Declarations | If | While | DoWhile | For | Switch | Case | Label | Goto | Break"
    " | Continue | Return | Empty"
)
Node: TypeAlias = "Expr | Statement"


_PARTS: dict[type, tuple[str, ...]] = {
    Object: ("initial",),
    Subscript: ("array", "index"),
    Field: ("record",),
    Binary: ("left", "right"),
    Unary: ("operand",),
    Step: ("operand",),
    Assign: ("target", "value"),
    Conditional: ("condition", "then", "otherwise"),
    Elvis: ("value", "otherwise"),
    Convert: ("operand",),
    Block: ("body",),
    Item: ("value",),
    Declaration: ("object",),
    If: ("condition", "then", "otherwise"),
    While: ("condition", "body"),
    DoWhile: ("body", "condition"),
    For: ("start", "condition", "step", "body"),
    Switch: ("subject", "body"),
    Case: ("body",),
    Label: ("body",),
    Return: ("value",),
}


_LISTED: dict[Any, str] = {Call: "arguments", Compound: "parts", Declarations: "parts", Braces: "items"}


def parts(node: Any) -> tuple[Any, ...] | list[Any]:
    """Return the nodes directly below a node, from left to right."""
    kind = type(node)
    listed = _LISTED.get(kind)
    if listed is not None:
        found: tuple[Any, ...] = getattr(node, listed)
        return found
    below = _PARTS.get(kind)
    if below is None:
        return ()
    return [part for part in [getattr(node, name) for name in below] if part is not None]
