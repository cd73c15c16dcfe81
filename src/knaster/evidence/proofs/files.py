"""A proof file: which program it is about, what it excludes, and the proof in the form of its kind.

It is JSON.  The program is known by the SHA-256 of its canonical text and by where it starts; each kind of proof has
fields of its own (`table`).  Reading trusts nothing: whatever is not as it should be raises `ProofError`; what is still
has to pass the checker of its kind (`checkers.files`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from knaster.base.errors import ProofError, UsageError
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.proofs.table import ProofKind, kind_in
from knaster.evidence.questions.properties import PROPERTIES
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import every_target, resolve_targets
from knaster.frontends.languages import spelling_of
from knaster.program.model import Kind, Program
from knaster.version import VERSION

FORMAT = "knaster proof"
FORMAT_VERSION = 1
_FIELDS = {"format", "version", "tool", "file", "program", "entry", "targets"}


def fingerprint(program: Program) -> str:
    """Return what tells a program from others: the SHA-256 of its canonical text."""
    spelling = spelling_of(program)
    text = (spelling.canonical or spelling.to_text)(program)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def write_document(program: Program, excluded: Iterable[Target], kind: ProofKind, proof: object) -> str:
    """Return the text of a file with a proof and with what all proofs have."""
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "tool": f"knaster {VERSION}",
        "file": program.file,
        "program": fingerprint(program),
        "entry": entry_of(program),
        "targets": [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in excluded],
        **({"reading": dict(program.reading)} if program.reading else {}),
        **kind.to_fields(proof, program),
    }
    return json.dumps(document, ensure_ascii=True) + "\n"


def read_document(text: str) -> tuple[dict[str, Any], ProofKind]:
    """Return a proof file with the fields that it should have, and the kind of its proof."""
    try:
        document = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ProofError(f"this is no proof file: {' '.join(str(error).split())[:100]}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ProofError(f'this is no proof file: it does not say "format": "{FORMAT}"')
    if type(document.get("version")) is not int or document["version"] != FORMAT_VERSION:
        raise ProofError(f"this version of Knaster reads proof files of version {FORMAT_VERSION} only")
    kind = kind_in(document)
    if kind is None:
        raise ProofError("this is no proof: there is none of a known kind in the file")
    has_keys(document, _FIELDS | kind.fields | ({"reading"} & document.keys()), "the file")
    for name in ("tool", "file", "program", "entry"):
        expect(isinstance(document[name], str), f"'{name}' is no text")
    reading = document.get("reading", {})
    expect(
        isinstance(reading, dict) and all(isinstance(value, str) for value in reading.values()), "'reading' is wrong"
    )
    return document, kind


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice in one object")
    return found


def reading_of(text: str) -> dict[str, str]:
    """Return how the program of a proof file was read; nothing where the file does not say."""
    return dict(read_document(text)[0].get("reading", {}))


def is_about_memory(text: str) -> bool:
    """Tell whether a proof file is about a program with memory."""
    document, kind = read_document(text)
    run = document.get("run")
    return kind.with_memory or (isinstance(run, dict) and "turns" in run)


def entry_of(program: Program) -> str:
    """Return where runs start."""
    return ", ".join(program.threads)


def check_subject(document: Mapping[str, Any], program: Program) -> None:
    """Raise `ProofError` where a file is about another program, or about this one read or started otherwise."""
    if document["program"] != fingerprint(program):
        raise ProofError(f"the proof is one of another program ('{document['file']}' when it was saved)")
    if (reading := document.get("reading", dict(program.reading))) != dict(program.reading):
        said = ", ".join(f"{name} {value}" for name, value in sorted(reading.items()))
        raise ProofError(f"the proof is about the program as it is read with other options: {said}")
    if document["entry"] != entry_of(program):
        raise ProofError(f"the proof is about runs from '{document['entry']}', not from {entry_of(program)}")


def targets_of(document: Mapping[str, Any], program: Program) -> tuple[Target, ...]:
    """Return the targets that a file is said to exclude."""
    return tuple(_target(entry, program) for entry in list_of(document["targets"], "targets"))


def _target(entry: object, program: Program) -> Target:
    """Return the target of the program that an entry names; it has to stand where the entry says."""
    has_keys(entry, {"name", "procedure", "location"}, "a target")
    assert isinstance(entry, dict)
    name = entry["name"]
    expect(isinstance(name, str), "a target has no name")
    for target in _candidates(name, program):
        if (target.name, target.procedure, target.location) == (name, entry["procedure"], entry["location"]):
            return target
    raise ProofError(f"the program has no target {json.dumps(name)[:100]} where the proof says that it has one")


def _candidates(name: str, program: Program) -> Iterator[Target]:
    """Yield the targets that a name may stand for: a line, one of those that are listed, or an undefined step of C."""
    line = name.removeprefix("line ")
    with suppress(UsageError):
        if name != line and line.isdecimal():  # mutant(and): no target has such a name
            yield from resolve_targets(program, line)
            return
        yield from every_target(program)
    if program.kind in (Kind.MEMORY, Kind.INTEGERS):
        with suppress(UsageError):
            yield from resolve_targets(program, name)
        for one in PROPERTIES.values():
            if one.undefined:
                with suppress(UsageError):
                    yield from one.targets_in(program)
