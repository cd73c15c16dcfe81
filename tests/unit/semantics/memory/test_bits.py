"""Builtins on bits: what Python computes, of numbers and of inputs, and what is undefined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.types import Int
from knaster.semantics.memory.bits import BITS, OVERFLOWS, builtins
from knaster.semantics.memory.failure import Fault
from support.symbol_values import Table

NUMBERS = (0, 1, 2, 40, 255, 0x1234, 0x8000, 0x12345678, 0x80000000, 0xFFFFFFFF, 0x123456789ABCDEF0, 1 << 63)
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "clz": lambda value, width: len(f"{value:0{width}b}".split("1")[0]),
    "ctz": lambda value, width: len(f"{value:0{width}b}".rsplit("1", 1)[-1]),
    "popcount": lambda value, width: f"{value:b}".count("1"),
    "parity": lambda value, width: f"{value:b}".count("1") % 2,
    "ffs": lambda value, width: 1 + len(f"{value:b}".rsplit("1", 1)[-1]) if value else 0,
}
WIDTHS = {"": 32, "l": 64, "ll": 64}


def sentences(argument: str) -> list[str]:
    """Return what is said of some numbers; `argument` is how a number is given."""
    found = []
    for name, compute in FUNCTIONS.items():
        for suffix, width in WIDTHS.items():
            for number in NUMBERS:
                if number >> width or (number == 0 and name in ("clz", "ctz")):
                    continue
                given = argument.format(number=f"{number}ull")
                found.append(f"__builtin_{name}{suffix}({given}) == {compute(number, width)}")
    for width in (16, 32, 64):
        for number in NUMBERS:
            if not number >> width:
                turned = int.from_bytes(number.to_bytes(width // 8, "big"), "little")
                found.append(f"__builtin_bswap{width}({argument.format(number=f'{number}ull')}) == {turned}ull")
    found.append(f"ffs({argument.format(number='8')}) == 4")
    return found


def verdict(body: str, **options: Any) -> str:
    text = f"#include <assert.h>\n#include <strings.h>\nint main(void) {{ {body} return 0; }}\n"
    return knaster.check(text, file="a.c", objects="always", **{"property": "reach", **options}).verdict.value


def test_numbers() -> None:
    said = sentences("{number}")
    assert verdict("\n".join(f"assert({each});" for each in said), engine="search") == "TRUE"
    assert verdict("assert(__builtin_popcount(7) == 2);", engine="search") == "FALSE"


@pytest.mark.parametrize("name", [*FUNCTIONS, "bswap"])
def test_inputs(name: str) -> None:
    """The same of an input that is known to be the number."""
    said = [each for each in sentences("x") if f"_{name}" in each]
    numbers = [each for each in sentences("{number}") if f"_{name}" in each]
    some = list(zip(said, numbers, strict=True))[:: 4 if name == "bswap" else 7]  # each is a path with a long term
    body = ["unsigned long long in(void); unsigned long long x = in();"]
    for sentence, plain in some:
        number = plain.partition("(")[2].partition(")")[0]
        body.append(f"if (x == {number}) assert({sentence});")
    assert verdict("\n".join(body), engine="paths") == "TRUE"


@pytest.mark.parametrize("long", [32, 64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_builtin_by_itself(name: str, long: int) -> None:
    """Of a number and of an input; bits above the width are cut off."""
    known: Any = BITS if long == 64 else builtins(long)
    for suffix, width in (("", 32), ("l", long), ("ll", 64)):
        for number in (1, 2, 3, 40, 0x8000, 1 << width - 1, (1 << width) - 1):
            call, wanted = known[f"__builtin_{name}{suffix}"], FUNCTIONS[name](number, width)
            inputs = Table(number)
            assert call(None, None, (number,), NOWHERE) == wanted == call(None, None, (number | 1 << width,), NOWHERE)
            given = inputs.choose(Int(width, False), "", NOWHERE)
            assert inputs.number(call(None, None, (given,), NOWHERE)) == wanted
    assert known["ffsl"](None, None, (0,), NOWHERE) == 0 and known["ffs"](None, None, (8,), NOWHERE) == 4


def test_bytes_in_the_other_order() -> None:
    for width in (16, 32, 64):
        number = 0x123456789ABCDEF0 & (1 << width) - 1
        turned = int.from_bytes(number.to_bytes(width // 8, "big"), "little")
        inputs = Table(number)
        given = inputs.choose(Int(width, False), "", NOWHERE)
        call: Any = BITS[f"__builtin_bswap{width}"]
        assert call(None, None, (number,), NOWHERE) == turned == inputs.number(call(None, None, (given,), NOWHERE))


def test_what_has_no_first_bit() -> None:
    for name in ("clz", "ctz"):
        call: Any = BITS[f"__builtin_{name}"]
        for nothing in (0, 1 << 32, Table(0).choose(Int(32, False), "", NOWHERE)):
            with pytest.raises(Fault, match="first bit of 0"):
                call(None, None, (nothing,), NOWHERE)
    for name in ("popcount", "parity", "ffs"):
        inputs = Table(0)
        call = BITS[f"__builtin_{name}"]
        assert call(None, None, (0,), NOWHERE) == 0
        assert inputs.number(call(None, None, (inputs.choose(Int(32), "", NOWHERE),), NOWHERE)) == 0


class Written:
    """A machine that only keeps what is stored."""

    def store(self, place: Any, type: Any, value: Any, span: Any) -> None:
        self.kept = value


def test_each_result_that_may_not_fit() -> None:
    for sign, compute in (("add", int.__add__), ("sub", int.__sub__), ("mul", int.__mul__)):
        for name, type in (("s8", Int(8)), ("u8", Int(8, False))):
            call: Any = OVERFLOWS[f"overflow {sign} {name}"]
            for one, other in PAIRS:
                inputs, machine = Table(one), Written()
                said = call(machine, None, (one, other, None), NOWHERE)
                assert machine.kept == type.wrap(compute(one, other)) and said is not type.holds(compute(one, other))
                given = inputs.choose(Int(64), "", NOWHERE)
                assert bool(call(machine, None, (given, other, None), NOWHERE)) is said
                assert inputs.number(machine.kept) == type.wrap(compute(one, other))


@pytest.mark.parametrize("call", ["__builtin_clz(0)", "__builtin_ctzll(0)", "__builtin_clz(1ull << 32)"])
def test_the_first_bit_of_nothing_is_undefined(call: str) -> None:
    assert verdict(f"return {call};", property="safety", engine="search") == "FALSE"


def test_only_counts_are_defined_for_nothing() -> None:
    assert verdict("return __builtin_popcount(0) + __builtin_ffs(0);", property="safety", engine="search") == "TRUE"


TYPES = {"signed char": (8, True), "unsigned char": (8, False), "int": (32, True), "unsigned": (32, False)}
PAIRS = [(100, 27), (100, 28), (-100, -28), (-100, -29), (3, 5), (5, 3), (16, 16), (-1, 128), (2**31 - 1, 1), (0, -1)]


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("engine", ["search", "paths"])
def test_results_that_may_not_fit(type: str, engine: str) -> None:
    width, signed = TYPES[type]
    body = ["int in(void); int x = in();"]
    for sign, compute in (("add", int.__add__), ("sub", int.__sub__), ("mul", int.__mul__)):
        for one, other in PAIRS:
            exact = compute(one, other)
            wrapped = exact % 2**width
            wrapped -= 2**width if signed and wrapped >> width - 1 else 0
            given = "x" if engine == "paths" else f"{one}"
            said = f"__builtin_{sign}_overflow({given}, {other}, &r) == {int(exact != wrapped)} && r == {wrapped}ll"
            body.append(f"if (x == {one}) {{ {type} r; assert({said}); }}")
    assert verdict("\n".join(body), engine=engine) == "TRUE"
