"""Structs with arrays in them, split into members: each member is a base of its own, a *window* of its object.

An index that is added to a pointer into a member stays in that member, as far as the reduced program knows: where it
does not, but stays in the object, the reduced program comes to the place `unclear`.  Offsets into a window are counted
from its start, and may be any number: the offset into the object is always known.  An address that is known (a constant
offset) has one name: the window that has the byte; but the end of an array is that array's, not the next member's.

Not split: an object some pointer into which is moved in another way.  `Unsplit` says so, and all begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from knaster.base.named_tuples import NamedTuple
from knaster.program.memory import Extent
from knaster.transform.regions.pointer_sets import Base, PointerSet, join


class Unsplit(Exception):
    """An object is used as a whole."""

    def __init__(self, root: Base) -> None:
        self.root = root
        super().__init__(root.name)


class Offsets(NamedTuple):
    """Places in one object: a base, and a congruence."""

    base: Base
    residue: int
    stride: int


class Windows:
    """The windows of the objects that are split."""

    def __init__(self, members: Mapping[Base, tuple[Extent, ...]]) -> None:
        self.extents: dict[Base, Extent] = {}
        self.of: dict[Base, list[Base]] = {}
        for root, extents in members.items():
            self.of[root] = [root._replace(window=extent.start) for extent in extents]
            self.extents.update(zip(self.of[root], extents, strict=True))

    def start(self, base: Base) -> int:
        """Return where a base begins in its object."""
        return self.extents[base].start if base in self.extents else 0

    def all_of(self, root: Base) -> list[Base]:
        """Return an object, and its windows."""
        return [root, *self.of.get(root, ())]

    def at(self, root: Base, offset: int) -> tuple[Base, int]:
        """Return the window that has a byte of an object, and where; the object itself where no window has it."""
        for window in self.of.get(root, ()):
            extent = self.extents[window]
            if extent.start <= offset < extent.start + extent.size:
                return window, offset - extent.start
        return root, offset

    def move(self, places: Offsets, steps: int | None, scale: int, part: bool) -> Offsets:
        """Return places moved by a number of elements of `scale` bytes; None is any number."""
        base, residue, stride = places
        root = base.root
        if steps is not None:
            residue += steps * scale
            extent = self.extents.get(base)
            inside = extent is not None and not part and 0 <= residue <= extent.size
            if stride == 0 and root in self.of and not inside:
                return Offsets(*self.at(root, self.start(base) + residue), 0)
            if part and extent is not None and residue % stride >= extent.size:
                raise Unsplit(root)
            return Offsets(base, residue if stride == 0 else residue % stride, stride)
        if scale and root in self.of and not self._stays(base, abs(scale)):
            raise Unsplit(root)
        stride = gcd(stride, abs(scale))
        return Offsets(base, residue if stride == 0 else residue % stride, stride)

    def _stays(self, base: Base, scale: int) -> bool:
        """Tell whether steps of so many bytes are those of a member."""
        extent = self.extents.get(base)
        return extent is not None and scale <= extent.size and (scale == extent.size or extent.is_array)

    def check_access(self, places: Offsets, size: int, whole: int) -> None:
        """Let an object be whole of which bytes are used that are not inside of one member, as far as is known."""
        base, residue, stride = places
        if base.root not in self.of:
            return
        extent = self.extents.get(base)
        if extent is None:
            others = (self.extents[window] for window in self.of[base])
            apart = all(residue + size <= other.start or other.start + other.size <= residue for other in others)
            if stride or not apart:
                raise Unsplit(base.root)
        elif stride == 0 and not 0 <= residue <= extent.size - size:
            first = extent.start + residue
            if first < whole and first + size > 0:
                raise Unsplit(base.root)


def moved(pointers: PointerSet, steps: int | None, scale: int, part: bool, windows: Windows) -> PointerSet:
    """Return pointers moved by a number of elements of `scale` bytes; None is any number."""
    objects = pointers.objects
    found = PointerSet(pointers.bases.difference(objects))
    for base in objects:
        after = windows.move(Offsets(base, pointers.residue, pointers.stride), steps, scale, part)
        found = join(found, PointerSet(frozenset((after.base,)), after.residue, after.stride))
    return found
