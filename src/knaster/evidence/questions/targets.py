"""Targets from the names that users give: a label, a line, every assert, all labels, a way to fail.

A label names the statement's own location: it is reached when control stands before the statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from knaster.base.errors import UsageError
from knaster.base.lazy import load_named
from knaster.evidence.questions.lines import line_named
from knaster.evidence.questions.question import Target
from knaster.program.checks import NOTHING
from knaster.program.model import Location, Procedure, Program
from knaster.semantics.table import semantics_of

ANY_FAILURE = "any failure"
DEADLOCK = "deadlock"  # of threads: a kind of failure


def resolve_targets(program: Program, names: str | Iterable[str | Target] | None) -> tuple[Target, ...]:
    """Return what the names stand for, each once; None stands for what is asked where nobody names a target.

    Two labels of one statement are two targets.

    Raises `UsageError` for a name that stands for nothing.
    """
    if names is None:
        return default_targets(program)
    found: list[Target] = []
    for name in (names,) if isinstance(names, str) else names:
        found += [name] if isinstance(name, Target) else _resolve(program, name)
    return tuple(dict.fromkeys(found))


def default_targets(program: Program) -> tuple[Target, ...]:
    """Return what is asked of a program where nobody names a target, each once."""
    targets: Iterable[Target] = load_named(semantics_of(program).targets)(program)
    return tuple(dict.fromkeys(targets))


def asserts_and_errors(program: Program) -> Iterator[Target]:
    """Yield the asserts and the error labels."""
    yield from _asserts(program)
    for label in program.errors:
        yield from _with_label(program, label)


def any_failure(program: Program) -> Iterator[Target]:
    """Yield the target that every failure of a program with references reaches."""
    from knaster.semantics.heap.goals import ANY

    yield Target(ANY_FAILURE, "", 0, 0, ANY)


def every_target(program: Program) -> tuple[Target, ...]:
    """Return everything that a name stands for, lines aside, each once."""
    named = resolve_targets(program, semantics_of(program).names)
    return tuple(dict.fromkeys((*named, *(_failures(program, DEADLOCK) or ()))))


def _resolve(program: Program, name: str) -> Iterable[Target]:
    if name == "asserts":
        return _asserts(program)
    if name == "all-labels":
        return _labels(program)
    if name.startswith("assert:") and (stated := [each for each in _asserts(program) if _is_called(each, name)]):
        return stated
    if found := _with_label(program, name):
        return found
    if (line := line_named(program, name)) is not None:
        return _on_line(program, line)
    if (failures := _failures(program, name)) is not None:
        return failures
    from knaster.base.hints import did_you_mean

    labels = {label for procedure in program.procedures for label, _ in procedure.labels}
    qualified = {target.name for target in _labels(program)}
    hint = (
        did_you_mean(name, labels | qualified | {"asserts", "all-labels"})
        or "name a label, FILE:LINE, 'asserts' or 'all-labels'"
    )
    raise UsageError(f"{program.file}: there is no target '{name}'; {hint}")


def _failures(program: Program, name: str) -> list[Target] | None:
    """Return the ways to fail that a name stands for; None where it stands for none."""
    failures: list[Target] | None = load_named(semantics_of(program).failures)(program, name)
    return failures


def deadlock_named(program: Program, name: str) -> list[Target] | None:
    """Return the deadlock of threads where a name stands for it; else None."""
    return [Target(name, "", 0, 0, DEADLOCK)] if name == DEADLOCK and program.is_threaded else None


def failures_named(program: Program, name: str) -> list[Target] | None:
    """Return the ways in which a program with references fails that a name stands for; else None."""
    from knaster.semantics.heap.failure import ERRORS

    kinds = {"deadlock": (DEADLOCK,), "errors": ERRORS, "failures": (DEADLOCK, *ERRORS)}
    kinds |= {kind: (kind,) for kind in ERRORS}
    if name == ANY_FAILURE:
        return list(any_failure(program))
    if name not in kinds:
        return None
    asserts = list(_asserts(program)) if name == "failures" else []
    return asserts + [Target(kind, "", 0, 0, kind) for kind in kinds[name]]


def _labels(program: Program) -> Iterator[Target]:
    count = Counter(label for procedure in program.procedures for label, _ in procedure.labels)
    for procedure in program.procedures:
        lines = _lines(procedure)
        for label, location in procedure.labels:
            if not is_check(label):
                name = label if count[label] == 1 else f"{procedure.name}.{label}"
                yield Target(name, procedure.name, location, lines.get(location, 0))


def _with_label(program: Program, name: str) -> list[Target]:
    """Return the targets with this label, in every procedure or in the one that `procedure.label` names."""
    return [
        target
        for target in _labels(program)
        if name in (target.name, f"{target.procedure}.{target.name}", target.name.removeprefix(f"{target.procedure}."))
    ]


def _asserts(program: Program) -> Iterator[Target]:
    for procedure in program.procedures:
        asked = {location for label, location in procedure.labels if is_check(label)}  # undefined steps
        failures = {*procedure.failures} - asked
        for edge in procedure.edges:
            if edge.target in failures:
                yield Target(f"assert at line {edge.span.line}", procedure.name, edge.target, edge.span.line)


def _is_called(target: Target, name: str) -> bool:
    """Tell whether an assert is the one that `assert:LINE` names."""
    return name == f"assert:{target.line}"


def is_check(label: str) -> bool:
    """Tell whether a label stands where a step of C would be undefined: no language has labels with a colon."""
    return ":" in label or label == NOTHING


def _on_line(program: Program, line: int) -> list[Target]:
    """Return the first statement of each procedure that begins on the line."""
    found: list[Target] = []
    lines: set[int] = set()
    for procedure in program.procedures:
        places = _lines(procedure)
        lines |= set(places.values())
        here = [location for location, where in places.items() if where == line]
        if here:
            found.append(Target(f"line {line}", procedure.name, min(here), line))
    if not found:
        near = min(lines, key=lambda other: (abs(other - line), other), default=None)
        hint = f"; the nearest statement is on line {near}" if near is not None else ""
        raise UsageError(f"{program.file}: no statement begins on line {line}{hint}")
    return found


def _lines(procedure: Procedure) -> dict[Location, int]:
    """Return the line of the statement at each location that has one; of an empty body that of the procedure."""
    lines = {edge.source: edge.span.line for edge in reversed(procedure.edges) if edge.span.line}
    return lines if lines else {procedure.entry: procedure.span.line}
