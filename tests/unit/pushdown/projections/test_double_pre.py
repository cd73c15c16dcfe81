"""Double-pre*: the weight of runs through configurations, equal to that of projections; merge functions are refused."""

from __future__ import annotations

import random

import pytest

from knaster.base.errors import UnsupportedError
from knaster.pushdown.automaton import Automaton, single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.merge import Merge
from knaster.pushdown.projections.double_pre import nodes_by_double_pre, weight_through
from knaster.pushdown.projections.error_projection import project
from knaster.pushdown.system import PushdownSystem, Rule

DOMAIN = BitRelations(range(3))


def random_system(rng: random.Random) -> PushdownSystem[object]:
    nodes = ["m0", "m1", "m2", "f0", "f1", "f2", "e"]

    def weight() -> object:
        return DOMAIN.relation([(a, rng.randrange(3)) for a in range(3) if rng.random() < 0.8])

    rules = [Rule("p", rng.choice(nodes[:6]), "p", (rng.choice(nodes),), weight()) for _ in range(9)]
    rules += [Rule("p", rng.choice(nodes[:6]), "p", ("f0", rng.choice(nodes[1:3])), weight()) for _ in range(2)]
    rules += [Rule("p", "f2", "p", (), weight()), Rule("p", "m0", "p", ("m1",), DOMAIN.one)]
    return PushdownSystem.of(DOMAIN, rules)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(15))
def test_the_weights_of_projections(seed: int) -> None:
    system = random_system(random.Random(seed))
    start: Automaton[object] = single("p", "m0")
    end: Automaton[object] = starting_with("p", "e")
    projection = project(system, start, end)
    for node in ("m0", "m1", "f0", "f1", "e"):
        assert weight_through(system, start, starting_with("p", node), end) == projection.weight(node)
    assert set(nodes_by_double_pre(system, start, end)) == set(projection.nodes)


def test_merge_functions_are_refused() -> None:
    rule = Rule("p", "m", "p", ("f", "m"), DOMAIN.one, Merge(DOMAIN.extend))
    system = PushdownSystem.of(DOMAIN, [rule, Rule("p", "f", "p", (), DOMAIN.one)])
    with pytest.raises(UnsupportedError, match="without merge functions"):
        weight_through(system, single("p", "m"), starting_with("p", "f"), starting_with("p", "m"))
