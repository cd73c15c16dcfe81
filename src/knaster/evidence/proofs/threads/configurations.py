"""Configurations: why threads reach no target, as a set of configurations for each place where each may stand.

`layers[k]` has, for each thread that may be running and for each place where it may stand, the configurations of all
runs with at most k switches (rounds: k + 1).  With `closed` there is one layer, and it is closed under switches too:
the proof is one for every number.  Otherwise it is one for the `bound` only.
`checkers.threads.configurations` checks it.
In a file a set is the number of a node; which BDD variable holds what follows from the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.bdd.nodes import MalformedNodes, Node, flatten, rebuild
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store
from knaster.evidence.proofs.reading import expect, has_keys, list_of, node, numbers
from knaster.evidence.questions.question import Bound
from knaster.program.layout.lanes import Lane, Lanes, Point, count_points, make_lanes
from knaster.program.model import Place, Program
from knaster.program.threads import recursive_procedure

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_MOST = 1_000  # threads that are started later
_MOST_POINTS = 1_000_000  # control points
_MOST_LAYERS = 10_000
_CLOSED = {"started", "sets", "nodes", "shared", "lanes"}  # the fields of a proof for every number
_BOUNDED = {"started", "forgets", "kind", "layers", "nodes", "shared", "lanes"}  # and within a bound
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
        return _restore, (self.program, self.store.variables, nodes, self.lanes, layers, self.kind, self.closed)

    @property
    def bound(self) -> Bound | None:
        """Within what it holds; None where it holds for every number."""
        first = 1 if self.kind == "rounds" else 0
        return None if self.closed else Bound(self.kind, first + len(self.layers) - 1)

    def unreached_places(self) -> tuple[Place, ...] | None:
        """Return the statements that no run reaches, in the order of the text; None where the proof is bounded."""
        if not self.closed:
            return None
        none = self.store.false
        reached = {point.place for sets in self.layers[-1] for (point, _), states in sets.items() if states != none}
        return self.program.statements_outside(reached)


def _restore(
    program: Program,
    variables: int,
    nodes: list[Node],
    lanes: Lanes,
    numbers: tuple[tuple[Mapping[tuple[Point, bool], int], ...], ...],
    kind: str,
    closed: bool,
) -> Configurations:
    store = Store(variables, max(DEFAULT_NODES, 8 * len(nodes)))  # mutant: only room
    functions = rebuild(store, nodes)
    layers = tuple(tuple({key: functions[n] for key, n in sets.items()} for sets in layer) for layer in numbers)
    return Configurations(program, store, lanes, layers, kind, closed)


def to_fields(proof: Configurations, program: Program) -> dict[str, Any]:
    """Return the sets as fields of a document: one layer for every number of switches, or several for a bound."""
    every = [states for layer in proof.layers for sets in layer for states in sets.values()]
    nodes, functions = flatten(proof.store, every)
    rest = iter(functions)
    layers = [_layer_to_json(layer, proof.lanes, rest) for layer in proof.layers]
    fields: dict[str, Any] = {"started": len(proof.lanes.started_lanes), "nodes": nodes, **spell_lanes(proof.lanes)}
    if proof.closed:
        fields["sets"] = layers[0]
    else:
        fields |= {"forgets": proof.lanes.forgets, "kind": proof.kind, "layers": layers}
    return {"configurations": fields}


def spell_lanes(lanes: Lanes) -> dict[str, Any]:
    """Return which variable holds what, and which number is which point, for whoever does not know our numbering."""
    return {
        "shared": dict(lanes.shared),
        "lanes": [
            {
                "points": [[[list(call) for call in point.calls], *point.place] for point in lane.points],
                "bits": list(lane.bits),
                "depths": [list(places) for places in lane.depths],
            }
            for lane in lanes.lanes
        ],
    }


def _layer_to_json(layer: Layer, lanes: Lanes, functions: Iterable[int]) -> list[list[list[int]]]:
    rest = iter(functions)
    return [
        [[lane.codes[point], int(section), next(rest)] for point, section in own]
        for lane, own in zip(lanes.lanes, layer, strict=True)
    ]


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Configurations:
    """Return the sets of a document."""
    data = document["configurations"]
    closed = isinstance(data, dict) and "sets" in data
    has_keys(data, _CLOSED if closed else _BOUNDED, "'configurations'")
    started, kind, forgets = data["started"], data.get("kind", "switches"), data.get("forgets", False)
    expect(type(started) is int and 0 <= started <= _MOST, "the number of started threads is none")
    expect(type(forgets) is bool, "'forgets' is no truth value")
    expect(kind == "switches" or (kind == "rounds" and not started), "the bound is of another kind")
    finite = recursive_procedure(program) is None and count_points(program, _MOST_POINTS) <= _MOST_POINTS
    expect(finite, "the stacks of the threads have no bound")
    lanes = make_lanes(program, started, forgets)
    said = {"shared": data["shared"], "lanes": data["lanes"]}
    expect(said == spell_lanes(lanes), "its variables are not numbered as those of the program are")
    store = Store(lanes.size, nodes)
    functions = rebuild(store, [node(entry) for entry in list_of(data["nodes"], "nodes")], budget.check)
    rows = [data["sets"]] if closed else list_of(data["layers"], "layers")
    expect(0 < len(rows) <= _MOST_LAYERS, "there are no layers, or too many")
    layers = tuple(_layer(row, lanes, functions) for row in rows)
    return Configurations(program, store, lanes, layers, kind, closed)


def _layer(row: object, lanes: Lanes, functions: Sequence[Bdd]) -> Layer:
    own = list_of(row, "sets")
    expect(len(own) == len(lanes.lanes), "there are not as many sets as threads")
    return tuple(_sets(sets, lane, functions) for sets, lane in zip(own, lanes.lanes, strict=True))


def _sets(row: object, lane: Lane, functions: Sequence[Bdd]) -> dict[tuple[Point, bool], Bdd]:
    found: dict[tuple[Point, bool], Bdd] = {}
    for entry in list_of(row, "the sets of a thread"):
        parts = numbers(entry)
        expect(len(parts) == 3 and 0 <= parts[0] < len(lane.points) and parts[1] in (0, 1), "a set has no place")
        if not 0 <= parts[2] < len(functions):
            raise MalformedNodes("a set is none of the nodes")
        found[lane.points[parts[0]], bool(parts[1])] = functions[parts[2]]
    return found
