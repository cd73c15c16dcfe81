"""The text of a Boolean program split into its procedures, so that an edited one can be read without the others.

A procedure's text goes from the end of the one before it to its own `end`.  What is not plainly a list of globals and a
list of procedures (threads, `enforce`, declarations between procedures) is not split: `split_text` returns None.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from knaster.base.records import dataclass
from knaster.frontends.boolean.lexer import NAME, without_comments
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.pushdown.units.table import digest_of

_ENDS = re.compile(r"\{[^}\n]*\}|(?<![\w$#.-])(?:begin|end)(?![\w$#.-])")
_HEAD = re.compile(
    rf"(?P<type>void|bool(?:\s*<\s*(?P<count>\d+)\s*>)?)\s+(?P<name>{NAME})\s*"
    rf"\(\s*(?P<parameters>(?:(?:{NAME})\s*(?:,\s*(?:{NAME})\s*)*)?)\)\s*\Z"
)
_STRANGE = ("enforce", "abortif", "thread", "sync", "atomic", "dfs")  # perhaps only in a name
_CALLED = re.compile(rf"({NAME})\s*\(")


@dataclass(frozen=True)
class Chunk:
    """The text of one procedure, where it begins, and what others see of it."""

    name: str
    text: str
    line: int
    column: int
    parameters: tuple[str, ...]
    results: int | None  # None: void
    called: tuple[str, ...]  # names before a bracket

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

    def __init__(self, head: str, chunks: Sequence[Chunk], file: str, dialect: str) -> None:
        self.file, self._head, self._dialect = file, head, dialect
        self.chunks = {chunk.name: chunk for chunk in chunks}
        self.names: Sequence[str] = tuple(self.chunks)
        self._callees = {chunk.name: [each for each in chunk.called if each in self.chunks] for chunk in chunks}

    def callees(self, name: str) -> Sequence[str]:
        """Return the procedures that a procedure calls, perhaps some more."""
        return self._callees[name]

    def line(self, name: str) -> int:
        """Return the line from which lines of a procedure are counted."""
        return self.chunks[name].line

    @cached_property
    def signatures(self) -> dict[str, str]:
        """What callers depend on."""
        return {name: chunk.signature for name, chunk in self.chunks.items()}

    def digest(self, name: str) -> str:
        """Return what tells a procedure from others: its text, the globals, the signatures of its callees."""
        called = [self.chunks[each].signature for each in self.callees(name)]
        return digest_of([self._head, self._dialect, self.chunks[name].text, *called])

    def program(self, names: Collection[str], besides: str) -> Program:
        """Return a program with these procedures, and with stubs for those that they call and for one more."""
        parts, line = [self._head], 1 + self._head.count("\n")
        for chunk in self.chunks.values():
            if chunk.name in names:
                gap = chunk.line - line
                parts.append("\n" * gap + " " * (chunk.column if gap else 1) + chunk.text)
                line = chunk.line + chunk.text.count("\n")
        called = {each for name in names for each in self.callees(name)} | {besides}
        stubs = [self.chunks[each].stub() for each in sorted(called.difference(names))]
        return load("\n".join(["".join(parts), *stubs, ""]), self._dialect, file=self.file)


def split_text(text: str, file: str, dialect: str) -> TextLibrary | None:
    """Return the procedures of a text; None where it is not plainly a list of them."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    plain = without_comments(text)
    if any(word in plain for word in _STRANGE):
        return None
    chunks: list[Chunk] = []
    depth, start, body, head = 0, 0, 0, ""
    for match in _ENDS.finditer(plain):
        word = match.group()
        if word == "begin":
            body = match.start() if depth == 0 else body
            depth += 1
        elif word == "end":
            depth -= 1
            if depth < 0:
                return None
            if depth == 0:
                if not chunks:
                    start = plain.rfind(";", 0, body) + 1
                    head = text[:start]
                chunk = _chunk(text, plain, start, body, match.end())
                if chunk is None:
                    return None
                chunks.append(chunk)
                start = match.end()
    if depth or not chunks or plain[start:].strip() or len({chunk.name for chunk in chunks}) < len(chunks):
        return None
    return TextLibrary(head, _placed(text, chunks), file, dialect)


def _chunk(text: str, plain: str, start: int, body: int, end: int) -> Chunk | None:
    """Return the procedure between two offsets, which are its line and column for now."""
    head = _HEAD.match(plain[start:body].lstrip())
    if head is None or head["count"] == "0":
        return None
    listed = tuple(name.strip() for name in head["parameters"].split(",")) if head["parameters"].strip() else ()
    results = None if head["type"] == "void" else int(head["count"] or 1)
    called = tuple(dict.fromkeys(_CALLED.findall(plain, body, end)))
    return Chunk(head["name"], text[start:end], start, 0, listed, results, called)


def _placed(text: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the procedures with their lines and columns instead of offsets."""
    placed, line, last = [], 1, 0
    for each in chunks:
        start = each.line
        line += text.count("\n", last, start)
        column = start - text.rfind("\n", 0, start) - 1
        last = start
        placed.append(Chunk(each.name, each.text, line, column, each.parameters, each.results, each.called))
    return placed
