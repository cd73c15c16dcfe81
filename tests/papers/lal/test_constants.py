"""X1, X6 and X11: copy-constant propagation on Figures 2.1 and 3.1, and the same by Knoop and Steffen's theorem."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import Middle, single
from knaster.pushdown.domains.constants import TOP, ConstantTransformer, join_environments
from knaster.pushdown.icfg import CONTROL, FINAL, FlowGraph
from knaster.pushdown.knoop_steffen import knoop_steffen
from knaster.pushdown.merge import Merge, projecting_merge
from knaster.pushdown.solve import pre_star
from knaster.pushdown.system import Configuration, run_value
from papers.lal.figures import CALL_3_1, CONSTANTS, constants_2_1, constants_3_1, steps_2_1

T = TOP
assign = CONSTANTS.assign

RESTORING = projecting_merge(CONSTANTS, CALL_3_1, CONSTANTS.projection("y"))


def _values(weight: ConstantTransformer) -> tuple[Any, ...]:
    """Return (y, a, b) after `weight`, from the environment in which everything is uninitialised."""
    environment = weight.apply(CONSTANTS.unknown())
    assert environment is not None
    return tuple(environment[name] for name in "yab")


def _spread(table: dict[str, Any]) -> dict[str, Any]:
    """Return the table with one entry per node: the key "n5 n6" stands for both nodes."""
    return {node: value for nodes, value in table.items() for node in nodes.split()}


VALID = _spread(
    {
        "em n1": (T, T, T),
        "n2": (T, 5, T),
        "n3": (1, 5, T),
        "n4 n5 n6": (T, 5, 5),
        "n7": (T, 2, 5),
        "n8": (2, 2, 2),
        "n9 xm ef n10 n11 n12 n13 xf": (T, T, T),
    }
)


def test_valid_paths_of_figure_2_1() -> None:
    solution = constants_2_1().jovp()
    assert {node: _values(weight) for node, weight in solution.everywhere().items()} == VALID


def test_all_paths_of_figure_2_1_are_less_precise() -> None:
    less = _spread({"n4 n5 n6 n8": (T, T, T), "n7": (T, 2, T)})
    assert {node: _values(weight) for node, weight in constants_2_1().jop().items()} == VALID | less


def test_the_automaton_of_figure_2_5() -> None:
    """Nineteen transitions and two on the empty word, with their weights."""
    middle = Middle(CONTROL, "ef")
    expected: dict[tuple[Any, Any, Any], ConstantTransformer] = {}

    def expect(source: Any, symbols: str, target: Any, values: dict[str, Any]) -> None:
        for symbol in symbols.split():
            expected[source, None if symbol == "eps" else symbol, target] = assign(values)

    expect(CONTROL, "em n1", FINAL, {})
    expect(CONTROL, "n2", FINAL, {"a": 5})
    expect(CONTROL, "n3", FINAL, {"y": 1, "a": 5})
    expect(CONTROL, "n4 n5 n6", FINAL, {"y": T, "a": 5, "b": 5})
    expect(CONTROL, "n7", FINAL, {"y": T, "a": 2, "b": 5})
    expect(CONTROL, "n8", FINAL, {"y": 2, "a": 2, "b": 2})
    expect(CONTROL, "n9 xm eps", FINAL, {"y": T, "a": T, "b": T})
    expect(CONTROL, "ef n10", middle, {})
    expect(CONTROL, "n11 n12 n13", middle, {"b": "a"})
    expect(CONTROL, "xf eps", middle, {"y": (2, "a"), "b": "a"})
    expect(middle, "n4", FINAL, {"y": 1, "a": 5})
    expect(middle, "n8", FINAL, {"y": T, "a": 2, "b": 5})
    found = {tuple(t[:3]): t.weight for t in constants_2_1().jovp().answer.transitions()}
    assert found == expected


def test_contexts_of_figure_2_1() -> None:
    solution = constants_2_1().jovp()
    expected: dict[str, list[tuple[Any, ...]]] = {
        "ef": [(1, 5, T), (T, 2, 5)],
        "n11": [(1, 5, 5), (T, 2, 2)],
        "xf": [(T, 5, 5), (2, 2, 2)],
    }
    for node, (first, second) in expected.items():
        assert _values(solution.exactly(node, ["n4"])) == first
        assert _values(solution.exactly(node, ["n8"])) == second
        contexts = {context: _values(weight) for context, weight in solution.by_context(node).items()}
        assert contexts == {("n4",): first, ("n8",): second}
    assert solution.exactly("n11", []) == CONSTANTS.zero
    assert solution.summary("f") == assign({"y": (2, "a"), "b": "a"})


def test_backwards_from_n9_in_figure_2_1() -> None:
    answer = pre_star(constants_2_1().system, single(CONTROL, "n9"))
    acc = _spread(
        {
            "em n1": {"y": T, "a": T, "b": T},
            "n2 n3": {"y": (2, "a"), "a": (2, "a"), "b": (2, "a")},
            "n4 n5": {"y": (2, "y"), "a": (2, "a"), "b": (2, "b")},
            "n6": {"y": 2, "a": 2, "b": 2},
            "n7": {"y": (2, "a"), "b": "a"},
            "n8 n9": {},
        }
    )
    pops = _spread(
        {
            "xm xf": {},
            "ef n10": {"y": (2, "a"), "b": "a"},
            "n11": {"y": (2, "b")},
            "n12": {"y": 2},
            "n13": {"y": "b"},
        }
    )
    found = {(t.symbol, t.target == CONTROL): t.weight for t in answer.transitions()}
    expected = {(node, False): assign(values) for node, values in acc.items()}
    expected |= {(node, True): assign(values) for node, values in (acc | pops).items()}
    assert found == expected
    for node, values in acc.items():
        assert answer.weight_of(Configuration(CONTROL, (node,))) == assign(values)


def test_distances_in_figure_2_1() -> None:
    solution = steps_2_1().jovp()
    expected = "em0 n1:1 n2:2 n3:3 ef4 n10:5 n11:6 n12:7 n13:7 xf8 n4:9 n5:10 n6:11 n9:11 n7:12 xm12 n8:18"
    for entry in expected.split():
        node, distance = entry.split(":") if ":" in entry else (entry[:2], entry[2:])
        assert solution.at(node) == int(distance)
    assert solution.answer.weight_of(Configuration(CONTROL)) == 13


LOCALS = _spread(
    {
        "em n1": (T, T, T),
        "n2": (T, 5, T),
        "n3": (1, 5, T),
        "n4 n5 n6": (T, 5, T),
        "n7": (T, 2, T),
        "n8": (2, 2, T),
        "n9 xm ef n10 n11 n12 xf": (T, T, T),
    }
)


def _check_locals(graph: FlowGraph[ConstantTransformer]) -> None:
    solution = graph.jovp()
    assert {node: _values(weight) for node, weight in solution.everywhere().items()} == LOCALS
    for node in ("ef", "n10", "n11", "n12"):
        assert _values(solution.exactly(node, ["n4"])) == (1, T, 5)
        assert _values(solution.exactly(node, ["n8"])) == (T, T, 2)
    assert _values(solution.exactly("xf", ["n4"])) == (T, T, 5)
    assert _values(solution.exactly("xf", ["n8"])) == (2, T, 2)
    assert solution.summary("f") == assign({"y": (2, "b")})


def test_locals_are_restored_in_figure_3_1() -> None:
    graph = constants_3_1(RESTORING)
    _check_locals(graph)
    middle = Middle(CONTROL, "ef")
    waiting = {t.symbol: t.weight for t in graph.jovp().answer.transitions() if t.source == middle}
    assert waiting == {"n4": assign({"y": 1, "a": T, "b": 5}), "n8": assign({"y": T, "a": T, "b": 2})}


def test_a_run_of_figure_3_1() -> None:
    """Example 3.2.2: before the return the formal is visible, after it main's local is back."""
    graph = constants_3_1(RESTORING)
    rules = {(rule.symbol, rule.push[0] if rule.push else None): rule for rule in graph.system.rules}
    path = [("em", "n1"), ("n1", "n2"), ("n2", "n3"), ("n3", "ef"), ("ef", "n10"), ("n10", "n11"), ("n11", "xf")]
    run = [rules[step] for step in path]
    assert run_value(CONSTANTS, run) == assign({"a": T, "y": 2, "b": 5})
    assert run_value(CONSTANTS, [*run, rules["xf", None]]) == assign({"a": 5, "y": 2})


def test_backwards_from_n9_in_figure_3_1() -> None:
    answer = pre_star(constants_3_1(RESTORING).system, single(CONTROL, "n9"))
    expected = _spread(
        {
            "em n1": {"y": T, "a": T},
            "n2 n3": {"y": (2, "a"), "a": (2, "a")},
            "n4 n5": {"y": (2, "y"), "a": (2, "a")},
            "n6": {"y": 2, "a": 2},
            "n7": {"y": (2, "a")},
            "n8 n9": {},
        }
    )
    for node, values in expected.items():
        assert answer.weight_of(Configuration(CONTROL, (node,))) == assign(values)


def test_wrong_merges_lose_what_the_right_one_keeps() -> None:
    """The merge as printed forgets the call (n8 loses y = 2); without any merge main's local is lost."""

    def printed(caller: ConstantTransformer, callee: ConstantTransformer) -> ConstantTransformer:
        kept = CONSTANTS.update(CONSTANTS.one, caller, "a")
        return CONSTANTS.update(kept, CONSTANTS.extend(caller, callee), "y")

    assert _values(constants_3_1(Merge(printed)).jovp().at("n8")) == (T, 2, T)
    plain = constants_3_1(None).jovp()
    assert (_values(plain.at("n4")), _values(plain.at("n8"))) == ((T, T, 5), (2, T, 2))


STATEMENTS = {
    "n1": assign({"a": 5}),
    "n2": assign({"y": 1}),
    "n3": CALL_3_1,
    "n6": assign({"a": 2}),
    "n7": CALL_3_1,
    "n11": assign({"y": 2}),
    "n12": assign({"y": "b"}),
}


def _take_y(_: object, caller: ConstantTransformer, returned: ConstantTransformer) -> ConstantTransformer:
    return CONSTANTS.update(caller, returned, "y")


def test_knoop_and_steffen_agree_with_figure_3_1() -> None:
    """X11: R(c_call, c_ret) is c_call with y from c_ret."""
    graph = knoop_steffen(constants_3_1(None), CONSTANTS, STATEMENTS, _take_y)
    _check_locals(graph)
    with pytest.raises(UsageError, match="path extension"):
        pre_star(graph.system, single(CONTROL, "n9"))


def test_knoop_and_steffen_apply_the_statement_of_a_return_node_once() -> None:
    swap = {"n4": assign({"y": "a", "a": "y"})}
    graph = knoop_steffen(constants_3_1(None), CONSTANTS, STATEMENTS | swap, _take_y)
    solution = graph.jovp()
    assert _values(solution.at("n4")) == (T, 5, T)  # y is what a was in the callee: unknown there
    assert solution.at("n5") == solution.at("n4")
    back = {"n4": assign({"y": 7})}
    assert _values(knoop_steffen(constants_3_1(None), CONSTANTS, STATEMENTS | back, _take_y).jovp().at("n5"))[0] == 7


def test_knoop_and_steffen_refuse_what_they_cannot_encode() -> None:
    shape = constants_3_1(None)
    with pytest.raises(UsageError, match="no node 'nowhere'"):
        knoop_steffen(shape, CONSTANTS, {"nowhere": CONSTANTS.one}, _take_y)


def test_environments_join() -> None:
    assert join_environments({"y": 1, "a": 5}, {"y": 2, "a": 5}) == {"y": T, "a": 5}
