"""cuba's files: several pushdown systems that share control states, and visible states of them.

P. Liu and T. Wahl, CUBA: Interprocedural Context-UnBounded Analysis of Concurrent Programs (PLDI 2018); the syntax is
that of the guide of its artifact.  `#` begins a comment.  The first number says how many control states there are; `PDA
2 5` begins a system with the symbols 2 .. 5, and whatever others its rules have (cuba's own files have some); these are
`0 2 -> 1 3`, `0 2 -> 1 3 4` (3 is on top) and `0 2 -> 1 -`, or `0 2 -> 1`, which pops.
A visible state is `0|2,6`: the control state, and the topmost symbol of each system, `-` where its stack is empty.
"""

from __future__ import annotations

import re

from knaster.base.errors import Problem, SourceError, Span
from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.pushdown.transducers.contexts import Joint

MOST = 1_000_000  # control states, and symbols of a system
_NUMBER = r"(\d{1,9})"
_RULE = re.compile(rf"{_NUMBER}\s+{_NUMBER}\s*->\s*{_NUMBER}(?:\s+-|\s+{_NUMBER}(?:\s+{_NUMBER})?)?")


class Visible(NamedTuple):
    """A control state and the topmost symbol of each system, None where its stack is empty."""

    state: int
    tops: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"{self.state}|{','.join('-' if top is None else str(top) for top in self.tops)}"

    @property
    def joint(self) -> Joint:
        """The configuration whose stacks have no more than their tops."""
        return Joint(self.state, tuple(() if top is None else (top,) for top in self.tops))


class ConcurrentSystem(NamedTuple):
    """So many control states, and for each system its symbols and its rules."""

    states: int
    symbols: tuple[frozenset[int], ...]
    systems: tuple[PushdownSystem[bool], ...]

    @property
    def first(self) -> Visible:
        """The visible state with the least numbers."""
        return Visible(0, tuple(map(min, self.symbols)))


def looks_concurrent(file: str, text: str) -> bool:
    """Tell whether a file is one of cuba's."""
    return file.endswith(".pds") or re.search(r"^\s*PDA\s+\d+\s+\d+", text, re.MULTILINE) is not None


def read_concurrent(text: str, file: str) -> ConcurrentSystem:
    """Return the systems of a file; raise `SourceError` with every problem of it."""
    return _Reader(text, file).read()


def read_visible(text: str, file: str, system: ConcurrentSystem) -> Visible:
    """Return the visible state in a text; raise `SourceError` where it is none of these systems."""
    lines = [line.partition("#")[0].strip() for line in text.split("\n")]
    number = next((number for number, line in enumerate(lines) if line), 0)
    found = re.fullmatch(r"(\d{1,9})\s*\|\s*((?:\d{1,9}|-)(?:\s*,\s*(?:\d{1,9}|-))*)", lines[number])
    form = f"write a control state and {len(system.systems)} topmost symbols, such as {system.first}"
    if found is None or any(lines[number + 1 :]):
        raise SourceError(file, text, [Problem("this is no visible state", Span(number + 1, 1), form)])
    tops = tuple(None if top.strip() == "-" else int(top) for top in found[2].split(","))
    if len(tops) != len(system.systems):
        problem = f"there are {len(system.systems)} systems, and {len(tops)} topmost symbols"
        raise SourceError(file, text, [Problem(problem, Span(number + 1, 1), form)])
    for top, symbols in zip(tops, system.symbols, strict=True):
        if (top is not None and top not in symbols) or int(found[1]) >= system.states:
            problem = f"'{found[1] if int(found[1]) >= system.states else top}' is no number of the file"
            raise SourceError(file, text, [Problem(problem, Span(number + 1, 1), form)])
    return Visible(int(found[1]), tops)


class _Reader:
    """Reads a file line by line."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.problems: list[Problem] = []
        self.states: int | None = None
        self.symbols: list[set[int]] = []
        self.rules: list[list[Rule[bool]]] = []

    def read(self) -> ConcurrentSystem:
        """Return the systems."""
        for number, line in enumerate(self.text.split("\n"), start=1):
            if content := line.partition("#")[0].strip():
                self.line(content, Span(number, len(line) - len(line.lstrip()) + 1, len(content)))
        if not self.systems_there and not self.problems:
            self.wrong("there is no system", Span(1, 1), "the first number says how many control states there are")
        if self.problems:
            raise SourceError(self.file, self.text, self.problems)
        assert self.states is not None
        systems = tuple(PushdownSystem.of(Boolean(), rules) for rules in self.rules)
        return ConcurrentSystem(self.states, tuple(map(frozenset, self.symbols)), systems)

    @property
    def systems_there(self) -> bool:
        return self.states is not None and bool(self.rules)

    def wrong(self, message: str, span: Span, hint: str = "") -> None:
        self.problems.append(Problem(message, span, hint))

    def line(self, content: str, span: Span) -> None:
        """Read a line without its comment."""
        if self.states is None:
            if not re.fullmatch(r"\d{1,9}", content) or not 0 < int(content) <= MOST:
                self.wrong("the number of control states is missing", span, f"write a number from 1 to {MOST:,}")
            self.states = int(content) if re.fullmatch(r"\d{1,9}", content) else MOST
        elif content.startswith("PDA"):
            self.system(content, span)
        elif not self.rules:
            self.wrong("a rule before the first 'PDA'", span)
        elif (found := _RULE.fullmatch(content)) is None:
            self.wrong("this is no rule", span, "write '0 2 -> 1 3', '0 2 -> 1 3 4' or '0 2 -> 1 -'")
        else:
            self.rule(found, span)

    def system(self, content: str, span: Span) -> None:
        """Begin a system."""
        found = re.fullmatch(r"PDA\s+(\d{1,9})\s+(\d{1,9})", content)
        if found is None or not int(found[1]) <= int(found[2]) < int(found[1]) + MOST:
            self.wrong("the symbols of a system are missing", span, "write 'PDA 2 5' for the symbols 2 to 5")
        self.symbols.append(set(range(int(found[1]), int(found[2]) + 1)) if found and not self.problems else {0})
        self.rules.append([])

    def rule(self, found: re.Match[str], span: Span) -> None:
        """Add a rule to the last system."""
        assert self.states is not None
        source, target = int(found[1]), int(found[3])
        push = tuple(int(symbol) for symbol in (found[4], found[5]) if symbol is not None)
        for state in (source, target):
            if state >= self.states:
                self.wrong(f"there are the control states 0 to {self.states - 1}, and '{state}' is none", span)
        self.symbols[-1].update((int(found[2]), *push))
        self.rules[-1].append(Rule(source, int(found[2]), target, push, True))
