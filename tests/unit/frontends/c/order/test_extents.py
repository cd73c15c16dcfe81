"""Where parts of objects stand, in bits."""

from __future__ import annotations

from math import inf

import pytest

from knaster.frontends.c.memory.types import Member, Sequence, Structure
from knaster.frontends.c.names.types import CHAR, INT
from knaster.frontends.c.order.accesses import Path
from knaster.frontends.c.order.extents import Bits, extent, has_union, occurrences, scalars

PAIR = Structure("pair", 8, (Member("x", INT, 0), Member("y", INT, 32)))
OVER = Structure("over", 4, (Member("i", INT, 0), Member("c", CHAR, 0)), True)
FIELDS = (Member("n", INT, 0), Member("b", INT, 35, 4), Member("p", Sequence(PAIR, 2), 64), Member("u", OVER, 192))
WHOLE = Structure("whole", 28, FIELDS)
OPEN = Structure("open", 4, (Member("n", INT, 0), Member("text", Sequence(CHAR, 1), 32)))


@pytest.mark.parametrize(
    ("type", "path", "bits"),
    [
        (WHOLE, (), Bits(0, 224)),
        (WHOLE, ("n",), Bits(0, 32)),
        (WHOLE, ("b",), Bits(35, 39)),
        (WHOLE, ("p", 1, "y"), Bits(160, 192)),
        (WHOLE, ("p", None, "y"), Bits(64, 192, False)),
        (Sequence(PAIR, 3), (2, "x"), Bits(128, 160)),
        (OPEN, ("text", None), Bits(32, inf, False)),
        (OPEN, (), Bits(0, inf)),
        (WHOLE, ("nothing",), None),
        (INT, ("n",), None),
    ],
)
def test_a_part_stands_somewhere(type: object, path: Path, bits: Bits | None) -> None:
    assert extent(type, path) == bits


def test_bits_meet_where_they_share_one() -> None:
    assert Bits(0, 8).meets(Bits(7, 9)) and not Bits(0, 8).meets(Bits(8, 9)) and not Bits(8, 9).meets(Bits(0, 8))


def test_structs_stand_in_others() -> None:
    assert list(occurrences(WHOLE, PAIR)) == [Bits(64, 192)]
    assert list(occurrences(WHOLE, OVER)) == [Bits(192, 224)]
    assert not list(occurrences(PAIR, WHOLE))


def test_scalars_and_unions_of_an_object() -> None:
    assert scalars(WHOLE) == {("integer", 32), ("integer", 8)} and scalars(PAIR) == {("integer", 32)}
    assert has_union(WHOLE, ()) and has_union(WHOLE, ("u", "i")) and not has_union(WHOLE, ("p", None, "x"))
