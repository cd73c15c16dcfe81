"""`knaster.toml`, or `[tool.knaster]` in `pyproject.toml`: files and options for a `check` that names no file."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Callable
from typing import Any, NoReturn

from knaster.base.errors import KnasterError, UsageError
from knaster.commands.terminal.parser import Parser
from knaster.frontends.text.files import read_text

FILE, PROJECT = "knaster.toml", "pyproject.toml"
_NO_FLAGS = ("files", "expected")
_LISTS = (*_NO_FLAGS, "target", "output")
_TEXTS = ("property", "format", "engine", "spec", "baseline", "integers", "data_model", "trace", "cache")
_NUMBERS = ("timeout", "memory", "jobs")


class _SettingsParser(Parser):
    """Reads settings as flags of `check`, so that the same values make sense."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with a setting."""
        raise UsageError(f"{self.prog}: {message}")


def apply_settings(options: argparse.Namespace, configure: Callable[[Parser], None]) -> None:
    """Fill in what a settings file of this folder says and the command line does not; raise where there is none.

    `configure` declares the flags of the command.
    """
    file, table = read_settings()
    if table is None:
        raise UsageError(f"name a file to check, or write 'files' into {FILE}")
    for name, value in table.items():
        _check_kind(name, value, file)
    for name, value in _values_of(table, file, configure).items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)
    options.files = [path for pattern in table.get("files", []) for path in _matches(pattern, file)]
    if not options.files:
        raise UsageError(f"{file}: it names no files")
    options.expected = table.get("expected", [])
    for name in options.expected:
        if not all(name.partition(":")):
            raise UsageError(f"{file}: 'expected' takes FILE:TARGET or FILE:LINE, and not '{name}'")


def _values_of(table: dict[str, Any], file: str, configure: Callable[[Parser], None]) -> dict[str, Any]:
    """Return the values of the settings that are flags."""
    flags = {name: value for name, value in table.items() if name not in _NO_FLAGS}
    parser = _SettingsParser(prog=file, allow_abbrev=False)
    configure(parser)
    words = [
        f"--{name.replace('_', '-')}={each}"
        for name, value in flags.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    read = vars(parser.parse_args(words))
    return {name: read[name] for name in flags}


def read_settings() -> tuple[str, dict[str, Any] | None]:
    """Return the name of the settings file of this folder and what it says; None where there is none."""
    if os.path.exists(FILE):
        return FILE, _load(FILE)
    if os.path.exists(PROJECT):
        tools = _load(PROJECT).get("tool")
        table = tools.get("knaster") if isinstance(tools, dict) else None
        if table is not None and not isinstance(table, dict):
            raise UsageError(f"{PROJECT}: 'tool.knaster' must be a table")
        if table is not None:
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
        fits, wanted = isinstance(value, int | float) and not isinstance(value, bool), "a number"
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
