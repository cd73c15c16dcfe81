"""The graph of turns of threads of C: who can move, where nobody can, and what is not known."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.semantics.run_graph import run_graph

pytest.importorskip("clang.cindex")

HEAD = "#include <pthread.h>\npthread_mutex_t m; int x; float __VERIFIER_nondet_float(void);\n"


def walked(thread: str, main: str) -> tuple[list[frozenset[int]], str]:
    text = f"{HEAD}void *f(void *a) {{ {thread} return 0; }}\nint main() {{ pthread_t a; {main} }}\n"
    graph = run_graph(load(text, file="p.c"))
    nodes = list(graph.starts())
    for node in nodes:  # grows
        for move in graph.moves(node):
            assert move.steps > 0  # type: ignore[attr-defined]
            if move.after not in nodes:
                nodes.append(move.after)
    return [node.able for node in nodes if graph.count(node) > 1], graph.why  # type: ignore[attr-defined]


def test_who_waits_cannot_move() -> None:
    able, why = walked("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); x = 1; x = 2;")
    assert why == "" and frozenset({0}) in able and frozenset({0, 1}) not in able[1:]


def test_where_everybody_waits_nobody_moves() -> None:
    able, _ = walked(
        "pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); pthread_create(&a, 0, f, 0); pthread_join(a, 0);"
    )
    assert frozenset() in able


def test_inputs_that_are_not_all_tried_are_told() -> None:
    _, why = walked("if (__VERIFIER_nondet_float() > 1) x = 1;", "pthread_create(&a, 0, f, 0);")
    assert "inputs that were tried" in why
