"""Arrays that are parts of larger objects: an index outside of such an array is undefined, also inside of the object.

C17 6.5.6 paragraph 8 and J.2 say so.  The machine knows objects alone, so a label stands where the index is outside,
as `-fsanitize=bounds` reports it, and the run goes on.  The address of the element behind the last one may be taken.
A member of at most one element may be the beginning of what follows it, as old programs have it, and is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.values import both
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Sequence
from knaster.frontends.c.tree import nodes
from knaster.program.checks import INDEX
from knaster.program.checks.static_types import range_of
from knaster.program.expression import Const, Expr
from knaster.program.operators import Compare, Comparison


def inner_length(node: Any) -> int | None:
    """Return the length of the array that an index selects from, where it is part of something larger; else None."""
    if not isinstance(node, nodes.Subscript) or not isinstance(node.array, memory.Decay):
        return None
    array = node.array.operand
    if isinstance(array, memory.Volatile):
        array = array.operand
    if not isinstance(array.type, Sequence) or array.type.length is None:
        return None
    length = array.type.length
    if isinstance(array, nodes.Field):
        return length if length > 1 else None
    return length if isinstance(array, nodes.Subscript | memory.Dereference) else None


def asks_for_index(node: Any) -> bool:
    """Tell whether some index below a node may be outside of an array that is part of something larger."""
    for found in memory.walk(node):
        length = inner_length(found)
        if length is not None and not (isinstance(found.index, nodes.Number) and 0 <= found.index.value < length):
            return True
    return False


def mark_index(graph: Graph, node: nodes.Subscript, index: Expr, last: int, types: Mapping[str, Any]) -> None:
    """Put a label where an index is below 0 or above the last one that is allowed; the run goes on behind it."""
    bounds = range_of(index, types)
    if bounds is not None and bounds[0] >= 0 and bounds[1] <= last:
        return
    inside, outside = graph.new(), graph.new()
    fits = both(Compare(Comparison.AT_MOST, Const(0), index), Compare(Comparison.AT_MOST, index, Const(last)))
    graph.branch(fits, inside, outside, graph.span)
    graph.place(outside)
    graph.mark_undefined(INDEX, *node.at)
    graph.place(inside)
