"""Task definitions of SV-COMP (formats 1.0 to 2.1): from a `.yml` file to programs and questions about them."""

from __future__ import annotations

import glob
import os
from typing import Any

from knaster.base.errors import KnasterError
from knaster.base.named_tuples import NamedTuple
from knaster.competition.documents import read_document, shown
from knaster.competition.properties import Specification, read_specification
from knaster.frontends.text.files import read_text

SUFFIXES = (".yml", ".yaml")
_VERSIONS = ("1.0", "2.0", "2.1")


class TaskQuestion(NamedTuple):
    """One property of a task, and the verdict that somebody expects."""

    specification: Specification
    expected: bool | None
    subproperty: str = ""


class TaskDefinition(NamedTuple):
    """A program, how it is to be read, and what is asked of it; `notes` are about properties that are left out."""

    files: tuple[str, ...]  # several are one program
    data_model: str | None
    questions: tuple[TaskQuestion, ...]
    notes: tuple[str, ...]


def is_task(file: str) -> bool:
    """Tell whether a file is a task by its name."""
    return file.lower().endswith(SUFFIXES)


def read_task(file: str, wanted: Specification | None = None) -> TaskDefinition:
    """Return the task in a file; `wanted` is the only property that is asked about."""
    document = read_document(read_text(file), file)
    if not isinstance(document, dict) or "input_files" not in document:
        raise KnasterError(f"{file}: this is no task definition: it has no 'input_files'")
    version = document.get("format_version")
    if version not in _VERSIONS:
        raise KnasterError(f"{file}: its format_version is {shown(version)}, expected one of {', '.join(_VERSIONS)}")
    options = document.get("options")
    options = options if isinstance(options, dict) else {}
    language = options.get("language", "C")
    if language != "C":
        raise KnasterError(f"{file}: its language is {shown(language)}, and only tasks of C are read")
    data_model = options.get("data_model")
    if data_model not in (None, "ILP32", "LP64"):
        raise KnasterError(f"{file}: its data_model is {shown(data_model)}, expected ILP32 or LP64")
    files = _files(document["input_files"], file)
    questions, notes = _questions(document.get("properties") or [], file, wanted)
    if wanted is not None and not questions:
        questions = [TaskQuestion(wanted, None)]
    if not questions:
        raise KnasterError(f"{file}: " + ("; ".join(notes) or "it names no property; name one with --spec"))
    return TaskDefinition(files, data_model, tuple(questions), tuple(notes))


def _files(patterns: Any, file: str) -> tuple[str, ...]:
    names = [patterns] if isinstance(patterns, str) else patterns
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise KnasterError(f"{file}: 'input_files' is no name and no list of names")
    found = [path for name in names for path in _matches(file, name)]
    if not found:
        raise KnasterError(f"{file}: it names no input file")
    if len(found) > 1 and (other := next((path for path in found if not path.endswith((".c", ".i"))), None)):
        raise KnasterError(f"{file}: its input files are {len(found)}, and {other} is no C")
    return tuple(dict.fromkeys(found))


def _matches(file: str, pattern: str) -> list[str]:
    """Return the files that a pattern beside a task stands for; raise where there is none."""
    folder = os.path.dirname(file)
    found = sorted(glob.glob(os.path.join(glob.escape(folder), pattern)))
    if not found:
        raise KnasterError(f"{file}: there is no file {os.path.join(folder, pattern)}")
    return found


def _questions(listed: Any, file: str, wanted: Specification | None) -> tuple[list[TaskQuestion], list[str]]:
    questions: list[TaskQuestion] = []
    notes: list[str] = []
    if not isinstance(listed, list):
        raise KnasterError(f"{file}: 'properties' is no list")
    for entry in listed:
        if not isinstance(entry, dict) or not isinstance(entry.get("property_file"), str):
            raise KnasterError(f"{file}: one of its properties has no 'property_file'")
        expected = {"true": True, "false": False}.get(_text_of(entry, "expected_verdict").lower())
        try:
            path = _matches(file, entry["property_file"])[0]
            specification = read_specification(read_text(path), path)
        except KnasterError as error:
            notes.append(str(error))
            continue
        if wanted is None or wanted.formula == specification.formula:
            questions.append(TaskQuestion(specification, expected, _text_of(entry, "subproperty")))
    return questions, notes


def _text_of(entry: dict[str, Any], key: str) -> str:
    """Return what an entry says, where that is a text."""
    said = entry.get(key)
    return said if isinstance(said, str) else ""
