"""Objects of the kernel: bytes that are written or not, images of them, and numbers in pieces."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.leaks import leaks_of
from knaster_check.memory.objects import HEAP, Object, from_bytes, to_bytes
from knaster_check.memory.values import Address, Following, Image, Piece, range_of, size_of
from knaster_check.refused import Unsupported
from support.kernel_desk import Desk

WHERE = Address(3, 4)


@pytest.mark.parametrize("zeroed", [False, True])
def test_bytes(zeroed: bool) -> None:
    found = Object(4, HEAP, zeroed)
    found.put(1, [7, 8])
    blank = 0 if zeroed else None
    assert found.get(0, 4) == [blank, 7, 8, blank] and found.get(2, 1) == [8]
    found.die()
    assert not found.alive and not found.bytes


def test_images_are_as_bytes_are() -> None:
    for zeroed, offset, size, into, full in product((False, True), range(4), range(5), range(3), range(0, 9, 2)):
        source, target = Object(8, HEAP, zeroed), Object(8, HEAP)
        source.put(0, range(1, full))
        target.put(0, [9] * 8)
        whole = target.get(0, 8)
        image = source.image(offset, size)
        assert image.size == size
        target.put_image(into, image)
        whole[into : into + size] = source.get(offset, size)
        assert target.get(0, 8) == whole
        zeroed_target = Object(8, HEAP, True)
        zeroed_target.put_image(into, image)
        assert zeroed_target.get(into, size) == source.get(offset, size)
        sparse = Object(8, HEAP)
        sparse.put(7, [5])
        sparse.put_image(into, image)
        assert sparse.get(0, 8) == [None] * into + source.get(offset, size) + [None] * (7 - into - size) + [5]


def test_images_of_few_bytes() -> None:
    source = Object(8, HEAP)
    source.put(5, [7])
    assert source.image(1, 4) == Image(4, {}) and source.image(2, 4) == Image(4, {3: 7})
    assert source.image(5, 2) == Image(2, {0: 7}) and source.image(6, 2) == Image(2, {})
    for place in range(8):
        target = Object(8, HEAP)
        target.put(place, [5])
        target.put_image(1, Image(5, {2: 9}))
        assert target.bytes == ({3: 9} if 1 <= place < 6 else {3: 9, place: 5})


def test_numbers_in_pieces() -> None:
    inputs = Inputs([513])
    number = inputs.choose(("int", 32, False))
    assert (
        list(to_bytes(-2, 2)) == [254, 255]
        and list(to_bytes(True, 1)) == [1]
        and list(to_bytes(Address(0, 258), 4)) == [2, 1, 0, 0]
    )
    pieces = to_bytes(WHERE, 8)
    assert pieces == [Piece(WHERE, at, 8) for at in range(8)] and from_bytes(pieces, inputs) == WHERE
    assert to_bytes(pieces[3], 1) == (pieces[3],) and from_bytes([pieces[3]], inputs) == pieces[3]
    assert from_bytes([1, 2], inputs) == 513
    assert from_bytes(to_bytes(number, 4), inputs) is number


def test_bytes_of_an_input() -> None:
    given = Inputs([513])
    given.reach = []
    number = given.between(500, 600)
    assert isinstance(number, Following)
    pieces = to_bytes(number, 4)
    assert from_bytes(pieces[1:2], given) == 2 and given.reach == [513]
    assert from_bytes([pieces[0], 7], given) == 7 * 256 + 1 and from_bytes(pieces[1::-1], given) == 258


@pytest.mark.parametrize(
    "bytes",
    [[Piece(WHERE, 0, 8), Piece(WHERE, 1, 8)], [Piece(WHERE, 0, 2), Piece(WHERE, 0, 2)], [1, Piece(WHERE, 1, 2)]],
)
def test_parts_of_pointers_are_no_numbers(bytes: list[Any]) -> None:
    with pytest.raises(Unsupported, match="read as a number"):
        from_bytes(bytes, Inputs())
    with pytest.raises(Unsupported, match="stored"):
        to_bytes(bytes[-1], 2)


def test_sizes_and_ranges() -> None:
    sizes = [
        size_of(type) for type in (("int", 8, True), ("int", 9, True), ("int", 64, False), ("floating", 32), ("bool",))
    ]
    assert sizes == [1, 2, 8, 4, 1] and size_of(("address", 4)) == 4 and size_of(("bytes", 7)) == 7
    assert range_of(("int", 8, True)) == (-128, 127) and range_of(("int", 8, False)) == (0, 255)
    assert range_of(("int", None, True)) is None


def test_what_is_left() -> None:
    def left(globals: list[tuple[int, Any]], *, freed: bool = False) -> list[str]:
        """Return what is left where an object has these bytes, and object 2 of the heap leads to object 3."""
        desk = Desk()
        machine = desk.machine
        machine.objects.clear()
        for kind in ("global", HEAP, HEAP, "local"):
            machine.allocate(8, kind)
        machine.globals = {"g": Address(1, 0), "f": Address(-1, 0)}
        machine.objects[1].bytes = dict(globals)
        machine.objects[2].bytes = {0: Address(3, 0)}
        if freed:
            machine.objects[2].die()
            machine.objects[3].die()
        return list(leaks_of(machine))

    assert left([(0, Piece(Address(2, 0), 0, 8))]) == ["leak"]
    assert (
        left([(0, Piece(Address(3, 0), 0, 8))])
        == left([(0, 5)])
        == left([(0, Piece(Address(0, 2), 0, 8))])
        == ["leak", "lost"]
    )
    assert left([(0, Piece(Address(-1, 0), 0, 8)), (1, Piece(Address(2, 4), 0, 8))]) == ["leak"]
    assert left([], freed=True) == []
    assert Image(1, {}) == (1, {})
