"""Concrete runs, kept hierarchical so that a run of 2^800 steps fits in memory.

A `Path` is a run inside one activation of a procedure.  A call that returns is *one* step of it, and `Step.inside` is
the callee's own path from its entry to its exit; paths are shared, so the whole is a DAG.  A `Trace` has one path for
each activation that is still on the stack at its end: every path but the last ends with the `Call` that enters the
next.

A `State` gives a value to every variable in scope (globals, parameters, locals, results).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.program.model import Edge, Location

State = Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge taken.  `after` is the state of the same activation afterwards.

    For a call that returns, `inside` is the callee's run and `after` the caller's state after the return.  For a call
    that enters the next path of the trace, `inside` is None and `after` is the caller's state, unchanged.
    """

    edge: Edge
    after: State
    inside: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A run of one activation from its entry; compared by identity, because paths are shared and may be huge."""

    procedure: str
    start: State
    steps: tuple[Step, ...]

    @property
    def end(self) -> State:
        """The state after the last step."""
        return self.steps[-1].after if self.steps else self.start

    def __repr__(self) -> str:
        return f"<Path in {self.procedure}, {len(self.steps)} steps>"  # never the steps: they may unfold without end


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A run of the program from its start to `location` of the procedure of the last path."""

    paths: tuple[Path, ...]
    location: Location

    def __repr__(self) -> str:
        return f"<Trace to location {self.location} of {self.paths[-1].procedure}, {self.length} steps>"

    @property
    def length(self) -> int:
        """The number of hierarchical steps: a call that returns counts as one, so does a call that is entered."""
        return sum(len(path.steps) for path in self.paths)

    @property
    def expanded_length(self) -> int:
        """The number of steps with every call expanded; a return is no step of its own.  May be astronomical."""
        lengths: dict[int, int] = {}
        todo: list[tuple[Path, bool]] = [(path, False) for path in self.paths]
        while todo:
            path, ready = todo.pop()
            if id(path) in lengths:
                continue
            inner = [step.inside for step in path.steps if step.inside is not None]
            if ready:
                lengths[id(path)] = len(path.steps) + sum(lengths[id(other)] for other in inner)
            else:
                todo.append((path, True))
                todo += [(other, False) for other in inner if id(other) not in lengths]
        return sum(lengths[id(path)] for path in self.paths)
