"""Types and intervals of expressions of programs with memory."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

from knaster.program.checks.static_types import _result, range_of, type_of
from knaster.program.expression import Arithmetic, Choice, Conditional, Const, Convert, IntegerOperator, Var
from knaster.program.memory import Addresses, AddressOf, Floating, Load
from knaster.program.types import Bool, Int


def test_types() -> None:
    assert type_of(AddressOf("x"), {}) == Addresses(0)
    assert type_of(Var("x"), {"x": Int(8)}) == Int(8)
    assert type_of(Load(AddressOf("x"), Floating(32)), {}) == Floating(32)
    assert type_of(Conditional(Const(True), Choice(Bool()), Const(1)), {}) == Bool()


def test_ranges() -> None:
    x = Var("x")
    assert range_of(Convert(x, Int(32)), {"x": Int(8)}) == (-128, 127)
    total = Arithmetic(IntegerOperator.ADD, x, x, Int(8))
    assert range_of(total, {"x": Int(8)}) == (-128, 127)
    assert range_of(total, {"x": Int(8)}, wrapped=False) is None
    assert range_of(Arithmetic(IntegerOperator.ADD, x, x, Int(16)), {"x": Int(8)}, wrapped=False) == (-256, 254)


def test_intervals_have_every_result() -> None:
    random = Random(5)
    compute: dict[IntegerOperator, Callable[[int, int], int | None]] = {
        IntegerOperator.ADD: lambda a, b: a + b,
        IntegerOperator.SUBTRACT: lambda a, b: a - b,
        IntegerOperator.MULTIPLY: lambda a, b: a * b,
        IntegerOperator.AND: lambda a, b: a & b,
        IntegerOperator.LEFT: lambda a, b: a << b if b >= 0 else None,
        IntegerOperator.RIGHT: lambda a, b: a >> b if b >= 0 else None,
        IntegerOperator.DIVIDE: lambda a, b: int(a / b) if b else None,
        IntegerOperator.REMAINDER: lambda a, b: a - int(a / b) * b if b else None,
    }
    for _ in range(60):
        a, b, c, d = (random.randint(-9, 9) for _ in range(4))
        one, other = (min(a, b), max(a, b)), (min(c, d), max(c, d))
        for sign, function in compute.items():
            found = _result(sign, one, other)
            if found is None:
                continue
            for a, b in product(range(one[0], one[1] + 1), range(other[0], other[1] + 1)):
                value = function(a, b)
                assert value is None or found[0] <= value <= found[1], (sign, a, b)
