"""Finds which parts of a plan already imply that a variable holds a code that denotes a value.

The value of a predicate holds for values only, so a call vouches for its arguments; a conjunction for what one part
vouches for, a disjunction for what all parts do.  What is vouched for needs no test of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.trampoline import Steps, run
from knaster.calculus.fixpoints.plan import Node, Op, Value, mask_of
from knaster.calculus.language.formula import Predicate

Levels = tuple[int, ...]


class Implications:
    """Tells what plans over these predicates imply."""

    def __init__(self, predicates: Mapping[str, Predicate]) -> None:
        self._ranges = {name: _ranges(predicate) for name, predicate in predicates.items()}

    def implies(self, node: Node, levels: Levels, size: int) -> bool:
        """Tell whether `node` implies that the number in the variables `levels` is less than `size`."""
        return run(self._implies(node, levels, size))

    def _implies(self, node: Node, levels: Levels, size: int) -> Steps[bool]:
        match node.op:
            case Op.CALL:
                return self._call(node, levels, size)
            case Op.AND:
                parts = _conjuncts(node)
                links = {one: two for part in parts if part.link for one, two in _both_ways(part.link)}
                linked = tuple(links.get(level, level) for level in levels)
                if all(value < 0 for value in linked):
                    return True
                candidates = {levels, linked} if all(value >= 0 for value in linked) else {levels}
                for part in parts:
                    for candidate in sorted(candidates):
                        found: bool = yield self._implies(part, candidate, size)
                        if found:
                            return True
                return False
            case Op.OR:
                for part in node.operands:
                    found = yield self._implies(part, levels, size)
                    if not found:
                        return False
                return True
            case Op.EXISTS | Op.PRODUCT:
                if node.cube & mask_of(levels):
                    return False
                for part in node.operands:
                    found = yield self._implies(part, levels, size)
                    if found:
                        return True
                return False
            case _:
                return False

    def _call(self, node: Node, levels: Levels, size: int) -> bool:
        reading = node.reading
        assert reading is not None
        return any(
            wanted == size and reading.actuals[start : start + len(levels)] == levels
            for start, width, wanted in self._ranges.get(reading.name, ())
            if width == len(levels)
        )


def _ranges(predicate: Predicate) -> Sequence[tuple[int, int, int]]:
    """Return (first bit, bits, values) of each component of the parameters that does not use all codes."""
    found: list[tuple[int, int, int]] = []
    start = 0
    for parameter in predicate.parameters:
        for leaf in parameter.type.leaves():
            if leaf.type.size < 1 << leaf.type.width:
                found.append((start + leaf.offset, leaf.type.width, leaf.type.size))
        start += parameter.type.width
    return found


def _conjuncts(node: Node) -> list[Node]:
    found: list[Node] = []
    todo = [node]
    while todo:
        current = todo.pop()
        if current.op is Op.AND:
            todo.extend(current.operands)
        else:
            found.append(current)
    return found


def _both_ways(link: tuple[int, Value]) -> list[tuple[int, Value]]:
    one, two = link
    return [(one, two)] if two < 0 else [(one, two), (two, one)]
