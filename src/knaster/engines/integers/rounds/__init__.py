"""Threads of C as one sequential program, for one number of rounds after the other.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008).
`transform.memory_threads` makes the program; `engine` asks a method for integers about it, `unrolled` unless another
one is named, and takes what that finds back to the threads.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import MEMORY, ONLY_ROUNDS, REACH, threads_for

UNROLLED = "unrolled"


class RoundOptions(Options):
    """Threads of C in rounds."""

    most: int = option(4, "threads of C, 'rounds': without a bound, give up beyond so many rounds")
    depth: int = option(16, "threads of C, 'rounds': give up beyond so many repetitions of the loops of a call")
    sequential: str = option(
        UNROLLED,
        "threads of C, 'rounds': which method looks at the sequential program",
        (UNROLLED, "horn", "yasm", "search"),
    )
    work: int = option(400, "threads of C, 'rounds': how much work a question to the solver is worth")


CARD = Card(
    "rounds",
    "threads of C as one sequential program (Lal and Reps)",
    paper=("Lal and Reps, *Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis* (CAV 2008)"),
    missing=("threads that threads other than main start, or loops; conditions",),
    requires=(threads_for("it reduces threads to a sequential program"), MEMORY, REACH, ONLY_ROUNDS),
    run="knaster.engines.integers.rounds.engine:rounds",
    options=RoundOptions,
    grows=True,
)
