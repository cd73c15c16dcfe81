"""The graph of runs is the one of the kind of program."""

from __future__ import annotations

import knaster
from knaster.semantics.heap.run_graph import HeapGraph
from knaster.semantics.run_graph import run_graph
from knaster.semantics.thread_graph import ThreadGraph


def test_by_kind() -> None:
    threads = knaster.parse("void main_1() begin skip; end void main_2() begin skip; end\n")
    model = knaster.parse("class M { activate static void main() { } };\n", file="a.zing")
    assert isinstance(run_graph(threads), ThreadGraph) and isinstance(run_graph(model), HeapGraph)
