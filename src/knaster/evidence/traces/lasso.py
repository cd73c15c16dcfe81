"""Lassos: runs that never end, as a stem and a cycle that can be repeated for ever.

The cycle comes back to the state with which it began; or, over unbounded data, into a *recurrent set*: Gupta,
Henzinger, Majumdar, Rybalchenko and Xu, Proving non-termination (POPL 2008).
"""

from __future__ import annotations

from knaster.base.records import dataclass
from knaster.evidence.traces.trace import Path, Segment, Trace
from knaster.program.expression import Expr
from knaster.program.model import Kind, Place, Program
from knaster.program.types import Value


def goes_in_turns(program: Program) -> bool:
    """Tell whether infinite runs of a program are turns of its threads: of one thread, too, where there is memory."""
    return program.is_threaded or program.kind in (Kind.REFERENCES, Kind.MEMORY)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A set of states at one place from each of which the run can come back into it.

    `inputs` are values for the inputs of the way back, by the positions of the edges that read them; what is not given
    may be chosen in every state anew.  With `others`, sets at other places, the run can always go on from one of the
    sets into one of them.
    """

    set: Expr
    inputs: tuple[tuple[int, Value], ...] = ()
    others: tuple[tuple[Place, Expr], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Lasso:
    """A run that never ends: a stem, and a cycle that starts where the stem stops and can be repeated for ever.

    The cycle leads back to the same state; or with `recurs`, from a state of a recurrent set to another one of it.
    `deeper` says that each repetition leaves more activations on the stack.  One that `stays` has come to its end, and
    its cycle has no step: formulas speak of its last state for ever.  One of threads that `waits` stays in a deadlock.
    """

    stem: Trace
    cycle: Trace
    deeper: bool = False
    recurs: Recurrence | None = None
    stays: bool = False
    waits: bool = False
    formula: str = ""  # which it violates; without one it refutes that every run ends
    fair: str = "none"  # among which runs it is one, where there are threads

    @property
    def once(self) -> Trace:
        """The stem and the cycle once, as one run."""
        if len(self.stem.segments) > 1 or len(self.cycle.segments) > 1 or self.stem.segments[0].thread > 1:
            return Trace((*self.stem.segments, *self.cycle.segments), self.cycle.location)
        last, first = self.stem.paths[-1], self.cycle.paths[0]
        joined = Path(last.procedure, last.start, (*last.steps, *first.steps), last.begin)
        paths = (*self.stem.paths[:-1], joined, *self.cycle.paths[1:])
        return Trace((Segment(1, paths),), self.cycle.location)
