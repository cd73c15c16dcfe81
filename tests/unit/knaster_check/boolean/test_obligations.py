"""Obligations: which are answered by their form, how they are counted, and how much work they are."""

from __future__ import annotations

import pytest

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit
from knaster_check.boolean.obligations import BY_FORM, Obligations
from knaster_check.refused import Refused
from knaster_check.work import STEP


def test_what_is_answered_by_its_form() -> None:
    circuit, ticks = Circuit(), list[int]()
    obligations = Obligations(ticks.append)
    x, y = circuit.variable(), circuit.variable()
    obligations.require(circuit, [x], TRUE, "no")
    obligations.require(circuit, [x, y], y, "no")
    obligations.require(circuit, [x, FALSE], y, "no")
    assert obligations.answered == {BY_FORM: 3} and ticks == [STEP] * 3
    circuit.work = 7
    obligations.require(circuit, [TRUE, FALSE], FALSE, "no")
    assert ticks[-1] == STEP + 7 and circuit.work == 0


def test_what_is_not() -> None:
    circuit = Circuit()
    obligations = Obligations(lambda units=1: None)
    x, y = circuit.variable(), circuit.variable()
    obligations.require(circuit, [circuit.both(x, y)], y, "no")
    assert sum(obligations.answered.values()) == 1 and BY_FORM not in obligations.answered
    for premises, conclusion in (([x], y), ([TRUE], FALSE), ([x], -x), ([], y)):
        with pytest.raises(Refused, match="there: why"):
            obligations.require(circuit, premises, conclusion, "why", "there")
