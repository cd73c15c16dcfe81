"""Which procedures an edit has changed, and which edits need everything anew."""

from __future__ import annotations

import knaster
from knaster.views.weighted.flow_session import changed_procedures, why_from_scratch

TEXT = "decl g;\nvoid main() begin\n  f(g);\nend\nvoid f(x) begin\n  g := x;\nend\n"


def test_changes() -> None:
    old = knaster.parse(TEXT)
    moved = knaster.parse("\n" + TEXT)
    assert changed_procedures(old, moved) == set() and why_from_scratch(old, moved) == ""
    other = knaster.parse(TEXT.replace("g := x", "g := !x"))
    assert changed_procedures(old, other) == {"f"} and why_from_scratch(old, other) == ""
    assert "globals" in why_from_scratch(old, knaster.parse(TEXT.replace("decl g;", "decl g, h;")))
    wider = TEXT.replace("f(x)", "f(x, y)").replace("f(g)", "f(g, g)")
    assert "signature of 'f'" in why_from_scratch(old, knaster.parse(wider))
