"""Proofs in files: saved by one process, checked by another without running an engine.

A proof file is JSON: which program it is about (the SHA-256 of its canonical text, and where it starts), the targets
that it excludes, and a certificate as plain data (`results.proof`), or of a program with references a table
(`results.heap_table`).  Reading one trusts nothing: whatever is not as it should be raises `ProofError`, and what is
has to pass `certify`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from knaster.errors import InternalError, ProofError, UsageError
from knaster.frontends.languages import spelling_of
from knaster.limits import Budget
from knaster.program.model import Program
from knaster.results.answer import Result, Unreachable
from knaster.results.certify import certify
from knaster.results.certify_table import certify_table
from knaster.results.heap_table import EffectTable, StateTable
from knaster.results.proof import Certificate, Portable, Vocabulary
from knaster.results.question import Target
from knaster.results.table_text import table_of_json, table_to_json
from knaster.results.targets import ANY_FAILURE, resolve_targets
from knaster.symbolic.nodes import MalformedNodes, Node
from knaster.version import VERSION

FORMAT = "knaster proof"
FORMAT_VERSION = 1
_FIELDS = {"format", "version", "tool", "file", "program", "entry", "targets"}
_CERTIFICATE, _TABLE = _FIELDS | {"procedures", "nodes"}, _FIELDS | {"table"}
_BROKEN = (LookupError, AssertionError, TypeError, ValueError, AttributeError, RecursionError)


def proof_to_text(result: Result) -> str:
    """Return a proof file for the targets of a result that are unreachable; raise `UsageError` where there is none."""
    proved = [
        (target, answer.proof)
        for target, answer in result.answers
        if isinstance(answer, Unreachable) and answer.checked and answer.bound is None
    ]
    if not proved or proved[0][1] is None or proved[0][1].program is not result.program:
        raise UsageError(f"{result.file}: no target was proved to be unreachable")
    proof = proved[0][1]
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "tool": f"knaster {VERSION}",
        "file": result.file,
        "program": fingerprint(result.program),
        "entry": _entry(result.program),
        "targets": [{"name": t.name, "procedure": t.procedure, "location": t.location} for t, _ in proved],
    }
    if isinstance(proof, Certificate):
        document |= _certificate(proof)
    elif isinstance(proof, StateTable | EffectTable):
        document["table"] = table_to_json(proof)
    else:
        raise UsageError(f"{result.file}: a proof by configurations is not saved; check the program again instead")
    return json.dumps(document, ensure_ascii=True) + "\n"


def _entry(program: Program) -> str:
    """Return where runs start."""
    return ", ".join(program.threads)


def _certificate(proof: Certificate) -> dict[str, Any]:
    """Return a certificate as fields of a document."""
    data = proof.portable()
    procedures = {
        name: {
            "slots": dict(spoken.slots),
            "rigid": sorted(spoken.rigid),
            "echoed": sorted(spoken.echoed),
            "sets": data.sets[name],
        }
        for name, spoken in data.vocabulary.items()
    }
    return {"procedures": procedures, "nodes": data.nodes}


def fingerprint(program: Program) -> str:
    """Return what tells a program from others: the SHA-256 of its canonical text."""
    return sha256(spelling_of(program).to_text(program).encode("utf-8", "surrogatepass")).hexdigest()


def check_proof_text(text: str, program: Program, nodes: int, budget: Budget) -> tuple[Target, ...]:
    """Return the targets that a proof file excludes; raise `ProofError` unless it is a proof that they are unreachable.

    `nodes` is the size of the node table; a proof that needs a larger one raises `OutOfNodes`.
    """
    document = _parsed(text)
    if document["program"] != fingerprint(program):
        raise ProofError(f"the proof is one of another program ('{document['file']}' when it was saved)")
    if document["entry"] != _entry(program):
        raise ProofError(f"the proof is about runs from '{document['entry']}', not from {_entry(program)}")
    targets = tuple(_target(entry, program) for entry in _list(document["targets"], "targets"))
    if not targets:
        raise ProofError("the proof excludes no target")
    if "table" in document:
        _check_table(document["table"], program, targets, budget)
        return targets
    try:
        certificate = Certificate.restore(program, _portable(document, program), nodes, budget.check)
        certify(certificate, program, targets, budget)
    except MalformedNodes as wrong:
        raise ProofError(f"this is no proof: {wrong}") from None
    except InternalError as wrong:
        raise ProofError(f"the proof does not hold: {wrong}") from None
    return targets


def _check_table(data: object, program: Program, targets: Sequence[Target], budget: Budget) -> None:
    """Raise `ProofError` unless a table proves that the targets are unreachable."""
    if program.objects is None:
        raise ProofError("this is no proof: it has a table, and the program has no references")
    try:
        certify_table(table_of_json(data, program), program, targets, budget)
    except InternalError as wrong:
        raise ProofError(f"the proof does not hold: {wrong}") from None
    except _BROKEN:  # the interpreter cannot go on from what is no state
        raise ProofError("the proof does not hold: the program cannot run from one of its rows") from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ProofError(f"this is no proof file: {' '.join(str(error).split())[:100]}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ProofError(f'this is no proof file: it does not say "format": "{FORMAT}"')
    if type(document.get("version")) is not int or document["version"] != FORMAT_VERSION:
        raise ProofError(f"this version of Knaster reads proof files of version {FORMAT_VERSION} only")
    _keys(document, _TABLE if "table" in document else _CERTIFICATE, "the file")
    for name in ("tool", "file", "program", "entry"):
        _expect(isinstance(document[name], str), f"'{name}' is no text")
    return document


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice in one object")
    return found


def _target(entry: object, program: Program) -> Target:
    """Return the target of the program that an entry names; it has to stand where the entry says."""
    _keys(entry, {"name", "procedure", "location"}, "a target")
    assert isinstance(entry, dict)
    name = entry["name"]
    _expect(isinstance(name, str), "a target has no name")
    line = name.removeprefix("line ")
    known = ("all-labels", "asserts") if program.objects is None else ("all-labels", "failures", ANY_FAILURE)
    try:
        candidates = resolve_targets(program, line if name != line and line.isdecimal() else known)
    except UsageError:
        candidates = ()
    for target in candidates:
        if (target.name, target.procedure, target.location) == (name, entry["procedure"], entry["location"]):
            return target
    raise ProofError(f"the program has no target {json.dumps(name)[:100]} where the proof says that it has one")


def _portable(document: Mapping[str, Any], program: Program) -> Portable:
    """Return the certificate of a document, each thing in it of the right type and no number larger than it can be."""
    procedures = document["procedures"]
    _expect(isinstance(procedures, dict), "'procedures' is no object")
    most = len(program.globals) + sum(len(procedure.frame) for procedure in program.procedures)
    vocabulary: dict[str, Vocabulary] = {}
    sets: dict[str, tuple[int, ...]] = {}
    for name, entry in procedures.items():
        _keys(entry, {"slots", "rigid", "echoed", "sets"}, "a procedure")
        slots = entry["slots"]
        _expect(isinstance(slots, dict), "'slots' is no object")
        _expect(all(type(slot) is int and 0 <= slot < most for slot in slots.values()), "a slot is out of range")
        vocabulary[name] = Vocabulary(slots, _names(entry["rigid"]), _names(entry["echoed"]))
        sets[name] = _numbers(entry["sets"])
    return Portable(vocabulary, tuple(map(_node, _list(document["nodes"], "nodes"))), sets)


def _node(entry: object) -> Node:
    numbers = _numbers(entry)
    _expect(len(numbers) == 3, "a node has not three parts")
    return numbers[0], numbers[1], numbers[2]


def _numbers(entry: object) -> tuple[int, ...]:
    found = _list(entry, "numbers")
    _expect(all(type(number) is int for number in found), "a number is none")
    return tuple(found)


def _names(entry: object) -> frozenset[str]:
    found = _list(entry, "names")
    _expect(all(isinstance(name, str) for name in found), "a name is none")
    return frozenset(found)


def _list(entry: object, what: str) -> list[Any]:
    _expect(isinstance(entry, list), f"where {what} should be there is no list")
    assert isinstance(entry, list)
    return entry


def _keys(entry: object, names: set[str], what: str) -> None:
    _expect(isinstance(entry, dict) and entry.keys() == names, f"{what} does not have the fields that it should have")


def _expect(condition: bool, problem: str) -> None:
    if not condition:
        raise ProofError(f"this is no proof: {problem}")
