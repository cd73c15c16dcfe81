"""Tables of programs with references for the kernel, and all states of a small one by the kernel's machine."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Hashable, Sequence
from typing import Any

import knaster
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.files import write_document
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Target
from knaster.program.model import Program
from knaster_check import Refused, read_program
from knaster_check.heap.form import form_of
from knaster_check.heap.machine import Machine, Watch
from knaster_check.heap.memory import Fails, Memory, Vanishes
from knaster_check.refused import Unsupported
from support.kernel import kernel


def table_document(program: Program, engine: str, **options: Any) -> dict[str, Any] | None:
    """Return the file of the table that an engine makes, about the targets that it does not reach; None: all are."""
    result = knaster.check(program, "failures", engine=engine, evidence=Evidence(proofs=True), **options)
    proof = result.proof
    kind = kind_of(proof)
    targets = [target for target, answer in result.answers if isinstance(answer, Unreachable)]
    if kind is None or not targets or proof is None:
        return None
    found: dict[str, Any] = json.loads(write_document(program, targets, kind, proof))
    return found


def kernel_believes(program: Program, table: object, targets: Sequence[Target]) -> bool:
    """Tell whether the kernel believes that a table excludes targets."""
    kind = kind_of(table)
    assert kind is not None
    try:
        return kernel(program, write_document(program, targets, kind, table)).claim == "unreachable"
    except Refused as refused:
        assert not isinstance(refused, Unsupported), refused
        return False


def explore_by_kernel(program: Program, limit: int) -> tuple[set[str], int] | None:
    """Return the kinds of failures of a program and the number of its states; None where there are too many."""
    machine = Machine(read_program(program_to_kernel(program)))
    kinds: set[str] = set()
    seen: set[Hashable] = set()
    todo: deque[tuple[Memory, int]] = deque()

    def reach(memory: Memory, choosing: int) -> None:
        key = form_of(memory, (choosing,))
        if key not in seen:
            seen.add(key)
            todo.append((memory, choosing))

    def run(memory: Memory, thread: int, chosen: int | None) -> None:
        watch = Watch(machine)
        try:
            while True:
                if chosen is None and len(machine.alternatives(memory, thread)) > 1:
                    return reach(memory, thread)
                keeps = machine.step(memory, thread, chosen or 0)
                chosen = None
                if machine.has_failed(memory, thread):
                    raise Fails("assertion")
                if not keeps:
                    return reach(memory, 0)
                watch.look(memory)
        except Vanishes:
            return None
        except Fails as fails:
            kinds.add(fails.kind)

    reach(machine.start(), 0)
    while todo:
        if len(seen) > limit:
            return None
        memory, choosing = todo.popleft()
        if choosing:
            for alternative in range(len(machine.alternatives(memory, choosing))):
                run(memory.copy(), choosing, alternative)
            continue
        ready = [thread for thread in range(1, len(memory.threads) + 1) if machine.can_run(memory, thread)]
        if not ready and not all(machine.may_wait(frames[-1]) for frames in memory.threads if frames):
            kinds.add("deadlock")
        for thread in ready:
            run(memory.copy(), thread, None)
    return kinds, len(seen)
