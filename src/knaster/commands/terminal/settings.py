"""`knaster.toml`, or `[tool.knaster]` in `pyproject.toml`: files and options for a `check` that names no file."""

from __future__ import annotations

import argparse
import glob
import os
from typing import Any

from knaster.base.errors import KnasterError, UsageError
from knaster.frontends.text.files import read_text

FILE, PROJECT = "knaster.toml", "pyproject.toml"
_DEFAULTS = {"format": "text"}
_LISTS = ("files", "target", "output", "expected")
_TEXTS = ("property", "format", "engine", "spec", "baseline", "integers", "data_model", "trace", "cache")
_NUMBERS = ("timeout", "memory", "jobs")


def apply_settings(options: argparse.Namespace) -> None:
    """Fill in what a settings file of this folder says and the command line does not; raise where there is none."""
    file, table = read_settings()
    if table is None:
        raise UsageError(f"name a file to check, or write 'files' into {FILE}")
    for name, value in table.items():
        _check_kind(name, value, file)
        if name != "files" and getattr(options, name, None) in (None, _DEFAULTS.get(name)):
            setattr(options, name, value)
    patterns = table.get("files", [])
    options.files = [path for pattern in patterns for path in _matches(pattern, file)]
    if not options.files:
        raise UsageError(f"{file}: it names no files")


def read_settings() -> tuple[str, dict[str, Any] | None]:
    """Return the name of the settings file of this folder and what it says; None where there is none."""
    if os.path.exists(FILE):
        return FILE, _load(FILE)
    if os.path.exists(PROJECT):
        table = _load(PROJECT).get("tool", {}).get("knaster")
        if isinstance(table, dict):
            return f"{PROJECT}, [tool.knaster]", table
    return FILE, None


def _load(file: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise KnasterError(f"{file}: this is no TOML: {error}") from None


def _check_kind(name: str, value: Any, file: str) -> None:
    if name in _LISTS:
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
        wanted = "a list of texts"
    elif name in _TEXTS:
        fits, wanted = isinstance(value, str), "a text"
    elif name in _NUMBERS:
        fits, wanted = isinstance(value, int | float) and not isinstance(value, bool) and value > 0, "a positive number"
    else:
        from knaster.base.hints import did_you_mean

        known = (*_LISTS, *_TEXTS, *_NUMBERS)
        raise UsageError(f"{file}: there is no setting '{name}'; {did_you_mean(name, known) or ', '.join(known)}")
    if not fits:
        raise UsageError(f"{file}: '{name}' must be {wanted}")


def _matches(pattern: str, file: str) -> list[str]:
    found = sorted(glob.glob(pattern, recursive=True))
    if not found:
        raise KnasterError(f"{file}: there is no file {pattern}")
    return found
