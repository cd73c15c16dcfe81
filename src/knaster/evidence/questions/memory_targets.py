"""Targets of programs with memory: steps that C leaves undefined, each with its kind and its place in the text.

`bounds:31` is the use of memory outside of an object at line 31, `bounds:31:9` the one at column 9 where there are
several.  What is left in the heap has no place: it is asked for by its kind alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from knaster.base.errors import UsageError
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import asserts_and_errors, deadlock_named, is_check, resolve_targets
from knaster.program.checks import INDEX, NOTHING, PLACED
from knaster.program.model import Kind, Procedure, Program
from knaster.semantics.memory.failure import (
    BOUNDS,
    DEADLOCK,
    KINDS,
    LEAK,
    LOST,
    MEMORY_KINDS,
    OVERFLOW,
    RACE,
    SAFETY_KINDS,
)

OF_MEMORY = ("null", "dead", "invalid-pointer", "invalid-free", LEAK, LOST)  # kinds that integers do not have
UNDEFINED, MEMORY = "an undefined step", "a wrong use of memory"
_NAMES = {"undefined": (UNDEFINED, SAFETY_KINDS), "memory": (MEMORY, MEMORY_KINDS)}
_LEFT = {LEAK: "a leak", LOST: "a lost object"}


def failures_of_memory(program: Program, name: str) -> list[Target] | None:
    """Return the undefined steps that a name stands for; None where it stands for none."""
    if name in (DEADLOCK, RACE):
        return list(_threads(program, name)) if program.is_threaded else None
    if name in _NAMES:
        return list(_targets(program, *_NAMES[name]))
    kind, _, place = name.partition(":")
    if kind not in KINDS:
        return None
    kinds = (kind, INDEX) if kind == BOUNDS and program.kind is Kind.MEMORY else (kind,)
    if not place:
        return list(_targets(program, name, kinds))
    found = [target for target in _sites(program, kinds) if _stands_at(target, place)]
    if not found:
        raise UsageError(f"{program.file}: there is no target '{name}'; {_nearest(program, kind)}")
    return found


def failures_of_integers(program: Program, name: str) -> list[Target] | None:
    """Return the undefined steps of a program over integers that a name stands for, or its deadlock; else None."""
    kind = name.partition(":")[0]
    if name in OF_MEMORY and any(map(_has_checks, program.procedures)):
        return []
    if kind in PLACED or (kind in KINDS and any(map(_has_checks, program.procedures))):
        return failures_of_memory(program, name)
    return deadlock_named(program, name)


def _has_checks(procedure: Procedure) -> bool:
    """Tell whether a program was read for undefined steps; some it has in any case."""
    return any(is_check(label) and label.partition(":")[0] not in PLACED for label, _ in procedure.labels)


def _stands_at(target: Target, place: str) -> bool:
    return place in (str(target.line), f"{target.line}:{target.column}")


def _nearest(program: Program, kind: str) -> str:
    lines = sorted({target.line for target in _sites(program, (kind,))})
    if not lines:
        return f"no step of the program can be wrong in the way '{kind}'"
    shown = ", ".join(map(str, lines[:8])) + (", ..." if len(lines) > 8 else "")
    return f"'{kind}' is asked for at {'line' if len(lines) == 1 else 'lines'} {shown}"


def safety_targets(program: Program) -> tuple[Target, ...]:
    """Return the asserts, error calls and error labels, and every undefined step but overflow.

    Where there is no such step, that none happens is a target only where there is no other.
    """
    stated = tuple(dict.fromkeys(asserts_and_errors(program)))
    return (*stated, *(_sites(program, SAFETY_KINDS) if stated else _targets(program, UNDEFINED, SAFETY_KINDS)))


def memory_targets(program: Program) -> tuple[Target, ...]:
    """Return the uses of memory that C leaves undefined."""
    return _targets(program, MEMORY, MEMORY_KINDS)


def overflow_targets(program: Program) -> tuple[Target, ...]:
    """Return where a signed integer may overflow."""
    return _targets(program, "an overflow", (OVERFLOW,))


def leak_targets(program: Program) -> tuple[Target, ...]:
    """Return that an object of the heap lives when main ends: one that nothing leads to, or any."""
    both = (*_targets(program, _LEFT[LOST], (LOST,)), *_targets(program, _LEFT[LEAK], (LEAK,)))
    return tuple(dict.fromkeys(both))


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


def _targets(program: Program, name: str, kinds: Collection[str]) -> tuple[Target, ...]:
    """Return the steps of some kinds; where there is none, that none happens anywhere."""
    found = tuple(_sites(program, kinds))
    if not found and (never := _never(program)) is not None:
        return (never,)
    return found or (Target(name, "", 0, 0, ",".join(kinds)),)


def _sites(program: Program, kinds: Collection[str]) -> Iterable[Target]:
    if program.kind is Kind.INTEGERS:
        if not any(map(_has_checks, program.procedures)) and not set(kinds) <= set(PLACED):
            raise UsageError(f"{program.file}: it was not read for undefined steps; read it with the option 'checks'")
        yield from sorted(_places(program, kinds), key=lambda target: (target.line, target.column))
        return
    if program.kind is not Kind.MEMORY:
        raise UsageError(f"{program.file}: undefined steps are asked of C programs")
    yield from _places(program, [kind for kind in kinds if kind in PLACED])
    from knaster.semantics.memory.sites import Sites

    sites = sorted((site for site in Sites(program).all() if site.kind in kinds), key=lambda site: site[1:])
    several = Counter((site.kind, site.line) for site in sites)
    for kind, line, column in sites:
        name = f"{kind}:{line}" if several[kind, line] == 1 else f"{kind}:{line}:{column}"
        yield Target(name, "", 0, line, kind, column=column)


def _places(program: Program, kinds: Collection[str]) -> Iterator[Target]:
    """Yield the places of a program over integers where steps of some kinds are undefined (`program/checks`)."""
    for procedure in program.procedures:
        names: dict[int, list[str]] = {}
        for label, location in procedure.labels:
            if is_check(label) and label.partition(":")[0] in kinds:
                names.setdefault(location, []).append(label)
        for location, labels in names.items():  # perhaps a short one and the exact one
            kind, line, column = max(labels, key=len).split(":")
            yield Target(min(labels, key=len), procedure.name, location, int(line), kind, column=int(column))


def _never(program: Program) -> Target | None:
    """Return the place that is never reached of a program over integers without such steps; None of others."""
    if program.kind is not Kind.INTEGERS:
        return None
    for procedure in program.procedures:
        for label, location in procedure.labels:
            if label == NOTHING:
                return Target(label, procedure.name, location, 0, "undefined")
    return None
