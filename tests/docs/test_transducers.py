"""docs/transducers.md says what the code does: every session in it is run."""

from __future__ import annotations

import doctest

from support import ROOT

DOCS = ROOT / "docs"


def test_transducer_documentation() -> None:
    result = doctest.testfile(str(DOCS / "transducers.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 25
    assert result.failed == 0
