"""Runs with a stack: replayed where there is one, excluded by a proof where data forbid it."""

from __future__ import annotations

import knaster

TEXT = (
    "decl g;\nvoid main() begin\n  g := F;\n  f();\nend\nvoid f() begin\n  if (g) then\n    skip;\n  fi\n  skip;\nend\n"
)


def test_a_run() -> None:
    found = knaster.crash(TEXT, "f:10\nmain:4\n", [3, 8])
    assert found.run is not None
    assert [step.line for step in found.path] == [3, 4, 7, 10]
    assert found.touched == (3,) and found.missed == (8,)


def test_no_run() -> None:
    found = knaster.crash(TEXT, "f:8\nmain:4\n")
    assert found.path and found.excluded and found.run is None


def test_without_replay() -> None:
    found = knaster.crash(TEXT, "f:8\nmain:4\n", replay=False)
    assert found.path and not found.excluded
