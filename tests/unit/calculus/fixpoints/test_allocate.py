"""Where the bits of a system stand: the ranks of a caller."""

from __future__ import annotations

from knaster.calculus.fixpoints.allocate import allocate
from knaster.calculus.language.system import parse

SYSTEM = """
    class Value { bool x[2]; };
    class Copies { Value at[3]; };
    enum Count { 0..3 };
    bool Is(Count i, Copies c, Value v);
    mu bool Reach(Count i, Copies c, Value v)
        (exists Value w. Reach(i, c, w) & Is(i, c, w) & Is(i, c, v)) | (i = 0 & c.at[0] = v);
"""
RANKS: dict[str, list[tuple[int, ...]]] = {
    "Value": [(1, 1, 0), (1, 0, 0)],
    "Copies": [(1, 1 - bit, 1 + copy) for copy in range(3) for bit in range(2)],
    "Count": [(0, 0), (0, 1)],
}


def test_bits_stand_in_the_order_of_their_ranks() -> None:
    """All copies of a bit are neighbours, the second bit comes before the first, and the counter is on top."""
    system = parse(SYSTEM)
    allocation = allocate(system.variables, system.predicates.values(), (), RANKS)
    count, copies, value = (allocation.levels[p.number] for p in system.predicates["Reach"].parameters)
    first = [value[0], *copies[0::2]]
    second = [value[1], *copies[1::2]]
    assert max(count) < min(second) <= max(second) < min(first)
    assert copies[1::2] == tuple(sorted(copies[1::2])) and copies[0::2] == tuple(sorted(copies[0::2]))


def test_ranks_change_no_answer_of_the_allocation() -> None:
    """Without ranks the copies stand one after the other; the number of variables is the same."""
    system = parse(SYSTEM)
    plain = allocate(system.variables, system.predicates.values(), ())
    ranked = allocate(system.variables, system.predicates.values(), (), RANKS)
    assert plain.count == ranked.count
    assert plain.levels != ranked.levels
    for levels in zip(*(sorted(set(sum(each.levels, ()))) for each in (plain, ranked)), strict=True):
        assert levels[0] == levels[1]
