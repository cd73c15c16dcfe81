"""Lassos: the stem and the cycle once are one run."""

from __future__ import annotations

from knaster.evidence.answers.answer import Diverges
from support.kinds_of_proofs import result_with


def test_once() -> None:
    ((_, answer),) = result_with("lasso").answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    stem, cycle, once = answer.lasso.stem, answer.lasso.cycle, answer.lasso.once
    (path,) = once.paths
    assert path.start == stem.paths[0].start and once.location == cycle.location
    assert path.steps == (*stem.paths[0].steps, *cycle.paths[0].steps)
