"""The way of a proof through the kernel: which program, which runs and which targets it is about."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, check, read_program
from knaster_check.table import KINDS, kind_of, names_of

TEXT = "decl g; init(!g);\nvoid main_1() begin g := F; end\nvoid main_2() begin if (g) then R: skip; fi end\n"


def proof(engine: str) -> tuple[dict[str, Any], dict[str, Any]]:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(TEXT, "R", file="a.bp", engine=engine, evidence=evidence)
    return json.loads(program_to_kernel(result.program)), json.loads(proof_to_text(result))


def said(program: dict[str, Any], document: dict[str, Any]) -> str:
    try:
        return check(read_program(json.dumps(program)), json.dumps(document)).claim
    except Refused as refused:
        return str(refused)


@pytest.mark.parametrize(
    ("engine", "kind", "any_number"), [("states", "configurations", False), ("modular", "interference", True)]
)
def test_of_any_number_of_threads_few_proofs_speak(engine: str, kind: str, any_number: bool) -> None:
    program, document = proof(engine)
    assert kind_of(document).name == kind and said(program, document) == "unreachable"
    found = said({**program, "any_number": ["main_2"]}, document)
    assert found == "unreachable" if any_number else "not about any number of them" in found


def test_a_formula_may_name_the_only_file() -> None:
    program, document = proof("states")
    target = document["targets"][0]
    for name, stands in (("at(a.bp:3)", True), ("at(3)", True), ("at(a.bp:2)", False), ("line a.bp:3", False)):
        found = said(program, {**document, "targets": [{**target, "name": name}]})
        assert found == "unreachable" if stands else "stands elsewhere" in found


def test_what_a_proof_is_about() -> None:
    program, document = proof("states")
    target = document["targets"][0]
    for change, reason in (
        ({"program": "0" * 64}, "one of another program"),
        ({"entry": "main_1"}, "runs that start elsewhere"),
        ({"reading": {"integers": "mathematical"}}, "read with other options"),
        ({"targets": [{**target, "location": 0}]}, "stands elsewhere"),
        ({"targets": [{**target, "location": True}]}, "stands elsewhere"),
        ({"targets": [{**target, "name": "Q"}]}, "stands elsewhere"),
        ({"targets": [{**target, "procedure": "nobody"}]}, "there is no procedure 'nobody'"),
        ({"targets": [{"name": "deadlock", "procedure": "", "location": 5}]}, "has no place"),
        ({"targets": [{"name": "deadlock", "procedure": "", "location": False}]}, "has no place"),
        ({"version": 2}, "this is no 'knaster proof'"),
        ({"format": "proof"}, "this is no 'knaster proof'"),
        ({"more": 1}, "with the fields"),
    ):
        assert reason in said(program, {**document, **change})
    nothing = {key: document[key] for key in document if key != "configurations"}
    assert "of a kind that the kernel knows" in said(program, nothing)


def test_a_stumble_is_a_refusal() -> None:
    program, document = proof("states")
    wrongs: list[Any] = [None, [], 5, "sets", {}]
    for wrong in wrongs:
        assert said(program, {**document, "configurations": wrong}) != "unreachable"
    for kind in KINDS:
        assert all(kind.marks) and (not kind.checker or kind.checker.startswith("knaster_check."))


def test_names_of_places() -> None:
    text = "void main() begin\nL: assert(F);\nM: skip;\nend\nvoid f() begin end\n"
    program = read_program(program_to_kernel(load(text, file="a.bp")))
    own = program.procedures["main"]
    (failed,) = own.failures
    at = dict(own.labels)
    assert names_of(program, "main", failed) == {"assert at line 2", "at(assert at line 2)"}
    plain = {"L", "main.L", "line 2"}
    assert names_of(program, "main", at["L"]) == plain | {"at(2)"} | {f"at({name})" for name in plain}
    plain = {"M", "main.M", "line 3"}
    assert names_of(program, "main", at["M"]) == plain | {"at(3)"} | {f"at({name})" for name in plain}
    assert names_of(program, "main", own.exit) == set()
