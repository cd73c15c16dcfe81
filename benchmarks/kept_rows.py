"""Rows of a table in a file: what a long measurement has found, so that a later run with the same file goes on."""

from __future__ import annotations

import csv
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def read_rows(path: Path | None, kind: type[Row], *key: str) -> dict[tuple[str, ...], Row]:
    """Return the rows of a file by some of their fields; none where there is no file yet."""
    if path is None or not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as stream:
        return {tuple(row[name] for name in key): kind(**row) for row in csv.DictReader(stream)}


def append_row(path: Path | None, row: DataclassInstance) -> None:
    """Append a row to a file, which begins with the names of the fields; to none where there is no path."""
    if path is None:
        return
    new = not path.exists()
    values = asdict(row)
    with open(path, "a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(values))
        if new:
            writer.writeheader()
        writer.writerow(values)
