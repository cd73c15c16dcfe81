"""A null-pointer property (Figure 2.15, reconstructed) on a program that may dereference a null pointer."""

from __future__ import annotations

from knaster.pushdown.automaton import single
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.merge import Merge
from knaster.pushdown.property import Property, errors_of, property_product, violation
from knaster.pushdown.saturation.query import path_summary, weight_at
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import PushdownSystem, Rule, SystemBuilder

NULL = Property(
    (("s1", "p=NULL", "s2"), ("s2", "p=&v", "s1"), ("s2", "*p", "error")),
    "s1",
    frozenset({"error"}),
)
BUGGY = {"a1": "p=&v", "f1": "p=NULL", "a5": "*p"}
FIXED = {**BUGGY, "a4": "p=&v"}


def _program() -> PushdownSystem[Length]:
    builder = SystemBuilder(MinPath())
    text = "a1 a2; a2 a3; a2 a5; a3 f0 a4; a4 a5; a5 a6; a6; f0 f1; f0 f2; f1 f3; f2 f3; f3"
    for rule in text.split(";"):
        symbol, *push = rule.split()
        builder.rule("p", symbol, "p", *push, weight=1)
    return builder.build()


def _states(system: PushdownSystem[Length], labels: dict[str, str], symbol: str | None) -> set[object]:
    answer = post_star(property_product(system, NULL, lambda g: labels.get(str(g))), single("p", "a1"))
    weight = path_summary(answer) if symbol is None else weight_at(answer, symbol)
    return {target for source, target, _ in weight if source == "s1"}


def test_states_of_the_buggy_program() -> None:
    expected = {"a2": {"s1"}, "f3": {"s1", "s2"}, "a4": {"s1", "s2"}, "a5": {"s1", "s2"}, "a6": {"s1", "error"}}
    assert {symbol: _states(_program(), BUGGY, symbol) for symbol in expected} == expected
    assert _states(_program(), BUGGY, None) == {"s1", "s2", "error"}


def test_states_of_the_fixed_program() -> None:
    expected = {"a4": {"s1", "s2"}, "a5": {"s1"}, "a6": {"s1"}}
    assert {symbol: _states(_program(), FIXED, symbol) for symbol in expected} == expected
    assert _states(_program(), FIXED, None) == {"s1", "s2"}


def test_the_shortest_violation_has_eight_rules() -> None:
    system = _program()
    found = violation(system, NULL, lambda g: BUGGY.get(str(g)), single("p", "a1"))
    assert found is not None
    assert [rule.symbol for rule in found.run] == ["a1", "a2", "a3", "f0", "f1", "f3", "a4", "a5"]
    assert violation(system, NULL, lambda g: FIXED.get(str(g)), single("p", "a1")) is None


def test_merge_functions_are_lifted() -> None:
    """A merge that forgets the callee's length still lets the property see what the callee did."""
    plain = _program()

    def forget(caller: Length, callee: Length) -> Length:
        return caller + 1 if callee < plain.domain.zero else plain.domain.zero

    rules = [
        Rule(r.source, r.symbol, r.target, r.push, r.weight, Merge(forget) if len(r.push) == 2 else None)
        for r in plain.rules
    ]
    system = PushdownSystem.of(MinPath(), rules)
    answer = post_star(property_product(system, NULL, lambda g: BUGGY.get(str(g))), single("p", "a1"))
    assert errors_of(answer, NULL) == {"error": 5}  # a1, a2, the call as a whole, a4, a5
