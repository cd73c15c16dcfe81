"""The check of a run from a file: it is replayed, and ends at the target."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.heap.failure import Failure


def check_run(trace: Trace, program: Program, targets: Sequence[Target], budget: Budget) -> Failure | None:
    """Return where a run reaches the only target, and how it fails there if it does; else raise `InternalError`."""
    if len(targets) != 1:
        raise InternalError("a run reaches one target")
    return replay(program, trace, targets[0])
