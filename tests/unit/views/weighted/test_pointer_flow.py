"""Pointers of a program as weights: the start, a call and its merge."""

from __future__ import annotations

import knaster
from knaster.pushdown.domains.term_pairs import NULL, TermPairs
from knaster.views.weighted.pointer_flow import PointerFlow
from knaster.views.weighted.pointer_terms import PointerTerms
from knaster.views.weighted.points_to import PointsTo

TEXT = "int u, *g, *h = &u;\nvoid f(int *x) { g = x; }\nint main(void) { int a; f(&a); return 0; }\n"


def flow(differ: bool) -> PointerFlow:
    program = knaster.parse(TEXT, file="p.c")
    terms = PointerTerms(program, PointsTo(program))
    return PointerFlow(program, terms, TermPairs(terms.shared, terms.own, differ=differ))


def test_globals_have_their_initial_values() -> None:
    same = flow(False)
    assert {("g", NULL), ("h", "& u")} <= same.start().aliases()
    assert ("g", "h") not in same.start().aliases()
    pairs = flow(True).start().aliases()
    assert ("g", "h") in pairs and ("h", "& u") not in pairs


def test_one_call() -> None:
    graph = flow(False).graph()
    [call] = graph.procedures["main"].calls
    assert call.callee == "f" and call.merge is not None and not graph.procedures["f"].calls
