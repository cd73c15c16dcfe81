"""Undefined steps: which of them the name of a target asks for."""

from __future__ import annotations

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import read_program
from knaster_check.memory.faults import Undefined, read_asked
from knaster_check.refused import Refused

ALONE = read_program(program_to_kernel(load("void main() begin skip; end", file="a.bp")))


@pytest.mark.parametrize(
    ("name", "kind", "place", "at_once", "means"),
    [
        *[("bounds", "bounds", (3, 4), False, True), ("bounds", "null", (3, 4), False, False)],
        *[("bounds:3", "bounds", (3, 4), False, True), ("bounds:3", "bounds", (4, 3), False, False)],
        *[("bounds:3:4", "bounds", (3, 4), False, True), ("bounds:3:4", "bounds", (3, 5), False, False)],
        *[("bounds:3:4", "bounds", (2, 4), False, False), ("pointer:3", "pointer", (3, 4), True, False)],
        *[("pointer", "pointer", (3, 4), True, True), ("pointer:3", "pointer", (3, 4), False, True)],
        *[
            ("an undefined step", "overlap", (1, 1), True, True),
            ("an undefined step", "overflow", (1, 1), False, False),
        ],
        *[
            ("a wrong use of memory", "dead", (1, 1), False, True),
            ("a wrong use of memory", "division", (1, 1), False, False),
        ],
        *[("a deadlock", "deadlock", (0, 0), False, True), ("a leak", "lost", (0, 0), False, False)],
    ],
)
def test_what_is_asked(name: str, kind: str, place: tuple[int, int], at_once: bool, means: bool) -> None:
    assert read_asked(ALONE, name).means(kind, place, at_once) is means


@pytest.mark.parametrize(
    "name",
    [
        "bound",
        "bounds:",
        "bounds:0",
        "bounds:3:0",
        "bounds:3:4:5",
        "bounds:x",
        "bounds:-3",
        f"bounds:{1 << 31}",
        "bounds:²",
        "",
        ":3",
    ],
)
def test_other_names_are_none(name: str) -> None:
    with pytest.raises(Refused):
        read_asked(ALONE, name)


def test_large_lines() -> None:
    assert read_asked(ALONE, f"bounds:{(1 << 31) - 1}").line == (1 << 31) - 1
    assert str(Undefined("null", (7, 1))) == "null at line 7"
