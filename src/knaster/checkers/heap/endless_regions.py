"""The atomic regions that can run for ever, from the rows of a table of effects.

Inside a region a thread that has nothing to choose goes from row to row.  It never ends where rows follow each other
in a circle: within one call, where a call that returns counts as one step; or from a call to its callee, where
recursion has no end.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.graphs import components
from knaster.base.records import dataclass

ROW, EFFECT = "row", "effect"
Node = tuple[int, int]  # a root and a row of it


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a path leads: to a row or an effect of its root; `kept` says that no other thread could run meanwhile.

    `steps` are those of the interpreter on the way.
    """

    what: str
    number: int
    kept: bool
    steps: int = 0


class Regions:
    """What follows what inside atomic regions, without a choice."""

    def __init__(self) -> None:
        self._firsts: dict[int, int] = {}
        self._next: dict[Node, Outcome] = {}
        self._calls: dict[Node, int] = {}
        self._backs: dict[Node, dict[int, Outcome]] = {}

    def first(self, root: int, row: int) -> None:
        """Note in which row a root begins."""
        self._firsts[root] = row

    def step(self, node: Node, outcome: Outcome) -> None:
        """Note the only way on from a row."""
        if outcome.kept:
            self._next[node] = outcome

    def call(self, node: Node, root: int) -> None:
        """Note which root a row calls."""
        self._calls[node] = root

    def back(self, node: Node, effect: int, outcome: Outcome) -> None:
        """Note where an effect of the root that a row calls leads."""
        if outcome.kept:
            self._backs.setdefault(node, {})[effect] = outcome

    def never_end(self) -> bool:
        """Tell whether some region can run for ever."""
        self._return()
        nodes = [*self._next, *self._calls]
        edges = {node: list(self._after(node)) for node in nodes}
        return any(
            len(group) > 1 or group[0] in edges.get(group[0], ())
            for group in components(nodes, lambda n: edges.get(n, []))
        )

    def _after(self, node: Node) -> Iterator[Node]:
        outcome = self._next.get(node)
        if outcome is not None and outcome.what == ROW:
            yield node[0], outcome.number
        if node in self._calls:
            callee = self._calls[node]
            yield callee, self._firsts[callee]

    def _return(self) -> None:
        """Let calls that return without a choice count as steps."""
        waiting: dict[int, list[Node]] = {}
        for node, root in self._calls.items():
            waiting.setdefault(root, []).append(node)
        todo = list(self._firsts)
        done: set[int] = set()
        while todo:
            root = todo.pop()
            effect = self._effect(root) if root not in done else None
            if effect is None:
                continue
            done.add(root)
            for node in waiting.get(root, ()):
                outcome = self._backs.get(node, {}).get(effect)
                if outcome is not None:
                    self._next[node] = outcome
                    todo.append(node[0])

    def _effect(self, root: int) -> int | None:
        """Return the effect to which a root leads without a choice; None where it leads to none, so far."""
        node, seen = (root, self._firsts[root]), set()
        while node not in seen:
            seen.add(node)
            outcome = self._next.get(node)
            if outcome is None:
                return None
            if outcome.what == EFFECT:
                return outcome.number
            node = root, outcome.number
        return None
