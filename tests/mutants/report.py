"""What became of the changes: the outcome of each, kept in a file, and a table by module."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mutants.changes import Change, name_functions
from mutants.touched import fingerprint


class Verdict(Enum):
    """What became of a change."""

    KILLED = "killed"
    LATE = "killed by time"  # a test that ended before did not end, or memory was full
    SURVIVED = "survives"
    UNREACHED = "no test runs it"
    MARKED = "marked"
    BROKEN = "could not be tried"

    @property
    def is_open(self) -> bool:
        """Whether somebody has to write a test."""
        return self in (Verdict.SURVIVED, Verdict.UNREACHED, Verdict.BROKEN)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one change: by which test, of how many that were asked and that run the line."""

    change: Change
    verdict: Verdict
    note: str
    asked: int
    touching: int


class Outcomes:
    """The last outcome of every change, in a file; it holds while the function that was changed is the same."""

    def __init__(self, root: Path, file: Path) -> None:
        self.root, self.file = root, file
        self.rows: dict[str, list[str]] = self._read()
        self._new: dict[str, list[str]] = {}
        self._codes: dict[str, dict[str, str]] = {}

    def _read(self) -> dict[str, list[str]]:
        rows: dict[str, list[str]] = json.loads(self.file.read_text()) if self.file.is_file() else {}
        return rows

    def _code_of(self, change: Change) -> str:
        """Return a fingerprint of the function of a change."""
        if change.file not in self._codes:
            functions = name_functions((self.root / change.file).read_text())
            self._codes[change.file] = {name: fingerprint(code) for name, code in functions.items()}
        return self._codes[change.file][change.outermost]

    def keep(self, outcome: Outcome) -> None:
        """Remember an outcome."""
        row = [outcome.verdict.value, outcome.note, self._code_of(outcome.change)]
        self.rows[outcome.change.name] = self._new[outcome.change.name] = row

    def save(self) -> None:
        """Write the file; what another run has written there meanwhile stays."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        other = self.file.with_suffix(f".{os.getpid()}")
        other.write_text(json.dumps({**self._read(), **self._new}, indent=0))
        other.replace(self.file)

    def verdict_of(self, change: Change) -> Verdict | None:
        """Return the last verdict on a change; None where there is none, or its function was another."""
        row = self.rows.get(change.name)
        return Verdict(row[0]) if row and row[2] == self._code_of(change) else None

    def killers(self) -> dict[str, str]:
        """Return the test that noticed each change last."""
        noticed = (Verdict.KILLED.value, Verdict.LATE.value)
        return {name: note for name, (verdict, note, _) in self.rows.items() if verdict in noticed}


def describe(outcome: Outcome, root: Path) -> str:
    """Return a survivor in two lines: what was changed where, and the line."""
    change = outcome.change
    line = (root / change.file).read_text().splitlines()[change.line - 1].strip()
    words = f" (asked {outcome.asked} of {outcome.touching} tests that run it)" if outcome.touching else ""
    return f"{change}  {outcome.verdict.value}{words}\n    {line}"


def table(rows: Iterable[tuple[str, Verdict | None]], kept: Mapping[str, str]) -> str:
    """Return how many changes of each module have which verdict, and what the repository keeps of it."""
    counts: dict[str, dict[Verdict | None, int]] = {}
    for file, verdict in rows:
        module = counts.setdefault(file, {})
        module[verdict] = module.get(verdict, 0) + 1
    columns: list[Verdict | None] = [*Verdict, None]
    heads = ["killed", "by time", "survive", "unrun", "marked", "broken", "untried"]
    lines = [f"{'module':48}{'all':>6}" + "".join(f"{head:>9}" for head in heads) + "  kept"]
    for file in sorted(counts):
        numbers = [counts[file].get(column, 0) for column in columns]
        lines.append(f"{_row(file.removeprefix('src/'), numbers)}  {kept.get(file, '')}".rstrip())
    totals = [sum(module.get(column, 0) for module in counts.values()) for column in columns]
    return "\n".join([*lines, _row("all", totals)])


def _row(name: str, numbers: list[int]) -> str:
    return f"{name:48}{sum(numbers):>6}" + "".join(f"{number or '':>9}" for number in numbers)
