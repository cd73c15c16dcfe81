"""Monitors as text: `start S`, `error E, F`, and a line `S -> T : EVENT` for each move.

    # a lock is taken and released in turn
    start Unlocked
    error Twice, Held
    Unlocked -> Locked : call acquire
    Locked -> Twice : call acquire
    Locked -> Held : return main

An event is `call NAME`, `return NAME`, `label NAME`, `line NUMBER` or `line "TEXT"`; `*` in it is any text, and as the
source of a move any state.  `#` and `//` begin comments.
"""

from __future__ import annotations

import re

from knaster.automata.monitor import KINDS, Event, Monitor, Move
from knaster.base.errors import Problem, SourceError, Span
from knaster.base.hints import did_you_mean

_COMMENT = re.compile(r'("[^"]*")|(#|//).*')
_HEAD = re.compile(r"\s*(?P<word>start|error)\s+(?P<names>.*\S)\s*$")
_MOVE = re.compile(r"\s*(?P<source>\*|\w+)\s*->\s*(?P<target>\w+)\s*:\s*(?P<event>.*\S)\s*$")
_EVENT = re.compile(r'(?P<kind>\w+)\s+(?:"(?P<text>[^"]*)"|(?P<name>[\w*.]+))$')
_FORMS = "write 'start S', 'error E, F' or 'S -> T : call NAME'"
_EVENTS = "an event is 'call NAME', 'return NAME', 'label NAME', 'line NUMBER' or 'line \"TEXT\"'"


def read_monitor(source: str, file: str = "<text>") -> Monitor:
    """Return the monitor that a text is; raise `SourceError` with everything that is wrong with it."""
    reader = _Reader()
    for number, line in enumerate(source.split("\n"), start=1):
        reader.read(number, _COMMENT.sub(lambda found: found[1] or "", line).rstrip())
    reader.finish()
    if reader.problems:
        raise SourceError(file, source, sorted(reader.problems, key=lambda problem: problem.span))
    used = [name for move in reader.moves for name in (move.source, move.target) if name is not None]
    states = tuple(dict.fromkeys([reader.start, *used, *reader.errors]))
    return Monitor(states, frozenset(reader.errors), tuple(reader.moves), file, source)


class _Reader:
    """A monitor while it is read."""

    def __init__(self) -> None:
        self.start = ""
        self.errors: dict[str, Span] = {}
        self.moves: list[Move] = []
        self.problems: list[Problem] = []
        self.first: Span | None = None  # of `start`

    def read(self, number: int, line: str) -> None:
        """Take in one line."""
        if not line.strip():
            return
        if (head := _HEAD.match(line)) is not None:
            self._head(number, head)
        elif (move := _MOVE.match(line)) is not None:
            self._move(number, move)
        else:
            indent = len(line) - len(line.lstrip())
            self._problem("this is no line of a monitor", Span(number, indent + 1, len(line.strip())), _FORMS)

    def _head(self, number: int, head: re.Match[str]) -> None:
        at = head.start("names")
        for name in re.finditer(r"[^,]+", head["names"]):
            word = name[0].strip()
            blanks = len(name[0]) - len(name[0].lstrip())
            span = Span(number, at + name.start() + blanks + 1, max(1, len(word)))
            if not re.fullmatch(r"\w+", word):
                self._problem("a state is one word", span, _FORMS)
            elif head["word"] == "error":
                self.errors.setdefault(word, span)
            elif self.first is not None:
                self._problem("there is one state to start in", span, f"it starts in '{self.start}'")
            else:
                self.start, self.first = word, span

    def _move(self, number: int, move: re.Match[str]) -> None:
        span = Span(number, move.start("event") + 1, len(move["event"]))
        event = self._event(move["event"], span)
        if event is not None:
            source = None if move["source"] == "*" else move["source"]
            self.moves.append(Move(source, move["target"], event, span))

    def _event(self, text: str, span: Span) -> Event | None:
        match = _EVENT.match(text)
        if match is None:
            self._problem("this is no event", span, _EVENTS)
            return None
        kind, name = match["kind"], match["name"] if match["text"] is None else match["text"]
        if kind not in KINDS:
            self._problem(f"there is no event '{kind}'", span, did_you_mean(kind, KINDS) or _EVENTS)
        elif match["text"] is not None and kind != "line":
            self._problem(f"'{kind}' takes a name without quotes", span)
        elif kind == "line" and match["name"] is not None and not name.isdigit():
            self._problem("a line is a number, or a text in quotes", span)
        return Event(kind, name)

    def finish(self) -> None:
        """Note what is missing, and states that no move leads to."""
        if self.first is None:
            self._problem("there is no state to start in", Span(1, 1), "write 'start S'")
        if not self.errors:
            self._problem("there is no error state", Span(1, 1), "write 'error E'")
        if self.problems:
            return
        sources = {move.source for move in self.moves if move.source is not None}
        targets = {move.target for move in self.moves}
        for name, span in self.errors.items():
            if name not in targets:
                self._problem(f"no move leads to '{name}'", span, did_you_mean(name, targets))
        for move in self.moves:
            if move.source is not None and move.source not in targets | {self.start}:
                hint = did_you_mean(move.source, targets | {self.start})
                self._problem(f"no move leads to '{move.source}', and it is not the start", _line_of(move), hint)
        assert self.first is not None
        if self.moves and self.start not in sources and all(move.source is not None for move in self.moves):
            self._problem(f"no move leaves '{self.start}'", self.first, did_you_mean(self.start, sources))

    def _problem(self, message: str, span: Span, hint: str = "") -> None:
        self.problems.append(Problem(message, span, hint))


def _line_of(move: Move) -> Span:
    return Span(move.span.line, 1, 1)
