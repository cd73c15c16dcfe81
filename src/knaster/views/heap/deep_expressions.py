"""Deep expressions: those that are nested deeper than Python's parser allows are evaluated with a stack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.program.expression import Conditional, Expr, operands


def evaluate_deep(expr: Expr, functions: Mapping[int, Any], memory: Any, local: Any, thread: int) -> Any:
    """Return the value of an expression; `functions` has one for each node but conditionals, which take one way."""
    work: list[tuple[Expr, bool]] = [(expr, False)]
    values: list[Any] = []
    while work:
        node, ready = work.pop()
        if isinstance(node, Conditional):
            if ready:
                work.append((node.then if values.pop() else node.otherwise, False))
            else:
                work += [(node, True), (node.condition, False)]
            continue
        inner = operands(node)
        if inner and not ready:
            work.append((node, True))
            work += [(operand, False) for operand in reversed(inner)]
            continue
        count = len(values) - len(inner)
        given = values[count:]
        del values[count:]
        values.append(functions[id(node)](memory, local, thread, *given))
    return values.pop()
