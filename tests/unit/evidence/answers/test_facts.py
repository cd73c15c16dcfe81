"""The record of facts."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.facts import Equation


def test_facts_at_a_line() -> None:
    facts = knaster.facts("decl g;\nvoid main() begin g := T;\nskip; end\n", "affine")
    assert facts.at(3) == (Equation(1, (("g", 1),), 1),) and facts.at(2) == () and facts.at(9) == ()
    assert repr(facts) == "<Facts <text>: 1 facts at 2 lines>"
