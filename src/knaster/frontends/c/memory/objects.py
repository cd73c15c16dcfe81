"""Objects of a whole file: globals, static locals, texts and things without a name, and what they are at first."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.expressions import MemoryExpressions
from knaster.frontends.c.memory.initial import Piece, initial_length, pieces
from knaster.frontends.c.memory.scopes import ScopedGraph
from knaster.frontends.c.memory.types import (
    Pointer,
    Sequence,
    Structure,
    UnreadValueError,
    cell_of,
    scalar_parts,
    size_of,
)
from knaster.frontends.c.names.types import Foreign, Void
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Const, Expr
from knaster.program.memory import AddressOf, CellType, ObjectDeclaration
from knaster.program.types import Int

if TYPE_CHECKING:
    from knaster.frontends.c.memory.unit import MemoryUnit

_BYTE = Int(8, False)
_MOST_PARTS = 12
_STREAMS, _STREAM = ("stdin", "stdout", "stderr"), 216  # their names, and the size of one


class MemoryObjects:
    """The objects of one file that live as long as the program."""

    def __init__(self, unit: MemoryUnit) -> None:
        self.unit = unit
        self.globals: dict[str, Any] = {}  # that `lower` has; here all of them are objects
        self.declared: dict[str, ObjectDeclaration] = {}
        self._texts: dict[nodes.Text, str] = {}
        self._unnamed: dict[Any, str] = {}

    def declare_static(self, found: nodes.Object, function: str) -> None:
        """Declare a static local: an object that only its block can name."""
        base, number = f"{function}::{found.name}", 1
        name = base
        while name in self.declared:
            number += 1
            name = f"{base}#{number}"
        self.unit.names[found] = name
        self.define(found)

    def used(self, found: nodes.Object) -> None:
        """Make sure that a variable of the file is one of the program's objects."""
        if found.storage == "extern" and found.name not in self.declared:
            self.unit.names[found] = found.name
            shown = self.unit.reader.shown.get(found, "")
            cells = self._stream(found)
            writable = found not in self.unit.constant
            self._declare(found.name, found.type, cells, writable, unknown=not cells, shown=shown)

    def _stream(self, found: nodes.Object) -> tuple[tuple[int, CellType, Expr], ...]:
        """Return that a variable of stdio.h points to a stream, which is open when the program begins."""
        if found.name not in _STREAMS or not isinstance(found.type, Pointer):
            return ()
        name = f"the stream {found.name}"
        self.declared[name] = ObjectDeclaration(name, _STREAM, (), True)
        return ((0, cell_of(found.type), AddressOf(name)),)

    def define(self, found: nodes.Object) -> None:
        """Give a variable its initial value."""
        name, span = self.unit.names[found], self.unit.text.token(found)
        if isinstance(found.type, Foreign | Void):
            if isinstance(found.type, Foreign):
                self.unit.problem(found.type.what, span, found.type.advice)
            return
        type: Any = found.type
        if isinstance(type, Sequence) and type.length == 0 and found.initial is not None:
            type = Sequence(type.element, initial_length(type, found.initial, self._problem))
            found.type = type
        own = found in self.unit.reader.per_thread
        shown, writable = self.unit.reader.shown.get(found, ""), found not in self.unit.constant
        self._declare(name, type, (), writable, own=own, shown=shown)
        if found.initial is not None:
            self._declare(name, type, self.cells(type, found.initial), writable, own=own, shown=shown)

    def _declare(
        self,
        name: str,
        type: Any,
        cells: tuple[tuple[int, CellType, Expr], ...],
        writable: bool,
        unknown: bool = False,
        own: bool = False,
        shown: str = "",
    ) -> None:
        size = max(size_of(type), max((offset + _size(cell) for offset, cell, _ in cells), default=0))
        parts = tuple(islice(scalar_parts(type, shown=shown), _MOST_PARTS))
        self.unit.note_members("", name, type)
        self.declared[name] = ObjectDeclaration(name, size, cells, writable, parts, unknown=unknown, per_thread=own)

    def cells(self, type: Any, node: Any) -> tuple[tuple[int, CellType, Expr], ...]:
        """Return the constants of an initial value."""
        reader = MemoryExpressions(self.unit, ScopedGraph(), "")
        found: list[tuple[int, CellType, Expr]] = []
        bits: dict[int, int] = {}
        for piece in pieces(type, node, self._problem):
            if isinstance(piece.type, Foreign):
                self.unit.problem(piece.type.what, self.unit.text.token(piece.node), piece.type.advice)
                continue
            if isinstance(piece.node, nodes.Text) and isinstance(piece.type, Sequence):
                found += _characters(piece.node, piece.offset // 8, piece.type.length)
                continue
            if isinstance(piece.type, Structure) and isinstance(piece.node, memory.Literal):
                base = piece.offset // 8
                found += [(base + at, cell, expr) for at, cell, expr in self.cells(piece.type, piece.node.initial)]
                continue
            expr = self._constant(reader, piece)
            if piece.width is not None:
                self._add_bits(bits, piece, expr)
            else:
                found.append((piece.offset // 8, cell_of(piece.type), expr))
        found += [(offset, _BYTE, Const(byte)) for offset, byte in bits.items()]
        return tuple(found)

    def _constant(self, reader: MemoryExpressions, piece: Piece) -> Expr:
        before = len(self.unit.problems)
        try:
            value = reader.evaluate(piece.node)
        except UnreadValueError as error:
            self.unit.problem(error.type.what, self.unit.text.token(piece.node), error.type.advice)
            value = self.unit.pointers.constant(0)
        converted = self.unit.pointers.convert(value, piece.type, reader.at(piece.node))
        if reader.graph.edges and len(self.unit.problems) == before:
            self._problem("this initial value is no constant", piece.node)
        return converted.expr

    def _add_bits(self, bits: dict[int, int], piece: Piece, expr: Expr) -> None:
        """Add the bits of a bit-field to the bytes that hold it."""
        if not isinstance(expr, Const) or not isinstance(expr.value, int):
            self._problem("this initial value is no constant", piece.node)
            return
        for index in range(piece.width or 0):
            at = piece.offset + index
            byte = bits.get(at // 8, 0) & ~(1 << at % 8)
            bits[at // 8] = byte | (int(expr.value) >> index & 1) << at % 8

    def text(self, node: nodes.Text) -> str:
        """Return the object that a text is."""
        if node not in self._texts:
            shown = "".join(chr(code) if 32 <= code < 127 else "." for code in node.codes[:20])
            name = f'"{shown}"#{len(self._texts) + 1}'
            self._texts[node] = name
            size = (len(node.codes) + 1) * node.width
            self.declared[name] = ObjectDeclaration(name, size, tuple(_characters(node)), False, literal=True)
        return self._texts[node]

    def unnamed(self, node: memory.Literal) -> str:
        """Return the object that a compound literal outside of functions is."""
        if node not in self._unnamed:
            name = self._unnamed[node] = f"literal#{len(self._unnamed) + 1}"
            type: Any = node.type
            if isinstance(type, Sequence) and not type.length:
                type = Sequence(type.element, initial_length(type, node.initial, self._problem))
            self._declare(name, type, (), True)
            self._declare(name, type, self.cells(type, node.initial), True)
        return self._unnamed[node]

    def _problem(self, message: str, node: Any) -> None:
        self.unit.problem(message, self.unit.text.token(node))


def _characters(node: nodes.Text, offset: int = 0, most: int | None = None) -> list[tuple[int, CellType, Expr]]:
    """Return the characters of a text with its end, as many as there is room for."""
    type = Int(8 * node.width, False)
    codes = (*node.codes, 0)[:most]
    return [(offset + at * node.width, type, Const(type.wrap(code))) for at, code in enumerate(codes)]


def _size(cell: CellType) -> int:
    from knaster.program.memory import bytes_of

    return bytes_of(cell)
