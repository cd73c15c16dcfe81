"""The text of a Boolean program split into its procedures, so that an edited one can be read without the others.

A procedure's text goes from the end of the one before it to its own `end`.  What is not plainly a list of globals and a
list of procedures (threads, `enforce`, declarations between procedures) is not split: `split_text` returns None.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from operator import attrgetter

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.boolean.lexer import NAME, without_comments
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.pushdown.units.table import digest_of

_ENDS = re.compile(r"\{[^}\n]*\}|(?<![\w$#.-])(?:begin|end)(?![\w$#.-])")
_HEAD = re.compile(
    rf"(?P<type>void|bool(?:\s*<\s*(?P<count>\d+)\s*>)?)\s+(?P<name>{NAME})\s*"
    rf"\(\s*(?P<parameters>(?:(?:{NAME})\s*(?:,\s*(?:{NAME})\s*)*)?)\)\s*\Z"
)
_START = attrgetter("start")
_MARK = ";"  # behind a text: it is blank where the text leaves a comment open
_STRANGE = ("enforce", "abortif", "thread", "sync", "atomic", "dfs")  # perhaps only in a name
_CALLED = re.compile(rf"({NAME})\s*\(")


class Chunk(NamedTuple):
    """One procedure: what others see of it, and where its text is, which begins at the end of the one before it."""

    name: str
    start: int
    end: int
    line: int
    column: int
    parameters: list[str]
    results: int | None  # None: void
    called: list[str]  # names before a bracket

    @property
    def signature(self) -> str:
        """What a caller depends on."""
        return f"{self.name}({len(self.parameters)}):{self.results}"

    def stub(self) -> str:
        """Return a procedure of the same signature that does nothing."""
        kind = "void" if self.results is None else f"bool<{self.results}>" if self.results != 1 else "bool"
        body = "skip;" if self.results is None else f"return {', '.join(['F'] * self.results)};"
        return f"{kind} {self.name}({', '.join(self.parameters)}) begin {body} end"


class TextLibrary:
    """A program whose procedures are read when they are needed."""

    def __init__(self, text: str, chunks: Sequence[Chunk], file: str, dialect: str) -> None:
        self.file, self.text, self.dialect = file, text, dialect
        self.chunks = {chunk.name: chunk for chunk in chunks}
        self.names: Sequence[str] = tuple(self.chunks)
        self._head = text[: chunks[0].start]
        self._callees: dict[str, list[str]] = {}

    def callees(self, name: str) -> Sequence[str]:
        """Return the procedures that a procedure calls, perhaps some more."""
        known = self._callees.get(name)
        if known is None:
            known = self._callees[name] = [each for each in self.chunks[name].called if each in self.chunks]
        return known

    def line(self, name: str) -> int:
        """Return the line from which lines of a procedure are counted."""
        return self.chunks[name].line

    def text_of(self, name: str) -> str:
        """Return the text of a procedure."""
        chunk = self.chunks[name]
        return self.text[chunk.start : chunk.end]

    @cached_property
    def signatures(self) -> dict[str, str]:
        """What callers depend on."""
        return {name: chunk.signature for name, chunk in self.chunks.items()}

    def digest(self, name: str) -> str:
        """Return what tells a procedure from others: its text, the globals, the signatures of its callees."""
        called = [self.chunks[each].signature for each in self.callees(name)]
        return digest_of([self._head, self.dialect, self.text_of(name), *called])

    def program(self, names: Collection[str], besides: str) -> Program:
        """Return a program with these procedures, and with stubs for those that they call and for one more."""
        parts, line = [self._head], 1 + self._head.count("\n")
        for chunk in sorted((self.chunks[name] for name in names), key=_START):
            text, gap = self.text_of(chunk.name), chunk.line - line
            parts.append("\n" * gap + " " * (chunk.column if gap else 1) + text)
            line = chunk.line + text.count("\n")
        called = {each for name in names for each in self.callees(name)} | {besides}
        stubs = [self.chunks[each].stub() for each in sorted(called.difference(names))]
        return load("\n".join(["".join(parts), *stubs, ""]), self.dialect, file=self.file)


def split_text(text: str, file: str, dialect: str) -> TextLibrary | None:
    """Return the procedures of a text; None where it is not plainly a list of them."""
    text = with_plain_ends(text)
    plain = blank_comments(text)
    if plain is None:
        return None
    first = next((match for match in _ENDS.finditer(plain) if match.group() in ("begin", "end")), None)
    if first is None or first.group() == "end":
        return None
    chunks = split_procedures(text, plain, plain.rfind(";", 0, first.start()) + 1)
    if not chunks or len({chunk.name for chunk in chunks}) < len(chunks):
        return None
    return TextLibrary(text, chunks, file, dialect)


def blank_comments(text: str) -> str | None:
    """Return a text with spaces instead of its comments; None where one has no end."""
    plain = without_comments(f"{text}\n{_MARK}")
    return plain[: len(text)] if plain.endswith(_MARK) else None


def with_plain_ends(text: str) -> str:
    """Return a text whose lines end with a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def split_procedures(text: str, plain: str, start: int) -> list[Chunk] | None:
    """Return the procedures from an offset on; None where something else stands there, too."""
    if any(word in plain for word in _STRANGE):
        return None
    chunks: list[Chunk] = []
    depth, body, line, last = 0, 0, 1, 0
    for match in _ENDS.finditer(plain, start):
        word = match.group()
        if word == "begin":
            body = match.start() if depth == 0 else body
            depth += 1
        elif word == "end":
            depth -= 1
            if depth < 0:
                return None
            if depth == 0:
                line, last = line + text.count("\n", last, start), start
                chunk = _chunk(plain, start, body, match.end(), line)
                if chunk is None:
                    return None
                chunks.append(chunk)
                start = match.end()
    return None if depth or plain[start:].strip() else chunks


def column_of(text: str, offset: int) -> int:
    """Return how many characters stand before an offset in its line."""
    return offset - text.rfind("\n", 0, offset) - 1


def _chunk(plain: str, start: int, body: int, end: int, line: int) -> Chunk | None:
    """Return the procedure between two offsets."""
    head = _HEAD.match(plain[start:body].lstrip())
    if head is None or head["count"] == "0":
        return None
    listed = [name.strip() for name in head["parameters"].split(",")] if head["parameters"].strip() else []
    results = None if head["type"] == "void" else int(head["count"] or 1)
    called = list(dict.fromkeys(_CALLED.findall(plain, body, end)))
    return Chunk(head["name"], start, end, line, column_of(plain, start), listed, results, called)
