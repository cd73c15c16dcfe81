"""Expressions are shared and simplified; evaluation follows changes of variables, up and down, with and without ∸."""

from __future__ import annotations

import random
from typing import Any

import pytest

from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.fast.evaluate import Evaluator
from knaster.pushdown.fast.expression import EMPTY, EPSILON, Expressions
from knaster.pushdown.merge import Merge, projecting_merge

DOMAIN = BitRelations(range(4))


class Bare:
    """Relations without star and difference."""

    zero, one = DOMAIN.zero, DOMAIN.one
    combine, extend = DOMAIN.combine, DOMAIN.extend


class Differences(Bare):
    """Relations with difference, without star."""

    diff = DOMAIN.diff


def test_expressions_are_simplified_and_shared() -> None:
    graph: Expressions[int] = Expressions(0)
    a, b, x = graph.weight(1), graph.weight(2), graph.variable(7)
    assert graph.weight(0) == EPSILON and graph.weight(1) == a and graph.variable(7) == x
    assert graph.union(a, EMPTY) == graph.union(EMPTY, a) == graph.union(a, a) == a
    assert graph.product(a, EPSILON) == graph.product(EPSILON, a) == a
    assert graph.product(a, EMPTY) == graph.product(EMPTY, a) == EMPTY
    assert graph.union(a, b) == graph.union(b, a) and graph.product(a, b) != graph.product(b, a)
    assert graph.reversed_product(a, b) == graph.product(b, a)
    assert graph.star(EMPTY) == graph.star(EPSILON) == EPSILON
    assert graph.star(graph.star(a)) == graph.star(a) == graph.star(graph.union(a, EPSILON))
    assert graph.varies[graph.star(graph.product(a, x))] and not graph.varies[graph.product(a, b)]
    assert graph.labelled_leaf("r", 0) != EPSILON and graph.labelled_leaf("r", 0) != graph.labelled_leaf("s", 0)


def test_weights_that_cannot_be_hashed_are_leaves_of_their_own() -> None:
    graph: Expressions[list[int]] = Expressions([])
    one, other = [1], [1]
    assert graph.weight(one) == graph.weight(one) != graph.weight(other)
    assert graph.weight([]) == EPSILON


def random_relation(rng: random.Random) -> BitRelation[int]:
    return DOMAIN.relation([(a, b) for a in range(4) for b in range(4) if rng.random() < 0.25])


def random_graph(rng: random.Random, merge: Merge[Any]) -> tuple[Expressions[Any], list[int], list[int]]:
    """Return expressions over three variables, the variables, and some expressions to look at."""
    graph: Expressions[Any] = Expressions(DOMAIN.one)
    variables = [graph.variable(number) for number in range(3)]
    made = [*variables, *(graph.weight(random_relation(rng)) for _ in range(4))]
    for _ in range(25):
        first, second = rng.choice(made), rng.choice(made)
        make = rng.choice(["union", "product", "product", "star", "merged"])
        if make == "merged":
            made.append(graph.merge_call(merge, first))
        elif make == "star":
            made.append(graph.star(first))
        else:
            made.append(getattr(graph, make)(first, second))
    return graph, variables, made


@pytest.mark.parametrize("domain", [Bare(), Differences(), DOMAIN], ids=lambda domain: type(domain).__name__)
def test_incremental_evaluation_equals_evaluation(domain: Any) -> None:
    merge = projecting_merge(DOMAIN, DOMAIN.one, DOMAIN.projection(lambda state: (state // 2, state % 2)))
    for seed in range(60):
        rng = random.Random(f"evaluate {seed}")
        graph, variables, made = random_graph(rng, merge)
        evaluator = Evaluator(domain, graph)
        weights = {variable: DOMAIN.zero for variable in variables}
        for variable in variables:
            evaluator.assign(variable, DOMAIN.zero)
        for _ in range(12):
            for variable in rng.sample(variables, rng.randint(1, 3)):
                grows = rng.random() < 0.8
                new = random_relation(rng)
                weights[variable] = DOMAIN.combine(weights[variable], new) if grows else new
                evaluator.assign(variable, weights[variable], grows=grows)
            for expression in rng.sample(made, 6):
                scratch = Evaluator(Bare(), graph)
                for variable, weight in weights.items():
                    scratch.assign(variable, weight)
                assert evaluator.weight(expression) == scratch.weight(expression), seed


def test_doubting_a_weight_that_stays_costs_no_operation() -> None:
    graph: Expressions[int] = Expressions(0)
    x = graph.variable(0)
    expression = graph.product(graph.weight(3), graph.star(graph.product(x, graph.weight(5))))
    evaluator = Evaluator(_Plus(), graph)
    evaluator.assign(x, 1)
    weight, count = evaluator.weight(expression), evaluator.evaluations
    assert set(evaluator.doubt(x, set())) >= {x, expression}
    assert evaluator.stale_variables(expression) == [x]
    assert not evaluator.assign(x, 1)
    assert evaluator.weight(expression) == weight and evaluator.evaluations == count


class _Plus:
    """Lengths without star and difference."""

    zero, one = 10**9, 0

    def combine(self, first: int, second: int) -> int:
        return min(first, second)

    def extend(self, first: int, second: int) -> int:
        return min(first + second, self.zero)
