"""Which shapes stand for which: chains for segments, one node for one object, ranges for numbers that follow inputs."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.objects import GLOBAL, LOCAL, to_bytes
from knaster_check.memory.shapes.embedding import Bounds, Embedding
from knaster_check.memory.shapes.shape import ANY, Activation, Node, Range, Shape
from knaster_check.memory.values import Address, Image, Piece
from knaster_check.program import Type
from support.kernel_shapes import LINK, POINTER, cell, dead, following, segment, shape

TYPES: dict[str, Type] = {"i": ("int", 32, True), "b": ("bool",), "a": ("address", 8)}
LIST = shape({"p": 1}, segment(0))
BARE = cell(0, bytes={})


def embed(general: Shape, special: Shape, statics: int = 0) -> list[Bounds] | None:
    """Return within which bounds one shape stands for another."""
    return Embedding(general, special, POINTER, lambda units: None).find(TYPES, statics)


def lists(*lengths: str) -> list[Shape]:
    """Return shapes with one list each, of objects ("1") and segments ("+")."""
    found = []
    for length in lengths:
        ends = [*range(2, len(length) + 1), 0]
        nodes = [cell(next) if kind == "1" else segment(next) for kind, next in zip(length, ends, strict=True)]
        found.append(shape({"p": 1}, *nodes))
    return found


@pytest.mark.parametrize("special", lists("1", "11", "1+1", "+", "++", "1111"))
def test_a_segment_stands_for_chains(special: Shape) -> None:
    assert embed(LIST, special) == []


STANDS: list[tuple[Shape, Shape]] = [
    (LIST, shape({"p": 1}, cell(0, 5))),
    (shape({"p": 1, "q": 2}, segment(2), cell(0)), shape({"p": 1, "q": 3}, cell(2), cell(3), cell(0))),
    (shape({"p": 1, "q": 2}, segment(2), segment(0)), shape({"p": 1, "q": 2}, segment(2), cell(3), cell(0))),
    (shape({"p": 1}, segment(2), cell(0)), shape({"p": 1}, cell(2), cell(0))),  # the chain ends where it may go on
    (shape({"p": 1}, segment(2), cell(0)), shape({"p": 1}, cell(2), cell(3), cell(0))),
    (shape({"p": 1}, segment(2), segment(0)), shape({"p": 1}, cell(2), cell(3), cell(0))),
    (shape({"p": 1}, segment(1)), shape({"p": 1}, cell(2), cell(1))),  # a ring
    (shape({"p": Address(1, 8)}, segment(0)), shape({"p": Address(1, 8)}, cell(2), cell(0))),
    (shape({"p": 1}, dead()), shape({"p": 1}, dead())),
    (LIST, shape({"p": 1}, cell(0), cell(1))),  # what is led to by nothing does not count
    (shape({}, forgotten=frozenset("pi")), shape({"p": 1}, cell(0), forgotten=frozenset("i"))),
    (shape({"i": 4}, forgotten=frozenset("i")), shape({"i": 4})),
    (shape({"i": Range(0, 9)}), shape({"i": 0})),
    (shape({"i": Range(0, 9)}), shape({"i": 9})),
    (shape({}), shape({"i": 7})),
    (shape({}), shape({"b": True})),
    (shape({"b": True}), shape({"b": True})),
    (shape({"p": Address(-3, 0)}), shape({"p": Address(-3, 0)})),  # a function
    (shape({"p": Address(0, 4)}), shape({"p": Address(0, 4)})),
    (shape({}, results=(3, Address(0, 0))), shape({}, results=(3, Address(0, 0)))),
    (shape({}, cell(0), owned=(1,)), shape({}, cell(0), cell(0), owned=(2,))),
    (shape({}, cell(0, kind=LOCAL), objects={"x": 1}), shape({}, BARE, cell(0, kind=LOCAL), objects={"x": 2})),
    (shape({"p": 1}, cell(0)), shape({"p": 1}, cell(0, None))),  # any number, or nothing is written
    (shape({"p": 1}, cell(0)), shape({"p": 1}, cell(0))),
    (shape({"p": 1}, cell(0, unwritten=0)), shape({"p": 1}, cell(0, unwritten=0))),
    (shape({"p": 1}, cell(0, 0, unwritten=0)), shape({"p": 1}, BARE._replace(unwritten=0))),  # zeros
    (shape({"p": 1}, BARE), shape({"p": 1}, BARE)),
]
LONG = shape({"p": 1}, cell(2), cell(0))
DIFFERS: list[tuple[Shape, Shape]] = [
    (LIST, shape({"p": 0})),
    (LIST, shape({"p": 1}, cell(1))),
    (LIST, shape({"p": 1}, cell(2), cell(1))),
    (LIST, shape({"p": 1}, dead())),
    (LIST, shape({"p": 1}, cell(0, size=24))),
    (LIST, shape({"p": 1}, cell(0, kind=LOCAL))),
    (LIST, shape({"p": 1}, cell(0, unwritten=0))),
    (LIST, shape({"p": 1}, cell(0, writable=False))),
    (LIST, shape({"p": 1}, cell(2), cell(0, unwritten=0))),
    (LIST, shape({"p": 1}, cell(2), dead())),
    (LIST, shape({"p": 1}, cell(Address(2, 8)), cell(0))),  # into the middle
    (LIST, shape({"p": 1}, cell(Address(9, 0)))),
    (LIST, shape({"p": 1}, BARE)),
    (LIST, shape({"p": Address(1, 8)}, cell(0))),
    (LIST, shape({"p": 1}, segment(0)._replace(link=0))),  # linked elsewhere
    (shape({"p": 1}, cell(0)), LIST),
    (shape({"p": 1}, cell(0)), LONG),
    (LONG, LIST),
    (shape({"p": 1}, cell(0, 3)), shape({"p": 1}, cell(0))),
    (shape({"p": 1}, cell(0, 3)), shape({"p": 1}, cell(0, 4))),
    (shape({"p": 1}, cell(0, 0)), shape({"p": 1}, cell(0, None))),
    (shape({"p": 1}, cell(0, None)), shape({"p": 1}, cell(0, 0))),
    (shape({"p": 1, "q": 1}, segment(0)), shape({"p": 1, "q": 2}, cell(2), cell(0))),
    (shape({"p": 1, "q": 2}, segment(0), segment(0)), shape({"p": 1, "q": 2}, cell(2), cell(0))),
    (shape({"p": 1, "q": 2}, segment(0), segment(0)), shape({"p": 1, "q": 1}, cell(0))),
    (shape({"p": 1, "q": 1}, segment(0)), shape({"p": 1, "q": 2}, cell(0), cell(0))),
    (shape({"p": 1, "q": 2}, cell(0), cell(0)), shape({"p": 1, "q": 1}, cell(0))),
    (shape({"p": 1, "q": 1}, cell(0)), shape({"p": 1, "q": 2}, cell(0), cell(0))),
    (shape({"p": 1, "r": 2}, segment(0), cell(3), segment(0)), shape({"p": 1, "r": 3}, cell(2), cell(0), cell(2))),
    (shape({"p": 1}, segment(0, 3)), shape({"p": 1}, cell(2, 3), cell(0, 4))),
    (shape({"p": 1}, segment(0, 3)), shape({"p": 1}, cell(2, 4), cell(0, 3))),
    (LIST, shape({"p": 1}, cell(0), forgotten=frozenset("q"))),
    (shape({"p": 1, "q": 0}, segment(0)), shape({"p": 1}, cell(0))),
    (shape({}), shape({"p": 1}, cell(0))),
    (shape({}), shape({"a": Address(0, 0)})),
    (shape({}), shape({"i": Address(0, 0)})),
    (shape({}), shape({"i": Image(4, {})})),
    (shape({}), shape({"i": 0.5})),
    (shape({}), shape({"b": 1})),
    (shape({}), shape({"k": 7})),  # nobody knows its type
    (shape({"i": Range(0, 9)}), shape({"i": -1})),
    (shape({"i": Range(0, 9)}), shape({"i": 10})),
    (shape({"i": 3}), shape({"i": Address(0, 0)})),
    (shape({"p": 0}), shape({"p": 7.0})),
    (shape({"p": Address(-3, 0)}), shape({"p": Address(-4, 0)})),
    (shape({"p": Address(0, 4)}), shape({"p": Address(0, 5)})),
    (shape({"p": 0}), shape({"p": 1}, cell(0))),
    (shape({"p": Address(2, 0)}), shape({"p": Address(2, 0)}, cell(0), cell(0))),
    (shape({}, procedure="f"), shape({})),
    (shape({}, location=1), shape({})),
    (shape({}, cell(0), objects={"x": 1}), shape({}, cell(0), objects={"y": 1})),
    (shape({}, cell(0), objects={"x": 1}), shape({}, cell(0))),
    (shape({}, cell(0, 1), objects={"x": 1}), shape({}, cell(0, 2), objects={"x": 1})),
    (shape({}, cell(0, 1), owned=(1,)), shape({}, cell(0, 2), owned=(1,))),
    (shape({}, cell(0), owned=(1,)), shape({}, cell(0))),
    (shape({}, results=(3,)), shape({}, results=(4,))),
    (shape({}, results=(3,)), shape({})),
    (shape({}), shape({}, results=(3,))),
]


@pytest.mark.parametrize(("general", "special"), STANDS)
def test_it_stands_for_all_states(general: Shape, special: Shape) -> None:
    assert embed(general, special) == []


@pytest.mark.parametrize(("general", "special"), DIFFERS)
def test_it_does_not(general: Shape, special: Shape) -> None:
    assert embed(general, special) is None


@pytest.mark.parametrize(
    ("general", "special", "statics", "stands"),
    [
        (shape({"i": 3}, cell(0, 1)), shape({"i": 3}, cell(0, 1)), 1, True),
        (shape({"i": 3}, cell(0, 1)), shape({"i": 3}, cell(0, 2)), 1, False),  # nobody points to it, and it differs
        (shape({"i": 3}, cell(0, 1)), shape({"i": 3}, cell(0, 2)), 0, True),
        (shape({"i": 3}, cell(0, 1)), shape({"i": 3}), 1, False),
        (shape({"i": 3}), shape({"i": 3}, cell(0, 1)), 1, False),
        (shape({"p": 2}, cell(0), cell(0)), shape({"p": 3}, cell(0), cell(0), cell(0)), 1, True),
        (shape({"p": 1}, cell(0), cell(0)), shape({"p": 2}, cell(0), cell(0)), 1, False),
        (shape({"p": 2}, cell(0), cell(0)), shape({"p": 1}, cell(0), cell(0)), 1, False),
        (shape({"p": 2}, cell(0), segment(0)), shape({"p": 2}, cell(0), cell(1)), 1, False),  # it runs into a static
        (shape({"p": 2}, cell(0), segment(1)), shape({"p": 2}, cell(0), cell(1)), 1, True),
        (shape({"p": 2}, cell(0, kind=GLOBAL), segment(1)), shape({"p": 2}, cell(0, kind=GLOBAL), cell(1)), 1, True),
        (shape({"p": Address(2, 4)}, cell(0)), shape({"p": Address(2, 4)}, cell(0)), 2, True),  # one that never changes
        (shape({"p": Address(2, 4)}, cell(0)), shape({"p": Address(3, 4)}, cell(0)), 3, False),
    ],
)
def test_objects_of_the_program(general: Shape, special: Shape, statics: int, stands: bool) -> None:
    assert (embed(general, special, statics) is not None) is stands


def bounds(general: Any, special: Any) -> list[tuple[int, int]] | None:
    """Return within which bounds one value of a variable stands for another one."""
    found = embed(shape({"i": general}), shape({"i": special}))
    return None if found is None else [(low, high) for value, low, high in found if value is special]


def test_a_number_that_follows_an_input_has_to_stay_within_bounds() -> None:
    assert bounds(3, following(3, 9)) == [(3, 3)]
    assert bounds(3, following(2, 9)) is None
    assert bounds(Range(0, 5), following(3, 9)) == [(0, 5)]
    assert bounds(Range(0, 5), following(5, 9)) == [(0, 5)]
    assert bounds(Range(0, 5), following(6, 9)) is None
    assert bounds(Range(0, 5), following(3, 9, sign=-1)) is None  # it is 9
    assert bounds(Range(0, 9), following(3, 9, sign=-1)) == [(0, 9)]
    assert embed(shape({}), shape({"i": following(3, 9)})) == []
    assert embed(shape({}), shape({"b": following(0, 1)})) is None
    assert embed(shape({}), shape({"a": following(0, 1)})) is None
    assert embed(shape({}, forgotten=frozenset("k")), shape({"k": following(3, 9)})) == []


def test_an_attempt_that_fails_leaves_no_bounds() -> None:
    number = following(3, 9)
    special = [cell(2, number), cell(3, number), cell(0, 7)]
    general = shape({"p": 1}, segment(2), cell(0, 3, link=None), cell(0))
    assert embed(general, shape({"p": 1}, *special)) is None
    again = shape({"p": 1}, segment(2), cell(3, 3), cell(0, 7))
    found = embed(again, shape({"p": 1}, cell(2, number), cell(3, number), cell(0, 7)))
    assert found is not None and {each.value for each in found} == {number}
    assert [(low, high) for _, low, high in found] == [(3, 3)] * 4


def parts(*bytes: Any) -> Shape:
    """Return a shape with an object of these bytes."""
    return shape({"p": 1}, Node(len(bytes), "heap", None, True, True, dict(enumerate(bytes))))


def test_bytes_of_numbers_and_of_pointers() -> None:
    number, where = to_bytes(following(0x0102, 0x0103), 2), to_bytes(Address(0, 0)._replace(base=-2), 8)
    assert embed(parts(ANY, ANY), parts(*number)) == []
    assert embed(parts(ANY, ANY), parts(7, None)) == []
    found = embed(parts(2, 1), parts(*number))
    assert found is not None and [each[1:] for each in found] == [(0x0102, 0x0102)] * 2
    assert embed(parts(1, 2), parts(*number)) is None
    assert embed(parts(*where), parts(*where)) == []
    assert embed(parts(*where[:4]), parts(*where[:4])) == []  # a part of a pointer
    assert embed(parts(*where[:4]), parts(*where[4:])) is None
    assert embed(parts(*[ANY] * 8), parts(*where)) is None
    assert embed(parts(*where), parts(*[ANY] * 8)) is None
    assert embed(parts(*where), parts(*[0] * 8)) is None
    assert embed(parts(*[0] * 8), parts(*where)) is None
    small = [Piece(Address(-2, 0), at, 4) for at in range(4)]
    assert embed(parts(*small), parts(*where[:4])) is None  # of a pointer of another size


def test_a_chain_goes_on_only_where_the_whole_pointer_is_there() -> None:
    broken: dict[int, Any] = dict(cell(2).bytes) | {LINK: 0}
    assert embed(LIST, shape({"p": 1}, cell(2, bytes=broken), cell(0))) is None
    swapped = dict(cell(2).bytes) | {LINK: Piece(Address(2, 0), 1, 8), LINK + 1: Piece(Address(2, 0), 0, 8)}
    assert embed(LIST, shape({"p": 1}, cell(2, bytes=swapped), cell(0))) is None
    assert embed(LIST, shape({"p": 1}, cell(Address(-1, 0)))) is None


def test_work_is_counted() -> None:
    done: list[int] = []
    assert Embedding(LIST, lists("1111")[0], POINTER, done.append).find(TYPES, 0) == []
    assert len(done) >= 5 and sum(done) < 1_000


def test_only_the_activation_that_runs_is_looked_at() -> None:
    one = Activation("main", 0, {}, {}, (), (), frozenset(), ("x",), 7)
    assert embed(shape({}), Shape((one,), {})) == []
