"""Which inputs are tried: all of a small type, small numbers, and the program's constants with their neighbours."""

from __future__ import annotations

from knaster.frontends.c import parse
from knaster.program.types import BOOL, INTEGER, Array, Int
from knaster.semantics.candidate_inputs import ARRAYS, MOST, Pool

POOL = Pool(parse("int main(void) { int x = 0; if (x == 1000) { x = x + 77; } return 0; }\n", "a.c"))


def test_small_types_have_all_values() -> None:
    assert POOL.candidates(BOOL) == (False, True) and POOL.covers(BOOL)
    assert POOL.candidates(Int(2)) == (0, -1, 1, -2) and POOL.covers(Int(2))
    assert not POOL.covers(Int(32)) and not POOL.covers(INTEGER)


def test_constants_of_the_program_and_what_lies_beside_them() -> None:
    found = POOL.candidates(Int(32))
    assert {999, 1000, 1001, -1000, 76, 77, 78} <= set(found) and found[:4] == (0, 1, -1, 2)
    assert {-(2**31), 2**31 - 1} <= set(found) and len(found) <= MOST
    assert 1000 not in POOL.candidates(Int(8)) and all(0 <= n < 256 for n in POOL.candidates(Int(8, False)))  # type: ignore[operator]


def test_arrays_have_one_value_everywhere() -> None:
    found = POOL.candidates(Array(Int(32), 3))
    assert len(found) == ARRAYS and found[1] == (1, 1, 1) and not POOL.covers(Array(BOOL, 1))
