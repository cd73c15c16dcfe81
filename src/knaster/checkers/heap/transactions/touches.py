"""Touches: statics and heap of a configuration that note what the interpreter reads and writes."""

from __future__ import annotations

from typing import Any

Touch = tuple[Any, bool]  # the name of a static or a cell, and whether it is written


class Touched(dict[Any, Any]):
    """A dictionary that tells a list what is read and written."""

    __slots__ = ("notes",)

    def __init__(self, values: Any, notes: list[Touch]) -> None:
        super().__init__(values)
        self.notes = notes

    def __getitem__(self, name: Any) -> Any:
        self.notes.append((name, False))
        return super().__getitem__(name)

    def __setitem__(self, name: Any, value: Any) -> None:
        self.notes.append((name, True))
        super().__setitem__(name, value)
