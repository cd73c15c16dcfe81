"""Where the records of a picture stand, and the way of each reference.

Ranks go from left to right (`layers`, turned), so a list reads like a sentence.  A reference that crosses ranks goes
between the records of each; one that leads back goes to the neighbour on the left, or below all records.
"""

from __future__ import annotations

from knaster.base.records import dataclass
from knaster.report.flow.layers import Placed, Size, place
from knaster.report.heap.picture import Box, Picture

ROW, CHARACTER, PADDING = 18.0, 7.4, 8.0
_ACROSS, _BETWEEN = 22.0, 60.0  # between records of one rank, and between ranks
_LEFT, _TOP, _BELOW = 20.0, 40.0, 14.0


@dataclass(frozen=True, slots=True)
class Arranged:
    """Corners and sizes of the records, the path of each reference, and the size of the whole."""

    corners: tuple[tuple[float, float], ...]
    sizes: tuple[Size, ...]
    paths: tuple[str, ...]
    width: float
    height: float


def arrange(drawn: Picture) -> Arranged:
    """Return where everything stands."""
    sizes = tuple(size_of(box) for box in drawn.boxes)
    if not sizes:
        return Arranged((), (), (), 2 * _LEFT, _TOP)
    links = drawn.links()
    edges = [(source, target) for source, _, target in links if source != target]
    placed = place([Size(size.height, size.width) for size in sizes], edges, _ACROSS, _BETWEEN)
    corners = tuple(
        (placed.top[number] + _LEFT, placed.x[number] - size.height / 2 + _TOP) for number, size in enumerate(sizes)
    )
    width = max(x + size.width for (x, _), size in zip(corners, sizes, strict=True)) + 2 * _LEFT
    lowest = max(y + size.height for (_, y), size in zip(corners, sizes, strict=True))
    ways = _Ways(placed, corners, sizes, lowest)
    number, paths = 0, []
    for source, index, target in links:
        if source == target:
            paths.append(ways.around(source, index))
            continue
        paths.append(ways.way(number, source, index, target))
        number += 1
    return Arranged(corners, sizes, tuple(paths), width, ways.bottom + _LEFT)


def size_of(box: Box) -> Size:
    """Return the extent of a record."""
    longest = max([len(box.title), *(len(row.shown) + 2 for row in box.rows)])
    return Size(longest * CHARACTER + 2 * PADDING, (len(box.rows) + 1) * ROW + 6)


class _Ways:
    """Finds the ways of references between records that are placed."""

    def __init__(
        self, placed: Placed, corners: tuple[tuple[float, float], ...], sizes: tuple[Size, ...], lowest: float
    ) -> None:
        self.placed = placed
        self.corners = corners
        self.sizes = sizes
        self.bottom = lowest

    def row(self, box: int, index: int) -> float:
        """Return the middle of a row."""
        return self.corners[box][1] + (index + 1.5) * ROW + 2

    def right(self, box: int) -> float:
        """Return the right side of a record."""
        return self.corners[box][0] + self.sizes[box].width

    def around(self, box: int, index: int) -> str:
        """Return the way of a reference from a record to itself."""
        x, y, top = self.right(box), self.row(box, index), self.corners[box][1] + ROW * 0.6
        return f"M{x - 6:.0f} {y:.0f}C{x + 30:.0f} {y:.0f} {x + 30:.0f} {top:.0f} {x:.0f} {top:.0f}"

    def way(self, number: int, source: int, index: int, target: int) -> str:
        """Return the way of a reference from a row to another record; `number` is that of the edge."""
        if number not in self.placed.back:
            return self._forward(number, source, index, target)
        if self.placed.rank[source] == self.placed.rank[target] + 1:
            return self._left(source, index, target)
        return self._below(source, index, target)

    def _forward(self, number: int, source: int, index: int, target: int) -> str:
        x, y = self.right(source) - 6, self.row(source, index)
        parts = [f"M{x:.0f} {y:.0f}"]
        for lane, rank in self.placed.routes[number]:
            left, right = self.placed.upper[rank] + _LEFT, self.placed.lower[rank] + _LEFT
            parts.append(_curve(x, y, left, lane + _TOP) + f"H{right:.0f}")
            x, y = right, lane + _TOP
        parts.append(_curve(x, y, self.corners[target][0], self.corners[target][1] + ROW * 0.6))
        return "".join(parts)

    def _left(self, source: int, index: int, target: int) -> str:
        x, y = self.corners[source][0], self.row(source, index)
        end_x, end_y = self.right(target), self.corners[target][1] + self.sizes[target].height - 8
        bend = max(20.0, (x - end_x) / 2)
        return (
            f"M{x + 4:.0f} {y:.0f}H{x:.0f}"
            f"C{x - bend:.0f} {y:.0f} {end_x + bend:.0f} {end_y:.0f} {end_x:.0f} {end_y:.0f}"
        )

    def _below(self, source: int, index: int, target: int) -> str:
        self.bottom += _BELOW
        x, y, low = self.right(source), self.row(source, index), self.bottom
        end = self.corners[target][0] + self.sizes[target].width / 2
        base = self.corners[target][1] + self.sizes[target].height
        turn = 8.0
        return (
            f"M{x - 6:.0f} {y:.0f}H{x + 6:.0f}q{turn:.0f} 0 {turn:.0f} {turn:.0f}V{low - turn:.0f}"
            f"q0 {turn:.0f} -{turn:.0f} {turn:.0f}H{end + turn:.0f}q-{turn:.0f} 0 -{turn:.0f} -{turn:.0f}V{base:.0f}"
        )


def _curve(x: float, y: float, end_x: float, end_y: float) -> str:
    bend = max(24.0, (end_x - x) / 2)
    return f"C{x + bend:.0f} {y:.0f} {end_x - bend:.0f} {end_y:.0f} {end_x:.0f} {end_y:.0f}"
