"""Whether two places of a program with memory meet: their addresses are compared (see `order/watching`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.records import replace
from knaster.frontends.c.lower.values import either
from knaster.frontends.c.memory.places import Place, Register, Spot
from knaster.frontends.c.memory.types import Sequence, Structure, size_of
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.memory import AddressOf, Moved

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions

_MOST = 64  # distances that are asked for one by one


class Coincidence:
    """The places of one function that are compared."""

    def __init__(self, expressions: MemoryExpressions) -> None:
        self.expressions = expressions

    def remember(self, place: Place) -> Place:
        """Return a place whose address stays the same; whether it leaves its object is asked where it is used."""
        if isinstance(place, Register) or isinstance(place.address, AddressOf):
            return place
        name = self.expressions.temporary(self.expressions.unit.addresses)
        self.expressions.assign(name, _as_part(place.address))
        return replace(place, address=Var(name))

    def meet(self, one: Place, other: Place) -> Expr | None:
        """Return that two places have bits in common; None where there are too many distances between them."""
        if not isinstance(one, Spot) or not isinstance(other, Spot):
            return TRUE if one == other else FALSE
        distances = _distances(one, other)
        if len(distances) > _MOST:
            return None
        found: Expr = FALSE
        for distance in distances:
            found = either(found, _is_at(distance, one.address, other.address))
        return found


def _distances(one: Spot, other: Spot) -> list[int]:
    """Return by how many bytes a place may stand behind one that it meets."""
    step = min(_alignment(one), _alignment(other))
    first = (one.first - other.first - _bits(other)) // 8 + 1
    last = -((other.first - one.first - _bits(one)) // 8) - 1
    return [distance for distance in range(first, last + 1) if distance % step == 0]


def _bits(place: Spot) -> int:
    return place.width if place.width is not None else 8 * size_of(place.type)


def _alignment(place: Spot) -> int:
    """Return a number of which addresses are multiples where a place is used."""
    if place.packed or place.width is not None or isinstance(place.type, Structure | Sequence):
        return 1
    return min(8, size_of(place.type)) or 1


def _is_at(distance: int, one: Expr, other: Expr) -> Expr:
    """Return that an address is so many bytes behind another one."""
    near, far, bytes_ = (one, other, distance) if distance >= 0 else (other, one, -distance)
    if isinstance(near, AddressOf) and isinstance(far, AddressOf) and (near.name != far.name or bytes_):
        return FALSE
    if near == far and not bytes_:
        return TRUE
    moved: Expr = Moved(near, Const(bytes_), 1, part=True) if bytes_ else near
    return Compare(Comparison.EQUAL, moved, far)


def _as_part(address: Any) -> Expr:
    """Return an address that is computed without asking whether it leaves its object."""
    if not isinstance(address, Moved):
        return address  # type: ignore[no-any-return]
    return replace(address, address=_as_part(address.address), part=True)


__all__ = ["Coincidence"]
