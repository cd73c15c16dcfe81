"""The atomic regions that can run for ever, from the rows of a table of effects.

Inside a region a thread that has nothing to choose goes from row to row.  It never ends where rows follow each other in
a circle: within one call, where a call that returns counts as one step; or from a call to its callee, where recursion
has no end.
"""

from __future__ import annotations

from typing import NamedTuple

from knaster_check.graphs import components

Node = tuple[int, int]  # a root and a row of it


class Outcome(NamedTuple):
    """Where a path leads: to a row or an effect of its root; `kept` says that no other thread could run meanwhile."""

    is_row: bool
    number: int
    kept: bool


class Regions:
    """What follows what inside atomic regions, without a choice."""

    def __init__(self) -> None:
        self.firsts: dict[int, int] = {}  # the row in which a root begins
        self.after: dict[Node, Outcome] = {}  # the only way on from a row
        self.calls: dict[Node, int] = {}  # the root that a row calls
        self.backs: dict[tuple[Node, int], Outcome] = {}  # where an effect of that root leads

    def never_end(self) -> bool:
        """Tell whether some region can run for ever."""
        self._step_over_calls()
        graph: dict[Node, list[Node]] = {node: [] for node in (*self.after, *self.calls)}
        for node, outcome in self.after.items():
            graph[node] += [(node[0], outcome.number)] if outcome.is_row else []
        for node, callee in self.calls.items():
            graph[node].append((callee, self.firsts[callee]))
        return bool(components(graph))

    def _step_over_calls(self) -> None:
        """Let calls that return without a choice count as steps."""
        grows = True
        while grows:
            grows = False
            for node, callee in self.calls.items():
                effect = self._effect(callee) if node not in self.after else None
                outcome = self.backs.get((node, effect)) if effect is not None else None
                if outcome is not None:
                    self.after[node] = outcome
                    grows = True

    def _effect(self, root: int) -> int | None:
        """Return the effect to which a root leads without a choice; None where it leads to none, so far."""
        node, seen = (root, self.firsts[root]), set[Node]()
        while node not in seen and node in self.after:
            seen.add(node)
            outcome = self.after[node]
            if not outcome.is_row:
                return outcome.number
            node = root, outcome.number
        return None
