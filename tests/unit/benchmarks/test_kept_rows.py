"""Rows in a file: what was kept is there again, and a later run goes on behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.kept_rows import append_row, read_rows


@dataclass(frozen=True)
class Asked:
    path: str
    said: str


def test_rows_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    assert read_rows(file, Asked, "path") == {} == read_rows(None, Asked, "path")
    append_row(None, Asked("nowhere", "TRUE"))
    rows = [Asked("a, b.c", "TRUE"), Asked("c.c", "two\nlines")]
    for row in rows:
        append_row(file, row)
    assert read_rows(file, Asked, "path") == {("a, b.c",): rows[0], ("c.c",): rows[1]}
    assert file.read_text("utf-8").count("path,said") == 1
