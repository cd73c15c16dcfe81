"""Programs with memory and what they are reduced to, decided by runs on both sides."""

from __future__ import annotations

from random import Random

from knaster.base.limits import Budget
from knaster.checkers.runs.replay import replay
from knaster.checkers.unrolling import check_unrolling
from knaster.engines.contract import Task
from knaster.engines.integers.search import SearchOptions
from knaster.engines.integers.search.engine import search
from knaster.engines.integers.search.memory import search_memory
from knaster.engines.integers.unrolled import UnrolledOptions
from knaster.engines.integers.unrolled.engine import unrolled
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.properties import PROPERTIES
from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.c import parse
from knaster.frontends.text.options import COptions
from knaster.program.model import Program
from knaster.transform.regions.reduce import RegionProgram, reduce_regions
from knaster.transform.regions.way_back import lift_run
from support.generators import c_members, c_regions

INPUTS = "b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool()"


def read_with_memory(text: str) -> Program:
    """Return a text of C as a program with memory."""
    return parse(text, "a.c", options=COptions(objects="always"))


def targets_in(text: Program, name: str) -> tuple[Target, ...]:
    """Return the targets of a property."""
    (found,) = (each for each in PROPERTIES.values() if each.name == name)
    return found.targets_in(text)


def reduce_text(text: str, name: str = "reach") -> RegionProgram:
    """Return what a text of C is reduced to."""
    read = read_with_memory(text)
    return reduce_regions(read, targets_in(read, name))


def closed_program(seed: int, statements: int = 9) -> str:
    """Return a random program without inputs."""
    random = Random(seed)
    program = c_regions.program if seed % 2 else c_members.program
    text = program(random, random.randint(1, statements))
    return text.replace(INPUTS, f"b = {random.randint(0, 1)}, c = {random.randint(0, 1)}")


def compare_with_memory(text: str, name: str) -> tuple[int, int]:
    """Compare the one run of a program with that of the reduced one; return how many targets agree, and are reached."""
    read = read_with_memory(text)
    targets = targets_in(read, name)
    reduced = reduce_regions(read, targets)
    known = search_memory(Task(read, Reach(targets), Budget(), SearchOptions()), 300_000)
    if known.unknown is not None and len(known.reached) < len(targets):
        return 0, 0
    found = search(Task(reduced.program, reduced.question, Budget(), SearchOptions(20_000)))
    assert found.unknown is None or len(found.reached) == len(reduced.targets), found.unknown
    assert found.traces is not None
    reached = {original: own for own, original in reduced.targets if own in found.reached}
    for target in targets:
        if target in reached:
            assert target in known.reached, target
            run = lift_run(reduced, found.traces([reached[target]])[reached[target]], target)
            replay(read, run, target)
        elif None not in reached:
            assert target not in known.reached, target
    return (0 if None in reached else len(targets)), len([each for each in reached if each is not None])


def compare_runs(text: str, name: str) -> bool | None:
    """Compare all runs of a program with what a solver says of the reduced one, and replay what it finds.

    Returns whether a target is reached; None where the runs are not all known, or the solver does not answer.
    """
    read = read_with_memory(text)
    targets = targets_in(read, name)
    reduced = reduce_regions(read, targets)
    found = unrolled(Task(reduced.program, reduced.question, Budget(), UnrolledOptions(16, 20)))
    reached = {original: own for own, original in reduced.targets if own in found.reached}
    for target in reached:
        if target is not None:
            assert found.traces is not None
            replay(read, lift_run(reduced, found.traces([reached[target]])[reached[target]], target), target)
    known = search_memory(Task(read, Reach(targets), Budget(), SearchOptions()), 300_000)
    if found.unknown is not None or (known.unknown is not None and len(known.reached) < len(targets)):
        return None
    if None not in reached:
        assert known.reached == set(reached), text
    if found.proof is not None and not found.reached:
        proof = found.proof()
        assert isinstance(proof, Unrolling)
        check_unrolling(proof, reduced.program, reduced.question.targets, Budget())
    return bool(known.reached)
