"""Interference: what threads of each role do, in a file and back, and where they may stand."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes
from knaster.bdd.store import Store
from knaster.evidence.proofs.path_edges import Vocabulary
from knaster.evidence.proofs.threads.interference import Conduct, Ghosts, Interference, Role, from_fields, to_fields
from knaster.frontends.boolean import parse
from knaster.program.layout.slots import COPIES

PROGRAM = parse("decl g;\nvoid main() begin\n  g := F;\n  skip;\nend\n", "a.bp")
GHOSTS = Ghosts("inside", {"g": "g_seen"})


def proof(ghosts: Ghosts | None = None) -> Interference:
    store = Store(COPIES, 1 << 10)
    x, none = store.var(1), store.false
    words = {"main": Vocabulary({"g": 0}, frozenset(), frozenset("g"))}
    conduct = Conduct(store.true, {"main": (x, none, ~x)}, {frozenset("g"): x})
    other = Conduct(none, {"main": (none, none, none)}, {})
    return Interference(PROGRAM, store, words, ghosts, {Role("main"): conduct, Role("main", 1): other})


def fields(given: Interference) -> Any:
    return json.loads(json.dumps(to_fields(given, PROGRAM)))


def test_where_threads_may_stand() -> None:
    assert proof().places() == {("main", 0), ("main", 2)}
    assert proof().unreached_places() == (("main", 1),)


def test_the_form_in_a_file() -> None:
    data = fields(proof(GHOSTS))["interference"]
    assert data["ghosts"] == {"inside": "inside", "seen": {"g": "g_seen"}}
    assert data["procedures"] == {"main": {"slots": {"g": 0}, "echoed": ["g"]}}
    first, second = data["roles"]
    a, b = data["nodes"].index([1, 1, 0]) + 2, data["nodes"].index([1, 0, 1]) + 2
    assert first == {
        "procedure": "main",
        "location": None,
        "waiting": 1,
        "sets": {"main": [a, 0, b]},
        "guarantee": [[["g"], a]],
    }
    assert second["location"] == 1 and second["waiting"] == 0 and second["guarantee"] == []


@pytest.mark.parametrize("ghosts", [None, GHOSTS])
def test_both_ways(ghosts: Ghosts | None) -> None:
    data = fields(proof(ghosts))
    again = from_fields(data, PROGRAM, 1 << 10, Budget())
    assert fields(again) == data and again.ghosts == ghosts and again.places() == proof().places()
    assert fields(pickle.loads(pickle.dumps(proof(ghosts)))) == data


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("ghosts",), {"inside": "inside"}),
        (("ghosts", "seen"), {"g": 1}),
        (("procedures", "main", "slots"), {"g": 99}),
        (("procedures", "main", "echoed"), [1]),
        (("roles", 1, "location"), None),  # the same role again
        (("roles", 0, "procedure"), 1),
        (("roles", 0, "waiting"), 99),
        (("roles", 0, "waiting"), -1),
        (("roles", 0, "sets"), []),
        (("roles", 0, "guarantee"), [[["g"], 1], [["g"], 1]]),
        (("roles", 0, "guarantee"), [[["g"]]]),
    ],
)
def test_what_is_no_proof(path: tuple[str | int, ...], value: object) -> None:
    data = deepcopy(fields(proof(GHOSTS)))
    part: Any = data["interference"]
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises((ProofError, MalformedNodes)):
        from_fields(data, PROGRAM, 1 << 10, Budget())


def test_slots_are_within_what_the_program_needs() -> None:
    """Two for each global, one for a section, and one for each variable of a procedure."""
    program = parse("decl g, h, k;\nvoid main() begin\n  decl x;\n  skip;\nend\nvoid f(a) begin skip; end\n", "a.bp")
    most = 2 * 3 + 1 + 2
    sets = {name: [0] * program.procedure(name).size for name in ("main", "f")}
    role: dict[str, Any] = {"procedure": "main", "location": None, "waiting": 0, "sets": sets, "guarantee": []}

    def read(last: int, ghosts: Any = None) -> Interference:
        procedures = {name: {"slots": {"g": 0, "h": last}, "echoed": []} for name in sets}
        data = {"ghosts": ghosts, "procedures": procedures, "nodes": [], "roles": [role]}
        return from_fields({"interference": data}, program, 1 << 10, Budget())

    assert read(most - 1).store.variables == COPIES * most
    for slot in (most, -1):
        with pytest.raises(ProofError, match="a slot is out of range"):
            read(slot)
    for wrong in ({"inside": 1, "seen": {}}, {"inside": "in", "seen": []}):
        with pytest.raises(ProofError, match="a ghost has no name"):
            read(1, wrong)
