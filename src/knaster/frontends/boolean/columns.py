"""Columns of integers to Program: what `native/boolean.c` has read of a long text, as the objects of the model.

Equal actions of a program are one object here, and so are equal expressions that choose nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

from knaster.base.errors import Span
from knaster.base.many_records import many_records, many_tuples
from knaster.frontends.boolean.resolve import find_threads
from knaster.native.library import open_library
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var
from knaster.program.model import Action, Assign, Assume, Call, Edge, Procedure, Program, Return, result_name

_BOPPO = "boppo"
_WIDTHS = (2, 4, 1, 7, 6, 2, 16, 1)  # of a row in each column
_BINARY = (None,) * 5 + (Operator.AND, Operator.OR, Operator.XOR, Operator.EQUAL, Operator.IMPLIES)
_VAR, _NOT, _CONDITIONAL = 3, 4, 10
_ASSUME, _ASSIGN, _CALL = 0, 1, 2
_NONE = -1


class _Column(ctypes.Structure):
    """The C structure `column`."""

    _fields_ = (("count", ctypes.c_int64), ("room", ctypes.c_int64), ("item", ctypes.POINTER(ctypes.c_int32)))


@cache
def _library() -> ctypes.CDLL | None:
    library = open_library("boolean")
    if library is not None:
        library.knaster_boolean_read.restype = ctypes.POINTER(_Column)
        library.knaster_boolean_read.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_int]
        library.knaster_boolean_free.restype = None
        library.knaster_boolean_free.argtypes = [ctypes.POINTER(_Column)]
    return library


def read_columns(text: str, file: str, dialect: str) -> Program | None:
    """Return the program of a text that is plainly right; None where `ProgramReader` has to look at it."""
    library = _library()
    if library is None or not text.isascii():
        return None
    found = library.knaster_boolean_read(text.encode("ascii"), len(text), dialect == _BOPPO)
    if not found:
        return None
    try:
        columns = [_rows(found[index].item, found[index].count, width) for index, width in enumerate(_WIDTHS)]
    finally:
        library.knaster_boolean_free(found)
    return _Builder(text, columns).program(file)


def _rows(items: Any, count: int, width: int) -> list[Sequence[int]]:
    """Return the columns of a table that is stored row by row."""
    numbers: list[int] = items[:count] if count else []
    return [numbers[place::width] for place in range(width)]


class _Builder:
    """Makes the objects of one program."""

    def __init__(self, text: str, columns: list[list[Sequence[int]]]) -> None:
        spellings, nodes, (items,), actions, self.edges, self.labels, self.procedures, (self.globals,) = columns
        self.text = text
        self.items = items
        starts, sizes = spellings
        self.spellings = [text[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        self.nodes = self._nodes(nodes)
        self.actions = list(zip(*actions, strict=True))

    def _nodes(self, columns: list[Sequence[int]]) -> list[Expr]:
        made: list[Expr] = [FALSE, TRUE, CHOICE]
        for kind, a, b, c in islice(zip(*columns, strict=True), 3, None):
            operator = _BINARY[kind] if kind < _CONDITIONAL else None
            if kind == _VAR:
                made.append(Var(self.spellings[a]))
            elif kind == _NOT:
                made.append(Not(made[a]))
            elif operator is None:
                made.append(Conditional(made[a], made[b], made[c]))
            else:
                made.append(Binary(operator, made[a], made[b]))
        return made

    def program(self, file: str) -> Program | None:
        """Return the program; None where a call, a thread or a name of two procedures needs a closer look."""
        rows = list(zip(*self.procedures, strict=True))
        names = [self.spellings[row[0]] for row in rows]
        shared = tuple(self._names(self.globals))
        results = self._results(rows)
        if results is None or len(set(names)) < len(names) or "init" in names or "atomic" in shared:
            return None
        parameters = {row[0]: row[7] for row in rows}
        actions = [self._action(row, results, parameters) for row in self.actions]
        if None in actions:
            return None
        edges = self._edges(actions)
        procedures = tuple(self._procedure(row, results[row[0]], edges) for row in rows)
        threads = find_threads(procedures)
        if len(threads) > 1:
            return None
        return Program(shared, procedures, threads, TRUE, file, self.text, "boolean", None)

    def _results(self, rows: list[tuple[int, ...]]) -> dict[int, int] | None:
        """Return the number of results of each procedure; None where a `return` differs, or a call has to tell."""
        taken = {row[1] for row in self.actions if row[0] == _CALL and row[6] != _NONE}
        found: dict[int, int] = {}
        for name, _, _, _, declared, returned, *_ in rows:
            if declared == _NONE and returned == _NONE and name in taken:
                return None
            found[name] = max(returned, 0) if declared == _NONE else declared
            if returned not in (_NONE, found[name]):
                return None
        return found

    def _action(self, row: tuple[int, ...], results: dict[int, int], parameters: dict[int, int]) -> Action | None:
        kind, head, first, count, first_target, targets, taken = row
        if kind == _ASSUME:
            return Assume(self.nodes[head])
        values = tuple([self.nodes[item] for item in self.items[first : first + count]])
        names = tuple(self._names(self.items[first_target : first_target + targets]))
        if kind == _ASSIGN:
            return Assign(names, values)
        if kind != _CALL:
            return Return(values)
        if parameters.get(head) != count or (taken != _NONE and taken != results[head]):
            return None
        return Call(self.spellings[head], values, (None,) * results[head] if taken == _NONE else names)

    def _edges(self, actions: Sequence[Action | None]) -> Sequence[Edge]:
        sources, numbers, targets, lines, places, lengths = self.edges
        same = list(range(max(chain(sources, targets, lines), default=0) + 1))  # one object for each number
        number = same.__getitem__
        spans = many_tuples(Span, map(number, lines), places, lengths)
        columns: dict[str, Iterable[Any]] = {
            "source": map(number, sources),
            "action": map(actions.__getitem__, numbers),
            "target": map(number, targets),
            "span": spans,
        }
        return many_records(Edge, len(sources), columns)

    def _procedure(self, row: tuple[int, ...], results: int, edges: Sequence[Edge]) -> Procedure:
        name, line, place, length, _, _, parameters, count, local, locals_count, *rest = row
        edge, edge_count, label, label_count, size, failures = rest
        names, locations = (column[label : label + label_count] for column in self.labels)
        return Procedure(
            name=self.spellings[name],
            parameters=tuple(self._names(self.items[parameters : parameters + count])),
            results=tuple(map(result_name, range(results))),
            locals=tuple(self._names(self.items[local : local + locals_count])),
            entry=0,
            exit=size,
            edges=tuple(edges[edge : edge + edge_count]),
            labels=tuple(zip(self._names(names), locations, strict=True)),
            failures=tuple(range(size + 1, size + 1 + failures)),
            span=Span(line, place, length),
        )

    def _names(self, numbers: Sequence[int]) -> Iterator[str]:
        spelling: Callable[[int], str] = self.spellings.__getitem__
        return map(spelling, numbers)
