"""Documents of YAML as plain lists, mappings and texts; every scalar is a text, so that nothing is guessed."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import KnasterError, Problem, SourceError, Span

LARGEST = 20_000_000  # characters
_SHOWN = 60  # characters of a text that is no value which is expected


def read_document(text: str, file: str) -> Any:
    """Return what a YAML document says; raise `SourceError` where it is none."""
    try:
        import yaml
    except ImportError as missing:
        raise KnasterError("reading YAML needs the package PyYAML: pip install 'knaster[c]'") from missing
    if len(text) > LARGEST:
        raise KnasterError(f"{file}: the document has more than {LARGEST:,} characters")
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        span = Span(mark.line + 1, mark.column + 1, 1) if mark is not None else Span(1, 1, 1)
        problem = Problem(f"this is no YAML: {getattr(error, 'problem', None) or error}", span)
        raise SourceError(file, text, [problem]) from error
    except (RecursionError, ValueError) as error:
        raise KnasterError(f"{file}: this is no YAML that can be read: {error}") from error


def shown(value: Any) -> str:
    """Return what a document says instead of a text that is expected; lists may be huge and are not written out."""
    if value is None:
        return "missing"
    if not isinstance(value, str):
        return "a list" if isinstance(value, list) else "a mapping"
    return f"'{value}'" if len(value) <= _SHOWN else f"'{value[:_SHOWN]}...'"
