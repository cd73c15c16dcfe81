"""The chain of sets of heads: it falls, and stops where nothing changes."""

from __future__ import annotations

from itertools import pairwise

from knaster.base.limits import Budget
from knaster.engines.boolean.ranks.fixpoint import find_accepting, find_chain, go_back, next_round
from support.heads import heads_of

LOOP = "decl g; void main() begin while (g) do L: skip; od R: skip; end"


def test_the_chain_falls_to_those_that_go_on_for_ever() -> None:
    heads = heads_of(LOOP, "termination")
    chain = find_chain(heads, Budget())
    assert chain[-1] == chain[-2] and ("main", 0) in chain[-1] and ("main", 2) not in chain[-1]
    for before, after in pairwise(chain):
        assert all(states & before[place] == states for place, states in after.items())


def test_the_chain_is_empty_in_the_end_where_every_run_is_as_asked() -> None:
    chain = find_chain(heads_of("void main() begin skip; skip; end", "termination"), Budget())
    assert not chain[-1]


def test_one_round_is_a_step_back_from_accepting_steps() -> None:
    heads = heads_of(LOOP, "termination")
    accepting = find_accepting(heads, heads.reached)
    assert set(accepting) == {("main", 1)}  # the edge back
    assert go_back(heads, accepting, heads.reached, Budget()) == next_round(heads, heads.reached, Budget())
