"""A program over integers that asks before each step whether C leaves it undefined: the same runs, and more places.

Where a step may be undefined, the program branches before it: to a place with the label `division:12` and no way on,
or to the step.  `division:12:7` has the column, where a line has several.  Runs are the same otherwise, but that one
which comes to an overflow ends there.  A place that has no column in its name has a second label with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from knaster.base.records import replace
from knaster.program.algebra import negation
from knaster.program.checks import NOTHING
from knaster.program.checks.conditions import OVERFLOW, Fault, TooLarge, faults_of
from knaster.program.expression import has_choice
from knaster.program.model import Assume, Edge, Location, Procedure, Program, expressions


def with_checks(program: Program, kinds: Collection[str]) -> Program | None:
    """Return a program that asks for steps of some kinds; None where nobody can tell when they are undefined."""
    found: dict[tuple[str, Location], dict[Fault, None]] = {}
    try:
        for procedure in program.procedures:
            types = program.types_in(procedure)
            for location, leaving in procedure.leaving.items():
                faults = _faults_at(leaving, types, kinds)
                if faults:
                    found[procedure.name, location] = faults
    except TooLarge:
        return None
    names = _names([fault for faults in found.values() for fault in faults if fault.kind in kinds])
    changed = [_checked(procedure, found, names) for procedure in program.procedures]
    if not found and not any(":" in label for procedure in program.procedures for label, _ in procedure.labels):
        main = program.threads[0]
        changed = [_with_nothing(each) if each.name == main else each for each in changed]
    return replace(program, procedures=tuple(changed))


def has_steps(checked: Program) -> bool:
    """Tell whether a program that asks for undefined steps has a place for one."""
    return not any(label == NOTHING for procedure in checked.procedures for label, _ in procedure.labels)


def _faults_at(leaving: tuple[Edge, ...], types: Mapping[str, Any], kinds: Collection[str]) -> dict[Fault, None]:
    """Return what may be undefined in the steps from one place; all of them are conditions, or there is one step."""
    found: dict[Fault, None] = {}
    for edge in leaving:
        for expr in expressions(edge.action):
            for fault in faults_of(expr, types):
                if fault.kind == OVERFLOW and fault.kind not in kinds:
                    continue  # it wraps, and the run goes on
                span = fault.span if fault.span.line else edge.span
                found[fault._replace(span=span)] = None
    last = max((number for number, fault in enumerate(found) if fault.kind in kinds), default=-1)
    found = dict.fromkeys(list(found)[: last + 1])  # what is undefined after that ends a run as ever
    if not found:
        return found
    branches = all(isinstance(edge.action, Assume) for edge in leaving)
    if (len(leaving) > 1 and not branches) or any(has_choice(fault.condition) for fault in found):
        raise TooLarge
    return found


def _names(faults: list[Fault]) -> dict[tuple[str, int, int], str]:
    """Return the names of faults by kind, line and column: with the column where a line has several."""
    places = dict.fromkeys((fault.kind, fault.span.line, fault.span.column) for fault in faults)
    several = Counter((kind, line) for kind, line, _ in places)
    return {
        (kind, line, column): f"{kind}:{line}" if several[kind, line] == 1 else f"{kind}:{line}:{column}"
        for kind, line, column in places
    }


def _checked(
    procedure: Procedure,
    found: Mapping[tuple[str, Location], Mapping[Fault, None]],
    names: Mapping[tuple[str, int, int], str],
) -> Procedure:
    """Return a procedure with its questions; the place of a step is where its first question is asked."""
    edges: list[Edge] = []
    labels: list[tuple[str, Location]] = list(procedure.labels)
    places: dict[str, Location] = {}
    free = procedure.size
    for location, leaving in procedure.leaving.items():
        here = location
        for fault in found.get((procedure.name, location), ()):
            name = names.get((fault.kind, fault.span.line, fault.span.column))
            span = leaving[0].span
            if name is not None:  # else the run ends here: what C evaluates later is not asked for
                if name not in places:
                    places[name], free = free, free + 1
                edges.append(Edge(here, Assume(fault.condition), places[name], span))
            onward, free = free, free + 1
            edges.append(Edge(here, Assume(negation(fault.condition)), onward, span))
            here = onward
        edges += [replace(edge, source=here) for edge in leaving]
    if free == procedure.size:
        return procedure
    exact = {name: f"{kind}:{line}:{column}" for (kind, line, column), name in names.items()}
    labels += places.items()
    labels += [(exact[name], place) for name, place in places.items() if exact[name] != name]
    ends = tuple(places.values())
    order = sorted(edges, key=lambda edge: edge.source)
    return replace(procedure, edges=tuple(order), labels=tuple(labels), failures=(*procedure.failures, *ends))


def _with_nothing(procedure: Procedure) -> Procedure:
    """Return a procedure with a place that no run comes to."""
    place = procedure.size
    return replace(procedure, labels=(*procedure.labels, (NOTHING, place)), failures=(*procedure.failures, place))
