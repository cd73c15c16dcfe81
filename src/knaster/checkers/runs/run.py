"""The check of a run from a file: it is replayed, and ends at the target."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program


def check_run(trace: Trace, program: Program, targets: Sequence[Target], budget: Budget) -> None:
    """Return where a run reaches the only target; else raise `InternalError`."""
    if len(targets) != 1:
        raise InternalError("a run reaches one target")
    replay(program, trace, targets[0])
