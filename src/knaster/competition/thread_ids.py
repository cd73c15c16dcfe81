"""Threads of a witness (format 2.2): whether the threads of a run pass the segments that are theirs.

Thread 0 is the first one, thread k the one that the k-th followed call of a creating function starts.
"""

from __future__ import annotations

from knaster.competition.sequence import SEGMENT
from knaster.competition.tokens import TokenText
from knaster.competition.witness import Witness
from knaster.evidence.traces.memory_moves import moves_of
from knaster.evidence.traces.trace import Trace

CREATING = ("pthread_create", "thrd_create")


def threads_fit(witness: Witness, text: TokenText, trace: Trace) -> bool:
    """Tell whether each segment of a witness that names a thread was passed by that thread of a run."""
    passed: list[int] = []
    due: object = 0
    for segment in trace.segments:
        for path in segment.paths:
            for step, _ in moves_of(path):
                if step is not None and step.after.get(SEGMENT, due) != due:
                    due = step.after[SEGMENT]
                    passed.append(segment.thread - 1)
    named = [one.last.thread for one in witness.segments]
    found = [*passed, trace.segments[-1].thread - 1]
    created = max(segment.thread for segment in trace.segments) - 1
    return (
        len(found) == len(named)
        and created <= _created(witness, text)
        and all(name in (None, thread) for name, thread in zip(named, found, strict=True))
    )


def _created(witness: Witness, text: TokenText) -> int:
    """Return how many calls are followed that create a thread."""
    lines = [one.last.place.line for one in witness.segments if one.last.type == "function_enter"]
    return sum(any(text.tokens[n].text in CREATING for n in text.on_line(line)) for line in lines)
