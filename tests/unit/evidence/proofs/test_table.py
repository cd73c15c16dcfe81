"""THE TABLE of proofs: every kind has a record, a form in a file, a checker, and perhaps words."""

from __future__ import annotations

import json

import pytest

from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.checkers.files import proof_to_save
from knaster.evidence.answers.answer import Diverges, Reachable
from knaster.evidence.proofs.table import PROOFS, ProofKind, _kind, kind_in, kind_of
from support.kinds_of_proofs import ASKED, BOUNDED, result_with

KINDS = {kind.name: kind for kind in PROOFS}
EVERY = [(name, False) for name in ASKED] + [(name, True) for name in BOUNDED]


def proof_of(name: str, bounded: bool) -> object:
    result = result_with(name, bounded)
    (_, answer), *_ = result.answers
    if isinstance(answer, Reachable):
        return answer.trace
    if name == "thread_lasso":
        return proof_to_save(result)[0]
    return answer.lasso if isinstance(answer, Diverges) else result.proof


def test_there_is_an_example_of_every_kind() -> None:
    assert KINDS.keys() == ASKED.keys() and len(KINDS) == len(PROOFS)


@pytest.mark.parametrize("kind", PROOFS, ids=lambda kind: kind.name)
def test_every_name_stands_for_something(kind: ProofKind) -> None:
    assert isinstance(load_named(kind.record), type)
    assert kind.excludes or kind.ends or kind.reaches
    for checker in filter(None, (kind.excludes, kind.ends, kind.reaches)):
        assert callable(load_named(checker))


@pytest.mark.parametrize(("name", "bounded"), EVERY)
def test_a_proof_is_of_its_kind_as_a_record_and_in_a_file(name: str, bounded: bool) -> None:
    proof, program = proof_of(name, bounded), result_with(name, bounded).program
    kind = kind_of(proof)
    assert kind is KINDS[name]
    fields = json.loads(json.dumps(kind.to_fields(proof, program)))
    assert fields.keys() == kind.fields and kind_in(fields) is kind
    again = kind.from_fields(fields, program, 1 << 12, Budget())
    assert kind_of(again) is kind and getattr(again, "bound", None) == getattr(proof, "bound", None)
    assert json.loads(json.dumps(kind.to_fields(again, program))) == fields


def test_a_proof_of_no_kind() -> None:
    assert kind_of(object()) is None and kind_of(None) is None
    assert kind_in({}) is None and kind_in({"table": 7}) is None and kind_in({"table": {"columns": []}}) is None


@pytest.mark.parametrize("name", ASKED)
def test_words_are_for_people_and_for_programs(name: str) -> None:
    kind, result = KINDS[name], result_with(name)
    lines, document = kind.to_words(proof_of(name, False), result.program), kind.to_json(result.proof, result.program)
    assert bool(lines) is kind.words and (document is not None) is kind.words
    assert all(line in result.to_text() for line in lines)
    if document is not None:
        assert json.loads(result.to_json())["proof"] == document


def test_a_line_of_the_table_names_a_record_and_checkers() -> None:
    plain = _kind("new", "New", "a b.c", "new:check", "new:check_end")
    assert (plain.record, plain.marks) == ("knaster.evidence.proofs.new:New", ("a", "b.c"))
    assert (plain.excludes, plain.ends) == ("knaster.checkers.new:check", "knaster.checkers.new:check_end")
    assert _kind("new", "heap.New", "a").record == "knaster.evidence.proofs.heap.new:New"
    elsewhere = _kind("new", "knaster.evidence.traces.new:New", "a", "new:check")
    assert (elsewhere.record, elsewhere.ends, elsewhere.module) == ("knaster.evidence.traces.new:New", "", "")


def test_which_proofs_are_about_programs_with_memory() -> None:
    own = {"memory_runs", "memory_shapes", "memory_states", "memory_paths", "regions", "reduced_threads"}
    assert {kind.name for kind in PROOFS if kind.with_memory} == own | {"guaranteed_threads"}
