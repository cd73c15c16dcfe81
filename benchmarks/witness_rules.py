"""What the formats 2.0 to 2.2 ask of a verification witness: a schema of its structure, and a linter for the rest.

`witnesslint` is on no package index, so the rules are written here after the description of the format, and apart from
the reader in `knaster.competition`: versions, hashes, and that each place points to a token of the right kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]

Node = dict[str, Any]


def _record(optional: Node | None = None, **needed: Any) -> Node:
    return {
        "type": "object",
        "required": sorted(needed),
        "properties": {**needed, **(optional or {})},
        "additionalProperties": False,
    }


def _list(item: Node, least: int = 0) -> Node:
    return {"type": "array", "items": item, "minItems": least}


_TEXT: Node = {"type": "string", "minLength": 1}
_COUNT: Node = {"type": "integer", "minimum": 1}
_PLACE = _record({"column": _COUNT, "function": _TEXT}, file_name=_TEXT, line=_COUNT)
_FORMAT: Node = {"enum": ["c_expression", "acsl_expression", "ext_c_expression"]}
_WAYPOINTS = ("assumption", "branching", "function_enter", "function_return", "target")
_INVARIANTS = ("loop_invariant", "location_invariant", "loop_transition_invariant", "location_transition_invariant")
_TASK = _record(
    input_files=_list(_TEXT, 1),
    input_file_hashes={"type": "object", "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
    specification=_TEXT,
    data_model={"enum": ["ILP32", "LP64"]},
    language={"const": "C"},
)
_METADATA = _record(
    format_version={"enum": ["2.0", "2.1", "2.2"]},
    uuid={"type": "string", "format": "uuid"},
    creation_time={"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$"},
    producer=_record(
        {key: _TEXT for key in ("configuration", "command_line", "description")}, name=_TEXT, version=_TEXT
    ),
    task=_TASK,
)
_WAYPOINT = _record(
    {"constraint": _record({"format": _FORMAT}, value=_TEXT), "thread_id": {"type": "integer", "minimum": 0}},
    type={"enum": list(_WAYPOINTS)},
    action={"enum": ["follow", "avoid", "cycle"]},
    location=_PLACE,
)
_INVARIANT = _record(type={"enum": list(_INVARIANTS)}, location=_PLACE, value=_TEXT, format=_FORMAT)
_CONTRACT = _record(
    type={"const": "function_contract"},
    location=_PLACE,
    requires=_TEXT,
    ensures=_TEXT,
    format={"const": "ext_c_expression"},
)
_CONTENTS = {
    "violation_sequence": _list(_record(segment=_list(_record(waypoint=_WAYPOINT), 1)), 1),
    "invariant_set": _list(_record(invariant={"oneOf": [_INVARIANT, _CONTRACT]})),
}
SCHEMA = _list(
    {
        "oneOf": [
            _record(entry_type={"const": kind}, metadata=_METADATA, content=content)
            for kind, content in _CONTENTS.items()
        ]
    },
    1,
)
"""The structure of a document, as a JSON schema."""


def problems(witness: str, program: bytes) -> list[str]:
    """Return what is wrong with the text of a witness of a program; nothing where it is a good one."""
    document = yaml.safe_load(witness)
    errors = Draft202012Validator(SCHEMA, format_checker=FormatChecker()).iter_errors(document)
    found = [f"{error.json_path}: {error.message[:120]}" for error in errors]
    return found or [wrong for entry in document for wrong in _lint(entry, program)]


def _lint(entry: Node, program: bytes) -> Iterator[str]:
    """Yield what the schema cannot say."""
    metadata = entry["metadata"]
    digest = hashlib.sha256(program).hexdigest()
    if list(metadata["task"]["input_file_hashes"].values()) != [digest]:
        yield "the hash is not that of the program"
    specification = metadata["task"]["specification"]
    if not specification.startswith("CHECK( init("):
        yield f"the specification is not written as in a file: {specification}"
    lines = program.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    if entry["entry_type"] == "invariant_set":
        for item in entry["content"]:
            yield from _lint_invariant(item["invariant"], metadata["format_version"], lines)
        return
    yield from _lint_order(entry["content"], "F end" in specification)
    for item in entry["content"]:
        for point in item["segment"]:
            yield from _lint_waypoint(point["waypoint"], metadata["format_version"], lines)


def _lint_invariant(one: Node, version: str, lines: list[str]) -> Iterator[str]:
    if version == "2.0" and ("transition" in one["type"] or one["type"] == "function_contract"):
        yield f"{one['type']} is of 2.1"
    if "loop" in one["type"]:
        yield from _lint_place(one["location"], ("for", "while", "do"), lines)
    else:
        yield from _lint_place(one["location"], (), lines)


def _lint_order(content: list[Node], is_endless: bool) -> Iterator[str]:
    """Yield where segments do not end as the format asks: by `follow` and at last the target, or by a cycle."""
    for item in content:
        actions = [point["waypoint"]["action"] for point in item["segment"]]
        if "avoid" in actions[-1:] or set(actions[:-1]) > {"avoid"}:
            yield f"a segment has the actions {actions}"
    last = [item["segment"][-1]["waypoint"] for item in content]
    if is_endless:
        actions = [point["action"] for point in last]
        if actions[-1] != "cycle" or actions != sorted(actions, key="cycle".__eq__):
            yield "the cycle is not the end of the sequence"
    elif [point["type"] == "target" for point in last] != [False] * (len(last) - 1) + [True]:
        yield "the target is not the last waypoint, or not the only one"


def _lint_waypoint(point: Node, version: str, lines: list[str]) -> Iterator[str]:
    kind, constraint = point["type"], point.get("constraint")
    if (constraint is None) != (kind in ("target", "function_enter")) and kind != "function_return":
        yield f"a waypoint of type {kind} has {'no' if constraint is None else 'a'} constraint"
    if version != "2.2" and "thread_id" in point:
        yield "thread_id is of 2.2"
    if version == "2.0" and point["action"] == "cycle":
        yield "cycles are of 2.1"
    begins: tuple[str, ...] = (")",) if kind.startswith("function") else ()
    begins = ("if", "while", "for", "do", "switch", "?") if kind == "branching" else begins
    yield from _lint_place(point["location"], begins, lines)


def _lint_place(place: Node, begins: tuple[str, ...], lines: list[str]) -> Iterator[str]:
    """Yield where a place lies outside of the program, or what stands there begins with none of some words."""
    if place["line"] > len(lines):
        yield f"line {place['line']} is outside of the program"
        return
    text = lines[place["line"] - 1]
    if "column" not in place:
        if begins and not any(word in text for word in begins):
            yield f"line {place['line']} has none of {', '.join(begins)}"
        return
    behind = text[place["column"] - 1 :]
    if not behind.strip() or behind[0].isspace() or (begins and not behind.startswith(begins)):
        yield f"line {place['line']}, column {place['column']} is {behind[:9]!r}"
