"""The thesis' tables on small programs: merge functions keep the caller's equations; both projections are the same."""

from __future__ import annotations

import random

import knaster
from benchmarks.thesis import compare_precision, main, measure, measure_threads
from knaster.views.weighted.program_facts import AffineFacts

TEXT = """int g;
void f(int n) { int own = n + 1; g = g + own; }
int main(void) {
  int i = 3, j = 2 * i;
  f(i);
  if (j > g) g = 0;
  return i;
}
"""


def test_merge_functions_keep_what_the_caller_knows() -> None:
    program = knaster.parse(TEXT, file="p.c")
    row = compare_precision(program)
    assert (row.procedures, row.branches, row.calls) == (2, 1, 1)
    assert (row.plain, row.extended, row.improved) == (1, 1, 1)  # g == 4 is known of both, i and j by one
    for place in ((own.name, edge.source) for own in program.procedures for edge in own.edges):
        less = AffineFacts(program, merges=False).at(place) or ()
        assert len(less) <= len(AffineFacts(program).at(place) or ())


def test_double_pre_finds_the_same_nodes() -> None:
    cost = measure(random.Random(1), 30)
    assert cost.nodes == 30 and 0 < cost.inside <= 31


def test_curves_end_where_a_question_takes_long() -> None:
    assert [row[:2] for row in measure_threads([(2, 1), (3, 1)], "lazy", 60)] == [(2, 1), (3, 1)]
    assert [row[:2] for row in measure_threads([(2, 1), (3, 1)], "lazy", -1)] == [(2, 1)]


def test_tables() -> None:
    assert main(["projections", "--nodes", "20"]) == 0
