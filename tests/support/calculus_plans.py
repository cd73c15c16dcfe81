"""What a compiled formula of the calculus is made of."""

from __future__ import annotations

from knaster.calculus.fixpoints.plan import Node


def nodes(root: Node) -> list[Node]:
    """Return all operations of a plan, each once."""
    found, todo = {root.number: root}, [root]
    while todo:
        for operand in todo.pop().operands:
            if operand.number not in found:
                found[operand.number] = operand
                todo.append(operand)
    return list(found.values())
