"""The text of a witness: records of `witness` as YAML, with the metadata that the format asks for."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

from knaster.competition.witness import (
    TRANSITIONS,
    Contract,
    Segment,
    Waypoint,
    Witness,
    WitnessInvariant,
    WitnessPlace,
)
from knaster.version import VERSION


def witness_to_text(witness: Witness, source: bytes) -> str:
    """Return a document; equal witnesses of equal programs, which are files, have equal identifiers."""
    body = list(_content(witness))
    name = witness.files[0]
    digest = hashlib.sha256(source).hexdigest()
    identity = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([witness.kind, digest, *body]))
    lines = [
        f"- entry_type: {_quote(witness.kind)}",
        "  metadata:",
        f"    format_version: {_quote(witness.version)}",
        f"    uuid: {_quote(str(identity))}",
        f"    creation_time: {_quote(_now())}",
        "    producer:",
        '      name: "Knaster"',
        f"      version: {_quote(VERSION)}",
        "    task:",
        "      input_files:",
        f"      - {_quote(name)}",
        "      input_file_hashes:",
        f"        {_quote(name)}: {_quote(digest)}",
        f"      specification: {_quote(witness.specification)}",
        f"      data_model: {_quote(witness.data_model or 'LP64')}",
        '      language: "C"',
    ]
    return "\n".join([*lines, "  content:" if body else "  content: []", *body, ""])


def _now() -> str:
    """Return the time of day, or the one that reproducible builds name."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdecimal() else datetime.now(UTC)
    return moment.replace(microsecond=0).isoformat()


def _content(witness: Witness) -> Iterator[str]:
    for segment in witness.segments:
        yield from _segment(segment)
    for one in witness.invariants:
        yield from _invariant(one)
    for contract in witness.contracts:
        yield from _contract(contract)


def _segment(segment: Segment) -> Iterator[str]:
    yield "  - segment:"
    for point in (*segment.avoids, segment.last):
        yield from _waypoint(point)


def _waypoint(point: Waypoint) -> Iterator[str]:
    yield "    - waypoint:"
    yield f"        type: {_quote(point.type)}"
    yield f"        action: {_quote(point.action)}"
    if point.constraint is not None:
        yield "        constraint:"
        yield f"          value: {_quote(point.constraint)}"
        if point.type != "branching":
            kind = "acsl_expression" if point.type == "function_return" else "c_expression"
            yield f"          format: {_quote(kind)}"
    yield from [] if point.thread is None else [f"        thread_id: {point.thread}"]
    yield from _location(point.place, "        ")


def _invariant(one: WitnessInvariant) -> Iterator[str]:
    yield "  - invariant:"
    yield f"      type: {_quote(one.type)}"
    yield f"      value: {_quote(one.value)}"
    kind = "ext_c_expression" if one.type in TRANSITIONS else "c_expression"
    yield f"      format: {_quote(kind)}"
    yield from _location(one.place, "      ")


def _contract(one: Contract) -> Iterator[str]:
    yield "  - invariant:"
    yield '      type: "function_contract"'
    yield f"      requires: {_quote(one.requires)}"
    yield f"      ensures: {_quote(one.ensures)}"
    yield '      format: "ext_c_expression"'
    yield from _location(one.place, "      ")


def _location(place: WitnessPlace, indent: str) -> Iterator[str]:
    yield f"{indent}location:"
    yield f"{indent}  file_name: {_quote(place.file)}"
    yield f"{indent}  line: {place.line}"
    yield from [] if place.column is None else [f"{indent}  column: {place.column}"]


def _quote(text: str) -> str:
    """Return a text as a scalar of YAML, in the form that JSON has too."""
    return json.dumps(text, ensure_ascii=True)
