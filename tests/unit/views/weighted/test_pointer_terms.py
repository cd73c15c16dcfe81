"""Which pointers are tracked: variables, and objects that are only used by name."""

from __future__ import annotations

import knaster
from knaster.pushdown.domains.term_pairs import OUTSIDE
from knaster.views.weighted.pointer_terms import PointerTerms
from knaster.views.weighted.points_to import Object, PointsTo


def test_what_is_tracked() -> None:
    text = "int u, *g, *h, **s = &h;\nint main(void) { int a, *p = &a, *q = p, **t = &q; g = p; return **t + **s; }\n"
    program = knaster.parse(text, file="p.c")
    terms = PointerTerms(program, PointsTo(program))
    assert {each.name: bool(each.term) for each in terms.statics} == {"g": True, "h": False, "s": True}
    assert {each.name: bool(each.term) for each in terms.frames["main"]} == {"p": True, "q": False, "t": True}
    assert terms.address("main", Object("local", "main", "a")).startswith("&#")
    assert terms.address("f", Object("local", "main", "a")) == OUTSIDE
