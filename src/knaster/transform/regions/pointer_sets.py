"""What a pointer may be: a set of objects and functions, and the offsets as a congruence, residue and stride.

An offset is `residue + stride * i` for some i; stride 0 is one offset.  P. Granger, Static Analysis of Arithmetical
Congruences (1989), has the join.  Null, pointers that cannot be used and pointers to dead objects are bases of their
own and have no offset here.
"""

from __future__ import annotations

from math import gcd

from knaster.base.named_tuples import NamedTuple

NULL_BASE, WILD_BASE, DEAD_BASE, FUNCTION, OBJECT = "null", "wild", "dead", "function", "object"


class Base(NamedTuple):
    """What a pointer points to: an object with the procedure that it belongs to (empty: the program), or a function.

    A window of an object has the offset at which it begins (`windows`).
    """

    kind: str
    owner: str = ""
    name: str = ""
    window: int = -1

    @property
    def root(self) -> Base:
        """The whole object."""
        return self if self.window < 0 else self._replace(window=-1)


NULL = Base(NULL_BASE)
WILD = Base(WILD_BASE)
DEAD = Base(DEAD_BASE)


class PointerSet(NamedTuple):
    """The values that a pointer may have."""

    bases: frozenset[Base]
    residue: int = 0
    stride: int = 0

    @property
    def objects(self) -> list[Base]:
        """The objects that it may point into, in a fixed order."""
        return sorted(base for base in self.bases if base.kind == OBJECT)


NOTHING = PointerSet(frozenset())
UNSET = PointerSet(frozenset((NULL, WILD)))  # a pointer that nobody has set


def join(one: PointerSet, other: PointerSet) -> PointerSet:
    """Return what is one or the other."""
    bases = one.bases | other.bases
    if not one.objects or not other.objects:
        own = one if one.objects else other
        return PointerSet(bases, own.residue, own.stride)
    residue, stride = join_offsets((one.residue, one.stride), (other.residue, other.stride))
    return PointerSet(bases, residue, stride)


def join_offsets(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Return the congruence of two congruences."""
    stride = gcd(one[1], other[1], abs(one[0] - other[0]))
    return (one[0] if stride == 0 else one[0] % stride), stride
