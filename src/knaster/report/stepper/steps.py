"""The steps of a run as columns of numbers, for the script of the page: where, what, how deep, who, what changed.

Texts, names and values are listed once.  Of the values only differences are kept: those of globals to the last step,
those of locals to the last step of the same activation.  A name whose value does not matter any more gets -1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Kind, Program
from knaster.report.entries import REMARKS, Entry, texts_of
from knaster.report.source import SourceText

GONE = -1


class StepRow(NamedTuple):
    """An entry of a run, the names whose values are news, and what else is said there."""

    entry: Entry
    news: Collection[str]
    said: str = ""


class _Numbers:
    """Texts in the order in which they first come, each with its number."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def of(self, text: Any) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def list(self) -> list[Any]:
        return list(self._numbers)


class _Values:
    """The values that a page shows so far: of globals, and of each activation on the stack of each thread."""

    def __init__(self, shared: frozenset[str]) -> None:
        self.shared = shared
        self.globals: dict[str, str] = {}
        self.stacks: dict[int, list[dict[str, str]]] = {}
        self.names, self.values = _Numbers(), _Numbers()

    def differences(self, entry: Entry, texts: dict[str, str], news: Collection[str]) -> list[int]:
        """Return name and value, by number, of all that a step shows anew."""
        stack = self.stacks.setdefault(entry.thread, [])
        del stack[entry.depth + 1 :]
        while len(stack) <= entry.depth:
            stack.append({})
        changes: list[int] = []
        for is_global, scope in ((1, self.globals), (0, stack[entry.depth])):
            own = {name: text for name, text in texts.items() if (name in self.shared) == bool(is_global)}
            for name, text in own.items():
                if scope.get(name) != text or (name in news and not is_global):
                    changes += [self.names.of((name, is_global)), self.values.of(text)]
            for name in [name for name in scope if name not in own]:
                changes += [self.names.of((name, is_global)), GONE]
            scope.clear()
            scope.update(own)
        return changes


def columns_of(program: Program, rows: Iterable[StepRow]) -> dict[str, Any]:
    """Return the columns of a run."""
    source, texts, procedures = SourceText(program), _Numbers(), _Numbers()
    values = _Values(_global_names(program))
    columns: dict[str, list[Any]] = {
        name: [] for name in ("line", "text", "procedure", "depth", "thread", "context", "kind", "changes")
    }
    said: dict[int, str] = {}
    for number, (entry, news, remark) in enumerate(rows):
        shown = dict(texts_of(entry, source.spelling.value))
        statement = source.statement(entry.span) + REMARKS.get(entry.kind, "")
        own = (
            entry.span.line,
            texts.of(statement),
            procedures.of(entry.procedure),
            entry.depth,
            entry.thread,
            entry.context,
            entry.kind.value,
            values.differences(entry, shown, news),
        )
        for column, value in zip(columns.values(), own, strict=True):
            column.append(value)
        if remark or entry.said:
            said[number] = remark or f"says: {entry.said}"
    if set(columns["thread"]) <= {1}:
        del columns["thread"], columns["context"]
    kinds = _Numbers()
    columns["kind"] = [kinds.of(kind) for kind in columns["kind"]]
    lists = {"texts": texts.list(), "procedures": procedures.list(), "kinds": kinds.list()}
    return {**columns, **lists, "names": values.names.list(), "values": values.values.list(), "said": said}


def _global_names(program: Program) -> frozenset[str]:
    if program.kind is not Kind.REFERENCES:
        return frozenset(program.globals)
    from knaster.report.heap.values import Shown

    return frozenset(Shown(program).name(name) for name in program.globals)
