"""A few programs of `tests/fuzz.py threads`, and failures that it is to find.

`KNASTER_EXAMPLES=1000 pytest tests/differential/test_fuzz_threads.py` checks 2,000.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

import knaster
from knaster.engines.table import ENGINES
from knaster.evidence.answers.answer import Reachable, Result, Unreachable
from knaster.evidence.questions.question import Bound
from knaster.frontends.languages import load
from support.fuzz.threads import problems, program_of

PROGRAMS = 2 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


def test_random_programs() -> None:
    count: Counter[str] = Counter()
    number = 0
    while count["programs"] < PROGRAMS:
        number += 1
        assert problems(program_of(number), count) == [], f"python tests/fuzz.py threads --first {number} --programs 1"
    assert count["reachable"] > PROGRAMS and count["proved"] > PROGRAMS


SMALL = """decl g, h; init (!g & !h);
void main_1() begin A: g := T; end
void main_2() begin assume(g); B: assume(h); C: skip; end
"""


def _changed(result: Result, change: Callable[[object], object]) -> Result:
    return replace(result, answers=tuple((target, change(answer)) for target, answer in result.answers))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (lambda a: replace(a, least=7) if isinstance(a, Reachable) else a, "is said"),
        (lambda a: Unreachable(None) if isinstance(a, Reachable) else a, "is said to be unreachable"),
        (lambda a: replace(a, checked=False) if isinstance(a, Reachable) else a, "has no trace"),
        (lambda a: replace(a, bound=Bound("switches", 4)) if isinstance(a, Unreachable) else a, "is undecided"),
        (lambda a: replace(a, checked=False) if isinstance(a, Unreachable) else a, "was not checked"),
    ],
)  # fmt: skip
def test_it_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch, lie: Callable[[object], object], said: str) -> None:
    program, check = load(SMALL), knaster.check
    assert problems(program, Counter()) == []
    monkeypatch.setattr(knaster, "check", lambda *args, **kinds: _changed(check(*args, **kinds), lie))
    found = problems(program, Counter())
    assert any(said in wrong for wrong in found), found
    assert len(ENGINES) > 5
