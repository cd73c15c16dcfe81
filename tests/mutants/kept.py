"""Verdicts that the repository keeps: `verdicts.tsv`, a row for each module all of whose changes were tried.

A row holds for the code that it was made of, which it names by a fingerprint: comments may come and go, marks may not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from mutants.report import Verdict
from mutants.touched import fingerprint

FILE = "tests/mutants/verdicts.tsv"
PAGE = "CONTRIBUTING.md"
_HEAD = ("module", "code", "changes", "noticed", "marked", "open")
_PAGE_HEAD = "| folder | modules | changes | noticed | marked | open |"


@dataclass(frozen=True, slots=True)
class Row:
    """What became of the changes of one module, as its code was."""

    module: str  # its path below the root
    code: str
    changes: int
    noticed: int
    marked: int
    open: int

    def is_settled(self, code: str) -> bool:
        """Tell whether there is nothing to try in a module with that code."""
        return self.code == code and not self.open


def name_code(text: str, marked: Sequence[bool]) -> str:
    """Return a name for the code of a module and for which of its changes are marked."""
    return fingerprint(ast.dump(ast.parse(text)) + "".join("01"[mark] for mark in marked))


def count_row(module: str, code: str, verdicts: Sequence[Verdict | None]) -> Row | None:
    """Return the row of a module; None where a change has no verdict, or there is none."""
    tried = [verdict for verdict in verdicts if verdict is not None]
    if not tried or len(tried) < len(verdicts):
        return None
    left = sum(verdict.is_open for verdict in tried)
    marked = tried.count(Verdict.MARKED)
    return Row(module, code, len(tried), len(tried) - left - marked, marked, left)


def read_rows(file: Path) -> dict[str, Row]:
    """Return the rows of a file by module; none where there is no file."""
    lines = file.read_text().splitlines()[1:] if file.is_file() else []
    cells = [line.split("\t") for line in lines]
    return {module: Row(module, code, *map(int, numbers)) for module, code, *numbers in cells}


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    """Write rows to a file, in the order of their modules."""
    cells = [_HEAD, *(astuple(row) for row in sorted(rows, key=lambda row: row.module))]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join("\t".join(map(str, line)) + "\n" for line in cells))


def sum_by_folder(rows: Iterable[Row], folders: Iterable[str]) -> str:
    """Return the sums of the rows of each folder, as a table of a page."""
    found = list(rows)
    lines = [_PAGE_HEAD, "|---|---|---|---|---|---|"]
    for folder in folders:
        inside = [row for row in found if row.module.startswith(f"{folder}/")]
        sums = [len(inside), *(sum(getattr(row, name) for row in inside) for name in _HEAD[2:])]
        lines.append(f"| `{folder}` | " + " | ".join(f"{number:,}" for number in sums) + " |")
    return "\n".join(lines)


def replace_table(page: str, table: str) -> str:
    """Return the text of a page with its table of folders replaced; as it is where it has none."""
    before, head, rest = page.partition(_PAGE_HEAD)
    return before + table + "\n\n" + rest.partition("\n\n")[2] if head else page
