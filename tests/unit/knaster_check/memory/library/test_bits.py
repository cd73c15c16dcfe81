"""Builtins on bits: against Python's own, for every width; and sums that say whether they overflow."""

from __future__ import annotations

import pytest

from knaster_check.memory.numbers import wrap
from support.kernel_desk import Desk

VALUES = (1, 2, 3, 6, 8, 40, 127, 255, 256, 4097, 65535, 1 << 31, (1 << 32) - 1, -1, -8, 1 << 40, 5 << 60)


@pytest.mark.parametrize(("suffix", "pointer", "width"), [("", 8, 32), ("l", 8, 64), ("l", 4, 32), ("ll", 4, 64)])
def test_counts(suffix: str, pointer: int, width: int) -> None:
    desk = Desk(pointer=pointer)
    for value in VALUES:
        bits = format(value & (1 << width) - 1, f"0{width}b")
        lowest = bits[::-1].find("1") + 1
        assert desk.call(f"__builtin_popcount{suffix}", value) == bits.count("1")
        assert desk.call(f"__builtin_parity{suffix}", value) == bits.count("1") % 2
        assert desk.call(f"__builtin_ffs{suffix}", value) == desk.call(f"ffs{suffix}", value) == lowest
        if lowest:
            assert desk.call(f"__builtin_ctz{suffix}", value) == lowest - 1
            assert desk.call(f"__builtin_clz{suffix}", value) == bits.index("1")
    assert desk.call(f"__builtin_popcount{suffix}", 0) == desk.call(f"__builtin_ffs{suffix}", 0) == 0
    assert desk.fault(f"__builtin_ctz{suffix}", 0) == desk.fault(f"__builtin_clz{suffix}", 0) == "value"
    assert desk.fault(f"__builtin_clz{suffix}", 1 << width) == "value"


@pytest.mark.parametrize("width", [16, 32, 64])
def test_bytes_are_turned(width: int) -> None:
    for value in VALUES:
        raw = (value & (1 << width) - 1).to_bytes(width // 8, "little")
        assert Desk().call(f"__builtin_bswap{width}", value) == int.from_bytes(raw, "big")


@pytest.mark.parametrize(
    "name", ["popcount", "clz", "__builtin_ctzx", "__builtin_bswap8", "__builtin_bswap", "bswap16"]
)
def test_other_names_are_not_known(name: str) -> None:
    assert "does not know" in Desk().fault(name, 1)


@pytest.mark.parametrize("type", [("int", 8, True), ("int", 8, False), ("int", 32, True), ("int", 64, False)])
def test_sums_that_overflow(type: tuple[str, int, bool]) -> None:
    word = f"{'s' if type[2] else 'u'}{type[1]}"
    for one in (0, 1, -1, 100, 127, -128, 255, (1 << 31) - 1, 1 << 63):
        for other in (0, 1, -1, 2, 100, -100):
            for name, exact in (("add", one + other), ("sub", one - other), ("mul", one * other)):
                desk = Desk()
                where = desk.block(*[None] * (type[1] // 8))
                assert desk.call(f"overflow {name} {word}", one, other, where) is (wrap(exact, type) != exact)
                assert desk.machine.load(where, type, (0, 0)) == wrap(exact, type)


@pytest.mark.parametrize("name", ["overflow div s32", "overflow add", "flow add s32", "overflow add s32 x"])
def test_what_is_no_such_sum(name: str) -> None:
    assert "does not know" in Desk().fault(name, 1, 1, 0)
