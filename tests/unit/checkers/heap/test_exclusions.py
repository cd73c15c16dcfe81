"""What a table has to exclude: places and ways to fail, and `any` stands for all of these."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.exclusions import Exclusions
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK, KINDS
from knaster.semantics.heap.goals import ANY


def test_places_and_kinds() -> None:
    excluded = Exclusions([Target("R", "main", 3, 7), Target("deadlock", "", 0, 0, DEADLOCK)])
    excluded.stand("main", 2)
    excluded.stand("other", 3)
    excluded.fail(ASSERTION)
    with pytest.raises(InternalError, match="'R'"):
        excluded.stand("main", 3)
    with pytest.raises(InternalError, match="'deadlock'"):
        excluded.fail(DEADLOCK)


@pytest.mark.parametrize("kind", KINDS)
def test_any_is_every_kind(kind: str) -> None:
    with pytest.raises(InternalError, match="'failure'"):
        Exclusions([Target("failure", "", 0, 0, ANY)]).fail(kind)
