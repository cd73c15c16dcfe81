"""The kernel on depths of random C programs: what it believes all runs confirm, and our own checker says the same."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.unrolling import check_unrolling
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.targets import every_target
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster_check import Refused
from knaster_check.refused import Unsupported
from support.generators.c_programs import random_program, text, truth
from support.kernel import document, kernel

PROGRAMS = int(10 * float(os.environ.get("KNASTER_EXAMPLES", "1")))


def kernel_says(program: Program, depth: int) -> bool | None:
    try:
        kernel(program, document(program, {"unrolling": {"depth": depth}}))
    except Unsupported:
        return None
    except Refused:
        return False
    return True


def checker_says(program: Program, depth: int) -> bool | None:
    try:
        check_unrolling(Unrolling(program, depth), program, every_target(program), Budget())
    except InternalError:
        return False
    except OutOfBudget:
        return None
    return True


@pytest.mark.parametrize("first", [0, 1000])
def test_random_programs(first: int) -> None:
    done: Counter[tuple[bool | None, bool | None]] = Counter()
    for seed in range(first, first + max(4, PROGRAMS)):
        made = random_program(seed)
        program = load(text(made), file="random.c")
        if not every_target(program):
            continue
        known = truth(made)
        for depth in (0, 3):
            believed = kernel_says(program, depth)
            if believed:
                assert known.error is False and known.endless is False, (seed, depth)
            other = checker_says(program, depth)
            assert None in (believed, other) or believed is other, (seed, depth)
            done[believed, other] += 1
    assert done[True, True] > 2 and done[False, False] > 2
