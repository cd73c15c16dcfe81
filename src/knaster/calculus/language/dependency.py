"""Who calls whom: strongly connected components, recursion, and positivity (paper, section 3).

A call is *positive* where it stands below an even number of negations.  `assume` and `cofactor` may answer anything
outside their care set, so that a call inside them counts as both.  A component whose inner calls are all positive is
monotone; where all its predicates are `mu` (or all `nu`), it has one least (greatest) solution, however computed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knaster.base import graphs
from knaster.base.errors import Problem
from knaster.base.records import dataclass
from knaster.calculus.language import formula as core
from knaster.calculus.language.formula import Formula, Predicate, callees
from knaster.calculus.language.parser import Reported


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A call and the signs under which it stands."""

    call: core.Call
    positive: bool
    negative: bool
    simplified: bool  # inside `assume` or `cofactor`


def components(nodes: Iterable[str], successors: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Return the strongly connected components of the graph on `nodes`, called ones first."""
    known = dict.fromkeys(nodes)
    return list(graphs.components(known, lambda node: (each for each in successors[node] if each in known)))


def reachable(start: Iterable[str], successors: Mapping[str, Collection[str]]) -> list[str]:
    """Return `start` and everything it calls, directly or not, in the order of discovery."""
    found = dict.fromkeys(start)
    todo = list(found)
    while todo:
        for successor in successors[todo.pop()]:
            if successor not in found:
                found[successor] = None
                todo.append(successor)
    return list(found)


def occurrences(formula: Formula) -> list[Occurrence]:
    """Return every call in `formula` with its signs."""
    found: list[Occurrence] = []
    todo: list[tuple[Formula, bool, bool, bool]] = [(formula, True, False, False)]
    while todo:
        current, positive, negative, simplified = todo.pop()
        match current:
            case core.Call():
                found.append(Occurrence(current, positive, negative, simplified))
            case core.Not(operand):
                todo.append((operand, negative, positive, simplified))
            case core.Equivalent():
                todo.extend((part, True, True, simplified) for part in core.operands(current))
            case core.Choose(condition, then, otherwise):
                todo.append((condition, True, True, simplified))
                todo.extend((part, positive, negative, simplified) for part in (then, otherwise))
            case core.Simplify(_, body, care):
                todo.extend((part, True, True, True) for part in (body, care))
            case _:
                todo.extend((part, positive, negative, simplified) for part in core.operands(current))
    return found


def graph(predicates: Mapping[str, Predicate]) -> dict[str, list[str]]:
    """Return the direct callees of every predicate."""
    return {name: callees(p.body) if p.body is not None else [] for name, p in predicates.items()}


def is_recursive(component: Collection[str], successors: Mapping[str, Collection[str]]) -> bool:
    """Tell whether a component calls itself."""
    return len(component) > 1 or any(name in successors[name] for name in component)


def check_recursion(predicates: Mapping[str, Predicate]) -> tuple[Reported, Reported]:
    """Return what is refused (recursion through a plain predicate) and what is doubtful (negative recursion)."""
    successors = graph(predicates)
    problems: Reported = []
    warnings: Reported = []
    for component in components(predicates, successors):
        recursive = is_recursive(component, successors)
        for name in sorted(component, key=lambda each: predicates[each].start):
            predicate = predicates[name]
            at = predicate.source.span(predicate.start, predicate.end)
            if recursive and not predicate.kind:
                hint = f"write `mu bool {name}` (least) or `nu bool {name}` (greatest)"
                problems.append((predicate.source, Problem(f"'{name}' is recursive but neither mu nor nu", at, hint)))
            elif predicate.kind and not recursive and predicate.body is not None:
                warnings.append((predicate.source, Problem(f"'{name}' is {predicate.kind} but not recursive", at)))
            if recursive and predicate.body is not None:
                warnings.extend(_negative(predicate, set(component)))
    return problems, warnings


def _negative(predicate: Predicate, component: set[str]) -> Reported:
    found: Reported = []
    assert predicate.body is not None
    for occurrence in occurrences(predicate.body):
        call = occurrence.call
        if call.name in component and occurrence.negative and not occurrence.simplified:
            message = f"'{predicate.name}' depends negatively on '{call.name}', which depends on it"
            hint = (
                "a least or greatest fixed point need not exist; rounds are computed as written and may not end: "
                "remove the negation, or <->, <+>, a condition, around this call"
            )
            found.append((predicate.source, Problem(message, predicate.source.span(call.start, call.end), hint)))
    return sorted(found, key=lambda each: each[1].span)
