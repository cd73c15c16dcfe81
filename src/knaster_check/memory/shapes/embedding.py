"""Whether all states of a shape (the *special* one) are states of another one (the *general* one).

What stands in the same place of both is paired: values of variables, then bytes of the objects to which they lead.  A
node that is one object stands for one object of the special shape, a segment for a chain of them, whose objects after
the first are led to by nothing but the chain.  Where a chain may end in several ways, each is tried.

Numbers of the special shape may follow inputs.  Then the answer holds while these stay within the bounds that are
returned with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from knaster_check.memory.shapes.shape import ANY, Activation, Node, Range, Shape
from knaster_check.memory.values import Address, Following, Piece
from knaster_check.program import Type
from knaster_check.work import Tick

_INSIDE = 0  # no node: what an object is the image of that stands inside a chain
_UNITS = 30  # of a pair of values


class Bounds(NamedTuple):
    """A number that follows an input, and has to stay between two others."""

    value: Following
    low: int
    high: int


class _Attempt:
    """Pairs that are left, and what was paired: special objects with nodes, nodes with the first of their objects."""

    def __init__(self, values: list[tuple[Any, Any]]) -> None:
        self.values = values
        self.chains: list[tuple[int, int]] = []  # a segment, and the object to which its chain has come
        self.image: dict[int, int] = {}
        self.first: dict[int, int] = {}
        self.bounds: list[Bounds] = []

    def copy(self) -> _Attempt:
        """Return one that goes on by itself."""
        twin = _Attempt(list(self.values))
        twin.chains, twin.bounds = list(self.chains), list(self.bounds)
        twin.image, twin.first = dict(self.image), dict(self.first)
        return twin


class Embedding:
    """A search for what the nodes of a general shape stand for in a special one."""

    def __init__(self, general: Shape, special: Shape, pointer: int, tick: Tick) -> None:
        self.general, self.special, self.pointer, self.tick = general.nodes, special.nodes, pointer, tick
        self.frames = general.frames[0], special.frames[0]

    def find(self, types: Mapping[str, Type], statics: int) -> list[Bounds] | None:
        """Return within which bounds all states of the special shape are of the general one; None where they are not.

        `types` are those of the variables.
        """
        pairs = _pairs_of(*self.frames, types)
        if pairs is None:
            return None
        own = [Address(base, 0) for base in (*self.general, *self.special) if base <= statics]
        attempts = [_Attempt([*pairs, *zip(own, own, strict=True)])]
        while attempts:
            attempt = attempts.pop()
            if self._succeeds(attempt, attempts):
                return attempt.bounds
        return None

    def _succeeds(self, attempt: _Attempt, others: list[_Attempt]) -> bool:
        """Tell whether all pairs of an attempt fit; where a chain goes on, that is one of the others."""
        while attempt.values or attempt.chains:
            self.tick(_UNITS)
            if attempt.values:
                fits = self._fit(attempt, *attempt.values.pop())
            else:
                fits = self._follow(attempt, others, *attempt.chains.pop())
            if not fits:
                return False
        return True

    def _fit(self, attempt: _Attempt, one: Any, other: Any) -> bool:
        """Pair two values."""
        if not isinstance(one, Address):
            return _covers(attempt, one, other)
        if not isinstance(other, Address) or one.offset != other.offset:
            return False
        if one.base not in self.general:
            return one.base == other.base and other.base not in self.special
        if one.base in attempt.first or other.base in attempt.image:
            return attempt.first.get(one.base) == other.base
        general, special = self.general[one.base], self.special.get(other.base)
        if special is None or not general.is_like(special):
            return False
        attempt.first[one.base], attempt.image[other.base] = other.base, one.base
        if general.link is not None:
            attempt.chains.append((one.base, other.base))
            return True
        return special.link is None and self._pair(attempt, general, special, general.bytes.keys() | special.bytes)

    def _follow(self, attempt: _Attempt, others: list[_Attempt], one: int, other: int) -> bool:
        """Let the chain of a segment end with an object; that it goes on to the next one is another attempt."""
        general, special = self.general[one], self.special[other]
        assert general.link is not None
        link = range(general.link, general.link + self.pointer)
        rest = [at for at in general.bytes.keys() | special.bytes if at not in link]
        if special.link not in (None, general.link) or not self._pair(attempt, general, special, rest):
            return False
        next = self._next(special, link)
        if next in self.special and next not in attempt.image and general.is_like(self.special[next]):
            longer = attempt.copy()
            longer.image[next] = _INSIDE
            longer.chains.append((one, next))
            others.append(longer)
        return self._pair(attempt, general, special, link)

    def _next(self, special: Node, link: range) -> int:
        """Return the object to the start of which an object leads; 0 where it leads to none."""
        whole = special.byte(link[0])
        whole = whole.whole if isinstance(whole, Piece) else whole
        leads = isinstance(whole, Address) and whole.offset == 0
        pieces = [Piece(whole, at, self.pointer) for at in range(self.pointer)]
        return whole.base if leads and [special.byte(at) for at in link] == pieces else 0

    def _pair(self, attempt: _Attempt, general: Node, special: Node, places: Iterable[int]) -> bool:
        """Pair the bytes of two nodes."""
        pointers: dict[tuple[Any, Any], None] = {}
        for at in places:
            one, other = general.byte(at), special.byte(at)
            if isinstance(one, Piece):
                if not isinstance(other, Piece) or (one.at, one.size) != (other.at, other.size):
                    return False
                pointers[one.whole, other.whole] = None
            elif not _covers_byte(attempt, one, other):
                return False
        attempt.values += pointers
        return True


def _pairs_of(general: Activation, special: Activation, types: Mapping[str, Type]) -> list[tuple[Any, Any]] | None:
    """Return the values of two activations that must fit; None where others differ."""
    same = (general.procedure, general.location) == (special.procedure, special.location)
    named = general.objects.keys() == special.objects.keys() and len(general.owned) == len(special.owned)
    if not same or not named or len(general.results) != len(special.results):
        return None
    if not general.values.keys() <= special.values.keys() or not special.forgotten <= general.forgotten:
        return None
    for name in special.values.keys() - general.values.keys() - general.forgotten:
        if not _is_input(special.values[name], types.get(name)):
            return None
    pairs = [(value, special.values[name]) for name, value in general.values.items()]
    pairs += [(Address(base, 0), Address(special.objects[name], 0)) for name, base in general.objects.items()]
    owned = zip(general.owned, special.owned, strict=True)
    pairs += [(Address(one, 0), Address(other, 0)) for one, other in owned]
    return [*pairs, *zip(general.results, special.results, strict=True)]


def _is_input(value: Any, type: Type | None) -> bool:
    """Tell whether a value of a variable is one that an input of its type may have."""
    if type == ("bool",):
        return isinstance(value, bool)
    return type is not None and type[0] == "int" and isinstance(value, int | Following)


def _covers(attempt: _Attempt, one: Any, other: Any) -> bool:
    """Tell whether a number, or a number of a range, stands for another number."""
    low, high = one if isinstance(one, Range) else (one, one)
    number = other.value if isinstance(other, Following) else other
    if not isinstance(number, int) or not low <= number <= high:
        return False
    if isinstance(other, Following):
        attempt.bounds.append(Bounds(other, low, high))
    return True


def _covers_byte(attempt: _Attempt, one: Any, other: Any) -> bool:
    """Tell whether a byte that is no part of a pointer stands for another one."""
    number = isinstance(other, Piece) and isinstance(other.whole, Following)
    if one is ANY:
        return number or other is ANY or other is None or isinstance(other, int)
    if number:
        value = other.whole
        attempt.bounds.append(Bounds(value, value.value, value.value))
        other = value.value >> 8 * other.at & 255
    return bool(one == other)
