"""The control-flow graph of a program as text: one line for each edge."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.program.expression import TRUE
from knaster.program.model import Assume, Procedure, Program
from knaster.program.notation import action_to_text, expression_to_text


def program_to_cfg(program: Program) -> str:
    """Return every procedure as a list of edges: source -> target, line, action."""
    parts = [f"globals: {_names(program.globals)}"]
    if program.init != TRUE:
        parts.append(f"init: {expression_to_text(program.init)}")
    parts += ["\n".join(_procedure(procedure)) for procedure in program.procedures]
    return "\n\n".join(parts) + "\n"


def _procedure(procedure: Procedure) -> Iterator[str]:
    yield f"{procedure.name}({', '.join(procedure.parameters)})"
    yield f"  locals: {_names(procedure.locals)}; results: {len(procedure.results)}"
    yield f"  entry {procedure.entry}, exit {procedure.exit}" + "".join(
        f", failure {location}" for location in procedure.failures
    )
    if procedure.enforce != TRUE:
        yield f"  enforce {expression_to_text(procedure.enforce)}"
    labels: dict[int, list[str]] = {}
    for label, location in procedure.labels:
        labels.setdefault(location, []).append(label)
    width = len(str(procedure.size))
    for edge in procedure.edges:
        for label in labels.pop(edge.source, []):
            yield f"{label}:"
        action = "skip" if edge.action == Assume(TRUE) else action_to_text(edge.action)
        yield f"  {edge.source:>{width}} -> {edge.target:<{width}}  line {edge.span.line:<4}  {action}"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
