"""The product of a program and an automaton: which runs it has, and what counts as accepting."""

from __future__ import annotations

from knaster.evidence.questions.product import ENDED, RUN, SEEN
from knaster.program.model import Call
from support.heads import product_in

CALLS = "decl g; void main() begin while (1) do C: f(); od end void f() begin if (g) then L: skip; fi end"


def test_termination_changes_nothing_but_the_start() -> None:
    product = product_in(CALLS, "termination")
    assert not product.bits and product.is_weak and product.program.threads == (RUN,)
    for own in product.original.procedures:
        assert [edge.origin for edge in product.program.procedure(own.name).edges] == list(own.edges)
    assert not [edge for edge in product.program.procedure(RUN).edges if edge.source == ENDED]


def test_only_edges_back_and_recursive_calls_are_marked_where_every_step_accepts() -> None:
    product = product_in(CALLS, "termination")
    marked = [edge for own in product.program.procedures for edge in own.edges if id(edge) in product.accepting]
    assert len(marked) == 1 and isinstance(marked[0].action, Call)  # the call leads back to the head of the loop
    recursive = product_in("void main() begin f(); end void f() begin skip; f(); skip; end", "termination")
    edges = [edge for own in recursive.program.procedures for edge in own.edges if id(edge) in recursive.accepting]
    assert [type(edge.action).__name__ for edge in edges] == ["Call"]


def test_a_bit_for_each_activation_where_some_steps_accept() -> None:
    product = product_in(CALLS, "F G !L")
    assert not product.is_weak and SEEN in product.program.globals and product.hidden
    assert (
        product.is_original(("main", 0)) and not product.is_original(("main", 99)) and product.is_original((RUN, ENDED))
    )


def test_every_edge_is_there_again() -> None:
    for asked in ("G F L", "F G !L", "G (L -> X C)", "F ended", "G !L"):
        product = product_in(CALLS, asked)
        for own in product.original.procedures:
            origins = {id(edge.origin) for edge in product.program.procedure(own.name).edges if edge.origin is not None}
            assert origins == {id(edge) for edge in own.edges}
