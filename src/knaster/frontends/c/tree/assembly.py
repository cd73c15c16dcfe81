"""Assembly without an instruction, of GNU C: what keeps compilers from moving code, or hides a value from them.

An empty template changes nothing, but an output that shares its place with an input (`"=r" (y) : "0" (x)`) has the
value of that.  Clang's tree has the operands; templates and constraints are in the printed function, whose macros are
expanded, so the k-th assembly in it is the k-th one of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from knaster.base.records import dataclass
from knaster.frontends.c.clang.cursors import Cursors
from knaster.frontends.c.tree.loops import TOKEN

_BEGIN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\basm (?P<words>(?:volatile |inline |goto )*)\(')
_NOTHING = re.compile(r"(?:\s|\\[ntrv])*")
_MEMORY = re.compile(r"[moV<>,]+")  # constraints that let nobody load a value


@dataclass(frozen=True, slots=True)
class Place:
    """An operand: its constraint, and its name where it has one."""

    constraint: str
    name: str

    @property
    def stays(self) -> bool:
        """Whether the operand stays in memory."""
        return _MEMORY.fullmatch(self.constraint.lstrip("=+&%")) is not None


@dataclass(frozen=True, slots=True)
class Assembly:
    """A statement of assembly; `jumps` where it names labels."""

    template: str
    outputs: tuple[Place, ...]
    inputs: tuple[Place, ...]
    jumps: bool

    @property
    def is_empty(self) -> bool:
        """Whether there is no instruction in it, and it can only go on behind itself."""
        return _NOTHING.fullmatch(self.template) is not None and not self.jumps

    def shared(self, number: int) -> int | None:
        """Return which output an input shares its place with; -1 where it cannot be told, None where there is none."""
        constraint = self.inputs[number].constraint.lstrip("%")
        if not re.search(r"\d|\[", constraint):
            return None
        if constraint.isdecimal() and int(constraint) < len(self.outputs):
            return int(constraint)
        names = [f"[{output.name}]" for output in self.outputs]
        return names.index(constraint) if constraint in names else -1


def read_assembly(text: str) -> list[Assembly]:
    """Return the statements of assembly of a printed function, in the order of the text."""
    begins = (match for match in _BEGIN.finditer(text) if match["words"] is not None)
    return [_read(text, match.end(), "goto" in match["words"]) for match in begins]


def _read(text: str, begin: int, jumps: bool) -> Assembly:
    sections: list[list[str]] = [[]]
    depth = 0
    for token in TOKEN.finditer(text, begin):
        word = token.group()
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if depth < 0:
            break
        if word == ":" and depth == 0:
            sections.append([])
        else:
            sections[-1].append(word)
    template = "".join(word[1:-1] for word in sections[0])
    outputs, inputs = (tuple(_places(section)) for section in (*sections[1:3], [], [])[:2])
    return Assembly(template, outputs, inputs, jumps)


def _places(words: list[str]) -> Iterator[Place]:
    """Yield the operands of a list: `[name] "constraint" (...)`, and so on."""
    depth, name = 0, ""
    for at, word in enumerate(words):
        if depth == 0 and word.startswith('"'):
            yield Place(word[1:-1], name)
            name = ""
        elif depth == 0 and word == "[":
            name = words[at + 1]
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))


class AssemblyTexts:
    """The assembly of one function; its text is printed when the first one needs it."""

    def __init__(self, cursors: Cursors, function: Any) -> None:
        self.cursors = cursors
        self.function = function
        self._known: dict[int, Assembly] | None = None

    def of_cursor(self, cursor: Any) -> Assembly | None:
        """Return what stands in a statement of assembly; None where that cannot be told."""
        if self._known is None:
            below, texts = self._below(), read_assembly(self.cursors.printed(self.function))
            agree = len(below) == len(texts)
            self._known = {one.data[1]: text for one, text in zip(below, texts, strict=True)} if agree else {}
        found = self._known.get(cursor.data[1])
        operands = len(self.cursors.below(cursor))
        return found if found is not None and operands == len(found.outputs) + len(found.inputs) else None

    def _below(self) -> list[Any]:
        """Return all cursors of assembly in the function, in the order of the text, each once."""
        found, todo, seen = [], [self.function], set()
        while todo:
            cursor = todo.pop()
            if self.cursors.kind(cursor) == "ASM_STMT" and cursor.data[1] not in seen:
                seen.add(cursor.data[1])
                found.append(cursor)
            todo += reversed(self.cursors.below(cursor))
        return found
