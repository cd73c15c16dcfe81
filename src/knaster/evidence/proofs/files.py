"""A proof file: which program it is about, what it excludes, and the proof in the form of its kind.

It is JSON.  The program is known by the SHA-256 of its canonical text and by where it starts; each kind of proof has
fields of its own, and a module here that writes and reads them.  Reading trusts nothing: whatever is not as it should
be raises `ProofError`, and what is has to pass the checker of its kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any

from knaster.base.errors import InternalError, ProofError, UsageError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes
from knaster.evidence.answers.answer import Diverges, Result, Terminates, Unreachable
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import Target, Termination
from knaster.evidence.questions.targets import ANY_FAILURE, DEADLOCK, resolve_targets
from knaster.frontends.languages import spelling_of
from knaster.program.model import Kind, Program
from knaster.version import VERSION

FORMAT = "knaster proof"
FORMAT_VERSION = 1
_FIELDS = {"format", "version", "tool", "file", "program", "entry", "targets"}
_FORMS = {  # the module of each kind of proof, and the fields that only such proofs have
    "path_edges": {"procedures", "nodes"},
    "tables": {"table"},
    "configurations": {"configurations"},
    "interference": {"interference"},
    "invariants": {"invariants"},
    "ranking": {"ranking"},
    "runs": {"runs"},
    "lasso": {"lasso"},
}
_KINDS = {
    "Certificate": "path_edges",
    "StateTable": "tables",
    "EffectTable": "tables",
    "Configurations": "configurations",
    "Interference": "interference",
    "Invariants": "invariants",
    "Ranking": "ranking",
    "AllRuns": "runs",
}
_MODULES = {"tables": "heap_tables", "runs": "all_runs"}  # of forms that are called otherwise
_ENDING = ("ranking", "runs", "lasso")  # proofs without targets: every run ends, or one never does


@dataclass(frozen=True, slots=True)
class Proved:
    """What a proof file proves: that targets are unreachable; without any that every run ends, or that one does not."""

    targets: tuple[Target, ...]
    endless: bool = False  # a run never ends


def proof_to_text(result: Result) -> str:
    """Return a proof file: of the targets of a result that are unreachable, that every run ends, or that one does not.

    Raises `UsageError` where there is no proof.
    """
    for _, answer in result.answers:
        if isinstance(answer, Diverges) and answer.lasso is not None and answer.checked:
            return _written(result, [], _module("lasso").to_fields(answer.lasso, result.program))
    proved = [
        (target, answer.proof)
        for target, answer in result.answers
        if isinstance(answer, Unreachable | Terminates) and answer.checked and answer.bound is None
    ]
    if not proved or proved[0][1] is None or proved[0][1].program is not result.program:
        asked = "no target was proved to be unreachable"
        if isinstance(result.question, Termination):
            asked = "it was not proved that every run ends, nor that one does not"
        raise UsageError(f"{result.file}: {asked}")
    proof = proved[0][1]
    form = _KINDS.get(type(proof).__name__)
    if form is None:
        raise UsageError(f"{result.file}: a proof of this kind is not saved; check the program again instead")
    ending = any(isinstance(answer, Terminates) for _, answer in result.answers)
    excluded = [target for target, by in proved if by is proof and not ending]
    return _written(result, excluded, _module(form).to_fields(proof))


def _written(result: Result, excluded: Sequence[Target], fields: Mapping[str, Any]) -> str:
    """Return a proof with what all proofs have."""
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "tool": f"knaster {VERSION}",
        "file": result.file,
        "program": fingerprint(result.program),
        "entry": _entry(result.program),
        "targets": [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in excluded],
        **({"reading": dict(result.program.reading)} if result.program.reading else {}),
        **fields,
    }
    return json.dumps(document, ensure_ascii=True) + "\n"


def _module(form: str) -> Any:
    return import_module(f"knaster.evidence.proofs.{_MODULES.get(form, form)}")


def _entry(program: Program) -> str:
    """Return where runs start."""
    return ", ".join(program.threads)


def fingerprint(program: Program) -> str:
    """Return what tells a program from others: the SHA-256 of its canonical text."""
    return sha256(spelling_of(program).to_text(program).encode("utf-8", "surrogatepass")).hexdigest()


def check_proof_text(
    text: str, program: Program, nodes: int, budget: Budget, endless: bool = False
) -> tuple[Target, ...]:
    """Return the targets that a proof file excludes, none where it is about the end of runs; see `examine`."""
    return examine(text, program, nodes, budget, endless).targets


def examine(text: str, program: Program, nodes: int, budget: Budget, endless: bool = False) -> Proved:
    """Return what a proof file proves.

    Raises `ProofError` unless it is a proof of that.
    `nodes` is the size of the node table; a proof that needs a larger one raises `OutOfNodes`.  With `endless`, two
    threads of one procedure are to stand for any number of them.
    """
    document = _parsed(text)
    if document["program"] != fingerprint(program):
        raise ProofError(f"the proof is one of another program ('{document['file']}' when it was saved)")
    if (reading := document.get("reading", dict(program.reading))) != dict(program.reading):
        said = ", ".join(f"{name} {value}" for name, value in sorted(reading.items()))
        raise ProofError(f"the proof is about the program as it is read with other options: {said}")
    if document["entry"] != _entry(program):
        raise ProofError(f"the proof is about runs from '{document['entry']}', not from {_entry(program)}")
    targets = tuple(_target(entry, program) for entry in list_of(document["targets"], "targets"))
    form = next(form for form, fields in _FORMS.items() if fields <= document.keys())
    if not targets and form not in _ENDING:
        raise ProofError("the proof excludes no target")
    if endless and form != "interference":
        raise ProofError(f"the proof is about {len(program.threads)} threads, not about any number of them")
    try:
        _module(form).check(document, program, targets, nodes, budget)
    except MalformedNodes as wrong:
        raise ProofError(f"this is no proof: {wrong}") from None
    except InternalError as wrong:
        raise ProofError(f"the proof does not hold: {wrong}") from None
    return Proved(targets, form == "lasso")


def reading_of(text: str) -> dict[str, str]:
    """Return how the program of a proof file was read; nothing where the file does not say."""
    return dict(_parsed(text).get("reading", {}))


def _parsed(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ProofError(f"this is no proof file: {' '.join(str(error).split())[:100]}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ProofError(f'this is no proof file: it does not say "format": "{FORMAT}"')
    if type(document.get("version")) is not int or document["version"] != FORMAT_VERSION:
        raise ProofError(f"this version of Knaster reads proof files of version {FORMAT_VERSION} only")
    form = next((form for form, fields in _FORMS.items() if fields <= document.keys()), "path_edges")
    has_keys(document, _FIELDS | _FORMS[form] | ({"reading"} & document.keys()), "the file")
    for name in ("tool", "file", "program", "entry"):
        expect(isinstance(document[name], str), f"'{name}' is no text")
    reading = document.get("reading", {})
    expect(
        isinstance(reading, dict) and all(isinstance(value, str) for value in reading.values()), "'reading' is wrong"
    )
    return document


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice in one object")
    return found


def _target(entry: object, program: Program) -> Target:
    """Return the target of the program that an entry names; it has to stand where the entry says."""
    has_keys(entry, {"name", "procedure", "location"}, "a target")
    assert isinstance(entry, dict)
    name = entry["name"]
    expect(isinstance(name, str), "a target has no name")
    line = name.removeprefix("line ")
    known: tuple[str, ...] = (
        ("all-labels", "asserts") if program.kind is not Kind.REFERENCES else ("all-labels", "failures", ANY_FAILURE)
    )
    if program.kind is not Kind.REFERENCES and program.is_threaded:
        known += (DEADLOCK,)
    try:
        candidates = resolve_targets(program, line if name != line and line.isdecimal() else known)
    except UsageError:
        candidates = ()
    for target in candidates:
        if (target.name, target.procedure, target.location) == (name, entry["procedure"], entry["location"]):
            return target
    raise ProofError(f"the program has no target {json.dumps(name)[:100]} where the proof says that it has one")
