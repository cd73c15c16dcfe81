from __future__ import annotations

from random import Random

import pytest

from knaster.bdd.nodes import MalformedNodes, Node, flatten, rebuild
from knaster.bdd.store import Bdd, Store


def random_function(store: Store, rng: Random) -> Bdd:
    function = store.const(rng.random() < 0.5)
    for _ in range(8):
        literal = store.var(rng.randrange(store.variables))
        literal = literal if rng.random() < 0.5 else ~literal
        match rng.randrange(3):
            case 0:
                function = function & literal
            case 1:
                function = function | literal
            case _:
                function = function ^ literal
    return function


def test_functions_come_back_in_another_store() -> None:
    rng = Random(3)
    first, second = Store(6, 1 << 12), Store(6, 1 << 12)
    functions = [random_function(first, rng) for _ in range(40)] + [first.true, first.false]
    nodes, numbers = flatten(first, functions)
    back = rebuild(first, nodes)
    assert [back[number] for number in numbers] == functions
    elsewhere = rebuild(second, nodes)
    assert flatten(second, [elsewhere[number] for number in numbers]) == (nodes, numbers)


def test_a_function_and_its_complement_share_what_they_can() -> None:
    store = Store(2, 1 << 10)
    nodes, numbers = flatten(store, [store.var(0), ~store.var(0), store.var(0), store.true, store.false])
    assert nodes == [(0, 1, 0), (0, 0, 1)] and numbers == [2, 3, 2, 1, 0]


def test_a_long_chain_needs_no_stack() -> None:
    store = Store(5_000, 1 << 14)
    nodes, (number,) = flatten(store, [store.cube(range(5_000))])
    assert len(nodes) == 5_000 and rebuild(store, nodes)[number] == store.cube(range(5_000))


@pytest.mark.parametrize(
    "nodes",
    [
        [(0, 2, 0)],  # itself
        [(0, 3, 0), (1, 1, 0)],  # one that comes later
        [(0, -1, 0)],
        [(0, 0, -1)],
        [(2, 1, 0)],  # no such variable
        [(-1, 1, 0)],
        [(0, 1, 0), (1, 2, 0)],  # out of order
        [(0, 1, 0), (0, 0, 2)],  # twice the same variable
    ],
)
def test_what_is_no_list_of_nodes(nodes: list[Node]) -> None:
    with pytest.raises(MalformedNodes):
        rebuild(Store(2, 1 << 10), nodes)


def test_the_work_can_be_stopped() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        rebuild(Store(1, 1 << 10), [(0, 1, 0)], stop)
