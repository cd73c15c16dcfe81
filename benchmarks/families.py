"""The benchmark families: named generators of program text with a known answer at the label ERROR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.models import driver, many_variables
from benchmarks.recursive import ackermann, even_odd, mccarthy, mutual, tree_walk
from benchmarks.template import straight_line, template

TARGET = "ERROR"


@dataclass(frozen=True, slots=True)
class Family:
    """Programs of one shape: what their size counts, the sizes to run, and how to write the text of one."""

    name: str
    title: str
    unit: str
    sizes: tuple[int, ...]
    peer_sizes: tuple[int, ...]
    generate: Callable[[int, bool], str]

    def instance(self, size: int, reachable: bool = False) -> Instance:
        """Return the program of this size whose target has this answer."""
        return Instance(self.name, size, reachable, self.generate(size, reachable))


@dataclass(frozen=True, slots=True)
class Instance:
    """One program, and whether its target is reachable."""

    family: str
    size: int
    reachable: bool
    text: str

    @property
    def name(self) -> str:
        """The name of its file, without an ending."""
        return f"{self.family}-{self.size}-{'reachable' if self.reachable else 'unreachable'}"


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("template", "T(N)", "levels", (50, 100, 200, 400, 800, 1600, 3200), (50, 200, 800, 1600), template),
        Family("even-odd", "even and odd", "bits", (4, 6, 8, 10, 12, 14), (4, 8, 12), even_odd),
        Family("mccarthy", "McCarthy 91", "bits", (4, 6, 7, 8, 10, 12), (4, 7, 10), mccarthy),
        Family("ackermann", "Ackermann", "bits", (2, 3, 4), (2, 3, 4), ackermann),
        Family("tree-walk", "tree walk", "bits", (4, 6, 8, 10, 12), (4, 8, 12), tree_walk),
        Family("mutual", "mutual recursion of 3", "bits", (4, 6, 8, 10, 12), (4, 8, 12), mutual),
        Family("variables", "many variables", "variables", (20, 30, 40, 50, 60, 70), (20, 40, 70), many_variables),
        Family("driver", "driver", "statements", (1000, 2500, 5000, 10000), (1000, 10000), driver),
        Family("straight", "straight line", "statements", (5000, 10000, 20000, 50000), (5000, 50000), straight_line),
    )
}
