"""Random Zing models: every method finds exactly the failures that the interpreter's search finds.

Every trace is replayed and every proof is checked.  `KNASTER_EXAMPLES=625` compares 5,000 models of each kind; with
`KNASTER_FIRST=1000` the first one is number 1,000, so that they can be taken in pieces.  `tests/fuzz.py zing` is the
same as a command.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable, Result, Unreachable
from support.fuzz.zing import KINDS, problems, smaller, text_of

FACTOR = float(os.environ.get("KNASTER_EXAMPLES", "1"))
FIRST = int(os.environ.get("KNASTER_FIRST", "0"))
LEAST = {"aliasing": 0.7, "rich": 0.7, "bounded": 0.7, "alone": 0.9, "endless": 0.3, "threads": 0.3, "switches": 0.1}
LEAST |= {"owners": 0.7, "counted": 0.6, "recursive": 0.3, "same": 0.2, "channels": 0.8}
LEAST |= {"cells": 0.5, "endless-cells": 0.3}
NUMBERS = {kind: range(FIRST, FIRST + round(8 * FACTOR)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_random_models(kind: str) -> None:
    count: Counter[str] = Counter()
    for number in NUMBERS[kind]:
        wrong = problems(kind, text_of(kind, number), count)
        assert not wrong, f"python tests/fuzz.py zing --kind {kind} --first {number} --models 1: {wrong}"
    assert count["compared"] >= LEAST[kind] * len(NUMBERS[kind]) and count["failures"] > 0


@pytest.mark.parametrize(
    "lie",
    [
        lambda a: Unreachable(None, checked=True) if isinstance(a, Reachable) else a,
        lambda a: replace(a, checked=False) if isinstance(a, Reachable) else a,
        lambda a: replace(a, checked=False) if isinstance(a, Unreachable) else a,
    ],
    ids=["missed", "trace", "proof"],
)
@pytest.mark.parametrize("kind", ["aliasing", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[1:])])
def test_it_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch, kind: str, lie: Callable[[object], object]) -> None:
    check = knaster.check

    def lying(*arguments: object, **options: object) -> Result:
        result = check(*arguments, **options)  # type: ignore[arg-type]
        return replace(result, answers=tuple((t, lie(a)) for t, a in result.answers))  # type: ignore[misc]

    count: Counter[str] = Counter()
    number = -1
    while count["failures"] == 0:
        number += 1
        assert problems(kind, text_of(kind, number), count) == []
    monkeypatch.setattr(knaster, "check", lying)
    assert problems(kind, text_of(kind, number), Counter())


@pytest.mark.slow
def test_what_is_wrong_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    check = knaster.check

    def lying(*arguments: object, **options: object) -> Result:
        result = check(*arguments, **options)  # type: ignore[arg-type]
        said = tuple((t, Unreachable(None, checked=True) if isinstance(a, Reachable) else a) for t, a in result.answers)
        return replace(result, answers=said)

    monkeypatch.setattr(knaster, "check", lying)
    text, wrong = next(
        (text, wrong)
        for text in (text_of("threads", number) for number in range(30))
        if (wrong := problems("threads", text, Counter()))
    )
    small = smaller("threads", text, wrong[0], 20.0)
    assert small.count("\n") < text.count("\n") / 2 and problems("threads", small, Counter())
