"""Executes a path of the abstraction on values: the program's steps that it consists of, inlined calls included."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.evidence.traces.execute import Blocked, Inputs, execute
from knaster.evidence.traces.trace import Path
from knaster.program.model import Program
from knaster.program.state import State
from knaster.program.types import Value, default
from knaster.views.steps.paths import StepPath


def inputs_of(path: StepPath, chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Return a value for every input of a path: the one that is fixed, the one that was chosen, or any."""
    found: dict[str, Value] = {}
    for entry in path.inputs:
        value = chosen.get(entry.name, default(entry.type)) if entry.value is None else entry.value
        found[entry.name] = value
    return found


def take(program: Program, path: StepPath, state: State, values: Mapping[str, Value]) -> Path | None:
    """Return the run of a path from a state, with values of its inputs; None where the program does otherwise."""

    def read(position: int) -> Inputs:
        return tuple(values[entry.name] for entry in path.inputs if entry.edge == position)

    paths = execute(program, path.procedure, state, path.edges, read)
    return None if isinstance(paths, Blocked) else paths[0]
