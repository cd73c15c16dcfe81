"""Loops and recursion to a growing depth, as one question about bit-vectors for each depth.

E. Clarke, D. Kroening and F. Lerda, A Tool for Checking ANSI-C Programs (TACAS 2004): joins are merged, and that
nothing needs more is a question of its own.  `engine` lets the depth grow, `evaluation` says what the unrolled program
(`program.unrolling`) computes, `cells` has arrays as one bit-vector for each element, `model_run` makes runs of models.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import INTEGERS, NO_FORMULAS, SEQUENTIAL

DEPTH = 256


class UnrolledOptions(Options):
    """Loops and recursion to a growing depth."""

    depth: int = option(DEPTH, "C, 'unrolled': give up beyond so many repetitions of the loops of a call")
    work: int = option(200, "C, 'unrolled': how much work a question to the solver is worth")


CARD = Card(
    "unrolled",
    "C: loops and recursion to a growing depth (bit-vectors)",
    paper="Clarke, Kroening and Lerda, *A Tool for Checking ANSI-C Programs* (TACAS 2004)",
    requires=(SEQUENTIAL, INTEGERS, NO_FORMULAS),
    run="knaster.engines.integers.unrolled.engine:unrolled",
    options=UnrolledOptions,
)
