"""Which shapes stand for which: chains for segments, one node for one object, ranges for numbers."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.checkers.memory.shape_embedding import stands_for
from knaster.program.memory import Address
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.shapes.shape import FrameShape, Node, Range, Shape
from support.shapes import cell, segment, shape

LIST = shape({"p": 1}, segment(0))
TYPES = {"i": Int(32)}
STANDS: list[tuple[Shape, Shape]] = [
    (LIST, shape({"p": 1}, cell(0, 5))),
    (LIST, shape({"p": 1}, cell(2), cell(0))),
    (LIST, shape({"p": 1}, cell(2), segment(3), cell(0))),
    (shape({"p": 1, "q": 2}, segment(2), cell(0)), shape({"p": 1, "q": 3}, cell(2), cell(3), cell(0))),
    (shape({"p": 1, "q": 2}, segment(2), segment(0)), shape({"p": 1, "q": 2}, segment(2), cell(3), cell(0))),
    (shape({"p": 1}, segment(1)), shape({"p": 1}, cell(2), cell(1))),
    (shape({"p": 1}, segment(0), forgotten=("i", "q")), shape({"p": 1, "q": 2}, cell(0), cell(0), forgotten=("i",))),
    (shape({"i": Range(0, 9)}), shape({"i": Range(3, 4)})),
    (shape({}), shape({"i": Range(3, 4)})),
    (shape({"p": Address(1, 8)}, segment(0)), shape({"p": Address(1, 8)}, cell(2), cell(0))),
]
DIFFERS: list[tuple[Shape, Shape]] = [
    (LIST, shape({"p": 0})),
    (LIST, shape({"p": 1}, cell(1))),
    (LIST, shape({"p": 1}, cell(2), cell(1))),
    (LIST, shape({"p": 1}, cell(0, alive=False))),
    (LIST, shape({"p": 1}, cell(0)._replace(size=24))),
    (LIST, shape({"p": Address(1, 8)}, cell(0))),
    (shape({"p": 1}, cell(0)), LIST),
    (shape({"p": 1}, cell(0, 3)), shape({"p": 1}, cell(0))),
    (shape({"p": 1}, cell(0, 3)), shape({"p": 1}, cell(0, 4))),
    (shape({"p": 1, "q": 1}, segment(0)), shape({"p": 1, "q": 2}, cell(2), cell(0))),
    (shape({"p": 1, "q": 2}, segment(0), segment(0)), shape({"p": 1, "q": 2}, cell(2), cell(0))),
    (shape({"p": 1, "q": 2}, segment(0), segment(0)), shape({"p": 1, "q": 1}, cell(0))),
    (shape({"p": 1, "q": 1}, segment(0)), shape({"p": 1, "q": 2}, cell(0), cell(0))),
    (shape({"p": 1}, segment(0, 3)), shape({"p": 1}, cell(2, 3), cell(0, 4))),
    (shape({"p": 1}, segment(0)), shape({"p": 1}, cell(0), forgotten=("q",))),
    (shape({"p": 1, "q": 0}, segment(0)), shape({"p": 1}, cell(0))),
    (shape({}), shape({"p": 1}, cell(0))),
    (shape({"i": Range(0, 9)}), shape({"i": Range(3, 10)})),
    (shape({"i": Range(0, 9)}), shape({})),
]


@pytest.mark.parametrize(("general", "special"), STANDS)
def test_it_stands_for_all_states(general: Any, special: Any) -> None:
    assert stands_for(general, special, TYPES, 0)


@pytest.mark.parametrize(("general", "special"), DIFFERS)
def test_it_does_not(general: Any, special: Any) -> None:
    assert not stands_for(general, special, TYPES, 0)


def test_objects_of_the_program_stand_for_themselves_alone() -> None:
    one, other = shape({"p": 1}, cell(0), cell(0)), shape({"p": 2}, cell(0), cell(0))
    assert stands_for(one, one, TYPES, 2) and not stands_for(one, other, TYPES, 2)


def numbers(*nodes: Node, **values: Any) -> Shape:
    """Return a shape whose variables have these values, as they are."""
    return Shape((FrameShape("main", 0, tuple(sorted(values.items()))),), tuple(enumerate(nodes, 1)))


def framed(*nodes: Node, **fields: Any) -> Shape:
    """Return a shape of an activation with these fields."""
    return Shape((FrameShape("main", 0, ())._replace(**fields),), tuple(enumerate(nodes, 1)))


NULL, ONE, TWO = Address(0, 0), Address(1, 0), Address(2, 0)
FIRST = cell(0)._replace(cells=((0, 8, 0), (8, 4, None)))
BARE = cell(0)._replace(cells=())


@pytest.mark.parametrize(
    ("general", "special", "stands"),
    [
        (numbers(i=3), numbers(i=3), True),
        (numbers(i=3), numbers(i=4), False),
        (numbers(i=3), numbers(i=Range(3, 3)), False),
        (numbers(i=3), numbers(i=None), False),
        (numbers(i=Range(0, 9)), numbers(i=0), True),
        (numbers(i=Range(0, 9)), numbers(i=9), True),
        (numbers(i=Range(0, 9)), numbers(i=-1), False),
        (numbers(i=Range(0, 9)), numbers(i=10), False),
        (numbers(i=Range(0, 9)), numbers(i=Range(-1, 3)), False),
        (numbers(i=Range(0, 9)), numbers(i=None), False),
        (numbers(i=Range(0, 9)), numbers(i=NULL), False),
        (numbers(i=None), numbers(i=None), True),
        (numbers(i=None), numbers(i=7), True),
        (numbers(i=None), numbers(i=Range(0, 1)), True),
        (numbers(i=None), numbers(i=NULL), False),
        (numbers(i=NULL), numbers(i=7), False),
        (numbers(), numbers(i=7), True),  # any number
        (numbers(), numbers(b=7), True),
        (numbers(), numbers(k=7), False),  # nobody knows its type
        (numbers(), numbers(i=NULL), False),
        (framed(forgotten=("k",)), numbers(k=7), True),
        (framed(registers=(("i", 3),), forgotten=("i",)), numbers(i=3), False),  # known and forgotten
        (numbers(i=3), framed(registers=(("i", 3),), forgotten=("i",)), False),
        (framed(forgotten=("i", "k")), framed(forgotten=("k",)), True),
        (framed(forgotten=("k",)), framed(forgotten=("i", "k")), False),
        (framed(procedure="f"), framed(), False),
        (framed(location=1), framed(), False),
        (Shape((framed().top, framed().top), ()), framed(), False),
        (framed(), Shape((framed().top, framed().top), ()), False),
        (framed(objects=(("x", 1),)), framed(objects=(("y", 1),)), False),
        (framed(objects=(("x", 1),)), framed(), False),
        (framed(cell(0), cell(2), objects=(("x", 1),)), framed(cell(0), cell(0), objects=(("x", 2),)), True),
        (framed(cell(0, 1), objects=(("x", 1),)), framed(cell(0, 2), objects=(("x", 1),)), False),
        (framed(cell(0), owned=(1,)), framed(cell(0), cell(0), owned=(2,)), True),
        (framed(cell(0, 1), owned=(1,)), framed(cell(0, 2), owned=(1,)), False),
        (framed(cell(0), owned=(1,)), framed(cell(0)), False),
        (framed(cell(0)), framed(cell(0), owned=(1,)), False),
        (framed(results=(3,)), framed(results=(3,)), True),
        (framed(results=(3,)), framed(results=(4,)), False),
        (framed(results=(3,)), framed(results=()), False),
        (numbers(p=Address(-3, 0)), numbers(p=Address(-3, 0)), True),  # a function
        (numbers(p=Address(-3, 0)), numbers(p=Address(-4, 0)), False),
        (numbers(p=Address(0, 4)), numbers(p=Address(0, 4)), True),
        (numbers(p=Address(0, 4)), numbers(p=Address(0, 5)), False),
        (numbers(p=Address(7, 0)), numbers(p=Address(7, 0)), True),  # an object that is gone in both
        (numbers(p=Address(7, 0)), numbers(p=Address(8, 0)), False),
        (numbers(p=Address(2, 0)), numbers(cell(0), cell(0), p=Address(2, 0)), False),  # gone in one
        (numbers(cell(0), cell(0), p=Address(2, 0)), numbers(p=Address(2, 0)), False),
        (numbers(cell(0), p=ONE), numbers(cell(0), p=NULL), False),
        (numbers(cell(0), p=NULL), numbers(cell(0), p=ONE), False),
        *(
            (numbers(other, p=ONE), numbers(cell(0), p=ONE), False)
            for other in (
                cell(0)._replace(size=24), cell(0)._replace(kind="stack"), cell(0)._replace(name="n"),
                cell(0)._replace(zeroed=True), cell(0)._replace(writable=False), cell(0)._replace(alive=False),
            )
        ),
        (numbers(BARE, p=ONE), numbers(cell(0), p=ONE), False),  # it says nothing of cells that the other has
        (numbers(cell(0, None), p=ONE), numbers(BARE._replace(cells=((8, 8, 0),)), p=ONE), True),
        (numbers(cell(0, 5), p=ONE), numbers(BARE._replace(cells=((8, 8, 0),)), p=ONE), False),
        (numbers(segment(0), p=ONE), numbers(BARE, p=ONE), False),  # nothing where the link is
        (numbers(BARE._replace(link=8), p=ONE), numbers(cell(0), p=ONE), False),
        (numbers(segment(0), p=ONE), numbers(BARE._replace(cells=((0, 4, None), (8, 4, 0))), p=ONE), False),
        (numbers(segment(0), p=ONE), numbers(segment(0)._replace(link=0), p=ONE), False),  # linked elsewhere
        (numbers(segment(0), p=ONE), numbers(segment(0), p=ONE), True),
        (numbers(segment(0), p=ONE), numbers(cell(Address(2, 8)), cell(0), p=ONE), False),  # into the middle
        (numbers(segment(0), p=ONE), numbers(cell(2), cell(0)._replace(kind="stack"), p=ONE), False),
        (numbers(segment(0), p=ONE), numbers(cell(2), cell(0)._replace(zeroed=True), p=ONE), False),
        (numbers(segment(0)._replace(kind="stack"), p=ONE), numbers(cell(0)._replace(kind="stack"), p=ONE), False),
        (numbers(segment(0), p=ONE), numbers(cell(Address(9, 0)), p=ONE), False),
        (numbers(FIRST._replace(link=0), p=ONE), numbers(FIRST, p=ONE), True),  # linked at its first cell
    ],
)  # fmt: skip
def test_parts_of_shapes(general: Shape, special: Shape, stands: bool) -> None:
    assert stands_for(general, special, {**TYPES, "b": BOOL}, 0) is stands


@pytest.mark.parametrize(
    ("general", "special", "statics", "stands"),
    [
        (numbers(cell(0, 1), i=3), numbers(cell(0, 1), i=3), 1, True),
        (numbers(cell(0, 1), i=3), numbers(cell(0, 2), i=3), 1, False),  # nobody points to it, and it differs
        (numbers(cell(0, 1), i=3), numbers(cell(0, 2), i=3), 0, True),
        (numbers(cell(0, 1), i=3), numbers(i=3), 1, False),
        (numbers(i=3), numbers(cell(0, 1), i=3), 1, False),
        (numbers(cell(0), cell(0), p=TWO), numbers(cell(0), cell(0), cell(0), p=Address(3, 0)), 1, True),
        (numbers(cell(0), cell(0), p=ONE), numbers(cell(0), cell(0), p=TWO), 1, False),
        (numbers(cell(0), cell(0), p=TWO), numbers(cell(0), cell(0), p=ONE), 1, False),
        (numbers(cell(0), segment(0), p=TWO), numbers(cell(0), cell(1), p=TWO), 1, False),  # it runs into a static
        (numbers(cell(0), segment(1), p=TWO), numbers(cell(0), cell(1), p=TWO), 1, True),
    ],
)
def test_objects_of_the_program(general: Shape, special: Shape, statics: int, stands: bool) -> None:
    assert stands_for(general, special, TYPES, statics) is stands
