"""Objects of a program with memory, and their bytes: contents are typed cells that become bytes where they must.

A read with offset and size of the last write gives what was written.  Any other read is put together from bytes, little
endian; pointers, and what is no number, are copied byte by byte only as a whole (`Fragment`).  Bytes that nobody wrote
are None here, 0 where the object was zeroed; whoever reads them chooses (docs/c-memory.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knaster.base.records import dataclass, field
from knaster.program.memory import Address, Cell, Fragment, Snapshot
from knaster.program.types import Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.floats import OPEN_BITS, NotANumber
from knaster.semantics.memory.symbolic.symbolic_cells import flatten, write_entry
from knaster.semantics.memory.symbolic.symbols import Symbol, join_bytes

WIDEST = 16  # bytes of a cell
MOST_ZEROS = 1 << 22  # bytes of an object that are 0, and become cells of their own
_BYTE = Int(8, False)
GLOBAL, LOCAL, HEAP, LITERAL = "global", "local", "heap", "literal"
ELSEWHERE = "elsewhere"  # a function that nobody defines


@dataclass(slots=True)
class Object:
    """Some bytes that live for a while; `cells` maps an offset to the size and the raw value of what stands there."""

    name: str
    size: int
    kind: str
    zeroed: bool = False
    writable: bool = True
    alive: bool = True
    cells: dict[int, tuple[int, Any]] = field(default_factory=dict)
    log: list[tuple[Any, Any]] | None = None  # what was written where inputs say (`symbolic_cells`)
    base: dict[int, Any] = field(default_factory=dict)  # with a log: the cells below it
    grain: int = 1  # with a log: the size of its cells

    def read(self, offset: int, size: int) -> Any:
        """Return the raw value there: an unsigned number, an address, a fragment, or None where bytes are unwritten."""
        if self.log is not None:
            flatten(self)
        cell = self.cells.get(offset)
        if cell is not None and cell[0] == size:
            return cell[1]
        return self._assemble(offset, size)

    def write(self, offset: int, size: int, raw: Any) -> None:
        """Let a raw value stand there."""
        if self.log is not None or offset.__class__ is not int:
            write_entry(self, offset, size, raw)
            return
        cell = self.cells.get(offset)
        if cell is None or cell[0] != size:
            self.clear(offset, size)
        self.cells[offset] = size, raw

    def byte(self, position: int) -> Any:
        """Return one byte: a number, a fragment, or None."""
        if self.log is not None:
            flatten(self)
        for back in range(WIDEST):
            cell = self.cells.get(position - back)
            if cell is not None:
                return _byte_of(cell[0], cell[1], back) if cell[0] > back else self._default()
        return self._default()

    def _default(self) -> int | None:
        return 0 if self.zeroed else None

    def _assemble(self, offset: int, size: int) -> Any:
        found = [self.byte(offset + index) for index in range(size)]
        if any(byte is None for byte in found):
            return None
        if not any(isinstance(byte, Fragment) for byte in found):
            if any(isinstance(byte, Symbol) for byte in found):
                return join_bytes(found)
            return int.from_bytes(found, "little")
        return _join(found)

    def byte_is_unwritten(self, position: int) -> bool:
        """Tell whether a byte was never written, without choosing what it is made of."""
        if self.log is not None:
            flatten(self)
        for back in range(WIDEST):
            cell = self.cells.get(position - back)
            if cell is not None and cell[0] > back:
                return cell[1] is None
        return not self.zeroed

    def is_unwritten(self, offset: int, size: int) -> bool:
        """Tell whether none of these bytes was ever written."""
        return all(self.byte_is_unwritten(offset + index) for index in range(size))

    def clear(self, offset: int, size: int) -> None:
        """Forget what stands there; cells that reach out of it are broken into bytes."""
        if self.log is not None:
            flatten(self)
        for start, (length, raw) in self._within(offset, size):
            del self.cells[start]
            for index in range(length):
                if not offset <= start + index < offset + size:
                    self.cells[start + index] = 1, _byte_of(length, raw, index)

    def snapshot(self, offset: int, size: int) -> Snapshot:
        """Return what stands there, as it is now."""
        if self.log is not None:
            flatten(self)
        found: list[Cell] = []
        for start, (length, raw) in self._within(offset, size):
            first, last = max(start, offset), min(start + length, offset + size)
            if (first, last) == (start, start + length):
                found.append((start - offset, length, raw))
            else:
                found += [(at - offset, 1, _byte_of(length, raw, at - start)) for at in range(first, last)]
        if self.zeroed:
            found += self._zeros(size, found)
        written = [cell for cell in found if cell[2] is not None]
        return Snapshot(size, tuple(sorted(written, key=lambda cell: cell[0])))

    def _within(self, offset: int, size: int) -> list[tuple[int, tuple[int, Any]]]:
        if size > 2 * len(self.cells):  # mutant(*, >): only which is faster
            near = [(at, cell) for at, cell in self.cells.items() if at < offset + size]
        else:
            spots = range(offset - WIDEST + 1, offset + size)  # mutant(+): none reaches that far
            near = [(at, self.cells[at]) for at in spots if at in self.cells]
        return [(at, cell) for at, cell in near if at + cell[0] > offset]

    def _zeros(self, size: int, cells: Iterable[Cell]) -> list[Cell]:
        """Return the bytes between cells, which are 0, as cells of up to eight bytes."""
        if size > MOST_ZEROS:
            raise Unclear(f"more than {MOST_ZEROS:,} bytes that nobody wrote are copied")
        found: list[Cell] = []
        at = 0
        for start, length, _ in [*sorted(cells, key=lambda cell: cell[0]), (size, 0, 0)]:
            while at < start:
                step = min(8, start - at)
                found.append((at, step, 0))
                at += step
            at = max(at, start + length)
        return found

    def restore(self, offset: int, snapshot: Snapshot) -> None:
        """Let what was seen elsewhere stand here; what was unwritten there is unwritten here."""
        self.forget(offset, snapshot.size, snapshot.cells)
        for start, size, raw in snapshot.cells:
            self.cells[offset + start] = size, raw

    def forget(self, offset: int, size: int, but: Iterable[Cell] = ()) -> None:
        """Let bytes be unwritten, but for those where cells are about to stand."""
        self.clear(offset, size)
        if self.zeroed:
            for start, length, _ in self._zeros(size, but):
                self.cells[offset + start] = length, None


def _byte_of(size: int, raw: Any, index: int) -> Any:
    if raw is None or isinstance(raw, Fragment):
        return raw
    if isinstance(raw, Symbol):
        return (raw >> 8 * index & 255).converted(_BYTE)
    return Fragment(raw, index, size) if isinstance(raw, Address | NotANumber) else raw >> 8 * index & 255


def _join(found: list[Any]) -> Any:
    """Return the address whose bytes these are, all of them in order."""
    first = found[0]
    if len(found) == 1:
        return first
    whole = all(isinstance(byte, Fragment) and byte.address == first.address for byte in found)
    if whole and [byte.position for byte in found] == list(range(first.size)):
        return first.address
    if any(isinstance(byte, Fragment) and isinstance(byte.address, NotANumber) for byte in found):
        raise Unclear(OPEN_BITS)
    raise Unclear("a part of a pointer is read as a number")
