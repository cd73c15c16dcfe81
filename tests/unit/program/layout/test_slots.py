"""Slots: shared by procedures, one for each variable in scope, near each other where variables meet."""

from random import Random

import pytest

from knaster.program.expression import Binary, Expr, Operator, Var
from knaster.program.layout.order import ORDERS, affinity, with_groups_together
from knaster.program.layout.slots import LAYOUTS, Copy, distinct_slots, shared_slots, variable
from knaster.program.model import Edge, Procedure, Program
from support.building import assign
from support.generators.boolean_programs import random_program


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
@pytest.mark.parametrize("order", sorted(ORDERS))
def test_every_variable_in_scope_has_a_slot_of_its_own(layout: str, order: str) -> None:
    for seed in range(40):
        program = random_program(Random(seed))
        arrangement = LAYOUTS[layout](program, ORDERS[order])
        for procedure in program.procedures:
            slots = arrangement.slots[procedure.name]
            assert slots.keys() == set(program.scope(procedure))
            assert len(set(slots.values())) == len(slots)
            assert all(0 <= slot < arrangement.size for slot in slots.values())
        assert len({tuple(slots[name] for name in program.globals) for slots in arrangement.slots.values()}) == 1


def test_slots_count_the_largest_scope_and_distinct_slots_count_all() -> None:
    def procedure(name: str, count: int) -> Procedure:
        return Procedure(name, (), (), tuple(f"x{i}" for i in range(count)), 0, 0, ())

    program = Program(("g",), (procedure("main", 3), procedure("f", 5), procedure("h", 2)))
    assert shared_slots(program).size == 6
    assert distinct_slots(program).size == 11


def test_copies_of_a_slot_are_neighbours() -> None:
    assert [variable(4, copy) for copy in Copy] == [12, 13, 14]


def test_groups_stay_together_and_their_copies_do_not_meet() -> None:
    """i is added to j, bit by bit; that all copies of i are left together says nothing."""
    groups = (("k",), ("i0", "i0_at1"), ("i1", "i1_at1"), ("j0", "j0_at1"), ("j1", "j1_at1"))
    meeting = {frozenset({"i0", "j0"}): 1, frozenset({"i1", "j1"}): 1}
    meeting[frozenset({"i0", "i0_at1", "i1", "i1_at1"})] = 9
    names = ["i0", "i0_at1", "i1", "i1_at1", "j0", "j0_at1", "j1", "j1_at1", "k"]
    found = with_groups_together(affinity, groups)(names, meeting)
    assert found[0] == "k"
    places = {name: found.index(name) for name in names}
    assert all(places[f"{name}_at1"] == places[name] + 1 for name in ("i0", "i1", "j0", "j1"))
    assert abs(places["i0"] - places["j0"]) == abs(places["i1"] - places["j1"]) == 2


def test_affinity_puts_together_what_meets() -> None:
    names = [f"a{i}" for i in range(8)] + [f"b{i}" for i in range(8)]
    order = affinity(names, {frozenset({f"a{i}", f"b{i}"}): 1 for i in range(8)})
    assert sorted(order) == sorted(names)
    assert all(abs(order.index(f"a{i}") - order.index(f"b{i}")) == 1 for i in range(8))


def test_the_order_of_a_procedure_follows_its_statements() -> None:
    names = tuple(f"x{i}" for i in range(10))
    pairs = [("x0", "x9"), ("x1", "x8"), ("x2", "x7"), ("x3", "x6"), ("x4", "x5")]

    def meet(left: str, right: str) -> Expr:
        return Binary(Operator.AND, Var(left), Var(right))

    edges = tuple(Edge(i, assign(left, meet(left, right)), i + 1) for i, (left, right) in enumerate(pairs))
    program = Program((), (Procedure("main", (), (), names, 0, len(pairs), edges),))
    slots = shared_slots(program).slots["main"]
    assert all(abs(slots[left] - slots[right]) == 1 for left, right in pairs)
