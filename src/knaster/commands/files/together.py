"""Files that are one program: those of `--together`, of a folder, of a compilation database.

A folder is all C files in and below it, or the compilation database in it.  Files that are named beside a database
choose among its entries, with the macros and folders that it gives each of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import KnasterError, UsageError
from knaster.commands.terminal.source import STDIN, lend, name_of, read
from knaster.frontends.text.compilation import DATABASE, read_database
from knaster.frontends.text.files import read_text
from knaster.frontends.text.several import FilePart, join_files

SUFFIXES = (".c", ".i")
_SHOWN = 3  # files that are named


def is_whole(file: str) -> bool:
    """Tell whether an argument stands for a program of several files by itself."""
    return os.path.basename(file) == DATABASE or os.path.isdir(file)


def join_arguments(files: Sequence[str], together: bool, data_model: str | None = None) -> list[str]:
    """Return the files that are asked about, programs of several files as one of them each.

    A folder without C stays, so that it is refused by its name and the others go on.
    """
    if together:
        return [join_program(files, data_model)]
    return [join_program([file], data_model) if is_whole(file) and not _is_empty(file) else file for file in files]


def join_program(files: Sequence[str], data_model: str | None = None) -> str:
    """Return the name under which the text of a program of several files can be read."""
    parts = _parts(files, data_model)
    if len(parts) == 1 and not parts[0].options and files[0] == parts[0].name:
        return files[0]
    named = [part.name for part in parts]
    several = f"{named[0]} and {len(named) - 1} other files"
    whole = next((file for file in files if is_whole(file)), None)
    name = whole or (" ".join(named) if len(named) <= _SHOWN else several)
    lend(name, join_files(parts))
    return name


def _parts(files: Sequence[str], data_model: str | None) -> list[FilePart]:
    """Return the files of a program with their texts; refuse what is no C."""
    known: dict[str, Mapping[str, Any]] = {}  # by their names for us
    named: list[str] = []
    for file in files:
        if not is_whole(file):
            if not file.endswith(SUFFIXES) and file != STDIN:
                raise UsageError(f"{file}: --together takes files of C, folders and {DATABASE}")
            named.append(file)
            continue
        database = os.path.join(file, DATABASE) if os.path.isdir(file) else file
        if os.path.isdir(file) and not os.path.exists(database):
            named += _below(file)
        else:
            known |= read_database(read_text(database), database, data_model)
    if known and named:
        places = {os.path.realpath(path): options for path, options in known.items()}
        listed = {file: places.get(os.path.realpath(file)) for file in dict.fromkeys(named)}
        for file, options in listed.items():
            if options is None:
                raise UsageError(f"{file}: the compilation database does not have it")
        known = {file: options or {} for file, options in listed.items()}
    elif named:
        known = {file: {} for file in named}
    if len(known) < len(named):
        raise UsageError(f"{next(file for file in named if named.count(file) > 1)}: it is given more than once")
    return [FilePart(name_of(file), _text(file), options) for file, options in known.items()]


def _text(file: str) -> str:
    """Return what is in a file now, whatever its name stood for before."""
    return read(file) if file == STDIN else read_text(file)


def _is_empty(file: str) -> bool:
    return os.path.isdir(file) and not os.path.exists(os.path.join(file, DATABASE)) and not _find_below(file)


def _below(folder: str) -> list[str]:
    """Return the C files in and below a folder; refuse one that has none."""
    found = _find_below(folder)
    if not found:
        raise KnasterError(f"{folder}: there is no C file in this folder")
    return found


def _find_below(folder: str) -> list[str]:
    """Return the C files in and below a folder, in order; hidden folders are left out."""
    found: list[str] = []
    for place, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        found += [os.path.join(place, name) for name in sorted(files) if name.endswith(".c")]
    return found
