"""Several files as one text, and back: each file stands behind a line that names it and says how it is read.

So a program of several files is a text like any other to whoever sends, saves or compares one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.named_tuples import NamedTuple

MARK = "#pragma knaster file "
OWN = "own"  # an option of the only file that is the user's


class FilePart(NamedTuple):
    """A file of a program: its name, its text, and the options that are its own."""

    name: str
    text: str
    options: Mapping[str, Any] = {}
    first: int = 1  # its first line in the whole text

    @property
    def shown(self) -> str:
        """Its name before a line; empty where it is the only file that is the user's."""
        return "" if OWN in self.options else self.name


def join_files(parts: Sequence[FilePart]) -> str:
    """Return the text that several files are."""
    import json

    found = []
    for part in parts:
        said = json.dumps({"name": part.name, **part.options}, ensure_ascii=False)
        found.append(f"{MARK}{said}\n{part.text}" + ("" if part.text.endswith("\n") else "\n"))
    return "".join(found)


def is_several(text: str) -> bool:
    """Tell whether a text is several files."""
    return text.startswith(MARK)


def split_files(text: str) -> list[FilePart]:
    """Return the files that a text is; one that is none of several files has no parts."""
    if not is_several(text):
        return []
    import json

    found: list[FilePart] = []
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith(MARK)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        said = dict(json.loads(lines[start].removeprefix(MARK)))
        name = str(said.pop("name"))
        options = {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}
        body = "\n".join(lines[start + 1 : end]) + ("\n" if end < len(lines) else "")
        found.append(FilePart(name, body, options, start + 2))
    return found
