"""The examples of docs/fast.md are run."""

from __future__ import annotations

import doctest

from support import ROOT

DOCS = ROOT / "docs"


def test_fast() -> None:
    result = doctest.testfile(str(DOCS / "fast.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 30 and result.failed == 0
