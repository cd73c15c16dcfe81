"""Pairs of configurations and automaton states: every start, every step, and the components in which runs count."""

from __future__ import annotations

from itertools import pairwise

from knaster.engines.explicit.thread_product import ThreadProduct
from knaster.evidence.questions.product import EVERYTHING
from knaster.frontends.boolean import parse
from knaster.semantics.run_graph import run_graph

BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end"


def product(text: str) -> ThreadProduct:
    found = ThreadProduct(run_graph(parse(text, "t.bp", "default", None)), EVERYTHING, {}, rests=False)
    found.explore(1_000, lambda: None)
    return found


def test_ways_lead_where_they_should() -> None:
    found = product(BUSY)
    for number in range(len(found.pairs)):
        way = found.way_to(number)
        assert (way[-1][1].target if way else number) == number
        assert all(first[1].target == second[0] for first, second in pairwise(way))


def test_only_the_unfair_component_goes_around() -> None:
    found = product(BUSY)
    component = found.fair_component("none")
    assert component is not None
    assert {arc.move.thread for arc in found.arcs_within(component) if arc.move is not None} == {0}
    assert found.fair_component("weak") is None and found.fair_component("strong") is None
