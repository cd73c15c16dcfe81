"""Expressions of programs with memory, evaluated by hand: addresses that move, loads, borders of types, logic."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.expressions import address_of, alignment_of, meaning_of, tree_of
from knaster_check.memory.faults import Undefined
from knaster_check.memory.symbols import Nodes, Symbol, SymbolicInputs
from knaster_check.memory.values import NULL, Address, Following, Image
from knaster_check.program import Formula, Node, Type
from knaster_check.refused import Unsupported
from support.kernel_desk import Desk

INT: Type = ("int", 32, True)
BYTE: Type = ("int", 8, False)
TRUE, FALSE = ("truth", True), ("truth", False)


class Table(Desk):
    """A desk whose notes say whether a pointer was used at once, and whose variables are given."""

    def __init__(self, inputs: tuple[int, ...] = (), **values: Any) -> None:
        super().__init__(inputs)
        self.notes: list[tuple[str, bool]] = []
        self.machine._note = lambda kind, place, at_once: self.notes.append((kind, at_once))
        self.machine.frames[-1].values = values

    def value(self, *formula: Node) -> Any:
        return meaning_of(formula)(self.machine, self.machine.frames[-1])


def number(value: int) -> Node:
    return ("number", value)


def variable(name: str) -> Node:
    return ("variable", name)


def test_trees() -> None:
    formula: Formula = (number(1), number(2), ("compute", "+", INT, 1, 1), ("cast", INT, 1, 1))
    assert tree_of(formula) == (
        ("cast", INT, 1, 1),
        ((("compute", "+", INT, 1, 1), ((number(1), ()), (number(2), ()))),),
    )


@pytest.mark.parametrize(
    ("type", "packed", "fit"),
    [
        (INT, False, 4),
        (INT, True, 1),
        (BYTE, False, 1),
        (("bytes", 8), False, 1),
        (("int", 24, True), False, 1),
        (("address", 8), False, 8),
    ],
)
def test_where_values_may_stand(type: Type, packed: bool, fit: int) -> None:
    assert alignment_of(type, packed) == fit


@pytest.mark.parametrize(
    ("offset", "count", "scale", "part", "moved", "noted"),
    [
        *[
            (0, 2, 4, False, 8, False),
            (0, 3, 4, False, 12, True),
            (4, -1, 4, False, 0, False),
            (4, -2, 4, False, -4, True),
        ],
        *[
            (0, 3, 4, True, 12, False),
            (12, 0, 4, False, 12, False),
            (9, -1, 1, False, 8, False),
            (9, 1, 1, False, 10, True),
        ],
    ],
)
@pytest.mark.parametrize("at_once", [False, True])
def test_pointers_move(offset: int, count: int, scale: int, part: bool, moved: int, noted: bool, at_once: bool) -> None:
    formula: Formula = (variable("p"), variable("n"), ("move", scale, part, 5, 6))
    for given in (count, None):
        table = Table((count,)) if given is None else Table(n=count)
        base = table.block(*[1] * 8).base
        table.machine.frames[-1].values["p"] = Address(base, offset)
        if given is None:
            table.machine.frames[-1].values["n"] = table.machine.inputs.between(count, count + 1)
        found = (address_of if at_once else meaning_of)(formula)(table.machine, table.machine.frames[-1])
        assert (found.base, table.machine.inputs.pinned(found.offset)) == (base, moved)
        assert table.notes == [("pointer", at_once)] * noted
    table = Table(p=Address(0, offset), n=count)
    assert table.value(*formula) == Address(0, moved) and not table.notes
    table = Table((count,), p=Address(0, offset))
    table.machine.frames[-1].values["n"] = table.machine.inputs.between(count, count + 1)
    assert table.value(*formula) == Address(0, moved) and not table.notes


def test_places_that_depend_on_inputs_stay_open() -> None:
    table = Table()
    table.machine.inputs = SymbolicInputs(Nodes(), {}, ())
    where = table.block(1, 2, 3, 4)
    given = table.machine.inputs.between(0, 3)
    table.machine.frames[-1].values = {"p": where, "n": given}
    formula: Formula = (variable("p"), variable("n"), ("move", 1, False, 5, 6))
    found = address_of(formula)(table.machine, table.machine.frames[-1])
    assert isinstance(found.offset, Symbol)
    assert meaning_of(formula)(table.machine, table.machine.frames[-1]) == where
    assert meaning_of((*formula, ("load", BYTE, False, 5, 6)))(table.machine, table.machine.frames[-1]) == 1
    with pytest.raises(Unsupported, match="is moved by"):
        Table(p=where, n=where).value(*formula)


def test_loads() -> None:
    table = Table()
    where = table.block(1, 0, 0, 0, 2, 0, 0, 0)
    for offset, value, noted in ((0, 1, False), (4, 2, False), (2, 2 << 16, True), (1, 2 << 24, True)):
        table.notes.clear()
        table.machine.frames[-1].values = {"p": Address(where.base, offset)}
        assert table.value(variable("p"), ("load", INT, False, 5, 6)) == value and bool(table.notes) is noted
        table.notes.clear()
        assert table.value(variable("p"), ("load", INT, True, 5, 6)) == value and not table.notes
    for wrong, kind in ((Address(where.base, 5), "bounds"), (Address(where.base, -1), "bounds"), (NULL, "null")):
        with pytest.raises(Undefined) as found:
            Table(p=wrong).value(variable("p"), ("load", BYTE, False, 5, 6)) if wrong == NULL else _load(table, wrong)
        assert found.value.kind == kind


def _load(table: Table, where: Address) -> Any:
    table.machine.frames[-1].values = {"p": where}
    return table.value(variable("p"), ("load", INT, True, 5, 6))


def test_distances() -> None:
    def distance(one: Address, other: Address, scale: int, inputs: tuple[int, ...] = ()) -> tuple[Any, list[Any]]:
        table = Table(inputs, p=one, q=other)
        return table.value(variable("p"), variable("q"), ("distance", scale, 64, 5, 6)), table.notes

    assert distance(Address(1, 12), Address(1, 4), 4) == (2, []) and distance(Address(1, 4), Address(1, 12), 4) == (
        -2,
        [],
    )
    assert distance(Address(1, 7), Address(1, 0), 4) == (1, []) and distance(Address(1, 0), Address(1, 7), 4) == (
        -1,
        [],
    )
    assert distance(Address(1, 7), Address(1, 7), 0) == (0, []) and distance(Address(1, 3), Address(1, 0), 1) == (3, [])
    found, notes = distance(Address(1, 7), Address(2, 7), 4, (9,))
    assert found.value == 9 and notes == [("pointer", False)]


@pytest.mark.parametrize("sign", ["+", "-", "*", "&"])
def test_borders_of_types(sign: str) -> None:
    exact = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "&": int.__and__}[sign]
    for type, low, high in ((("int", 8, True), -128, 127), (BYTE, 0, 255), (("int", None, True), None, None)):
        for one in (0, 1, 2, 64, 100, 127, 128, 200, 255):
            for other in (0, 1, 2, 27, 28, 55, 56, 127):
                table = Table(x=one, y=other)
                found = table.value(variable("x"), variable("y"), ("compute", sign, type, 5, 6))
                fits = low is None or (high is not None and low <= exact(one, other) <= high)
                assert (found == exact(one, other)) is fits or sign == "&"
                assert bool(table.notes) is (not fits and type[2])


def test_comparisons_and_conversions() -> None:
    for sign, results in (("<", "100"), ("<=", "110"), ("==", "010"), ("!=", "101"), (">", "001"), (">=", "011")):
        found = [Table(x=x).value(variable("x"), number(3), ("compare", sign)) for x in (2, 3, 4)]
        assert found == [digit == "1" for digit in results]
        for x, digit in zip((2, 3, 4), results, strict=True):
            table = Table((x,), n=3)
            table.machine.frames[-1].values["x"] = table.machine.inputs.between(0, 9)
            assert table.value(variable("x"), variable("n"), ("compare", sign)) is (digit == "1")
            table = Table((3,), x=x)
            table.machine.frames[-1].values["n"] = table.machine.inputs.between(0, 9)
            assert table.value(variable("x"), variable("n"), ("compare", sign)) is (digit == "1")
    assert [Table(x=x).value(variable("x"), ("cast", BYTE, 1, 1)) for x in (-1, 0, 255, 256)] == [255, 0, 255, 0]
    assert Table(x=2).value(variable("x"), ("cast", ("bool",), 1, 1)) is True
    assert Table(x=2).value(variable("x"), ("cast", ("floating", 64), 1, 1)) == 2.0
    assert Table(x=1.5, y=2.0).value(variable("x"), variable("y"), ("real_arithmetic", "*", 64)) == 3.0


def test_what_is_not_needed_is_not_evaluated() -> None:
    undefined = (number(1), number(0), ("compute", "/", INT, 5, 6), ("cast", ("bool",), 5, 6))
    assert (
        Table().value(FALSE, *undefined, ("logic", "&")) is False
        and Table().value(TRUE, *undefined, ("logic", "|")) is True
    )
    assert (
        Table().value(TRUE, number(3), *undefined, ("if",)) == 3
        and Table().value(FALSE, *undefined, number(4), ("if",)) == 4
    )
    for left, sign in ((TRUE, "&"), (FALSE, "|")):
        with pytest.raises(Undefined):
            Table().value(left, *undefined, ("logic", sign))
        for right in (TRUE, FALSE):
            assert Table().value(left, right, ("logic", sign)) is right[1]
    assert Table().value(TRUE, ("not",)) is False
    with pytest.raises(Unsupported, match=r"'\^'"):
        Table().value(TRUE, TRUE, ("logic", "^"))


def test_constants_and_inputs() -> None:
    assert Table().value(("image", 4, ((1, 2, 513),))) == Image(4, {1: 1, 2: 2})
    assert Table().value(("pointer", 5)) == Address(0, 5) and Table().value(("real", 1.5)) == 1.5
    table = Table((7,))
    table.machine.frames[-1].code.procedure.types["fresh"] = INT
    first = table.value(variable("fresh"))
    assert isinstance(first, Following) and first.value == 7 and table.value(variable("fresh")) is first
    del table.machine.frames[-1].code.procedure.types["fresh"]
    assert Table((3,)).value(("choice", INT)).value == 3
