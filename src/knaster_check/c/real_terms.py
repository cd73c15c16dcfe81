"""Operators of floating-point numbers over their bits: a node for the number that bits are, and for the bits of one.

A program over integers keeps such a number as its bits, and does nothing with it but what these operators do.  So the
number that the bits of a result are is the result, and where one of two is kept, one of two numbers is: the solver is
asked about bits only where they come from an input, or stand in an array.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster_check.c.nodes import ZERO, Node, all_of, apply
from knaster_check.program import Node as Head
from knaster_check.program import Type

_COMPARISONS = ("==", "<", "<=")
_SIGNS = ("+", "-", "*", "/")


def real_node(head: Head, parts: Sequence[Node]) -> Node:
    """Return what an operator makes of bits, or of an integer; an integer that does not hold a number is 0."""
    _, operator, _, given, result = head
    if given[0] == "int":
        return _bits(apply(("real_of_integer", result[1]), *parts))
    numbers = [number_of(part, given[1]) for part in parts]
    if operator in _COMPARISONS:
        return apply(("real_compare", operator), *numbers)
    if result[0] == "int":
        return apply(("if",), _holds(result, numbers[0]), apply(("integer_of_real", result), *numbers), ZERO)
    if operator == "convert":
        return parts[0] if given == result else _bits(apply(("real_of_real", result[1]), *numbers))
    name = "real_arithmetic" if operator in _SIGNS else "real_function"
    return _bits(apply((name, operator, result[1]), *numbers))


def _bits(number: Node) -> Node:
    return apply(("bits_of_real", number.type[1]), number)


def _holds(type: Type, number: Node) -> Node:
    """Return that an integer type holds a number without its fraction."""
    _, bits, signed = type
    width = number.type[1]
    low, end = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    least, most = (
        apply(("real_of_integer", width), Node(("number", bound), ZERO.type)) for bound in (low, end)
    )  # powers of 2: none is rounded, but to infinity
    whole = apply(("real_function", "trunc", width), number)
    return all_of([apply(("real_compare", ">="), whole, least), apply(("real_compare", "<"), whole, most)])


def number_of(root: Node, width: int) -> Node:
    """Return the floating-point number of so many bits that a node is the bits of."""
    stack, instead = [root], dict[Node, Node]()
    while stack:
        node = stack[-1]
        if _known(node, width):
            stack.pop()
            continue
        if node not in instead:
            instead[node] = _inward(node, width)
        inner = instead[node]
        parts = inner.operands[1:] if inner.head == ("if",) else ()
        missing = [part for part in parts if not _known(part, width)]
        if missing:
            stack += missing
        elif parts:
            node.real = apply(("if",), inner.operands[0], *(part.real for part in parts))  # type: ignore[arg-type]
        elif inner.head == ("bits_of_real", width):
            node.real = inner.operands[0]
        else:
            node.real = apply(("real_of_bits", width), node)
    assert root.real is not None
    return root.real


def _known(node: Node, width: int) -> bool:
    return node.real is not None and node.real.type == ("floating", width)


def _inward(node: Node, width: int) -> Node:
    """Return a node that says the same: that a value fits into the type of bits is said of what it is one of."""
    if node.head != ("fits", ("int", width, False)):
        return node
    inner = node.operands[0]
    if inner.head == ("bits_of_real", width):
        return inner
    if inner.head == ("if",):
        first, second = (Node(node.head, inner.type, (part,)) for part in inner.operands[1:])
        return Node(inner.head, inner.type, (inner.operands[0], first, second))
    return node
