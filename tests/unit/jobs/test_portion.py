"""Small files together: outcomes in order, no more files when it is enough, and what is known where it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from knaster.jobs.portion import Portion
from knaster.jobs.work import Outcome
from support.deadly_work import DeadlyWork

LONG = 3600.0


def works(tmp_path: Path, count: int) -> tuple[DeadlyWork, ...]:
    return tuple(DeadlyWork(f"{number}.bp", str(tmp_path / "begun")) for number in range(count))


def files(outcomes: list[Outcome]) -> list[str]:
    return [outcome.file for outcome in outcomes]


def test_outcomes_are_in_order(tmp_path: Path) -> None:
    portion = Portion((7, 8, 9), works(tmp_path, 3), LONG)
    assert files(portion.attempt().do(None)) == ["0.bp", "1.bp", "2.bp"]
    assert not portion.after(3).works


def test_no_file_is_begun_when_it_is_enough_but_the_first_always_is(tmp_path: Path) -> None:
    portion = Portion((7, 8, 9), works(tmp_path, 3), 0.0)
    assert files(portion.attempt().do(None)) == ["0.bp"]
    rest = portion.after(1)
    assert rest.numbers == (8, 9) and rest.file == "1.bp" and rest.enough == 0.0


def test_what_is_done_is_known_when_it_is_stopped(tmp_path: Path) -> None:
    said: list[list[str]] = []

    class Stopping(DeadlyWork):
        def do(self, progress: Callable[[str], None] | None) -> Outcome:
            said.append([outcome.output for outcome in attempt.stop("late")])
            return super().do(progress)

    first, second = works(tmp_path, 2)
    attempt = Portion((1, 2, 3), (first, Stopping(*second), second), LONG).attempt()
    assert [outcome.output for outcome in attempt.stop("early")] == ["nothing: early"]
    attempt.do(None)
    assert said == [["answered", "stopped: late"]]
    assert [outcome.output for outcome in attempt.stop("at the end")] == ["answered"] * 3


def test_where_nothing_is_known_that_is_said_of_every_file(tmp_path: Path) -> None:
    portion = Portion((1, 2), works(tmp_path, 2), LONG)
    assert [outcome.output for outcome in portion.give_up("why")] == ["nothing: why"] * 2
    assert [outcome.output for outcome in portion.fail(OSError("no"))] == ["failed: no"] * 2
