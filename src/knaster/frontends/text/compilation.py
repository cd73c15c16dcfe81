"""Compilation databases (`compile_commands.json`): from the text of one to files and how each of them is read."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from knaster.base.errors import KnasterError, UsageError

DATABASE = "compile_commands.json"
_FOLDERS = ("-I", "-iquote", "-isystem", "-idirafter")
_VALUES = {"-D": "define", "-U": "undefine", **dict.fromkeys(_FOLDERS, "include")}
_OLD = {"ansi": "c89", "c90": "c89", "gnu90": "gnu89", "c18": "c17", "gnu18": "gnu17", "c23": "c2x", "gnu23": "gnu2x"}
_OLD |= {
    "iso9899:1990": "c89",
    "iso9899:1999": "c99",
    "iso9899:2011": "c11",
    "iso9899:2017": "c17",
    "iso9899:2018": "c17",
}
_STRANGE = ("-include", "-imacros", "-funsigned-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar", "-x")
_ARGUMENT = ("-o", "-MF", "-MT", "-MQ", "-arch", "-target", "--param", "-Xclang", "-L", "-l")  # the next word is theirs


def read_database(text: str, file: str, data_model: str | None = None) -> dict[str, Mapping[str, Any]]:
    """Return the C files of a compilation database, and the options with which each is read."""
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise KnasterError(f"{file}: this is no JSON: {error}") from None
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise KnasterError(f"{file}: this is no compilation database: a list of 'directory', 'file' and 'command'")
    found: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        folder = os.path.join(os.path.dirname(file), entry["directory"])
        name = os.path.relpath(os.path.join(folder, entry["file"]))
        words = entry.get("arguments") or _words(entry["command"], file)
        if not name.endswith((".c", ".i")):
            raise KnasterError(f"{file}: {name} is no C, and only C is read; name the C files of a program beside it")
        options = _options(words, folder, f"{file}: {name}", data_model)
        if found.setdefault(name, options) != options:
            raise KnasterError(f"{file}: {name} is compiled twice, in different ways; keep one entry")
    if not found:
        raise KnasterError(f"{file}: there is no file in this compilation database")
    return found


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    words = entry.get("arguments", [])
    named = all(isinstance(entry.get(name), str) for name in ("directory", "file"))
    plain = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return named and plain and (bool(words) or isinstance(entry.get("command"), str))


def _words(command: str, file: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise KnasterError(f"{file}: a command cannot be read: {error}") from None


def _options(words: Sequence[str], folder: str, where: str, data_model: str | None) -> dict[str, Any]:
    """Return what a command of a compiler says about how a text is read; refuse what would change its meaning."""
    found: dict[str, Any] = {}
    for flag, value in _flags(words):
        if flag in _STRANGE and value != "c":
            raise KnasterError(f"{where}: it is compiled with {flag}, which is not read; check the output of 'cc -E'")
        if flag == "-m32" and data_model != "ILP32":
            raise UsageError(f"{where}: it is compiled with -m32; give --data-model ILP32")
        if flag in _VALUES:
            place = os.path.relpath(os.path.join(folder, value)) if flag in _FOLDERS else value
            found.setdefault(_VALUES[flag], []).append(place)
        elif flag in ("-std", "-ansi"):
            said = value or "ansi"
            found["std"] = _OLD.get(said, said)
    return {name: value if name == "std" else tuple(value) for name, value in found.items()}


def _flags(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the flags of a command with what belongs to them."""
    rest = iter(words[1:])
    for word in rest:
        if word in _VALUES or word in ("-x", "-include", "-imacros"):
            yield word, next(rest, "")
        elif word in _ARGUMENT:
            next(rest, "")
        elif flag := next((flag for flag in ("-D", "-U", "-I", "-isystem", "-x") if word.startswith(flag)), None):
            yield flag, word.removeprefix(flag)
        elif word.startswith("-"):
            flag, _, value = word.partition("=")
            yield flag, value
