"""What an answer says of each line of a program: what was proved there, and whether any run comes to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.report.dead_statements import unreached_statements
from knaster.report.proof_words import proof_to_json
from knaster.report.sentence import Report


def facts_by_line(report: Report) -> dict[int, list[str]]:
    """Return the sentences of the proof by the lines that they are about."""
    found: dict[int, list[str]] = {}
    for line, said in _facts(report, proof_to_json(report)):
        if said not in found.setdefault(line, []):
            found[line].append(said)
    return found


def _facts(report: Report, proof: Any) -> Iterator[tuple[int, str]]:
    words = proof if isinstance(proof, dict) else {}
    lines = {procedure.name: procedure.span.line for procedure in report.program.procedures}
    for function in words.get("functions", ()):
        name, line = function["function"], lines[function["function"]]
        if function["requires"]:
            yield line, f"{name} requires {' and '.join(function['requires'])}"
        if function["guarantees"]:
            yield line, f"{name} guarantees {' and '.join(function['guarantees'])}"
    for one in words.get("invariants", ()):
        yield one["line"], f"always {' and '.join(one['holds'])}"
    for one in words.get("ranking", ()):
        if one["decreases"]:
            yield one["line"], f"decreases each time: {', then '.join(one['decreases'])}"


def unreached_lines(report: Report) -> set[int]:
    """Return the lines on which no run reaches any statement; none where that is not known."""
    never = unreached_statements(report)
    if not never:
        return set()
    places = {(statement.procedure, statement.location) for statement in never}
    reached = {
        edge.span.line
        for procedure in report.program.procedures
        for edge in procedure.edges
        if (procedure.name, edge.source) not in places
    }
    return {statement.line for statement in never} - reached
