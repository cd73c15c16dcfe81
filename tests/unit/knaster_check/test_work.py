"""Work is counted, the same each time, and ends a check where more is not allowed."""

from __future__ import annotations

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster_check import check, read_program
from knaster_check.boolean.sat import refute
from knaster_check.refused import Unsupported
from knaster_check.work import STEP, Work
from support.kinds_of_proofs import SEQUENTIAL, THREADS


def units(text: str, **options: object) -> tuple[int, int]:
    """Return what the check of a proof takes at least, found by asking, and how often it was interrupted."""
    result = knaster.check(text, file="p.bp", **options)  # type: ignore[arg-type]
    program, proof = read_program(program_to_kernel(result.program)), proof_to_text(result)
    low, high, silent = 0, 1 << 16, 0
    while low + 1 < high:
        middle = (low + high) // 2
        try:
            check(program, proof, most=middle)
            high = middle
        except Unsupported:
            low, silent = middle, silent + 1
    return high, silent


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (SEQUENTIAL, {"question": "R"}),
        (SEQUENTIAL, {"property": "F ended"}),
        (THREADS, {"question": "R", "threads": ("one", "two")}),
    ],
)
def test_enough_work_is_enough(text: str, options: dict[str, object]) -> None:
    if "property" in options:
        text = text.replace("if (*) then", "if (g) then")
    first, silent = units(text, **options)
    assert first > STEP and silent > 0
    assert units(text, **options) == (first, silent)


def test_the_work_of_the_solver_counts() -> None:
    """Seven pigeons in six holes: every case has to be tried, and no clause says so at once."""

    def at(pigeon: int, hole: int) -> int:
        return 6 * pigeon + hole + 1

    clauses = [[at(pigeon, hole) for hole in range(6)] for pigeon in range(7)]
    clauses += [[-at(one, hole), -at(two, hole)] for hole in range(6) for two in range(7) for one in range(two)]
    work = Work(lambda: None)
    assert refute(clauses, work) == "Glucose 4, proof checked"
    assert work.done > 10 * sum(map(len, clauses))
    with pytest.raises(Unsupported, match="more work"):
        refute(clauses, Work(lambda: None, work.done - 1))
    assert refute(clauses, Work(lambda: None, work.done)) == "Glucose 4, proof checked"


def test_somebody_is_asked_whether_to_go_on() -> None:
    asked: list[int] = []
    Work(lambda: asked.append(1))(7)
    assert asked == [1]
