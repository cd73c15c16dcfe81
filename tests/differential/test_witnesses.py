"""Random violation sequences: `validate` says what the enumeration of all runs says."""

from __future__ import annotations

from random import Random

import pytest

from knaster.base.limits import Limits
from knaster.competition.validate import Question, validate
from knaster.competition.witness import read_witness
from support.oracles.witness_runs import INPUTS, random_sequence, represents
from support.witnesses import PROGRAM, sequence


def compare(seed: int) -> bool:
    segments = random_sequence(Random(seed))
    text = sequence(*("; ".join(map(str, segment)) for segment in segments))
    found = validate(Question(PROGRAM, "p.c", {}, Limits()), read_witness(text, "w.yml"), "w.yml")
    truth = any(represents(segments, a) for a in INPUTS)
    assert found.verdict == ("TRUE" if truth else "FALSE"), text
    return truth


def test_random_sequences() -> None:
    truths = [compare(seed) for seed in range(12)]
    assert 1 <= sum(truths) <= 7


@pytest.mark.slow
def test_more_random_sequences() -> None:
    for seed in range(8, 300):
        compare(seed)
