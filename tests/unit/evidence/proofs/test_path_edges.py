"""Certificates: sets by location as numbers of nodes, in stores of their own."""

from __future__ import annotations

import pickle
from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import replace
from knaster.bdd.nodes import MalformedNodes
from knaster.bdd.store import Store
from knaster.evidence.proofs.path_edges import Certificate, Vocabulary, from_fields, to_fields
from knaster.frontends.boolean import parse
from knaster.program.layout.slots import COPIES, Copy, variable
from knaster.program.model import Kind

PROGRAM = parse("decl g;\nvoid main() begin\n  g := F;\n  if (g) then\n    R: skip;\n  fi\nend\n", "a.bp")
WORDS = {"main": Vocabulary({"g": 0}, frozenset(), frozenset())}
NOT_G = [variable(0, Copy.NOW), 0, 1]
FIELDS: dict[str, Any] = {
    "procedures": {"main": {"slots": {"g": 0}, "rigid": [], "echoed": [], "sets": [1, 2, 0, 2]}},
    "nodes": [NOT_G],
}


def certificate() -> Certificate:
    store = Store(COPIES, 1 << 10)
    clear = ~store.var(variable(0, Copy.NOW))
    return Certificate(PROGRAM, store, WORDS, {"main": (store.true, clear, store.false, clear)})


def as_lists(fields: dict[str, Any]) -> dict[str, Any]:
    found = deepcopy(fields)
    found["nodes"] = [list(node) for node in found["nodes"]]
    found["procedures"]["main"]["sets"] = list(found["procedures"]["main"]["sets"])
    return found


def test_both_ways() -> None:
    assert as_lists(to_fields(certificate(), PROGRAM)) == FIELDS
    again = from_fields(FIELDS, PROGRAM, 1 << 10, Budget())
    assert as_lists(to_fields(again, PROGRAM)) == FIELDS and again.vocabulary == WORDS


def test_what_no_run_reaches_has_no_states() -> None:
    (procedure,) = PROGRAM.procedures
    assert certificate().unreached_places() == (("main", 2),)
    assert dict(procedure.labels)["R"] == 2


def test_another_process_gets_the_same_sets() -> None:
    again = pickle.loads(pickle.dumps(certificate()))
    assert as_lists(to_fields(again, PROGRAM)) == FIELDS and again.unreached_places() == (("main", 2),)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("slots",), {"g": 1}),  # the program has one variable
        (("slots",), {"g": -1}),
        (("slots",), {"g": True}),
        (("slots",), []),
        (("sets",), [1, 3, 0, 2]),  # there is one node
        (("sets",), [1, -1, 0, 2]),
        (("sets",), None),
        (("rigid",), [1]),
    ],
)
def test_what_is_no_certificate(path: tuple[str], value: Any) -> None:
    fields = deepcopy(FIELDS)
    fields["procedures"]["main"][path[0]] = value
    with pytest.raises((ProofError, MalformedNodes)):
        from_fields(fields, PROGRAM, 1 << 10, Budget())


def test_the_budget_is_looked_at_for_every_node() -> None:
    with pytest.raises(OutOfBudget):
        from_fields({**FIELDS, "nodes": [NOT_G] * 5000}, PROGRAM, 1 << 10, Budget(seconds=-1.0))


def test_path_edges_say_nothing_of_threads_and_references() -> None:
    threads = parse("decl g; void main_1() begin skip; end void main_2() begin skip; end\n", "a.bp")
    for program in (threads, replace(PROGRAM, kind=Kind.REFERENCES)):
        with pytest.raises(ProofError, match="nothing of threads and references"):
            from_fields(FIELDS, program, 1 << 10, Budget())
