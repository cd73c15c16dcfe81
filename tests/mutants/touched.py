"""Which test runs which lines of the code in question, and how long it takes: recorded once, kept in a file.

A test's lines of a file are the bits of a number.  They belong to the text of that file at the time of recording; where
the text is another now, lines are found again by comparing the two.  A test file is recorded again when its own text is
another.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from mutants.changes import Change

Trace = Callable[[FrameType, str, Any], Any]
_PATIENCE = 1000  # lines of a function that run with nothing new before it goes unwatched


def fingerprint(text: str) -> str:
    """Return a name for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(slots=True)
class Touch:
    """What one test runs: bits of lines, by file; and whether it passes at all."""

    test: str
    seconds: float
    lines: dict[str, int]
    passes: bool = True


class Tracer:
    """Notes the lines of some files that run while it watches.

    A function all of whose lines have run goes unwatched, and one that has run for long with nothing new: then all of
    its lines count as run, for a test that is asked in vain costs less than one that is not asked.
    """

    def __init__(self, files: Iterable[str], patience: int = _PATIENCE) -> None:
        self.files = frozenset(files)
        self.patience = patience
        self._codes: dict[int, _Watch] = {}  # by identity: a code's hash costs more

    def __enter__(self) -> Tracer:
        self._codes = {}
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)

    @property
    def lines(self) -> dict[str, int]:
        """The lines that have run, as bits, by file."""
        found: dict[str, int] = {}
        for watch in self._codes.values():
            bits = sum(1 << line for line in _lines_of(watch.code) - watch.left)
            found[watch.code.co_filename] = found.get(watch.code.co_filename, 0) | bits
        return found

    def _call(self, frame: FrameType, event: str, argument: object) -> Trace | None:
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        watch = self._codes.get(id(code))
        if watch is None:
            watch = self._codes[id(code)] = _Watch(code, _lines_of(code) - {code.co_firstlineno}, self.patience)
        return self._line if watch.left else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Trace | None:
        watch = self._codes[id(frame.f_code)]
        if frame.f_lineno in watch.left:
            watch.left.discard(frame.f_lineno)
            watch.patience = self.patience
        watch.patience -= 1
        if not watch.patience:
            watch.left.clear()
        if watch.left:
            return self._line
        frame.f_trace = None  # what is returned would take its place
        return None


@dataclass(slots=True)
class _Watch:
    """Lines of a function that have not run yet, and how many may still run with nothing new."""

    code: CodeType
    left: set[int]
    patience: int


def _lines_of(code: CodeType) -> set[int]:
    return {line for _, _, line in code.co_lines() if line}


@dataclass(slots=True)
class TouchMap:
    """What is recorded of every test file."""

    root: Path
    recorded: dict[str, dict[str, Any]] = field(default_factory=dict)  # by test file: print, versions, tests
    versions: dict[str, str] = field(default_factory=dict)  # texts of sources, by fingerprint
    _tests: list[tuple[dict[str, str], Touch]] | None = None
    _texts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, root: Path, file: Path) -> TouchMap:
        """Return the map of a file; an empty one where there is no file."""
        if not file.is_file():
            return cls(root)
        fields = json.loads(file.read_text())
        return cls(root, fields["recorded"], fields["versions"])

    def save(self, file: Path) -> None:
        """Write the map to a file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        used = {version for entry in self.recorded.values() for version in entry["versions"].values()}
        versions = {version: text for version, text in self.versions.items() if version in used}
        file.write_text(json.dumps({"recorded": self.recorded, "versions": versions}))

    def is_recorded(self, test_file: str) -> bool:
        """Tell whether a test file is recorded as it is now."""
        entry = self.recorded.get(test_file)
        return entry is not None and entry["print"] == fingerprint((self.root / test_file).read_text())

    def record(self, test_file: str, sources: Iterable[str], touches: Iterable[Touch]) -> None:
        """Keep what the tests of a file run."""
        versions = {}
        for source in sources:
            text = (self.root / source).read_text()
            versions[source] = fingerprint(text)
            self.versions[versions[source]] = text
        tests = {
            touch.test: [touch.seconds, touch.passes, {file: hex(bits) for file, bits in touch.lines.items()}]
            for touch in touches
        }
        entry = {"print": fingerprint((self.root / test_file).read_text()), "versions": versions, "tests": tests}
        self.recorded[test_file] = entry
        self._tests = None

    def tests_of(self, change: Change) -> list[Touch]:
        """Return the tests that run a changed line."""
        return [touch for versions, touch in self._entries() if touch.passes and self._touches(change, versions, touch)]

    def tests_of_file(self, file: str) -> list[Touch]:
        """Return the tests that run anything of a file."""
        return [touch for _, touch in self._entries() if touch.passes and touch.lines.get(file)]

    def failures(self) -> list[str]:
        """Return the tests that fail without any change, and are not asked."""
        return [touch.test for _, touch in self._entries() if not touch.passes]

    def _entries(self) -> list[tuple[dict[str, str], Touch]]:
        if self._tests is None:
            self._tests = [
                (entry["versions"], Touch(test, seconds, {f: int(b, 16) for f, b in lines.items()}, passes))
                for entry in self.recorded.values()
                for test, (seconds, passes, lines) in entry["tests"].items()
            ]
        return self._tests

    def _touches(self, change: Change, versions: dict[str, str], touch: Touch) -> bool:
        bits = touch.lines.get(change.file, 0)
        if not bits:
            return False
        then = self.versions[versions[change.file]]
        if change.file not in self._texts:
            self._texts[change.file] = (self.root / change.file).read_text()
        now = self._texts[change.file]
        places = change.lines if then is now or then == now else _lines_then(then, now, change.lines)
        return any(bits >> line & 1 for line in places)


@cache
def _lines_then(then: str, now: str, lines: tuple[int, ...]) -> tuple[int, ...]:
    """Return where lines were in an earlier text; for a new line, the one above it that was there."""
    if then == now:
        return lines
    places = _places(then, now)
    return tuple(sorted({places[min(line, len(places) - 1)] for line in lines}))


@cache
def _places(then: str, now: str) -> list[int]:
    """Return for every line of a text its place in an earlier text."""
    before, after = then.splitlines(), now.splitlines()
    places = [0] * (len(after) + 1)
    for block in difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            places[block.b + offset + 1] = block.a + offset + 1
    for line in range(1, len(places)):
        places[line] = places[line] or places[line - 1]
    return places
