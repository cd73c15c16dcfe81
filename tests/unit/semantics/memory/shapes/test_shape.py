"""Shapes: what is left out, and how nodes are named."""

from __future__ import annotations

from knaster.program.memory import Address
from knaster.semantics.memory.shapes.shape import tidy
from support.shapes import cell, shape


def test_garbage_is_left_out_and_nodes_are_named_in_the_order_of_the_walk() -> None:
    found = tidy(shape({"p": 3, "q": 0}, cell(0), cell(1), cell(2)), 0)
    assert found == shape({"p": 1, "q": 0}, cell(2), cell(3), cell(0))
    assert tidy(shape({"p": 1}, cell(0), cell(1)), 0) == shape({"p": 1}, cell(0))


def test_objects_of_the_program_keep_their_numbers() -> None:
    found = tidy(shape({"p": 3}, cell(0), cell(0), cell(1)), 1)
    assert [base for base, _ in found.nodes] == [1, 2]
    assert found.top.registers == (("p", Address(2, 0)),)
