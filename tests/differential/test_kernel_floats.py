"""The kernel and our checker on depths of random programs with floating-point numbers: both say what all runs do."""

from __future__ import annotations

import json
from random import Random

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.memory.reduced_texts import _label, _name
from knaster.checkers.unrolling import check_unrolling
from knaster.engines.contract import Task
from knaster.engines.integers.search import SearchOptions
from knaster.engines.integers.search.memory import search_memory
from knaster.evidence.proofs.files import FORMAT, FORMAT_VERSION, fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.question import Reach, Target
from knaster.program.model import Program
from knaster.transform.regions.reduce import reduce_regions
from knaster.transform.regions.refusal import Refused as NotReduced
from knaster_check import Refused, check, read_program
from knaster_check.refused import Unsupported
from support.generators.c_floats import program
from support.regions import read_with_memory, targets_in

DEPTH = 6


def _never_ends(units: int = 0) -> None:
    """Let the check take as long as it needs."""


def kernel_says(reduced: Program, target: Target) -> bool | None:
    labelled = _label(reduced, [target])
    document = {
        **{"format": FORMAT, "version": FORMAT_VERSION, "tool": "a test", "file": labelled.file},
        **({"reading": dict(labelled.reading)} if labelled.reading else {}),
        **{"program": fingerprint(labelled), "entry": ", ".join(labelled.threads)},
        "targets": [{"name": _name(0), "procedure": target.procedure, "location": target.location}],
        "unrolling": {"depth": DEPTH},
    }
    try:
        check(read_program(program_to_kernel(labelled)), json.dumps(document), _never_ends, 300_000)
    except Unsupported:
        return None
    except Refused:
        return False
    return True


def checker_says(reduced: Program, target: Target) -> bool | None:
    try:
        check_unrolling(Unrolling(reduced, DEPTH), reduced, [target], Budget())
    except InternalError:
        return False
    except OutOfBudget:
        return None
    return True


def compare(seed: int) -> None:
    read = read_with_memory(program(Random(seed), 4))
    targets = targets_in(read, "safety")
    try:
        reduced = reduce_regions(read, targets)
    except NotReduced:
        return
    known = search_memory(Task(read, Reach(targets), Budget(), SearchOptions()), 300_000)
    if known.unknown is not None and len(known.reached) < len(targets):
        return
    for own, original in reduced.targets[:4]:
        if original is not None:
            holds = original not in known.reached
            assert kernel_says(reduced.program, own) in (None, holds), (seed, own)
            assert checker_says(reduced.program, own) in (None, holds), (seed, own)


@pytest.mark.parametrize("seed", [1, 5])
def test_depths_are_believed_where_runs_confirm_them(seed: int) -> None:
    compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400, 460))
def test_more_depths_are_believed_where_runs_confirm_them(seed: int) -> None:
    compare(seed)
