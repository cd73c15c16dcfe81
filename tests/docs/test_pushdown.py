"""docs/pushdown.md says what the code does: every session in it is run."""

from __future__ import annotations

import doctest

from support import ROOT

DOCS = ROOT / "docs"


def test_pushdown_documentation() -> None:
    result = doctest.testfile(str(DOCS / "pushdown.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 60
    assert result.failed == 0
