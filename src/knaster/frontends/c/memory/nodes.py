"""Nodes that only the trees of programs with memory have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.records import dataclass
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.nodes import Spot


@dataclass(frozen=True, slots=True, eq=False)
class AddressOf:
    """`&operand`."""

    operand: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Dereference:
    """`*operand`; what it points to."""

    operand: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Volatile:
    """A scalar that may change by itself: each time it is read it is another one."""

    operand: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Decay:
    """An array as a pointer to its first element."""

    operand: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class FunctionName:
    """A function that is not called here."""

    name: str
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Invocation:
    """A call of what is no name of a function."""

    function: Any
    arguments: tuple[Any, ...]
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A compound literal: an object without a name."""

    initial: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class NextArgument:
    """`va_arg(list, type)`."""

    operand: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class LabelAddress:
    """`&&label`."""

    name: str
    function: str
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class JumpTo:
    """`goto *operand`."""

    operand: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Measuring:
    """A typedef of arrays whose lengths are computed here."""

    lengths: tuple[Any, ...]
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A cast to a type whose lengths are computed here."""

    lengths: tuple[Any, ...]
    operand: Any
    type: Any
    at: Spot


@dataclass(frozen=True, slots=True, eq=False)
class SizeOfVariable:
    """`sizeof` of an array whose length is known only at run time."""

    array: Any  # its type
    type: Any
    at: Spot


_PARTS: dict[type, tuple[str, ...]] = {
    AddressOf: ("operand",),
    Dereference: ("operand",),
    Volatile: ("operand",),
    Decay: ("operand",),
    Literal: ("initial",),
    Measured: ("operand",),
    JumpTo: ("operand",),
    NextArgument: ("operand",),
}


def parts(node: Any) -> list[Any]:
    """Return the nodes directly below a node, from left to right."""
    if isinstance(node, Invocation):
        return [node.function, *node.arguments]
    if type(node) in _PARTS:
        return [getattr(node, name) for name in _PARTS[type(node)]]
    return list(nodes.parts(node))


def walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes below it."""
    todo: list[Any] = [node]
    while todo:
        found = todo.pop()
        yield found
        todo += parts(found)


def has_effect(node: Any) -> bool:
    """Tell whether evaluating an expression may do something besides having a value."""
    todo = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, nodes.Assign | nodes.Step | nodes.Call | nodes.Block):
            return True
        if isinstance(found, Invocation | Literal | NextArgument | Volatile | Measured):
            return True
        todo += parts(found)
    return False
