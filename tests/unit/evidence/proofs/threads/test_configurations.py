"""Configurations: sets by thread and place, for every number of switches and within a bound."""

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
from knaster.evidence.proofs.threads import configurations
from knaster.evidence.proofs.threads.configurations import Configurations, from_fields, to_fields
from knaster.evidence.questions.question import Bound
from knaster.frontends.boolean import parse
from knaster.program.layout.lanes import count_points, make_lanes

PROGRAM = parse("decl g;\nvoid main() begin\n  g := F;\n  if (g) then\n    skip;\n  fi\nend\n", "a.bp")


def proof(layers: int = 1, kind: str = "switches", closed: bool = True) -> Configurations:
    """Return sets that are everything at the entry and nothing elsewhere."""
    lanes = make_lanes(PROGRAM, 0, False)
    store = Store(lanes.size, 1 << 10)
    sets = {
        (point, False): store.var(0) if point.place == ("main", 0) else store.false for point in lanes.lanes[0].points
    }
    return Configurations(PROGRAM, store, lanes, ((sets,),) * layers, kind, closed)


def fields(given: Configurations) -> Any:
    return json.loads(json.dumps(to_fields(given, PROGRAM)))


def test_what_is_empty_is_unreached_where_it_holds_for_every_number() -> None:
    everywhere = {("main", edge.source) for edge in PROGRAM.procedure("main").edges}
    assert set(proof().unreached_places() or ()) == everywhere - {("main", 0)}
    assert proof(closed=False).unreached_places() is None


@pytest.mark.parametrize(("kind", "number"), [("switches", 2), ("rounds", 3)])
def test_layers_count_from_no_switch_and_from_one_round(kind: str, number: int) -> None:
    assert proof(3, kind, closed=False).bound == Bound(kind, number)
    assert proof().bound is None


def test_both_ways() -> None:
    whole = fields(proof())
    assert whole["configurations"].keys() == {"started", "sets", "nodes", "shared", "lanes"}
    assert whole["configurations"]["nodes"] == [[0, 1, 0]]
    assert fields(from_fields(whole, PROGRAM, 1 << 10, Budget())) == whole
    bounded = fields(proof(2, "rounds", closed=False))
    assert bounded["configurations"]["kind"] == "rounds" and len(bounded["configurations"]["layers"]) == 2
    assert from_fields(bounded, PROGRAM, 1 << 10, Budget()).bound == Bound("rounds", 2)


def test_another_process_gets_the_same_sets() -> None:
    assert fields(pickle.loads(pickle.dumps(proof()))) == fields(proof())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("started",), -1),
        (("started",), True),
        (("started",), 10_000),
        (("sets",), []),
        (("sets", 0, 0), [0, 2, 1]),
        (("sets", 0, 0), [99, 0, 1]),
        (("sets", 0, 0), [0, 0]),
        (("sets", 0, 0), [0, 0, 99]),
        (("sets", 0, 0), [0, 0, -1]),
        (("kind",), "switches"),
    ],
)
def test_what_is_no_proof(path: tuple[str | int, ...], value: object) -> None:
    data = deepcopy(fields(proof()))
    part: Any = data["configurations"]
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises((ProofError, MalformedNodes)):
        from_fields(data, PROGRAM, 1 << 10, Budget())


def test_threads_that_recurse_have_no_such_sets() -> None:
    recursive = parse("void main() begin\n  main();\nend\n", "a.bp")
    with pytest.raises(ProofError, match="no bound"):
        from_fields(fields(proof()), recursive, 1 << 10, Budget())


def test_numbers_are_within_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(**changes: Any) -> Configurations:
        data = {**fields(proof(2, closed=False)), **{}}
        data["configurations"] |= changes
        return from_fields(data, PROGRAM, 1 << 10, Budget())

    assert len(read().layers) == 2
    for kind, wrong in (("_MOST_LAYERS", 1), ("_MOST_POINTS", count_points(PROGRAM, 1000) - 1)):
        with monkeypatch.context() as patched:
            patched.setattr(configurations, kind, wrong + 1)
            assert len(read().layers) == 2
            patched.setattr(configurations, kind, wrong)
            with pytest.raises(ProofError, match=r"layers|no bound"):
                read()
    with pytest.raises(ProofError, match="there are no layers"):
        read(layers=[])
    monkeypatch.setattr(configurations, "_MOST", 0)
    assert len(read().layers) == 2
    for started in (1, -1, True, "0"):
        with pytest.raises(ProofError, match="the number of started threads is none"):
            read(started=started)
    for kind in ("rounds", "switches"):
        assert read(kind=kind).kind == kind
    with pytest.raises(ProofError, match="another kind"):
        read(kind="delays")
    (lane,) = proof().lanes.lanes
    for code in (-1, len(lane.points)):
        with pytest.raises(ProofError, match="a set has no place"):
            read(layers=[[[[code, 0, 0]]]])


def test_what_is_said_of_it() -> None:
    assert repr(proof()) == "<Configurations of a.bp: 1 threads, any number of switches>"
    assert "any number" not in repr(proof(2, closed=False))


def test_rounds_count_no_threads_that_are_started() -> None:
    program = parse("decl g; void main() begin start_thread f(); end void f() begin g := F; end\n", "a.bp")
    lanes = make_lanes(program, 1, False)
    store = Store(lanes.size, 1 << 10)
    made = Configurations(program, store, lanes, (tuple({} for _ in lanes.lanes),), "switches", False)
    data = json.loads(json.dumps(to_fields(made, program)))
    assert from_fields(data, program, 1 << 10, Budget()).kind == "switches"
    data["configurations"]["kind"] = "rounds"
    with pytest.raises(ProofError, match="another kind"):
        from_fields(data, program, 1 << 10, Budget())
