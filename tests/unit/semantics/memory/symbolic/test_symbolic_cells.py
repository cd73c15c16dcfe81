"""Cells at offsets that depend on inputs: as an array that is written at numbers."""

from __future__ import annotations

from random import Random

from knaster.program.types import Int
from knaster.semantics.memory.objects import HEAP, Object
from knaster.semantics.memory.symbolic.symbolic_cells import _ways, is_loggable, write_entry
from support.symbol_values import Table

INDEX = Int(8, False)


def test_a_log_is_an_array() -> None:
    random = Random(5)
    for _ in range(60):
        inputs = Table(*(random.randrange(4) for _ in range(4)))
        places = [inputs.choose(INDEX, "", None) * 4 for _ in range(4)]  # type: ignore[arg-type]
        found, plain = Object("o", 16, HEAP, zeroed=True), [0] * 4
        for number in range(8):
            place = random.choice([*places, 0, 4, 12])
            at = inputs.number(place) // 4
            if random.random() < 0.6:
                found.write(place, 4, number)
                plain[at] = number
            ways, default = _ways(found, place, 4)
            value = next((raw for test, raw in ways if inputs.number(test)), default)
            assert value == plain[at]
        assert [found.read(4 * at, 4) for at in range(4)] == plain and found.log is None


def test_what_does_not_fit_is_written_down() -> None:
    inputs = Table(1)
    found = Object("o", 8, HEAP)
    place = inputs.choose(INDEX, "", None) * 4  # type: ignore[arg-type]
    write_entry(found, place, 4, 0x01020304)
    assert found.log is not None and not found.cells
    assert not is_loggable(found, 0, 2) and found.read(5, 1) == 3
    assert found.log is None and found.cells == {4: (4, 0x01020304)}
