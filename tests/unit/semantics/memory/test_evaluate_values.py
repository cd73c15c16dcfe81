"""Expressions on numbers, on inputs that are chosen late, on terms, and on addresses: one at a time, with an oracle."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.program.expression import (
    NOWHERE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.floating_point import to_bits
from knaster.program.memory import (
    NULL,
    Address,
    Addresses,
    Chunk,
    Distance,
    Floating,
    Fragment,
    Load,
    Moved,
    Snapshot,
)
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.evaluate import is_true, meaning, misfit, to_pointer
from knaster.semantics.memory.failure import Fault, Unclear
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, SymbolTable
from knaster.semantics.memory.unknown import Unknown, force
from support.late_inputs import Ways
from support.memory_desk import Desk, symbolic_desk
from support.symbol_values import Table

BYTE, UNSIGNED = Int(8), Int(8, False)
EDGES = (-128, -127, -3, -1, 0, 1, 2, 3, 7, 8, 127)
UNSIGNED_EDGES = (0, 1, 2, 7, 8, 127, 128, 255)


def evaluated(expr: Any, desk: Desk | None = None, **registers: Any) -> Any:
    """Return the value of an expression, the kind of its failure, and what lapsed."""
    desk = desk or Desk()
    desk.frame.registers.update(registers)
    desk.machine.lapses.clear()
    try:
        value = meaning(expr)(desk.machine, desk.frame)
    except Fault as fault:
        return fault.kind, ()
    except Unclear:
        return "unclear", ()
    return value, tuple(desk.lapses)


def exact(sign: IntegerOperator, one: int, other: int, type: Int) -> tuple[Any, tuple[str, ...]]:
    """Return what C says of two numbers of a type."""
    width = type.width or 10**6
    match sign:
        case IntegerOperator.ADD | IntegerOperator.SUBTRACT | IntegerOperator.MULTIPLY:
            value = {"+": one + other, "-": one - other, "*": one * other}[sign.value]
        case IntegerOperator.DIVIDE | IntegerOperator.REMAINDER:
            if other == 0:
                return "division", ()
            value = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
            lapsed = ("overflow",) if type.signed and not type.holds(value) else ()
            return type.wrap(value if sign is IntegerOperator.DIVIDE else one - value * other), lapsed
        case IntegerOperator.LEFT | IntegerOperator.RIGHT:
            if not 0 <= other < width:
                return "shift", ()
            if sign is IntegerOperator.RIGHT:
                return one >> other, ()
            value = one << other
            lapsed = ("overflow",) if type.signed and (one < 0 or not type.holds(value)) else ()
            return type.wrap(value), lapsed
        case _:
            value = {"&": one & other, "|": one | other, "^": one ^ other}[sign.value]
    return type.wrap(value), (("overflow",) if type.signed and not type.holds(value) else ())


def operation(sign: IntegerOperator, parts: tuple[Any, Any], type: Int) -> Arithmetic:
    return Arithmetic(sign, parts[0], parts[1], type, NOWHERE)


@pytest.mark.parametrize("sign", IntegerOperator)
@pytest.mark.parametrize("type", [BYTE, UNSIGNED])
def test_arithmetic_of_numbers_and_terms(sign: IntegerOperator, type: Int) -> None:
    desk = Desk()
    numbers = EDGES if type.signed else UNSIGNED_EDGES
    for one in numbers:
        for other in numbers:
            wanted = exact(sign, one, other, type)
            expr: Any = Arithmetic(sign, Const(one), Const(other), type, NOWHERE)
            assert evaluated(expr, desk) == wanted, (one, other)
            for left in (True, False):
                terms, inputs = symbolic_desk(one if left else other)
                inputs.asked = ("overflow",)
                given = inputs.choose(type, "", NOWHERE)
                expr = operation(sign, (Var("x"), Const(other)) if left else (Const(one), Var("x")), type)
                found, lapsed = evaluated(expr, terms, x=given)
                assert (inputs.number(found), lapsed) == wanted, (one, other, left)
                assert isinstance(found, Symbol | str)  # no value was chosen


def test_numbers_without_bounds() -> None:
    whole = Int(None)
    for sign, one, other, value in (("+", 2**70, 1, 2**70 + 1), ("<<", 1, 100, 2**100), ("/", -7, 2, -3)):
        operator = next(each for each in IntegerOperator if each.value == sign)
        assert evaluated(Arithmetic(operator, Const(one), Const(other), whole, NOWHERE)) == (value, ())
    left = Arithmetic(IntegerOperator.LEFT, Const(1), Const(1 << 16), whole, NOWHERE)
    assert evaluated(left) == ("shift", ())


def all_ways(type: Int, expr: Any) -> Iterator[tuple[tuple[int, int], tuple[Any, tuple[str, ...]]]]:
    """Yield what is left of an input `x`, the value of an expression, and what lapsed, for every way to go."""
    digits: list[tuple[int, int]] = []
    while True:
        inputs = Ways(digits)
        found, lapsed = evaluated(expr, Desk(inputs=inputs), x=inputs.choose(type, "x", NOWHERE))
        found = force(found)
        yield inputs.ranges[0], (found, lapsed)
        while digits and digits[-1][0] + 1 == digits[-1][1]:
            digits.pop()
        if not digits:
            return
        number, count = digits.pop()
        digits.append((number + 1, count))


SMALL = Int(4)


@pytest.mark.parametrize("sign", IntegerOperator)
@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("type", [SMALL, Int(4, False)])
def test_arithmetic_of_inputs_that_are_chosen_late(sign: IntegerOperator, left: bool, type: Int) -> None:
    """Every value of the input is in one way, and the result is that of the number."""
    low_end = -8 if type.signed else 0
    for number in (low_end, low_end + 7, low_end + 8, low_end + 9, low_end + 15):
        parts = (Var("x"), Const(number)) if left else (Const(number), Var("x"))
        seen = {}
        for (low, high), found in all_ways(type, operation(sign, parts, type)):
            for value in range(low, high + 1):
                assert value not in seen
                seen[value] = found
        assert sorted(seen) == list(range(low_end, low_end + 16))
        for value, found in seen.items():
            wanted = exact(sign, *((value, number) if left else (number, value)), type)
            assert found == wanted, (sign, value, number)


def test_sums_with_inputs_choose_nothing() -> None:
    """Only whether they overflow is decided; where inputs are vague, what is wide is any value."""
    for sign, parts, bounds in (
        (IntegerOperator.ADD, (Var("x"), Const(3)), (3, 258)),
        (IntegerOperator.ADD, (Const(3), Var("x")), (3, 258)),
        (IntegerOperator.SUBTRACT, (Var("x"), Const(3)), (-3, 252)),
        (IntegerOperator.SUBTRACT, (Const(3), Var("x")), (-252, 3)),
    ):
        inputs = Ways([])
        found, _ = evaluated(
            operation(sign, parts, Int(32)), Desk(inputs=inputs), x=inputs.choose(UNSIGNED, "x", NOWHERE)
        )
        assert isinstance(found, Unknown) and found.bounds == bounds and inputs.digits == []
    for vague, type in ((True, Int(32)), (True, Int(8)), (False, Int(8))):
        inputs = Ways([])
        inputs.vague = vague
        product = Arithmetic(IntegerOperator.MULTIPLY, Var("x"), Const(3), type, NOWHERE)
        found, _ = evaluated(product, Desk(inputs=inputs), x=inputs.choose(type, "x", NOWHERE))
        wide = vague and type == Int(32)
        assert isinstance(found, Unknown) is wide and (not wide or found.bounds == (-(2**31), 2**31 - 1))


ORDERS: dict[Comparison, Callable[[Any, Any], bool]] = {
    Comparison.EQUAL: lambda one, other: one == other,
    Comparison.DIFFERENT: lambda one, other: one != other,
    Comparison.LESS: lambda one, other: one < other,
    Comparison.AT_MOST: lambda one, other: one <= other,
    Comparison.GREATER: lambda one, other: one > other,
    Comparison.AT_LEAST: lambda one, other: one >= other,
}


@pytest.mark.parametrize("sign", Comparison)
def test_comparisons(sign: Comparison) -> None:
    order = ORDERS[sign]
    for one in (-3, 0, 2, 5):
        for other in (-3, 1, 2):
            compared = Compare(sign, Var("x"), Var("y"))
            assert evaluated(compared, x=one, y=other) == (order(one, other), ())
            assert evaluated(compared, x=float(one), y=other) == (order(one, other), ())
            assert evaluated(compared, x=one, y=float(other)) == (order(one, other), ())
            for late in ("x", "y"):
                inputs = Table(one if late == "x" else other)
                given = inputs.choose(BYTE, "", NOWHERE)
                values = {"x": one, "y": other, late: given}
                found, _ = evaluated(compared, Desk(inputs=inputs), **values)
                assert isinstance(found, Symbol) and bool(found) is order(one, other)
    for number in (-8, 0, 7):
        for parts in ((Var("x"), Const(number)), (Const(number), Var("x"))):
            for (low, high), (found, _) in all_ways(SMALL, Compare(sign, *parts)):
                for value in range(low, high + 1):
                    wanted = order(value, number) if isinstance(parts[0], Var) else order(number, value)
                    assert found is wanted


def test_a_late_input_meets_a_term() -> None:
    inputs = Table(3)
    term = inputs.choose(BYTE, "", NOWHERE)
    late = Ways([])
    late.ranges.append((5, 5))
    for sign, wanted in ((Comparison.LESS, True), (Comparison.EQUAL, False)):
        found, _ = evaluated(Compare(sign, Var("x"), Var("y")), Desk(inputs=inputs), x=term, y=Unknown(late, 0))
        assert bool(found) is wanted


PLACES = [Address(2, 0), Address(2, 4), Address(3, 0), NULL, Address(0, 5)]


@pytest.mark.parametrize("sign", Comparison)
def test_comparisons_of_addresses(sign: Comparison) -> None:
    """In one object by offsets; across objects equality is known, and order is an undefined step and an input."""
    for one in PLACES:
        for other in PLACES:
            for said in (False, True):
                desk = Desk(said)
                found, lapsed = evaluated(Compare(sign, Var("x"), Var("y")), desk, x=one, y=other)
                if sign in (Comparison.EQUAL, Comparison.DIFFERENT):
                    assert (found, lapsed) == ((one == other) is (sign is Comparison.EQUAL), ())
                elif one.base == other.base:
                    assert (found, lapsed) == (ORDERS[sign](one.offset, other.offset), ())
                else:
                    assert (found, lapsed) == (said, ("pointer",))


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (Address(2, 0), 0, False),
        (0, Address(2, 0), False),
        (NULL, 0, True),
        (Address(0, 7), 7, True),
        (Address(0, 7), 8, False),
        (Address(0, 7), 0, False),
        (Address(2, 0), 7, "unclear"),
        (7, Address(2, 4), "unclear"),
        (Fragment(Address(2, 0), 0, 8), 0, "unclear"),
        (Fragment(Address(2, 0), 0, 8), Address(2, 0), "unclear"),
        (1, 1.0, True),
        (True, 1, True),
        (math.nan, 1, False),
    ],
)
def test_equality_of_different_things(one: Any, other: Any, wanted: Any) -> None:
    assert evaluated(Compare(Comparison.EQUAL, Var("x"), Var("y")), x=one, y=other)[0] == wanted
    if wanted != "unclear":
        assert evaluated(Compare(Comparison.DIFFERENT, Var("x"), Var("y")), x=one, y=other)[0] is (not wanted)
    if isinstance(one, Address | Fragment) != isinstance(other, Address | Fragment):
        assert evaluated(Compare(Comparison.LESS, Var("x"), Var("y")), x=one, y=other)[0] == "unclear"


SINGLE, DOUBLE, POINTER = Floating(32), Floating(64), Addresses(8)


@pytest.mark.parametrize(
    ("value", "type", "wanted"),
    [
        (127, BYTE, 127),
        (128, BYTE, -128),
        (-129, BYTE, 127),
        (-128, BYTE, -128),
        (-1, UNSIGNED, 255),
        (True, BYTE, 1),
        (2**70, Int(None), 2**70),
        (5, BOOL, True),
        (0, BOOL, False),
        (0.5, BOOL, True),
        (NULL, BOOL, False),
        (Address(0, 1), BOOL, True),
        (Address(2, 0), BOOL, True),
        (Fragment(NULL, 0, 8), BOOL, "unclear"),
        (5, POINTER, Address(0, 5)),
        (-1, POINTER, Address(0, 2**64 - 1)),
        (Address(2, 4), POINTER, Address(2, 4)),
        (Address(0, 300), UNSIGNED, 44),
        (Address(0, 2**63), Int(64), -(2**63)),
        (Address(2, 4), Int(64), Address(2, 4)),
        (Address(2, 4), Int(64, False), Address(2, 4)),
        (Address(2, 4), UNSIGNED, Fragment(Address(2, 4), 0, 8)),
        (Address(2, 4), Int(32), Fragment(Address(2, 4), -32, 8)),
        (Fragment(Address(2, 4), 3, 8), UNSIGNED, Fragment(Address(2, 4), 3, 8)),
        (Fragment(Address(2, 4), 3, 8), Int(16), "unclear"),
        (2.9, BYTE, 2),
        (-2.9, BYTE, -2),
        (128.0, BYTE, "value"),
        (7, DOUBLE, 7.0),
        (0.1, SINGLE, 0.100000001490116119384765625),
        (0.1, DOUBLE, 0.1),
        (Address(2, 0), DOUBLE, "unclear"),
        (Snapshot(3, ()), Chunk(3), Snapshot(3, ())),
    ],
)
def test_conversions(value: Any, type: Any, wanted: Any) -> None:
    found, _ = evaluated(Convert(Var("x"), type, NOWHERE), x=value)
    assert found == wanted and found.__class__ is wanted.__class__


def test_conversions_of_inputs() -> None:
    inputs = Table(200, 1)
    x, truth = inputs.choose(UNSIGNED, "", NOWHERE), inputs.choose(BOOL, "", NOWHERE)
    desk = Desk(inputs=inputs)
    for value, type, wanted in ((x, BYTE, -56), (x, BOOL, True), (truth, Int(32), 1), (x, Int(32), 200)):
        found, _ = evaluated(Convert(Var("x"), type, NOWHERE), desk, x=value)
        assert isinstance(found, Symbol) and inputs.number(found) == wanted
    found, _ = evaluated(Convert(Var("x"), DOUBLE, NOWHERE), desk, x=x)
    assert found.type == DOUBLE and inputs.number(found.bits) == to_bits(200.0, DOUBLE)
    assert evaluated(Convert(Var("x"), POINTER, NOWHERE), desk, x=x) == (Address(0, 200), ())
    for (low, high), (found, _) in all_ways(UNSIGNED, Convert(Var("x"), BYTE, NOWHERE)):
        assert found == BYTE.wrap(low) and (low <= 127) is (high <= 127)
    assert is_true(x).type == BOOL and to_pointer(x) == Address(0, 200)


@pytest.mark.parametrize("one", [True, False])
@pytest.mark.parametrize("other", [True, False])
def test_connectives(one: bool, other: bool) -> None:
    for sign, wanted in ((Operator.AND, one and other), (Operator.OR, one or other)):
        assert evaluated(Binary(sign, Const(one), Const(other))) == (wanted, ())
        decided = (sign is Operator.AND and not one) or (sign is Operator.OR and one)
        unclear = Compare(Comparison.LESS, Const(Address(2, 0)), Const(7))
        assert evaluated(Binary(sign, Const(one), unclear)) == (wanted if decided else "unclear", ())
    assert evaluated(Not(Const(one))) == (not one, ()) and evaluated(Conditional(Const(one), Const(1), Const(2)))[
        0
    ] == (1 if one else 2)
    with pytest.raises(InternalError):
        meaning(Binary(Operator.IMPLIES, Const(one), Const(other)))


def test_negations_of_terms() -> None:
    for value in (0, 1):
        inputs = Table(value)
        found, _ = evaluated(Not(Var("x")), Desk(inputs=inputs), x=inputs.choose(BOOL, "", NOWHERE))
        assert isinstance(found, Symbol) and bool(found) is (not value)


@pytest.mark.parametrize("offset", range(-1, 8))
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("type", [Int(16), Int(16, False), Int(32), DOUBLE, POINTER, Chunk(2), UNSIGNED])
def test_loads(type: Any, offset: int, packed: bool) -> None:
    """Of eight bytes: where they are, what stands there, and whether it fits there; as terms the same."""
    size = {Int(16): 2, Int(16, False): 2, Int(32): 4, Chunk(2): 2, UNSIGNED: 1}.get(type, 8)
    bytes = [0xFE, 0xFF, 3, 0x84, 5, 0x86, 7, 0x88]
    number = int.from_bytes(bytes[offset : offset + size], "little") if offset >= 0 else 0
    inside = 0 <= offset <= 8 - size
    for late in (False, True):
        desk, inputs = symbolic_desk(offset % 256)
        at = desk.new(*bytes)
        where: Any = inputs.choose(BYTE if offset < 0 else UNSIGNED, "", NOWHERE) if late else offset
        if late and offset < 0:
            inputs.given = (offset,)
        found, lapsed = evaluated(Load(Const(Address(at.base, where)), type, NOWHERE, "", packed), desk)
        if not inside:
            assert found == "bounds"
            continue
        fits = packed or isinstance(type, Chunk) or offset % size == 0
        assert lapsed == (() if fits else ("alignment",))
        if isinstance(type, Int):
            assert inputs.number(found) == type.wrap(number)
        elif type == POINTER:
            assert found == Address(0, number)


def test_signed_loads() -> None:
    desk = Desk()
    at = desk.new(size=8)
    for value in (0, 1, 127, 128, 129, 255):
        desk.object(at).write(0, 1, value)
        for type in (BYTE, UNSIGNED):
            assert evaluated(Load(Const(at), type, NOWHERE), desk) == (type.wrap(value), ())
    desk.object(at).write(0, 4, 0x01020380)
    assert evaluated(Load(Const(at), BYTE, NOWHERE), desk) == (-128, ())


def test_loads_decide_nothing() -> None:
    inputs = SymbolicInputs(SymbolTable())  # it decides nothing
    desk = Desk(inputs=inputs)
    at = desk.new(size=8)
    desk.object(at).write(0, 1, inputs.choose(UNSIGNED, "", NOWHERE))
    found, _ = evaluated(Load(Const(at), BYTE, NOWHERE), desk)
    assert isinstance(found, Symbol) and found.type == BYTE
    desk.object(at).write(0, 8, Address(3, 4))
    assert evaluated(Load(Const(at), Int(64), NOWHERE), desk) == (Address(3, 4), ())
    for sign in IntegerOperator:
        for parts in ((Var("x"), Const(Address(3, 4))), (Const(Fragment(NULL, 0, 8)), Var("x"))):
            desk, values = symbolic_desk(3)
            term = values.choose(Int(64), "", NOWHERE)
            assert evaluated(operation(sign, parts, Int(64)), desk, x=term) == ("unclear", ())


def test_unwritten_loads_are_inputs() -> None:
    desk = Desk(77)
    at = desk.new(size=4)
    for _ in range(2):
        assert evaluated(Load(Const(at), BYTE, NOWHERE), desk) == (77, ())


@pytest.mark.parametrize(
    ("type", "mask"), [(BYTE, 0), (Int(16), 1), (Int(32), 3), (POINTER, 7), (Int(128), 15), (Int(24), 0), (Chunk(8), 0)]
)
def test_bits_that_are_zero(type: Any, mask: int) -> None:
    assert misfit(type, False) == mask and misfit(type, True) == 0


@pytest.mark.parametrize("start", [0, 4, 8])
@pytest.mark.parametrize("index", range(-3, 4))
@pytest.mark.parametrize("part", [False, True])
def test_addresses_that_move(start: int, index: int, part: bool) -> None:
    """Eight bytes, elements of four: an address may stand behind the last, and no further."""
    wanted = start + 4 * index
    leaves = index != 0 and not 0 <= wanted <= 8 and not part
    for late in ("", "index", "offset"):
        desk, inputs = symbolic_desk(index if late == "index" else start)
        inputs.asked = ("pointer",)
        at = desk.new(size=8)
        term = inputs.choose(BYTE, "", NOWHERE)
        base = Address(at.base, term if late == "offset" else start)
        moved = Moved(Const(base), Var("i"), 4, NOWHERE, part)
        found, lapsed = evaluated(moved, desk, i=term if late == "index" else index)
        assert found.base == at.base and inputs.number(found.offset) == wanted
        if late != "offset" or index:
            assert lapsed == (("pointer",) if leaves else ())
        inputs.asked = ()
        assert evaluated(moved, desk, i=term if late == "index" else index)[1] == (() if late else lapsed)
    assert evaluated(Moved(Const(Address(0, start)), Const(index), 4, NOWHERE, part)) == (Address(0, wanted), ())
    unclear = Moved(Const(Address(1, 0)), Const(Address(2, 0)), 4, NOWHERE)
    assert evaluated(unclear) == ("unclear", ())


def test_an_address_that_moves_by_an_input_that_is_chosen() -> None:
    ways = dict(all_ways(Int(2), Moved(Const(Address(0, 8)), Var("x"), 4, NOWHERE)))
    assert {low: found[0] for (low, _), found in ways.items()} == {x: Address(0, 8 + 4 * x) for x in range(-2, 2)}


@pytest.mark.parametrize(
    ("one", "other", "scale", "wanted"),
    [(8, 0, 4, 2), (0, 8, 4, -2), (7, 0, 4, 1), (0, 7, 4, -1), (3, 3, 4, 0), (5, 0, 0, 5), (300, 0, 1, 44)],
)
def test_distances(one: int, other: int, scale: int, wanted: int) -> None:
    width = 8 if one == 300 else 64
    distance = Distance(Const(Address(2, one)), Const(Address(2, other)), scale, width, NOWHERE)
    assert evaluated(distance) == (wanted, ())
    desk, inputs = symbolic_desk(one)
    term = Address(2, inputs.choose(Int(16), "", NOWHERE))
    found, lapsed = evaluated(Distance(Const(term), Const(Address(2, other)), scale, width, NOWHERE), desk)
    assert (inputs.number(found), lapsed) == (wanted, ()) and isinstance(found, Symbol)


def test_distances_across_objects() -> None:
    desk = Desk(77)
    distance = Distance(Const(Address(2, 4)), Const(Address(3, 0)), 4, 64, NOWHERE)
    assert evaluated(distance, desk) == (77, ("pointer",)) and desk.read[0].type == Int(64)
