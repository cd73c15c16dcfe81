"""Circuits: gates, clauses and decision diagrams mean what truth tables say."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit, Functions, Literal, View
from knaster_check.boolean.sat import refute
from knaster_check.program import Formula
from knaster_check.refused import Refused
from knaster_check.work import nothing

NAMES = ("x", "y", "z")


def random_formula(rng: Random, depth: int = 3) -> Formula:
    if depth == 0 or rng.random() < 0.2:
        return (("variable", rng.choice(NAMES)) if rng.random() < 0.85 else ("truth", rng.random() < 0.5),)
    match rng.randrange(3):
        case 0:
            return (*random_formula(rng, depth - 1), ("not",))
        case 1:
            operands = (random_formula(rng, depth - 1) for _ in range(3))
            return (*(node for formula in operands for node in formula), ("if",))
    left, right = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    return (*left, *right, ("logic", rng.choice(("&", "|", "^", "=", "=>"))))


def value(formula: Formula, state: dict[str, bool]) -> bool:
    from knaster_check.evaluate import outcomes

    (found,) = outcomes(formula, state)
    return bool(found)


def can_be(circuit: Circuit, *literals: Literal) -> bool:
    return refute(circuit.clauses(literals), nothing) is None


def test_formulas_mean_what_truth_tables_say() -> None:
    rng = Random(5)
    for _ in range(60):
        circuit, formula = Circuit(), random_formula(rng)
        now = {name: circuit.variable() for name in NAMES}
        literal = circuit.value(formula, now)
        for bits in product((False, True), repeat=3):
            state = dict(zip(NAMES, bits, strict=True))
            fixed = [now[name] if state[name] else -now[name] for name in NAMES]
            assert can_be(circuit, literal, *fixed) is value(formula, state)
            assert can_be(circuit, -literal, *fixed) is not value(formula, state)


def test_a_choice_is_free_each_time() -> None:
    circuit = Circuit()
    chosen = circuit.value((("choice", ("bool",)), ("choice", ("bool",)), ("logic", "^")), {})
    assert can_be(circuit, chosen) and can_be(circuit, -chosen)


def test_literals_take_the_place_of_variables() -> None:
    rng = Random(6)
    for _ in range(60):
        circuit, formula, other = Circuit(), random_formula(rng), random_formula(rng)
        now = {name: circuit.variable() for name in NAMES}
        literal, new = circuit.value(formula, now), circuit.value(other, now)
        changed = circuit.replace(literal, {now["x"]: new})
        assert changed == circuit.value(formula, {**now, "x": new})
        assert set(circuit.variables(literal)) <= set(now.values())
        for name in NAMES:
            flipped = circuit.replace(literal, {now[name]: -now[name]})
            used = can_be(circuit, literal, -flipped) or can_be(circuit, -literal, flipped)
            assert not used or now[name] in circuit.variables(literal)


def test_decision_diagrams() -> None:
    circuit, functions = Circuit(), Functions([[7, 1, 0], [4, 2, 0]])
    x, y = circuit.variable(), circuit.variable()
    view = View(circuit, functions, {7: x, 4: y})
    assert (view.of(0), view.of(1), view.of(2)) == (FALSE, TRUE, x)
    assert not can_be(circuit, view.of(3), -x) and can_be(circuit, view.of(3))
    assert View(circuit, functions, {7: TRUE, 4: y}).of(3) == y
    with pytest.raises(Refused, match="variable 4"):
        View(circuit, functions, {7: x}).of(3)


@pytest.mark.parametrize("nodes", [7, [[0, 1]], [[0, 2, 0]], [[0, 1, 3]], [[-1, 1, 0]], [[0, True, 0]], [[0, 1, 0, 0]]])
def test_what_is_no_list_of_nodes(nodes: object) -> None:
    with pytest.raises(Refused):
        Functions(nodes)


@pytest.mark.parametrize("wrong", [-1, 2, True, "0", 1.0, None])
def test_numbers_of_functions_are_those_of_the_file(wrong: object) -> None:
    functions = Functions([])
    assert [functions.number(0), functions.number(1)] == [0, 1]
    with pytest.raises(Refused):
        functions.number(wrong)


def test_work_is_counted_and_taken_once() -> None:
    circuit, functions = Circuit(), Functions([[0, 1, 0], [1, 2, 0]])
    View(circuit, functions, {0: circuit.variable(), 1: circuit.variable()}).of(3)
    assert circuit.take_work() == 3 and circuit.take_work() == 0


def test_each_variable_below_a_literal_is_told_once() -> None:
    circuit = Circuit()
    x, y, z = (circuit.variable() for _ in range(3))
    shared = circuit.both(x, y)
    root = circuit.choose(z, circuit.both(shared, -z), circuit.choose(shared, x, -y))
    top = circuit.both(circuit.choose(x, shared, z), -circuit.both(z, -shared))
    for literal in (root, -root, top):
        found = circuit.variables(literal)
        assert len(found) == len(set(found)) and set(found) <= {x, y, z}
    assert circuit.variables(x) == [x] and circuit.variables(circuit.both(x, x)) == [x]


def test_next_values_are_there_in_a_constraint_alone() -> None:
    circuit = Circuit()
    now, then = circuit.variable(), circuit.variable()
    formula = (("next", "x"), ("variable", "x"), ("logic", "&"))
    assert circuit.value(formula, {"x": now}, {"x": then}) == circuit.both(then, now)
    with pytest.raises(Refused, match="'next'"):
        circuit.value(formula, {"x": now})
