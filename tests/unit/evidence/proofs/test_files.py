"""What all proof files share: the program that they are about, what they exclude, and what is no such file."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.evidence.proofs import files
from knaster.evidence.proofs.files import (
    check_subject,
    entry_of,
    fingerprint,
    read_document,
    reading_of,
    targets_of,
    write_document,
)
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.targets import every_target
from knaster.frontends.boolean import parse
from support.kinds_of_proofs import SEQUENTIAL, result_with


@cache
def text() -> str:
    result = result_with("path_edges")
    kind = kind_of(result.proof)
    assert kind is not None
    return write_document(result.program, every_target(result.program), kind, result.proof)


def document(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {**json.loads(text()), **changes}
    return found


def test_a_program_is_known_by_its_canonical_text() -> None:
    program = parse(SEQUENTIAL, "a.bp")
    assert fingerprint(program) == fingerprint(parse("\n" + SEQUENTIAL.replace("  ", "   "), "b.bp"))
    assert fingerprint(program) != fingerprint(parse(SEQUENTIAL.replace("g := F", "g := T"), "a.bp"))
    assert len(fingerprint(program)) == 64


def test_a_file_says_what_it_is_about() -> None:
    found, kind = read_document(text())
    program = result_with("path_edges").program
    assert kind.name == "path_edges" and found["entry"] == "main" and found["program"] == fingerprint(program)
    assert reading_of(text()) == {}
    assert targets_of(found, program) == tuple(every_target(program))
    check_subject(found, program)


def test_threads_are_the_entry() -> None:
    assert entry_of(replace(result_with("path_edges").program, threads=("f", "main"))) == "f, main"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"program": "0" * 64}, "another program"),
        ({"entry": "f"}, "from 'f', not from main"),
        ({"reading": {"integers": "machine"}}, "other options: integers machine"),
    ],
)
def test_a_file_about_something_else(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ProofError, match=problem):
        check_subject(document(**changes), result_with("path_edges").program)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[]",
        "{}",
        json.dumps({"format": "knaster proof", "version": 1}),
    ],
)
def test_what_is_no_proof_file(wrong: str) -> None:
    with pytest.raises(ProofError):
        read_document(wrong)


@pytest.mark.parametrize(
    "changes",
    [{"version": 2}, {"version": True}, {"format": "other"}, {"entry": 1}, {"reading": {"integers": 1}}, {"more": 1}],
)
def test_a_file_has_the_fields_that_it_should_have(changes: dict[str, Any]) -> None:
    with pytest.raises(ProofError):
        read_document(json.dumps(document(**changes)))


def test_a_target_stands_where_the_file_says() -> None:
    program = result_with("path_edges").program
    (entry,) = [entry for entry in document()["targets"] if entry["name"].endswith("R")]
    on_line = {"name": "line 7", "procedure": entry["procedure"], "location": entry["location"]}
    assert [target.location for target in targets_of({"targets": [entry, on_line]}, program)] == [entry["location"]] * 2
    for wrong in (
        {**entry, "location": entry["location"] + 1},
        {**entry, "name": "S"},
        {**on_line, "name": "line 700"},
        {**entry, "name": 7},
    ):
        with pytest.raises(ProofError):
            targets_of({"targets": [wrong]}, program)


def test_a_name_is_given_once() -> None:
    with pytest.raises(ProofError, match="given twice"):
        read_document(text().replace('"entry"', '"file": "b.bp", "entry"'))


def test_how_a_program_was_read_is_in_the_file() -> None:
    for kind, has in (("invariants", True), ("path_edges", False)):
        result = result_with(kind)
        found = kind_of(result.proof)
        assert found is not None
        written = write_document(result.program, (), found, result.proof)
        assert written.endswith("}\n") and written.count("\n") == 1
        assert ("reading" in json.loads(written)) is has and bool(result.program.reading) is has
        assert reading_of(written) == dict(result.program.reading)


def test_which_files_are_about_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those whose kind says so, and runs that are told by turns."""
    for with_memory, run, memory in (
        (True, None, True),
        (False, None, False),
        (False, {"turns": []}, True),
        (False, {"paths": []}, False),
        (False, ["turns"], False),
        (True, {"turns": []}, True),
    ):
        found: Any = {} if run is None else {"run": run}, SimpleNamespace(with_memory=with_memory)
        monkeypatch.setattr(files, "read_document", lambda text, found=found: found)
        assert files.is_about_memory("") is memory
