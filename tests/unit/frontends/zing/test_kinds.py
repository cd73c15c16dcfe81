"""Types of Zing: which values fit where, what a type points to, and how it is spelled."""

from __future__ import annotations

import pytest

from knaster.frontends.zing.kinds import ANY, INT, NULL, Class, Kinds, words
from knaster.program.expression import Const
from knaster.program.objects import ArrayCell, ClassCell
from knaster.program.types import BOOL, Enumeration, Pointer, Struct, Type

COLOUR, POINT = Enumeration("Colour", ("red",)), Struct("Point", (("x", INT),))
C, D, FACE = Pointer("C"), Pointer("D"), Pointer("I")
KINDS = Kinds(
    classes={
        "I": Class("I", 0, is_interface=True),
        "C": Class("C", 0, fields={"n": INT, "lost": None}, implements=[("I", 0)]),
        "D": Class("D", 0),
    },
    collections={"A": ArrayCell("A", INT, 2)},
)


@pytest.mark.parametrize(
    ("wanted", "given"), [(INT, COLOUR), (COLOUR, INT), (C, NULL), (C, ANY), (FACE, C), (C, FACE), (None, BOOL)]
)
def test_fits(wanted: Type | None, given: Type | None) -> None:
    assert KINDS.fits(wanted, given)


@pytest.mark.parametrize(
    ("wanted", "given"), [(INT, BOOL), (BOOL, INT), (C, D), (FACE, D), (C, INT), (POINT, INT), (INT, NULL)]
)
def test_fits_not(wanted: Type, given: Type) -> None:
    assert not KINDS.fits(wanted, given)


def test_cells_are_the_classes_with_their_fields_and_the_collections() -> None:
    cells = KINDS.cells({"C": (("n", Const(7)),)})
    assert cells == (
        ClassCell("C", (("n", INT), ("lost", INT)), (("n", Const(7)),)),
        ClassCell("D", (), ()),
        ArrayCell("A", INT, 2),
    )


def test_collection_behind_a_reference() -> None:
    assert KINDS.collection(Pointer("A")) == ArrayCell("A", INT, 2)
    assert KINDS.collection(C) is None and KINDS.collection(INT) is None


def test_words() -> None:
    assert [words(type) for type in (BOOL, INT, COLOUR, POINT, C, None)] == [
        *("bool", "int", "Colour", "Point", "C", "an unknown type")
    ]
