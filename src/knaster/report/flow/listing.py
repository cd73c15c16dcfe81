"""The control-flow graph of a program as text: one line for each edge."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.frontends.languages import Spelling, spelling_of
from knaster.program.expression import TRUE
from knaster.program.model import Procedure, Program


def program_to_cfg(program: Program) -> str:
    """Return every procedure as a list of edges: source -> target, line, action."""
    spelling = spelling_of(program)
    parts = [f"globals: {_names(program.globals)}"]
    if program.init != TRUE:
        parts.append(f"init: {spelling.expression(program.init)}")
    parts += ["\n".join(_procedure(procedure, spelling)) for procedure in program.procedures]
    return "\n\n".join(parts) + "\n"


def _procedure(procedure: Procedure, spelling: Spelling) -> Iterator[str]:
    yield f"{procedure.name}({', '.join(procedure.parameters)})"
    yield f"  locals: {_names(procedure.locals)}; results: {len(procedure.results)}"
    yield f"  entry {procedure.entry}, exit {procedure.exit}" + "".join(
        f", failure {location}" for location in procedure.failures
    )
    if procedure.enforce != TRUE:
        yield f"  enforce {spelling.expression(procedure.enforce)}"
    labels: dict[int, list[str]] = {}
    for label, location in procedure.labels:
        labels.setdefault(location, []).append(label)
    width = len(str(procedure.size))
    for edge in procedure.edges:
        for label in labels.pop(edge.source, []):
            yield f"{label}:"
        action = spelling.statement(procedure, edge)
        yield f"  {edge.source:>{width}} -> {edge.target:<{width}}  line {edge.span.line:<4}  {action}"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
