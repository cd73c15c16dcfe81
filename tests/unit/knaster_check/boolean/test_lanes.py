"""Points of threads: calls lead to each other and to the procedure in which the thread stands."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.boolean.lanes import read_lane

TEXT = """decl g;
void main() begin f(); skip; end
void f() begin h(); end
void h() begin skip; end
"""
PROGRAM = read_program(program_to_kernel(parse(TEXT, "a.bp")))


def lane(*points: Any, bits: int = 3) -> dict[str, Any]:
    return {"points": list(points), "bits": list(range(bits)), "depths": []}


def test_points_that_calls_lead_to() -> None:
    rows = [[[], "", 0], [[], "", 1], [[], "main", -1], [[["main", 0]], "f", 0], [[["main", 0], ["f", 0]], "h", 0]]
    assert len(read_lane(PROGRAM, lane(*rows)).points) == 5


@pytest.mark.parametrize(
    "point",
    [
        [[["main", 0]], "h", 0],  # it calls f
        [[["main", 0], ["h", 0]], "f", 0],  # h calls nobody
        [[["main", 1]], "f", 0],
        [[["main", 9]], "f", 0],
        [[["nobody", 0]], "f", 0],
        [[["main", 0]], "f", -1],  # a callee has begun
        [[], "nobody", 0],
        [[], "main", 99],
        [[], "main", -2],
    ],
)
def test_points_that_are_nowhere(point: Any) -> None:
    with pytest.raises(Refused):
        read_lane(PROGRAM, lane(point))


def test_every_point_has_a_number() -> None:
    rows: list[Any] = [[[], "main", at] for at in (-1, 0)]
    assert len(read_lane(PROGRAM, lane(*rows, bits=1)).points) == 2
    for wrong in (lane(*rows, [[], "f", 0], bits=1), lane(rows[0], rows[0])):
        with pytest.raises(Refused, match="one number"):
            read_lane(PROGRAM, wrong)
