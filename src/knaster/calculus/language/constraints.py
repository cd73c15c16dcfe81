"""Allocation constraints: what should stand together, and what before what.

They concern the order of BDD variables only, never truth, so a constraint that contradicts earlier ones is dropped.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from knaster.calculus.language.syntax import Constraint

H = TypeVar("H", bound=Hashable)


def arrange(names: Sequence[str], constraints: Iterable[Constraint]) -> list[list[str]]:
    """Return blocks of names to be interleaved, in their order: `~+` joins, `<` orders, else as declared."""
    block = {name: name for name in names}
    before: dict[str, set[str]] = {name: set() for name in names}
    for constraint in constraints:
        left, right = constraint.left, constraint.right
        if left not in block or right not in block:
            continue
        if constraint.operator == "~+":
            old, new = block[right], block[left]
            block = {name: new if root == old else root for name, root in block.items()}
        elif constraint.operator == "<":
            put_before(before, left, right)
    blocks: dict[str, list[str]] = {}
    for name in topological(names, before):
        blocks.setdefault(block[name], []).append(name)
    return list(blocks.values())


def put_before(before: Mapping[H, set[H]], first: H, second: H) -> bool:
    """Note that `first` comes before `second`, unless that closes a cycle; tell whether it was noted."""
    todo, seen = [first], {first}
    while todo:
        current = todo.pop()
        if current == second:
            return False
        fresh = before[current] - seen
        seen |= fresh
        todo.extend(fresh)
    before[second].add(first)
    return True


def topological(items: Sequence[H], before: Mapping[H, set[H]]) -> list[H]:
    """Return `items` so that each stands behind those in its `before`, else in the given order.  Requires: no cycle."""
    position = {item: index for index, item in enumerate(items)}
    placed: dict[H, None] = {}
    for item in items:
        stack = [item]
        while stack:
            missing = sorted((other for other in before[stack[-1]] if other not in placed), key=position.__getitem__)
            if missing:
                stack.extend(reversed(missing))
            else:
                placed.setdefault(stack.pop())
    return list(placed)
