"""Interprocedural control-flow graphs of the shape of real programs: nested loops, branches, calls, some recursion.

A graph knows no weights: every edge has a kind, and a family (`fast.py`) gives it a weight.  Procedures call procedures
with larger numbers, and some call back: those are recursive.  The same seed gives the same graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

Kind = str  # "step", "branch" (an edge that leaves a branching node) or "call"


@dataclass(frozen=True, slots=True)
class Arrow:
    """source → target inside a procedure; for a call `callee` is entered and the target is the return site."""

    source: int
    target: int
    kind: Kind
    callee: int = -1


@dataclass(frozen=True, slots=True)
class Body:
    """A procedure: nodes are numbers that no other procedure uses."""

    entry: int
    exit: int
    arrows: tuple[Arrow, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """Procedures; the first one is main."""

    bodies: tuple[Body, ...]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return 1 + max(body.exit for body in self.bodies)

    def branches(self) -> list[int]:
        """Return the nodes with more than one arrow."""
        return sorted({arrow.source for body in self.bodies for arrow in body.arrows if arrow.kind == "branch"})


def generate(nodes: int, procedures: int, *, loops: int = 4, recursion: float = 0.02, seed: int = 1) -> Graph:
    """Return a graph of about so many nodes and procedures, loops nested up to `loops` deep."""
    random = Random(seed)
    first = 0
    bodies = []
    for number in range(procedures):
        size = max(4, round(random.lognormvariate(0, 0.6) * 0.85 * nodes / procedures))
        body = _Writer(random, first, size, loops, list(_callees(random, number, procedures, recursion))).write()
        bodies.append(body)
        first = body.exit + 1
    return Graph(tuple(bodies))


def _callees(random: Random, number: int, procedures: int, recursion: float) -> Iterator[int]:
    """Yield whom a procedure calls: its children in a tree, so that everything is reached, and some others."""
    width = 3
    yield from (child for child in range(width * number + 1, width * number + width + 1) if child < procedures)
    for _ in range(random.randint(0, 2)):
        if number + 1 < procedures:
            yield random.randrange(number + 1, procedures)
    if random.random() < recursion:
        yield random.randrange(number // width if number else 0, number + 1)


class _Writer:
    """Writes the body of one procedure."""

    def __init__(self, random: Random, first: int, size: int, loops: int, callees: list[int]) -> None:
        self._random = random
        self._first = first
        self._next = first + 1
        self._budget = size
        self._loops = loops
        self._callees = callees
        self._arrows: list[Arrow] = []

    def write(self) -> Body:
        at = self._first
        share = self._budget // (len(self._callees) + 1)
        for callee in self._callees:
            at = self._block(at, share, 0)
            at = self._guarded_call(at, callee)
        at = self._block(at, share, 0)
        end = self._step(at)
        return Body(self._first, end, tuple(self._arrows))

    def _node(self) -> int:
        self._next += 1
        return self._next - 1

    def _step(self, at: int, kind: Kind = "step") -> int:
        target = self._node()
        self._arrows.append(Arrow(at, target, kind))
        return target

    def _guarded_call(self, at: int, callee: int) -> int:
        """Write a call on one side of a branch, so that recursion can end."""
        before, end = self._step(at, "branch"), self._node()
        after = self._node()
        other = self._step(at, "branch")
        self._arrows += [Arrow(before, after, "call", callee), Arrow(after, end, "step"), Arrow(other, end, "step")]
        return end

    def _block(self, at: int, budget: int, depth: int) -> int:
        """Write statements for about `budget` nodes, inside `depth` loops; return the last node."""
        random, end = self._random, self._next + budget
        while self._next < end:
            chance, left = random.random(), end - self._next
            part = random.randint(2, 12)
            if chance < 0.62 or left < 8:
                at = self._step(at)
            elif chance < 0.86:
                at = self._branch(at, min(part, left // 2 - 2), depth)
            elif depth < self._loops:
                at = self._loop(at, min(2 * part, left - 3), depth)
        return at

    def _branch(self, at: int, part: int, depth: int) -> int:
        """Write an if statement, with or without else."""
        left = self._block(self._step(at, "branch"), part, depth)
        right = self._step(at, "branch")
        if self._random.random() < 0.6:
            right = self._block(right, part, depth)
        end = self._node()
        self._arrows += [Arrow(left, end, "step"), Arrow(right, end, "step")]
        return end

    def _loop(self, at: int, part: int, depth: int) -> int:
        """Write a while loop."""
        head = self._step(at)
        last = self._block(self._step(head, "branch"), part, depth + 1)
        self._arrows.append(Arrow(last, head, "step"))
        return self._step(head, "branch")
