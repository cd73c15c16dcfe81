"""Whether a run of threads that was made from one of a sequential program is one."""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay_memory_threads import replay_threads
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program


def replayed(program: Program, trace: Trace, target: Target) -> bool:
    """Tell whether a run reaches a target: bytes of a lock that nobody wrote are 0, and the reduction takes any."""
    try:
        replay_threads(program, trace, target)
    except InternalError:
        return False
    return True
