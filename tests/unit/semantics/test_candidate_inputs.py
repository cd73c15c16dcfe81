"""Which inputs are tried: all of a small type, small numbers, and the program's constants with their neighbours."""

from __future__ import annotations

import pytest

from knaster.frontends.c import parse
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, IntegerOperator, Not, Var
from knaster.program.types import BOOL, INTEGER, Array, Int
from knaster.semantics import candidate_inputs
from knaster.semantics.candidate_inputs import ARRAYS, MOST, Pool, _numbers

PROGRAM = parse("int main(void) { int x = 0; if (x == 1000) { x = x + 77; } return 0; }\n", "a.c")


def test_small_types_have_all_values() -> None:
    pool = Pool(PROGRAM)
    assert pool.candidates(BOOL) == (False, True) and pool.covers(BOOL)
    assert pool.candidates(Int(2)) == (0, -1, 1, -2) and pool.covers(Int(2))
    assert not pool.covers(Int(32)) and not pool.covers(INTEGER)


def test_constants_of_the_program_and_what_lies_beside_them() -> None:
    pool = Pool(PROGRAM)
    found = pool.candidates(Int(32))
    assert {999, 1000, 1001, -1000, 76, 77, 78} <= set(found) and found[:4] == (0, 1, -1, 2)
    assert {-(2**31), 2**31 - 1} <= set(found) and len(found) <= MOST
    assert 1000 not in pool.candidates(Int(8)) and all(0 <= n < 256 for n in pool.candidates(Int(8, False)))  # type: ignore[operator]


def test_what_a_witness_brings_along_is_not_tried() -> None:
    text = "int __knaster_segment = 0; int main(void) { int x = 0; if (x == 1000 && __knaster_segment == 555)\n"
    text += "{ __knaster_segment = 556; __knaster_segment = __knaster_segment + 333; x = 7 + x; } return 0; }\n"
    found = set(Pool(parse(text, "a.c")).constants)
    assert {999, 1000, 1001, 7} <= found and not {555, 556, 333, 334} & found


def test_arrays_have_one_value_everywhere() -> None:
    pool = Pool(PROGRAM)
    found = pool.candidates(Array(Int(32), 3))
    assert len(found) == ARRAYS and found[1] == (1, 1, 1) and not pool.covers(Array(BOOL, 1))


def test_few_values_of_large_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_inputs, "MOST", 8)
    pool = Pool(PROGRAM)
    assert pool.candidates(Int(3)) == (0, -1, 1, -2, 2, -3, 3, -4) and len(pool.candidates(Int(4))) == 8
    assert pool.candidates(Int(32)) == (0, 1, -1, 2, 76, -77, -(2**31), 2**31 - 1)
    assert pool.candidates(INTEGER)[-2:] == (-1000, 1000) and not pool.covers(Int(4))


def test_numbers_of_expressions() -> None:
    assert _numbers(
        Compare(Comparison.EQUAL, Const(7), Arithmetic(IntegerOperator.ADD, Var("x"), Const(8), Int(8)))
    ) == {7, 8}
    assert _numbers(Compare(Comparison.EQUAL, Var("x"), Const(True))) == set() == _numbers(Const(True))
    assert _numbers(Const(5)) == {5} and _numbers(Not(Compare(Comparison.LESS, Const(9), Var("x")))) == {9}
