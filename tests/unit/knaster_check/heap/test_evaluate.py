"""Numbers of programs with references: what does not fit is a failure, as the interpreter says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster.program.expression import IntegerOperator
from knaster.program.types import Int
from knaster.semantics.heap import evaluate as interpreter
from knaster.semantics.heap.failure import Fails as OtherFails
from knaster_check.heap.evaluate import Evaluation, number, replaced
from knaster_check.heap.memory import UNREAD, Fails, Memory, default
from knaster_check.program import Cell, Reference
from knaster_check.refused import Refused, Unsupported

LOW, HIGH = -(1 << 31), (1 << 31) - 1


@pytest.mark.parametrize("operator", list(IntegerOperator))
@pytest.mark.parametrize("width", [8, 32, 64])
def test_numbers(operator: IntegerOperator, width: int) -> None:
    for left in (LOW, -8, -7, -1, 0, 1, 5, 100, HIGH):
        for right in (LOW, -3, -1, 0, 1, 2, 31, 33, HIGH):
            if not (Int(width).holds(left) and Int(width).holds(right)):
                continue
            try:
                expected: int | str = interpreter.number(operator, left, right, Int(width))
            except OtherFails as fails:
                expected = fails.kind
            try:
                found: int | str = number(operator.value, left, right, ("int", width, True))
            except Fails as fails:
                found = fails.kind
            assert found == expected, (operator, left, right)


@pytest.mark.parametrize(
    "width, left, operator, right, expected",
    [
        (8, 255, "+", 0, 255),
        (8, 255, "+", 1, "overflow"),
        (8, 0, "-", 1, "overflow"),
        (8, 5, "-", 5, 0),
        (8, 200, "/", 7, 28),
        (8, 128, "<<", 1, 0),
        (8, 255, ">>", 9, 127),
        (16, 65535, "|", 1, 65535),
        (16, 255, "*", 257, 65535),
        (16, 256, "*", 256, "overflow"),
    ],
)
def test_numbers_without_a_sign(width: int, left: int, operator: str, right: int, expected: int | str) -> None:
    try:
        found: int | str = number(operator, left, right, ("int", width, False))
    except Fails as fails:
        found = fails.kind
    assert found == expected


ROW = Cell("array", "Row", (), (), ("int", 32, True), None)


def evaluate(*nodes: tuple[Any, ...]) -> Any:
    evaluation = Evaluation({"Row": ROW}, Memory({}), None, 3, lambda *_: None)
    return evaluation.value(nodes)


ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


@pytest.mark.parametrize("operator", ORDER)
def test_comparisons(operator: str) -> None:
    for left in (-1, 0, 1):
        for right in (-1, 0, 1):
            found = evaluate(("number", left), ("number", right), ("compare", operator))
            assert found is ORDER[operator](left, right)


def test_operators_of_truth_values() -> None:
    tables = {"&": (0, 0, 0, 1), "|": (0, 1, 1, 1), "^": (0, 1, 1, 0)}
    pairs = [(False, False), (False, True), (True, False), (True, True)]
    for operator, table in tables.items():
        found = [evaluate(("truth", a), ("truth", b), ("logic", operator)) for a, b in pairs]
        assert found == [bool(value) for value in table]
    assert [evaluate(("truth", a), ("not",)) for a in (True, False)] == [False, True]


def test_a_number_is_no_truth_value() -> None:
    assert evaluate(("number", 1), ("truth", True), ("compare", "==")) is False
    assert evaluate(("number", 1), ("truth", True), ("compare", "!=")) is True


def test_one_branch_is_evaluated() -> None:
    fails = (("number", 1), ("number", 0), ("arithmetic", "/", ("int", 8, True)))
    assert evaluate(("truth", True), ("number", 7), *fails, ("if",)) == 7
    assert evaluate(("truth", False), *fails, ("number", 8), ("if",)) == 8
    with pytest.raises(Fails):
        evaluate(("truth", False), ("number", 7), *fails, ("if",))


def test_lengths_of_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster_check.heap.evaluate._LONGEST", 3)
    for length in (0, 1, 3):
        assert evaluate(("number", length), ("new", "Row", 1), ("size",)) == length
    with pytest.raises(Fails, match="overflow"):
        evaluate(("number", -1), ("new", "Row", 1))
    with pytest.raises(Unsupported):
        evaluate(("number", 4), ("new", "Row", 1))


def test_what_variables_begin_with() -> None:
    pair = ("struct", "P", (("a", ("int", 8, True)), ("b", ("bool",))))
    assert default(pair) == (0, False) and default(("pointer", "C")) is None and default(("bool",)) is False
    assert default(("array", ("bool",), 3)) == (False, False, False) and default(("enum", "E", ("A",))) == 0


def test_parts_of_structs() -> None:
    assert replaced((1, (2, 3)), [1, 0], 9) == (1, (9, 3)) and replaced(5, [], 6) == 6
    assert replaced(UNREAD, [], 6) == 6
    with pytest.raises(Refused):
        replaced(UNREAD, [0], 6)


def test_members_of_sets() -> None:
    some = Reference("Row", 1)
    memory = Memory({"s": some}, {some: (3, 5)}, [], 1)
    evaluation = Evaluation({"Row": ROW}, memory, None, 3, lambda *_: None)
    found = [evaluation.value((("number", at), ("variable", "s"), ("member",))) for at in (3, 4, 5)]
    assert found == [True, False, True]


def test_every_new_cell_has_a_number_of_its_own() -> None:
    memory = Memory({})
    evaluation = Evaluation({"Row": ROW}, memory, None, 3, lambda *_: None)
    made = [evaluation.value((("number", 1), ("new", "Row", 1))) for _ in range(2)]
    assert made == [Reference("Row", 1), Reference("Row", 2)] and memory.made == 2
