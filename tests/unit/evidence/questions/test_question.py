"""Questions in words."""

from __future__ import annotations

from knaster.evidence.questions.question import Bound, Target


def test_a_target_says_its_line_once() -> None:
    assert str(Target("R", "main", 3, 7)) == "R (line 7)" and str(Target("line 7", "main", 3, 7)) == "line 7"
    assert str(Target("R", "main", 3, 0)) == "R" and Target("R", "main", 3, 7).place == ("main", 3)
    anywhere = Target("deadlock", "", 0, 7, "deadlock")
    assert str(anywhere) == "deadlock" and not anywhere.has_place


def test_bounds() -> None:
    assert [str(Bound("switches", number)) for number in (0, 1, 2)] == [
        *("at most 0 switches", "at most 1 switch", "at most 2 switches")
    ]
    assert str(Bound("rounds", 1)) == "at most 1 round"
