"""Rows of numbers modulo 2^w as one integer each, and their Howell form: one operation on a row is one on an integer.

A row has a lane of at least 2w bits for each entry, the first one highest, so that an entry times a number below 2^w
stays in its lane; what is higher than w bits there is masked away.  The Howell form is that of `howell.py`; where the
native library is there, it computes it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

from knaster.pushdown.domains import native_howell

WORD = 64  # bits of what arrays hold


class Packing:
    """Rows of `width` entries modulo 2^bits, for at most 64 bits."""

    def __init__(self, bits: int, width: int) -> None:
        self.bits, self.width = bits, width
        self.lane = WORD if 2 * bits <= WORD else 2 * WORD
        self._entry = (1 << bits) - 1
        self.words = self.lane // WORD
        self.mask = sum(self._entry << self.lane * place for place in range(width))
        self._shifts = [self.lane * (width - 1 - column) for column in range(width)]

    def pack(self, row: Sequence[int]) -> int:
        """Return a row as one integer."""
        entry = self._entry
        words = array("Q", [number & entry for number in reversed(row)])
        if self.words > 1:
            wide = array("Q", bytes(8 * self.width * self.words))
            wide[:: self.words] = words
            words = wide
        return int.from_bytes(words.tobytes(), "little")

    def unpack(self, row: int) -> tuple[int, ...]:
        """Return the entries of a row."""
        words = memoryview(row.to_bytes(8 * self.width * self.words, "little")).cast("Q")
        return tuple(words.tolist()[:: -self.words]) if self.words == 1 else tuple(words.tolist()[::2][::-1])

    def howell(self, rows: Iterable[int], basis: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Return the Howell form of what rows and a basis in that form generate; the basis where nothing is new."""
        library = native_howell.load()
        if library is not None:
            return native_howell.howell_form(library, [*rows], basis, self.width * self.words, self.bits)
        lane, last = self.lane, self.width - 1
        pivots = {last - (row.bit_length() - 1) // lane: row for row in basis}
        todo = [row for row in rows if row]
        changed = False
        while todo:
            changed |= self._insert(pivots, todo.pop(), todo)
        return self._reduce(pivots) if changed else basis

    def _insert(self, pivots: dict[int, int], row: int, todo: list[int]) -> bool:
        """Add a row to an echelon form; rows that this calls for go to `todo`.  Tell whether anything changed."""
        lane, last, bits, mask = self.lane, self.width - 1, self.bits, self.mask
        while row:
            place = (row.bit_length() - 1) // lane
            entry, pivot = row >> place * lane, last - place
            unit = entry & -entry
            known = pivots.get(pivot)
            if known is not None:
                leading = known >> place * lane
                if leading <= unit:
                    row = row + ((1 << bits) - entry // leading) * known & mask
                    continue
            if entry != unit:
                row = row * pow(entry // unit, -1, 1 << bits) & mask
            pivots[pivot] = row
            if unit > 1:
                todo.append(row * ((1 << bits) // unit) & mask)
            if known is not None:
                todo.append(self._subtract(known, row, pivot))
            return True
        return False

    def _subtract(self, row: int, known: int, pivot: int) -> int:
        """Return a row minus the multiple of another that leaves the smallest entry at a pivot."""
        shift = self._shifts[pivot]
        factor = (row >> shift & self._entry) // (known >> shift & self._entry)
        return row + ((1 << self.bits) - factor) * known & self.mask if factor else row

    def _reduce(self, pivots: dict[int, int]) -> tuple[int, ...]:
        """Return the rows in order, entries above pivots reduced; the columns must be taken in ascending order."""
        order = sorted(pivots)
        entry, bits, mask = self._entry, self.bits, self.mask
        for number, pivot in enumerate(order):
            shift, known = self._shifts[pivot], pivots[pivot]
            leading = known >> shift
            for above in order[:number]:
                factor = (pivots[above] >> shift & entry) // leading
                if factor:
                    pivots[above] = pivots[above] + ((1 << bits) - factor) * known & mask
        return tuple(pivots[pivot] for pivot in order)


@lru_cache(maxsize=256)
def packing_of(bits: int, width: int) -> Packing:
    """Return the packing of such rows, made once."""
    return Packing(bits, width)
