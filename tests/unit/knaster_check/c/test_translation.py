"""Terms of both arithmetics mean what the interpreter of programs computes, on values at the edges of their types."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from knaster.evidence.proofs.formulas import formula_of_json
from knaster.program.evaluate import evaluate
from knaster.program.state import Undefined
from knaster_check.c.bits import Bits
from knaster_check.c.integers import Integers
from knaster_check.c.nodes import Names, Node, all_of, any_of, apply, build, negate
from knaster_check.c.script import to_script
from knaster_check.c.solvers import _ask_bitwuzla, _ask_cvc5
from knaster_check.c.terms import Unsuitable
from knaster_check.c.translation import Translation
from knaster_check.formula import read_formula
from knaster_check.program import BOOL
from knaster_check.refused import Refused
from knaster_check.work import nothing

TYPES = [
    ("int", 8, True),
    ("int", 8, False),
    ("int", 1, True),
    ("int", 5, False),
    ("int", 32, True),
    ("int", 64, False),
]
OPERATORS = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]


def values(random: Random, type: Any) -> int:
    """Return a value of a type, often one at an edge."""
    _, width, signed = type
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    edges = [low, high, low + 1, high - 1, *(number for number in (-1, 0, 1, 2, 3, 7) if low <= number <= high)]
    return int(random.choice([*edges, random.randint(low, high)]))


def random_formula(random: Random, names: dict[str, Any], depth: int) -> list[Any]:
    """Return a formula of integers."""
    if depth == 0:
        return (
            [["variable", random.choice(list(names))]]
            if random.random() < 0.7
            else [["number", str(random.choice([0, 1, 2, 5, -3, 255]))]]
        )

    def sub() -> list[Any]:
        return random_formula(random, names, random.randrange(depth))

    width, signed = random.choice([(None, True), *((one[1], one[2]) for one in TYPES)])
    kind = random.randrange(8)
    if kind < 5:
        return [*sub(), *sub(), ["arithmetic", random.choice(OPERATORS), width, signed]]
    if kind == 5:
        return [*sub(), ["convert", width or 16, signed]]
    if kind == 6:
        condition = [*sub(), *sub(), ["compare", random.choice(["==", "!=", "<", "<=", ">", ">="])]]
        return [*condition, *sub(), *sub(), ["if"]]
    return [*sub(), ["convert", "bool"], ["convert", width or 16, signed]]


def wrong_answers(random: Random, arithmetic: Any, ask: Any, count: int) -> tuple[str, int]:
    """Return what a solver says to whether one of many formulas has another value than the interpreter computes."""
    translation, every, wrong, asked = Translation(arithmetic()), Names(), [], 0
    fixed: list[Node] = []
    while asked < count:
        names = {name: random.choice(TYPES) for name in "xyz"}
        state = {name: values(random, type) for name, type in names.items()}
        rows = random_formula(random, names, 3)
        scope = {name: every.fresh(name, type) for name, type in names.items()}
        node, defined = build(read_formula(rows), scope)
        try:
            translation.term(node)
        except Unsuitable:
            continue
        here = [apply(("compare", "=="), scope[name], number(value)) for name, value in state.items()]
        try:
            value = evaluate(formula_of_json(rows), state, iter(()))
            assert isinstance(value, int)
            wrong += [any_of([negate(all_of(defined)), apply(("compare", "!="), node, number(value))])]
        except Undefined:
            wrong += [all_of(defined)]
        fixed += here
        asked += 1
    return ask(to_script(translation.term(all_of([*fixed, any_of(wrong)]))), 25, nothing), asked


def number(value: int) -> Node:
    """Return a constant."""
    return Node(("number", value), ("int",))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("arithmetic", "ask"), [(Bits, _ask_bitwuzla), (Bits, _ask_cvc5), (Integers, _ask_cvc5)])
def test_formulas_mean_what_the_interpreter_computes(arithmetic: Any, ask: Any, seed: int) -> None:
    said, asked = wrong_answers(Random(seed), arithmetic, ask, 60)
    assert (said, asked) == ("unsat", 60)


@pytest.mark.parametrize(("arithmetic", "ask"), [(Bits, _ask_bitwuzla), (Integers, _ask_cvc5)])
def test_what_is_undefined_is_zero_in_every_arithmetic(arithmetic: Any, ask: Any) -> None:
    names = Names()
    x = names.fresh("x", ("int", 8, False))
    array = names.fresh("a", ("array", ("int", 8, True), 3))
    zero = number(0)
    undefined = [apply(("arithmetic", operator, ("int", 16, True)), x, zero) for operator in "/%"]
    undefined += [apply(("arithmetic", operator, ("int", 16, True)), x, number(16)) for operator in ("<<", ">>")]
    y = names.fresh("y", ("int", 8, True))
    undefined += [apply(("arithmetic", ">>", ("int", 16, True)), y, number(at)) for at in (-1, 16, 17)]
    undefined += [apply(("element",), array, number(index)) for index in (-1, 3)]
    wrong = any_of(apply(("compare", "!="), one, zero) for one in undefined)
    assert ask(to_script(Translation(arithmetic()).term(wrong)), 25, nothing) == "unsat"


def test_distances_that_are_no_power_of_two() -> None:
    x = Names().fresh("x", ("int", 5, False))
    shifted = apply(("arithmetic", ">>", ("int", 5, False)), number(1), x)
    wrong = all_of([apply(("compare", ">"), x, number(0)), apply(("compare", "!="), shifted, number(0))])
    assert _ask_bitwuzla(to_script(Translation(Bits()).term(wrong)), 25, nothing) == "unsat"


@pytest.mark.parametrize(("arithmetic", "ask"), [(Bits, _ask_bitwuzla), (Integers, _ask_cvc5)])
def test_arrays(arithmetic: Any, ask: Any) -> None:
    names = Names()
    array = names.fresh("a", ("array", ("int", 8, False), 3))
    i, j = (names.fresh(name, ("int", 8, True)) for name in "ij")
    changed = apply(("updated",), array, i, number(7))
    read = apply(("element",), changed, j)
    same = apply(("compare", "=="), i, j)
    inside = [apply(("compare", ">="), i, number(0)), apply(("compare", "<"), i, number(3))]
    seven, small = apply(("compare", "=="), read, number(7)), apply(("compare", "<="), read, number(255))
    constant = Node(("value", (1, 0, 2)), array.type)
    third = all_of(
        apply(("compare", "=="), apply(("element",), constant, number(at)), number(value))
        for at, value in enumerate((1, 0, 2))
    )
    wrong = any_of([all_of([same, *inside, negate(seven)]), negate(small), negate(third)])
    assert ask(to_script(Translation(arithmetic()).term(wrong)), 25, nothing) == "unsat"
    assert ask(to_script(Translation(arithmetic()).term(all_of([same, negate(seven)]))), 25, nothing) == "sat"


def test_arrays_of_arrays() -> None:
    names = Names()
    type = ("array", ("array", ("int", 8, True), 2), 3)
    array = names.fresh("a", type)
    i, j = (names.fresh(name, ("int", 8, True)) for name in "ij")
    row = apply(("updated",), apply(("element",), array, i), j, number(7))
    read = apply(("element",), apply(("element",), apply(("updated",), array, i, row), i), j)
    inside = [apply(("compare", ">="), one, number(0)) for one in (i, j)]
    inside += [apply(("compare", "<"), one, number(end)) for one, end in ((i, 3), (j, 2))]
    constant = Node(("value", ((0, 5), (0, 0), (-3, 0))), type)
    known = [(0, 0, 0), (0, 1, 5), (1, 1, 0), (2, 0, -3), (2, 1, 0), (3, 0, 0), (0, 2, 0), (-1, 1, 0)]
    values = all_of(
        apply(
            ("compare", "=="), apply(("element",), apply(("element",), constant, number(a)), number(b)), number(value)
        )
        for a, b, value in known
    )
    seven = apply(("compare", "=="), read, number(7))
    wrong = any_of([all_of([*inside, negate(seven)]), negate(values)])
    assert _ask_cvc5(to_script(Translation(Integers()).term(wrong)), 25, nothing) == "unsat"
    assert _ask_cvc5(to_script(Translation(Integers()).term(negate(seven))), 25, nothing) == "sat"


def test_a_number_that_is_none_of_its_variable_is_not_written() -> None:
    from knaster_check.c.walk import store

    x = Names().fresh("x", ("int", 16, True))
    with pytest.raises(Unsuitable):
        Translation(Bits()).term(store(x, ("int", 8, True)))
    assert Translation(Bits()).term(store(x, ("int", 32, True))).high == (1 << 15) - 1


def test_a_quantifier_has_its_names_inside() -> None:
    names = Names()
    x, y = names.fresh("x", ("int", 8, False)), names.fresh("y", ("int", 8, False))
    sum_ = apply(("arithmetic", "+", ("int", 8, False)), x, y)
    is_zero = apply(("compare", "=="), apply(("arithmetic", "+", ("int", None, True)), sum_, sum_), number(0))
    there = Node(("exists", (y,)), BOOL, (is_zero,))
    never = Node(("exists", (y,)), BOOL, (apply(("compare", "=="), sum_, number(300)),))
    for wrong in (negate(there), never):
        assert _ask_cvc5(to_script(Translation(Bits()).term(wrong)), 25, nothing) == "unsat"
    assert _ask_cvc5(to_script(Translation(Bits()).term(there)), 25, nothing) == "sat"


PAIRS = ("array", ("int", 8, True), 2)
FLAGS = ("array", BOOL, 2)
SAME = ["compare", "=="]


def is_possible(node: Node, arithmetic: Any) -> bool:
    """Tell whether some values make a condition true."""
    return (_ask_bitwuzla if arithmetic is Bits else _ask_cvc5)(
        to_script(Translation(arithmetic()).term(node)), 10, nothing
    ) == "sat"


def said(text: list[Any], scope: dict[str, Node]) -> Node:
    return build(read_formula(text), scope)[0]


@pytest.mark.parametrize("arithmetic", [Bits, Integers])
def test_truth_values_and_arrays_are_compared(arithmetic: Any) -> None:
    names = Names()
    scope = {"b": names.fresh("b", BOOL), "c": names.fresh("c", BOOL)}
    scope |= {"p": names.fresh("p", PAIRS), "q": names.fresh("q", PAIRS)}
    equal = {one: said([["variable", one], ["variable", two], SAME], scope) for one, two in ("bc", "pq")}
    for same in equal.values():
        assert is_possible(same, arithmetic) and is_possible(negate(same), arithmetic)
    assert not is_possible(all_of([scope["b"], negate(scope["c"]), equal["b"]]), arithmetic)
    first, second = (
        said([*(row for name in "pq" for row in (["variable", name], ["number", at], ["element"])), SAME], scope)
        for at in "01"
    )
    assert not is_possible(all_of([first, second, negate(equal["p"])]), arithmetic)  # what is outside does not count
    assert is_possible(all_of([first, negate(equal["p"])]), arithmetic)


@pytest.mark.parametrize("arithmetic", [Bits, Integers])
def test_constant_arrays_of_truth_values(arithmetic: Any) -> None:
    names = Names()
    scope = {"f": names.fresh("f", FLAGS)}
    same = said([["variable", "f"], ["value", [False, True]], SAME], scope)
    first, second = (said([["variable", "f"], ["number", str(at)], ["element"]], scope) for at in (0, 1))
    assert is_possible(all_of([same, negate(first), second]), arithmetic)
    assert not is_possible(all_of([same, first]), arithmetic) and not is_possible(
        all_of([same, negate(second)]), arithmetic
    )


def test_values_after_an_assignment() -> None:
    names = Names()
    now, then = names.fresh("x", ("int", 8, True)), names.fresh("x", ("int", 8, True))
    assert build((("next", "x"),), {"x": now}, (), {"x": then})[0] is then
    assert build((("variable", "x"),), {"x": now}, (), {"x": then})[0] is now
    with pytest.raises(Refused, match="not known there"):
        build((("next", "x"),), {"x": now})
