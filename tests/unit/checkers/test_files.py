"""Every kind of proof is saved, read and certified; what was changed, is of another program or promises more is not."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError, UsageError
from knaster.base.limits import Budget
from knaster.checkers.files import Proved, check_proof_text, examine, fingerprint, proof_to_text, reading_of
from knaster.cli import main
from knaster.evidence.proofs.table import PROOFS
from knaster.evidence.questions.question import Bound, Reach, Temporal, runs_asked
from knaster.frontends.languages import load
from support.kinds_of_proofs import ASKED, BOUNDED, THREADS, result_with

FIELDS = {kind.name: kind.fields for kind in PROOFS}
Document = dict[str, Any]


def document_of(name: str, bounded: bool = False) -> Document:
    document: Document = json.loads(proof_to_text(result_with(name, bounded)))
    return document


def examined(document: Document, name: str, bounded: bool = False) -> Proved:
    return examine(json.dumps(document), result_with(name, bounded).program, 1 << 12, Budget())


def is_refused(document: Document, name: str, bounded: bool = False) -> bool:
    try:
        examined(document, name, bounded)
    except ProofError:
        return True
    return False


@pytest.mark.parametrize("name", ASKED)
def test_every_kind_is_certified(name: str) -> None:
    result, text = result_with(name), proof_to_text(result_with(name))
    excluded = tuple(t for t, _ in result.answers) if isinstance(result.question, Reach) else ()
    formula = str(result.question) if isinstance(result.question, Temporal) else ""
    found, bound = examine(text, result.program, 1 << 12, Budget()), getattr(result.proof, "bound", None)
    assert found == Proved(
        excluded, name in ("lasso", "thread_lasso"), name == "run", bound, formula, runs_asked(result.question)
    )
    assert check_proof_text(text, result.program, 1 << 12, Budget()) == excluded
    assert json.loads(text)["program"] == fingerprint(result.program)
    assert reading_of(text) == dict(result.program.reading)


@pytest.mark.parametrize("name", ASKED)
def test_a_changed_file_is_refused(name: str) -> None:
    document = document_of(name)
    for field in FIELDS[name]:
        without = {key: value for key, value in document.items() if key != field}
        for wrong in (without, {**document, field: {}}, {**document, field: []}, {**document, field: None}):
            assert is_refused(wrong, name), field
    assert is_refused({**document, "more": 1}, name)
    assert is_refused({**document, "program": "0" * 64}, name)
    assert is_refused({**document, "entry": "nowhere"}, name)
    assert is_refused({**document, "targets": [{"name": "nothing", "procedure": "", "location": 0}]}, name)


def paths(part: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where the parts of a document are that are no lists and no objects."""
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else None
    return [here] if inner is None else [path for key, value in inner for path in paths(value, (*here, key))]


@pytest.mark.parametrize(("name", "bounded"), [*((name, False) for name in ASKED), *((name, True) for name in BOUNDED)])
def test_no_change_of_one_value_is_a_fault(name: str, bounded: bool) -> None:
    """A file with another value somewhere is refused or still a proof: never does a checker fail on it."""
    document = document_of(name, bounded)
    found = [path for field in sorted(FIELDS[name]) for path in paths(document[field], (field,))]
    wrong: tuple[object, ...] = (None, -1, 10**9, "x", [], {}, True)
    for path, value in zip(found, cycle(wrong), strict=False):
        changed = deepcopy(document)
        part = changed
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        is_refused(changed, name, bounded)


@pytest.mark.parametrize("name", BOUNDED)
def test_a_proof_within_a_bound_keeps_its_bound(name: str) -> None:
    proved = examined(document_of(name, True), name, True)
    assert proved.targets and proved.bound == Bound("switches", 1)


def test_a_bound_cannot_be_raised_or_left_out() -> None:
    table = document_of("state_table", True)
    for field, value in (("switches", 2), ("switches", None), ("switches", -1), ("ran", []), ("ran", None)):
        changed = {**table["table"], field: value}
        assert is_refused({**table, "table": changed}, "state_table", True), (field, value)
    whole = {key: value for key, value in table["table"].items() if key not in ("switches", "ran")}
    assert is_refused({**table, "table": whole}, "state_table", True)
    sets = document_of("configurations", True)
    layers = sets["configurations"]["layers"]
    for more in ([*layers, layers[0]], []):
        changed = {**sets["configurations"], "layers": more}
        assert is_refused({**sets, "configurations": changed}, "configurations", True)
    closed = {"started": 0, "nodes": sets["configurations"]["nodes"], "sets": layers[0]}
    assert is_refused({**sets, "configurations": closed}, "configurations", True)


def test_certify_never_says_true_of_a_proof_within_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(THREADS)
    threads = ["--thread", "one", "--thread", "two"]
    asked = ["--target", "R", "--engine", "states", "--switches", "1", "--proof", "a.proof"]
    assert main(["check", "a.bp", *threads, *asked]) == 5
    capsys.readouterr()
    assert main(["certify", "a.bp", "a.proof", *threads]) == 5
    said = capsys.readouterr().out
    assert said.startswith(
        "a.bp: UNKNOWN. The proof in a.proof shows that R (line 11) is unreachable with at most 1 switch"
    )
    assert "; of more it says nothing" in said
    assert main(["certify", "a.bp", "a.proof", *threads, "--format", "json"]) == 5
    document = json.loads(capsys.readouterr().out)
    assert (document["verdict"], document["status"]) == ("UNKNOWN", "undecided")
    assert document["targets"] == [{"name": "R", "line": 11, "reachable": None, "checked": True}]
    assert document["bound"] == {"kind": "switches", "asked": None, "covered": 1}


def test_stacks_that_leave_something_out_are_refused() -> None:
    document = document_of("stack_table")
    for part in ("letters", "sets", "rows"):
        entries = document["stacks"][part]
        fewer = [
            {**document["stacks"], part: entries[:number] + entries[number + 1 :]} for number in range(len(entries))
        ]
        assert any(is_refused({**document, "stacks": changed}, "stack_table") for changed in fewer)
        assert is_refused({**document, "stacks": {**document["stacks"], part: []}}, "stack_table")
    deadlock = [{"name": "deadlock", "procedure": "", "location": 0}]
    assert is_refused({**document, "targets": deadlock}, "stack_table")


def test_stacks_say_nothing_of_threads_that_are_started() -> None:
    text = THREADS.replace("  g := F;\n", "  start_thread three();\n") + "void three()\nbegin\n  skip;\nend\n"
    quiet = knaster.check(text.replace("start_thread three()", "skip"), "R", threads=["one", "two"], engine="stacks")
    document = json.loads(proof_to_text(quiet))
    program = knaster.check(text, "R", threads=["one", "two"], switches=0).program
    with pytest.raises(ProofError, match="started"):
        check_proof_text(json.dumps({**document, "program": fingerprint(program)}), program, 1 << 12, Budget())


def test_what_is_not_proved_is_not_saved() -> None:
    with pytest.raises(UsageError, match="no target was proved to be unreachable"):
        unknown = knaster.Evidence(traces=False)
        proof_to_text(knaster.check("void main() begin R: skip; end", "R", file="a.bp", evidence=unknown))


def test_a_proof_of_a_kind_that_suits_another_program() -> None:
    document = document_of("path_edges")
    other = load(THREADS, file="a.bp")
    moved = {**document, "program": fingerprint(other), "entry": ", ".join(other.threads), "targets": []}
    with pytest.raises(ProofError):
        check_proof_text(json.dumps(moved), other, 1 << 12, Budget())
