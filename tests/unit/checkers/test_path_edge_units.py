"""Path edges procedure by procedure: each is asked for its own edges, how it is entered, and its own targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd
from knaster.checkers.path_edge_units import check_unit
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Task
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.boolean import parse

PROGRAM = parse(
    """decl g;
void main() begin g := T; f(); if (!g) then R: skip; fi L: skip; end
void f() begin if (*) then g := !g; g := !g; fi end
""",
    "a.bp",
)
MAIN, F = PROGRAM.procedures
R, L = (Target(name, "main", dict(MAIN.labels)[name], 0) for name in ("R", "L"))


def certificate() -> Certificate:
    proof = summaries(Task(PROGRAM, Reach((R,)), Budget(), SymbolicOptions(), 1 << 14)).proof
    assert proof is not None
    found = proof()
    assert isinstance(found, Certificate)
    return replace(found, vocabulary={name: replace(own, rigid=frozenset()) for name, own in found.vocabulary.items()})


def check(given: Certificate, member: str, *targets: Target, entered: Mapping[str, Bdd] | None = None) -> None:
    states = {"f": given.path_edges["f"][F.entry]} if entered is None else entered
    check_unit(given, {member}, states, targets, "main", Budget())


def without(given: Certificate, name: str, location: int) -> Certificate:
    """Return a certificate that has no state at a place."""
    sets = list(given.path_edges[name])
    assert sets[location] != given.store.false
    sets[location] = given.store.false
    return replace(given, path_edges={**given.path_edges, name: tuple(sets)})


def test_each_part_of_what_was_proved_holds() -> None:
    check(certificate(), "main", R)
    check(certificate(), "f")


def test_targets_are_of_the_procedures_that_are_looked_at() -> None:
    for member, target in (("f", R), ("main", L), ("f", L)):
        with pytest.raises(InternalError, match=f"does not exclude '{target.name}'"):
            check(certificate(), member, target)


def test_the_start_is_asked_of_the_procedure_that_runs_first() -> None:
    given = without(certificate(), "main", MAIN.entry)
    with pytest.raises(InternalError):
        check(given, "main")
    check(given, "f")


def test_only_its_own_edges_are_looked_at() -> None:
    inner = F.edges[0].target
    given = without(certificate(), "f", inner)
    check(given, "main")
    with pytest.raises(InternalError):
        check(given, "f")


def test_a_procedure_has_what_others_pass_to_it() -> None:
    given = certificate()
    check(given, "f", entered={})
    with pytest.raises(InternalError, match="misses what others pass to it"):
        check(given, "f", entered={"f": given.store.true})


def test_nothing_is_rigid() -> None:
    given = certificate()
    said = {name: replace(own, rigid=frozenset({"g"})) for name, own in given.vocabulary.items()}
    with pytest.raises(InternalError, match="rigid"):
        check(replace(given, vocabulary=said), "main")
