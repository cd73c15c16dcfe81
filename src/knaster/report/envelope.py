"""What the JSON output of all commands has in common, as `schema.json` and docs/output.md describe it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from knaster.base.errors import Problem
from knaster.base.file_line import FileLine
from knaster.version import VERSION

SCHEMA = 2
Json = bool | int | float | str | None | Sequence["Json"] | Mapping[str, "Json"]


def schema() -> Json:
    """Return the JSON Schema of the output of every command."""
    text = (Path(__file__).parent / "schema.json").read_text("utf-8")
    document: Json = json.loads(text)
    return document


def envelope(
    command: str,
    file: str,
    status: str,
    verdict: str | None,
    reason: str,
    options: Mapping[str, object],
    body: Mapping[str, Json],
    errors: Sequence[Json] = (),
) -> dict[str, Json]:
    """Return what one command says of one file; `errors` are there only where something was wrong."""
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "version": VERSION,
        "command": command,
        "file": file,
        "status": status,
        "verdict": verdict,
        "reason": reason,
        "options": {name: plain(value) for name, value in options.items()},
        **body,
    }
    return {**document, "errors": list(errors)} if errors else document


def to_line(document: Mapping[str, Json]) -> str:
    """Return a document as text on one line."""
    return json.dumps(document, ensure_ascii=True, allow_nan=False).replace("\x7f", r"\u007f")


def problems_to_json(problems: Iterable[Problem]) -> list[Json]:
    """Return what is wrong with a text, each with its place."""
    return [
        {
            "line": getattr(problem.span.line, "own", problem.span.line),
            "column": problem.span.column,
            "length": problem.span.length,
            "message": problem.message,
            "hint": problem.hint,
            **({"file": problem.span.line.file} if isinstance(problem.span.line, FileLine) else {}),
        }
        for problem in problems
    ]


def plain(value: object) -> Json:
    """Return the value of an option as JSON: sequences as lists, what JSON does not have as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, Iterable):
        return [plain(part) for part in value]
    return str(value)
