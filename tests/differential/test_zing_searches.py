"""Orders of search, random runs and fingerprints: what all of them find is what there is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.answers.answer import Reachable, Unreachable, Verdict
from knaster.frontends.zing import parse
from support import ROOT
from support.generators.zing_models import random_threads

EXAMPLES = ROOT / "examples" / "zing"


def _found(program: Any, **options: Any) -> tuple[set[str], knaster.Result]:
    result = knaster.check(program, "failures", engine="explicit", **options)
    for _, answer in result.answers:
        assert answer.checked or not isinstance(answer, Reachable)
    return {target.name for target, answer in result.answers if isinstance(answer, Reachable)}, result


def _agree(numbers: range) -> int:
    failures = 0
    for number in numbers:
        program = parse(random_threads(Random(number)))
        wanted, whole = _found(program, states=400)
        if whole.verdict is Verdict.UNKNOWN and not wanted:
            continue
        if any(not isinstance(answer, Reachable | Unreachable) for _, answer in whole.answers):
            continue
        failures += len(wanted)
        assert _found(program, search="depth")[0] == _found(program, search="random", seed=number)[0] == wanted
        by_prints, result = _found(program, fingerprints=True)
        assert by_prints == wanted and result.verdict is not Verdict.TRUE
        if not wanted:
            assert result.stats["states"] == whole.stats["states"]
            assert result.reason.startswith("TRUE up to hash collisions (probability below")
        assert _found(program, random=5, seed=number)[0] <= wanted
    return failures


def test_random_models() -> None:
    assert _agree(range(12)) > 3


@pytest.mark.slow
def test_more_random_models() -> None:
    assert _agree(range(100, 600)) > 100


def test_random_runs_find_a_deadlock_and_say_what_they_cover() -> None:
    file = EXAMPLES / "philosophers-deadlock.zing"
    first, again = (knaster.check(file, random=50, seed=3) for _ in range(2))
    assert first.verdict is again.verdict is Verdict.FALSE and first.stats["turns"] == again.stats["turns"]
    result = knaster.check(EXAMPLES / "peterson.zing", random=3)
    assert result.verdict is Verdict.UNKNOWN and "3 random runs (seed 1) with" in result.reason
    assert "% of the statements" in result.reason


def test_a_limit_ends_a_search_by_fingerprints() -> None:
    result = knaster.check(EXAMPLES / "peterson.zing", fingerprints=True, states=10)
    assert result.verdict is Verdict.UNKNOWN and "the limit of 10 states was reached" in result.reason


@pytest.mark.parametrize("others", [{"switches": 1}, {"search": "depth"}, {"random": 3}])
def test_what_does_not_go_together(others: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="does not go together with"):
        knaster.check(EXAMPLES / "peterson.zing", fingerprints=True, **others)


def test_boolean_programs_have_no_random_runs() -> None:
    with pytest.raises(UsageError, match="--random is for programs with references"):
        knaster.check("decl g;\nvoid main() begin ERROR: skip; end\n", engine="explicit", random=3)
