"""Sets of configurations of threads in a file; which BDD variable holds what follows from the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes, flatten, rebuild
from knaster.bdd.store import Bdd, Store
from knaster.checkers.configurations import certify_threads
from knaster.evidence.proofs.configurations_configurations import Configurations
from knaster.evidence.proofs.reading import expect, has_keys, list_of, node, numbers
from knaster.evidence.questions.question import Target
from knaster.program.model import Program
from knaster.program.threads import recursive_procedure
from knaster.views.symbolic.lanes import Lane, Point, count_points, make_lanes

_MOST = 1_000  # threads that are started later
_MOST_POINTS = 1_000_000  # control points
_FIELDS = {"started", "sets", "nodes"}


def to_fields(proof: Configurations) -> dict[str, Any]:
    """Return sets for every number of switches as fields of a document."""
    assert proof.closed
    (layer,) = proof.layers
    nodes, functions = flatten(proof.store, [states for sets in layer for states in sets.values()])
    rest = iter(functions)
    sets = [
        [[lane.codes[point], int(section), next(rest)] for point, section in own]
        for lane, own in zip(proof.lanes.lanes, layer, strict=True)
    ]
    return {"configurations": {"started": len(proof.lanes.started), "sets": sets, "nodes": nodes}}


def check(document: Mapping[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget) -> None:
    """Raise `InternalError`, `ProofError` or `MalformedNodes` unless the targets are unreachable by this proof."""
    certify_threads(_restored(document["configurations"], program, nodes, budget), program, targets, budget)


def _restored(data: Any, program: Program, nodes: int, budget: Budget) -> Configurations:
    has_keys(data, _FIELDS, "'configurations'")
    started = data["started"]
    expect(type(started) is int and 0 <= started <= _MOST, "the number of started threads is none")
    if recursive_procedure(program) is not None or count_points(program, _MOST_POINTS) > _MOST_POINTS:
        raise ProofError("this is no proof: the stacks of the threads have no bound")
    lanes = make_lanes(program, started, forgets=False)
    store = Store(lanes.size, nodes)
    functions = rebuild(store, [node(entry) for entry in list_of(data["nodes"], "nodes")], budget.check)
    rows = list_of(data["sets"], "sets")
    expect(len(rows) == len(lanes.lanes), "there are not as many sets as threads")
    layer = tuple(_sets(row, lane, functions) for row, lane in zip(rows, lanes.lanes, strict=True))
    return Configurations(program, store, lanes, (layer,), "switches", True)


def _sets(row: object, lane: Lane, functions: Sequence[Bdd]) -> dict[tuple[Point, bool], Bdd]:
    found: dict[tuple[Point, bool], Bdd] = {}
    for entry in list_of(row, "the sets of a thread"):
        parts = numbers(entry)
        expect(len(parts) == 3 and 0 <= parts[0] < len(lane.points) and parts[1] in (0, 1), "a set has no place")
        if not 0 <= parts[2] < len(functions):
            raise MalformedNodes("a set is none of the nodes")
        found[lane.points[parts[0]], bool(parts[1])] = functions[parts[2]]
    return found
