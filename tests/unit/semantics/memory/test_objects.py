"""Bytes of objects: cells as they were written, put together from bytes where they must be."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.memory import Address, Fragment, Snapshot
from knaster.program.types import Int
from knaster.semantics.memory import objects
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.objects import HEAP, Object
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.symbol_values import Table


def test_what_was_written_is_read() -> None:
    found = Object("o", 16, HEAP)
    found.write(0, 4, 0x01020304)
    assert found.read(0, 4) == 0x01020304 and found.read(4, 4) is None and found.is_unwritten(4, 4)


def test_other_reads_are_put_together_from_bytes() -> None:
    found = Object("o", 16, HEAP)
    found.write(0, 4, 0x01020304)
    assert [found.read(at, 1) for at in range(4)] == [4, 3, 2, 1] and found.read(1, 2) == 0x0203
    found.write(1, 1, 0xFF)
    assert found.read(0, 4) == 0x0102FF04 and found.read(2, 4) is None


def test_zeroed_bytes_are_zero() -> None:
    found = Object("o", 16, HEAP, zeroed=True)
    found.write(2, 1, 7)
    assert found.read(0, 4) == 0x00070000 and found.read(8, 8) == 0


def test_pointers_are_copied_as_a_whole() -> None:
    found, other = Object("o", 24, HEAP), Object("p", 24, HEAP)
    found.write(8, 8, Address(5, 4))
    for at in range(8):
        other.write(3 + at, 1, found.read(8 + at, 1))
    assert other.read(3, 8) == Address(5, 4)
    with pytest.raises(Unclear):
        found.read(8, 4)


def test_snapshots_keep_what_is_unwritten() -> None:
    found, other = Object("o", 12, HEAP), Object("p", 12, HEAP, zeroed=True)
    found.write(4, 4, 9)
    seen = found.snapshot(0, 12)
    other.restore(0, seen)
    assert other.read(4, 4) == 9 and other.read(0, 4) is None and other.read(8, 4) is None
    zeros = Object("z", 12, HEAP, zeroed=True)
    found.restore(0, zeros.snapshot(2, 8))
    assert found.read(0, 8) == 0 and found.read(8, 4) is None


def test_many_zeros_are_not_copied_one_by_one() -> None:
    """A copy of 10^9 bytes of `calloc` is refused by name before it takes all memory."""
    with pytest.raises(Unclear, match="more than 4,194,304 bytes that nobody wrote are copied"):
        Object("o", 10**9, HEAP, zeroed=True).snapshot(0, 10**9)
    assert Object("o", 10**9, HEAP).snapshot(0, 10**9).cells == ()


class Bytes:
    """The oracle: one entry a byte; None where nobody wrote."""

    def __init__(self, size: int, zeroed: bool) -> None:
        self.all: list[Any] = [0 if zeroed else None] * size

    def write(self, offset: int, size: int, raw: Any) -> None:
        for index in range(size):
            byte = Fragment(raw, index, size) if isinstance(raw, Address) else raw
            self.all[offset + index] = byte >> 8 * index & 255 if isinstance(byte, int) else byte

    def read(self, offset: int, size: int) -> Any:
        found = self.all[offset : offset + size]
        if None in found:
            return None
        if all(isinstance(byte, int) for byte in found):
            return int.from_bytes(found, "little")
        if size == 1:
            return found[0]
        first = found[0]
        if isinstance(first, Fragment) and found == [Fragment(first.address, at, size) for at in range(size)]:
            return first.address
        return Unclear


def _read(found: Object, offset: int, size: int) -> Any:
    try:
        return found.read(offset, size)
    except Unclear:
        return Unclear


def _change(source: random.Random, objects: list[Object], plain: list[Bytes]) -> None:
    """Do the same to one of the objects and to its bytes."""
    this, other = source.randrange(2), source.randrange(2)
    size = source.choice([1, 1, 2, 3, 4, 8, 8, 8, 16])
    at = source.randrange(_SIZE - size + 1)
    match source.randrange(8):
        case 0 | 1 | 2 | 3:
            raw: Any = source.randrange(1 << 8 * size)
            raw = Address(source.randrange(1, 3), source.randrange(2)) if size == 8 and source.random() < 0.5 else raw
            objects[this].write(at, size, raw)
            plain[this].write(at, size, raw)
        case 4:
            size = source.randrange(_SIZE - at + 1)
            objects[this].forget(at, size)
            plain[this].all[at : at + size] = [None] * size
        case 5 | 6:
            size = source.randrange(_SIZE - at + 1)
            start = source.randrange(_SIZE - size + 1)
            seen = objects[this].snapshot(at, size)
            kept = [cell[0] for cell in seen.cells]
            assert seen.size == size and kept == sorted(kept)
            objects[other].restore(start, seen)
            plain[other].all[start : start + size] = plain[this].all[at : at + size]
        case _:
            raw = _read(objects[this], at, 1)
            objects[other].write(at, 1, raw)
            plain[other].all[at] = plain[this].all[at]


_SIZE = 28


@pytest.mark.parametrize("seed", range(24))
def test_objects_are_their_bytes(seed: int) -> None:
    """Whatever was written, forgotten and copied: every read is what a list of bytes says."""
    source = random.Random(seed)
    objects = [Object(name, _SIZE, HEAP, zeroed) for name, zeroed in (("o", False), ("z", seed % 2 == 0))]
    plain = [Bytes(_SIZE, found.zeroed) for found in objects]
    for _ in range(25):
        _change(source, objects, plain)
        for found, oracle in zip(objects, plain, strict=True):
            assert [found.byte(at) for at in range(_SIZE)] == oracle.all
            for size in (1, 2, 4, 8, 16):
                for at in range(_SIZE - size + 1):
                    assert _read(found, at, size) == oracle.read(at, size), (found, at, size)
                    unwritten = all(byte is None for byte in oracle.all[at : at + size])
                    assert found.is_unwritten(at, size) is unwritten


def test_neighbours_stay_whole() -> None:
    for more in ([], [(at, 4, at) for at in range(12, 28, 4)]):  # few cells, and many
        found = Object("o", 28, HEAP)
        for at, size, raw in ((0, 4, 1), (4, 4, 2), (8, 4, 3), *more):
            found.write(at, size, raw)
        for size in (4, 2):
            found.write(4, size, 9)
            assert found.cells[0] == (4, 1) and found.cells[4] == (size, 9) and found.cells[8] == (4, 3)
        kept = dict(found.cells)
        assert found.snapshot(0, 4) == Snapshot(4, ((0, 4, 1),)) and found.snapshot(8, 4) == Snapshot(4, ((0, 4, 3),))
        found.forget(4, 4)
        del kept[4], kept[6], kept[7]
        assert found.cells == kept


def test_how_many_zeros_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MOST_ZEROS", 9)
    found = Object("o", 20, HEAP, zeroed=True)
    assert found.snapshot(0, 9) == Snapshot(9, ((0, 8, 0), (8, 1, 0)))
    with pytest.raises(Unclear):
        found.snapshot(0, 10)


@pytest.mark.parametrize("value", [0x01020304, 0xFFFEFDFC])
def test_bytes_of_an_input(value: int) -> None:
    """As those of a number; put together again they are the input."""
    inputs = Table(value)
    found = Object("o", 8, HEAP)
    found.write(0, 4, inputs.choose(Int(32, False), "", NOWHERE))
    found.write(4, 1, 7)
    whole = value | 7 << 32
    for size in (1, 2, 3, 4, 5):
        for at in range(6 - size):
            read = found.read(at, size)
            assert inputs.number(read) == whole >> 8 * at & (1 << 8 * size) - 1
            assert isinstance(read, Symbol) or at == 4  # nothing was chosen
    assert found.byte(1).type == Int(8, False) and found.read(3, 3) is None


def test_a_copy_into_zeros_leaves_unwritten_what_was() -> None:
    """What a heap object has not written is any number in the copy, though the target was all zeros before."""
    text = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct s { char head[2]; short x; short y; char tail[2000]; };
static struct s g;
int main(void) {
  struct s *l = malloc(sizeof *l), *p = &g;
  l->x = 1;
  memcpy(p, l, sizeof g);
  assert(p->y == 0);
  return 0;
}
"""
    for engine in ("search", "paths"):
        assert knaster.check(text, file="a.c", property="reach", engine=engine).verdict.value == "FALSE"
        holds = text.replace("p->y == 0", "p->x == 1")
        assert knaster.check(holds, file="a.c", property="reach", engine=engine).verdict.value != "FALSE"


def test_a_cell_behind_what_is_forgotten_stays_whole() -> None:
    found = Object("o", 28, HEAP)
    found.write(8, 4, 3)
    found.forget(0, 8)
    found.forget(12, 8)
    assert found.cells == {8: (4, 3)}


def _cleared(found: Object) -> bool:
    found.clear(4, 4)
    return not found.cells


def test_a_log_is_written_down_before_anything_is_looked_at() -> None:
    """What stands at an offset that is an input, here 4: whoever looks at bytes sees it there."""
    looks: list[Callable[[Object], object]] = [
        lambda found: found.read(4, 4) == 9,
        lambda found: found.byte(4) == 9,
        lambda found: not found.byte_is_unwritten(4),
        _cleared,
        lambda found: found.snapshot(0, 8) == Snapshot(8, ((4, 4, 9),)),
    ]
    for look in looks:
        found = Object("o", 8, HEAP)
        found.write(Table(4).choose(Int(8, False), "", NOWHERE), 4, 9)
        assert found.log and look(found) and found.log is None


def test_a_term_in_a_log_is_read_as_it_is() -> None:
    inputs = Table(4, 9)
    where, term = inputs.choose(Int(8, False), "", NOWHERE), inputs.choose(Int(32, False), "", NOWHERE)
    found = Object("o", 8, HEAP)
    found.write(where, 4, term)
    assert found.read(4, 4) is term
