"""The check of a run with references: every step is taken again, and the run ends at the target, or fails so next.

The file has `decisions`: what one thread does in one go, as [thread, numbers of the alternatives that its steps take].
Another thread may run where the last step does not keep on.  A way to fail is met where the run ends: an assertion has
failed, nobody can run although somebody should not wait, or what the last thread does next fails before it chooses
again or lets another one run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.heap.excluded import KINDS
from knaster_check.heap.machine import Machine, Watch
from knaster_check.heap.memory import Fails, Memory, Vanishes
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict


def check(program: Program, document: Mapping[str, Any], target: Target, tick: Tick) -> Verdict:
    """Return that a run reaches the target."""
    data = object_with(document["run"], ("decisions",), "'run'")
    machine = Machine(program, tick)
    memory = machine.start()
    keeps, last, count = False, 0, 0
    for row in list_of(data["decisions"], "decisions"):
        thread, alternatives = list_of(row, "a turn", 2)
        expect(1 <= number_of(thread, "a thread") <= len(memory.threads), f"there is no thread {thread}")
        expect(not keeps or thread == last, f"thread {thread} runs where thread {last} keeps on")
        for alternative in list_of(alternatives, "alternatives"):
            keeps = _take(machine, memory, thread, alternative)
            count += 1
        last = thread
    expect(_is_reached(machine, memory, last, keeps, target), "the run does not reach it", target.name)
    return Verdict("reachable", (target,), None, {"replayed": count})


def _take(machine: Machine, memory: Memory, thread: int, alternative: object) -> bool:
    """Take a step of a thread; tell whether it keeps on."""
    expect(machine.can_run(memory, thread) and not machine.has_failed(memory, thread), f"thread {thread} cannot run")
    try:
        number = number_of(alternative, "an alternative", len(machine.alternatives(memory, thread)))
        return machine.step(memory, thread, number)
    except (Fails, Vanishes) as wrong:
        raise Refused(f"thread {thread} cannot take a step: {wrong}") from None


def _is_reached(machine: Machine, memory: Memory, last: int, keeps: bool, target: Target) -> bool:
    if target.procedure:
        tops = [frames[-1] for frames in memory.threads if frames]
        return any((top.procedure.name, top.location) == target[1:] for top in tops)
    expect(target.name in (*KINDS, "any failure"), f"'{target.name}' is no way to fail")
    met = _failure(machine, memory, last, keeps)
    return met is not None and target.name in (met, "any failure")


def _failure(machine: Machine, memory: Memory, last: int, keeps: bool) -> str | None:
    """Return how a run fails that has come so far; None where it does not."""
    if last and machine.has_failed(memory, last):
        return "assertion"
    if not keeps and not any(machine.can_run(memory, each) for each in range(1, len(memory.threads) + 1)):
        waiting = [frames[-1] for frames in memory.threads if frames]
        return None if all(map(machine.may_wait, waiting)) else "deadlock"
    return _next_failure(machine, memory.copy(), last) if last and memory.threads[last - 1] else None


def _next_failure(machine: Machine, memory: Memory, thread: int) -> str | None:
    """Return how a thread fails before it chooses or lets another one run; None where it does not."""
    watch, first = Watch(machine), True
    try:
        while True:
            if not first and len(machine.alternatives(memory, thread)) > 1:
                return None
            first = False
            if not machine.step(memory, thread) or machine.has_failed(memory, thread):
                return None
            watch.look(memory)
    except Vanishes:
        return None
    except Fails as fails:
        return fails.kind
