"""Parts of shapes: where values lead, other numbers of nodes, the two cases of a segment."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.objects import to_bytes
from knaster_check.memory.shapes.shape import (
    ANY,
    Range,
    bases_in,
    reach,
    rename_activation,
    rename_node,
    renamed,
    unfold,
)
from knaster_check.memory.values import Address, Image, NotANumber, Piece
from knaster_check.refused import Unsupported
from support.kernel_shapes import LINK, POINTER, cell, following, frame, segment, shape


def test_where_values_lead() -> None:
    pointer = to_bytes(Address(3, 8), POINTER)
    plain = [None, 7, True, ANY, Range(0, 1), following(0, 9), Address(0, 5), Address(-2, 0)]
    assert list(bases_in([*plain, Address(4, 8), *pointer])) == [4, *[3] * POINTER]


@pytest.mark.parametrize("value", [Image(4, {}), 0.5, NotANumber(64), Piece(NotANumber(64), 0, 8)])
def test_values_that_shapes_do_not_have(value: Any) -> None:
    with pytest.raises(Unsupported, match="shapes have no structs"):
        list(bases_in([value]))


def test_a_walk_is_breadth_first() -> None:
    nodes = {
        1: cell(3, bytes={**cell(3).bytes, **dict(enumerate(to_bytes(Address(2, 0), POINTER)))}),
        2: cell(4),
        3: cell(5),
        4: cell(1),
        5: cell(0),
        6: cell(1),
    }
    assert reach(nodes, [1]) == [1, 2, 3, 4, 5]
    assert reach(nodes, [3, 2, 3, 9]) == [3, 2, 5, 4, 1]
    assert reach(nodes, []) == []


def test_an_activation_leads_to_objects_in_one_order() -> None:
    own = frame({"q": 2, "p": 1, "i": 7}, objects={"y": 4, "x": 3}, owned=(6, 5), results=(Address(7, 0), 3))
    assert list(own.bases()) == [1, 2, 3, 4, 6, 5, 7]


def test_other_numbers() -> None:
    names = {1: 5, 2: 6}
    assert [renamed(value, names) for value in (Address(1, 8), Address(3, 0), 1, Piece(Address(2, 0), 1, 8))] == [
        *[Address(5, 8), Address(3, 0), 1, Piece(Address(6, 0), 1, 8)]
    ]
    assert rename_node(segment(1, 7), names) == segment(5, 7)
    own = frame({"p": 1, "q": 3}, objects={"x": 2, "y": 3}, owned=(1, 3), results=(Address(2, 0),))
    other = frame({"p": 5, "q": 3}, objects={"x": 6, "y": 3}, owned=(5, 3), results=(Address(6, 0),))
    assert rename_activation(own, names) == other


def test_a_segment_is_one_object_or_one_before_a_segment() -> None:
    one, several = unfold(shape({"p": 2}, cell(0), segment(1, 7), cell(2)), 2, POINTER)
    assert one == shape({"p": 2}, cell(0), cell(1, 7), cell(2))
    assert several == shape({"p": 2}, cell(0), cell(4, 7), cell(2), segment(1, 7))


def test_bytes_beside_the_link_stay() -> None:
    wide = segment(0, size=24, bytes={**cell(0, 7).bytes, **dict(enumerate(to_bytes(Address(1, 0), POINTER), 16))})
    _, several = unfold(shape({"p": 1}, wide), 1, POINTER)
    assert several.nodes[1].link is None and several.nodes[2] == wide
    assert [several.nodes[1].byte(LINK), several.nodes[1].byte(16)] == [
        *[Piece(Address(2, 0), 0, 8), Piece(Address(1, 0), 0, 8)]
    ]


def test_nodes_that_are_alike() -> None:
    assert cell(0).is_like(segment(1, 3))
    others: tuple[dict[str, Any], ...] = (
        {"size": 24}, {"kind": "local"}, {"unwritten": 0}, {"writable": False}, {"alive": False},
    )  # fmt: skip
    assert not any(cell(0).is_like(cell(0, **other)) for other in others)
    assert [cell(0, None).byte(0), cell(0, None, unwritten=0).byte(0), cell(0, 7).byte(0)] == [None, 0, 7]
