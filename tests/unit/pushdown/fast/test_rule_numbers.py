"""Rules in numbers: those that cannot fire have none, and every other one knows which of the given it is."""

from __future__ import annotations

from math import inf

import pytest

from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.fast.expression import EPSILON, Expressions
from knaster.pushdown.fast.rule_numbers import NumberedRules, Row, pack
from knaster.pushdown.numbering import NONE
from knaster.pushdown.system import Rule


@pytest.mark.parametrize("labelled", [False, True])
def test_rules_that_come_later_follow_those_that_are_there(labelled: bool) -> None:
    expressions: Expressions[Length] = Expressions(0)
    rules = NumberedRules(MinPath(), expressions, labelled)
    weights: list[Length] = [3, inf, 0]
    given = [Rule("p", number, "p", (number, 7), weight) for number, weight in enumerate(weights)]
    rows: list[Row] = [(0, number, 0, number, 7) for number in range(3)]
    assert rules.extend(given, rows) == [0, None, 1]
    assert rules.extend([Rule("p", 5, "p", (), 3)], [(0, 5, 0, NONE, NONE)]) == [2]
    assert (rules.place, rules.pops) == ([0, 2, 3], [False, False, True])
    assert rules.left == [pack(0, 0), pack(0, 2), pack(0, 5)]
    assert rules.head == [pack(0, 0), pack(0, 2), pack(0, NONE)]
    leaves = [rules.leaf(number) for number in range(3)]
    assert (leaves[0] == leaves[2], leaves[1] == EPSILON) == (not labelled, not labelled)
    assert leaves == [rules.leaf(number) for number in range(3)]
