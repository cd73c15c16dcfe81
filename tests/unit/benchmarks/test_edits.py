"""The edited program differs in one procedure, and is asked by a session and from scratch."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.edits import main, program
from knaster.decide.asked import Source
from knaster.decide.sessions.session_file import Session
from knaster.decide.sessions.since import reach_since


def test_one_procedure_is_edited_and_its_summary_changes() -> None:
    session = Session()
    for text in (program(30), program(30, True)):
        assert not reach_since(Source(text, "p.bp"), text, None, None, session).any
    assert session.said.startswith("2 of 31 procedures solved"), session.said


def test_rows(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[Sequence[str]] = []

    def counter(command: Sequence[str]) -> int:
        asked.append(command)
        return 1_000_000 * (len(asked) ** 2)

    assert main(["--procedures", "3"], counter) == 0
    assert len(asked) == 6 and "--certify" in asked[2]
    assert "of a fresh run: 0.429 and 0.273" in capsys.readouterr().out
