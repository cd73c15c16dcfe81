"""Compares what shapes prove of C programs over lists with runs on chosen inputs."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.memory.memory_shapes import check_memory_shapes
from knaster.engines.contract import Task
from knaster.engines.integers.search import SearchOptions
from knaster.engines.integers.search.memory import search_memory
from knaster.engines.references.shapes import ShapeOptions
from knaster.engines.references.shapes.engine import shapes
from knaster.evidence.proofs.files import write_document
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.proofs.memory.memory_shapes import MemoryShapes
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.memory_targets import memory_targets
from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster_check import Refused, check, read_program


def compare_with_runs(text: str, steps: int, most: int = 300) -> tuple[int, int, str]:
    """Return how many targets of a program shapes exclude and runs reach, and why nothing is excluded.

    Fails where a run reaches what shapes exclude, or where the check or the kernel refuses the shapes.
    """
    program = load(text, file="list.c", objects="always")
    assert isinstance(program, Program)
    targets = memory_targets(program)
    task = Task(program, Reach(targets), Budget(), ShapeOptions(most))
    found = shapes(task)
    reached = search_memory(replace(task, options=SearchOptions()), steps).reached
    if found.unknown is not None or found.proof is None:
        return 0, len(reached), found.reason
    excluded = [target for target in targets if target not in found.doubtful]
    wrong = [target.name for target in excluded if target in reached]
    assert not wrong, f"{wrong} are reached\n{text}"
    proof = found.proof()
    assert isinstance(proof, MemoryShapes)
    check_memory_shapes(proof, program, excluded, Budget())
    ask_kernel(proof, program, excluded, sorted(reached, key=lambda target: target.name)[:2])
    return len(excluded), len(reached), ""


def ask_kernel(proof: MemoryShapes, program: Program, excluded: Sequence[Target], reached: Sequence[Target]) -> None:
    """Fail where the kernel refuses shapes, or where it believes that they exclude what is reached."""
    kind, text = kind_of(proof), read_program(program_to_kernel(program))
    assert kind is not None
    assert check(text, write_document(program, excluded, kind, proof)).claim == "unreachable"
    for target in reached:
        document = write_document(program, [target], kind, proof)
        try:
            check(text, document)
        except Refused:
            continue
        raise AssertionError(f"the kernel believes that '{target.name}' is not reached")
