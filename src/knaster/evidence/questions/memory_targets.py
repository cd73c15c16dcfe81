"""Targets of programs with memory: steps that C leaves undefined, by kind, and the properties that ask for them."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import UsageError
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import asserts_and_errors, resolve_targets
from knaster.program.model import Kind, Program
from knaster.semantics.memory.failure import DEADLOCK, KINDS, LEAK, LOST, MEMORY_KINDS, OVERFLOW, RACE, SAFETY_KINDS

UNDEFINED, MEMORY = "an undefined step", "a wrong use of memory"
_NAMES = {"undefined": (UNDEFINED, SAFETY_KINDS), "memory": (MEMORY, MEMORY_KINDS)}


def failures_of_memory(program: Program, name: str) -> list[Target] | None:
    """Return the undefined steps that a name stands for; None where it stands for none."""
    if name in (DEADLOCK, RACE):
        return list(_threads(program, name)) if program.is_threaded else None
    if name in _NAMES:
        return list(_targets(program, *_NAMES[name]))
    return list(_targets(program, name, (name,))) if name in KINDS else None


def safety_targets(program: Program) -> tuple[Target, ...]:
    """Return the asserts, error calls and error labels, and every undefined step but overflow."""
    return (*dict.fromkeys(asserts_and_errors(program)), *_targets(program, UNDEFINED, SAFETY_KINDS))


def memory_targets(program: Program) -> tuple[Target, ...]:
    """Return the uses of memory that C leaves undefined."""
    return _targets(program, MEMORY, MEMORY_KINDS)


def overflow_targets(program: Program) -> tuple[Target, ...]:
    """Return that a signed integer overflows."""
    return _targets(program, "an overflow", (OVERFLOW,))


def leak_targets(program: Program) -> tuple[Target, ...]:
    """Return that an object of the heap lives when main ends: one that nothing leads to, or any."""
    return (*_targets(program, "a lost object", (LOST,)), *_targets(program, "a leak", (LEAK,)))


def race_targets(program: Program) -> tuple[Target, ...]:
    """Return that two threads use the same memory at once, and one of them writes."""
    return _threads(program, RACE)


def deadlock_targets(program: Program) -> tuple[Target, ...]:
    """Return that no thread can move, and some thread waits; in whatever language."""
    if not program.is_threaded:
        raise UsageError(f"{program.file}: a deadlock is asked of programs with threads, and this one has none")
    return resolve_targets(program, DEADLOCK)


def _threads(program: Program, kind: str) -> tuple[Target, ...]:
    if program.kind is Kind.MEMORY and not program.is_threaded:
        raise UsageError(f"{program.file}: '{kind}' is asked of programs with threads, and this one has none")
    return _targets(program, f"a {kind}", (kind,))


def _targets(program: Program, name: str, kinds: Iterable[str]) -> tuple[Target, ...]:
    if program.kind is not Kind.MEMORY:
        raise UsageError(f"{program.file}: undefined steps are asked of C programs")
    return (Target(name, "", 0, 0, ",".join(kinds)),)
