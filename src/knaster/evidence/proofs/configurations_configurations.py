"""Why a target is unreachable in a program with threads: sets of configurations that contain all that can happen.

`layers[k]` has, for each thread that may be running and for each place where it may stand, the configurations of all
runs with at most k switches (rounds: k + 1).  With `closed` there is one layer, and it is closed under switches too:
the proof is one for every number.  Otherwise it is one for the `bound` only.  `certify_threads` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.bdd.nodes import Node, flatten, rebuild
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store
from knaster.evidence.questions.question import Bound
from knaster.program.model import Place, Program
from knaster.views.symbolic.lanes import Lanes, Point

Layer = tuple[Mapping[tuple[Point, bool], Bdd], ...]  # by lane; then by point, and whether inside a section


@dataclass(frozen=True, slots=True, eq=False)
class Configurations:
    """Sets of configurations over the variables of `lanes`, closed under every step of every thread."""

    program: Program
    store: Store
    lanes: Lanes
    layers: tuple[Layer, ...]
    kind: str
    closed: bool

    def __repr__(self) -> str:
        reach = "any number" if self.closed else str(self.bound)
        return f"<Configurations of {self.program.file}: {len(self.lanes.lanes)} threads, {reach} of {self.kind}>"

    def __reduce__(self) -> tuple[object, ...]:
        nodes, numbers = flatten(self.store, [f for layer in self.layers for sets in layer for f in sets.values()])
        rest = iter(numbers)
        layers = tuple(tuple({key: next(rest) for key in sets} for sets in layer) for layer in self.layers)
        return _restored, (self.program, self.store.variables, nodes, self.lanes, layers, self.kind, self.closed)

    @property
    def bound(self) -> Bound | None:
        """Within what it holds; None where it holds for every number."""
        first = 1 if self.kind == "rounds" else 0
        return None if self.closed else Bound(self.kind, first + len(self.layers) - 1)

    def unreached(self) -> tuple[Place, ...] | None:
        """Return the statements that no run reaches, in the order of the text; None where the proof is bounded."""
        if not self.closed:
            return None
        none = self.store.false
        reached = {point.place for sets in self.layers[-1] for (point, _), states in sets.items() if states != none}
        return self.program.statements_outside(reached)


def _restored(
    program: Program,
    variables: int,
    nodes: list[Node],
    lanes: Lanes,
    numbers: tuple[tuple[Mapping[tuple[Point, bool], int], ...], ...],
    kind: str,
    closed: bool,
) -> Configurations:
    store = Store(variables, max(DEFAULT_NODES, 8 * len(nodes)))
    functions = rebuild(store, nodes)
    layers = tuple(tuple({key: functions[n] for key, n in sets.items()} for sets in layer) for layer in numbers)
    return Configurations(program, store, lanes, layers, kind, closed)
