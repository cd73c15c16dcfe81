"""What a run is to refute: what it says of itself has to fit together, and a formula has to be broken."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.temporal.refutation import Refutation

PROGRAM = read_program(program_to_kernel(parse("decl x;\nvoid main() begin L: x := 0; end", "p.bp")))


def refutation(formula: str | None = "F L", fair: Any = "none", **says: Any) -> Refutation:
    data = {"formula": formula, "fair": fair, "deeper": False, "stays": False, "waits": False, **says}
    return Refutation(PROGRAM, data)


@pytest.mark.parametrize(
    ("formula", "says", "reason"),
    [
        ("F L", {}, ""),
        (None, {}, ""),
        ("F L", {"deeper": True}, ""),
        (None, {"deeper": True}, ""),
        ("F L", {"stays": True}, ""),
        ("F L", {"stays": True, "waits": True}, ""),
        (None, {"stays": True}, "does not refute that every run does"),
        (None, {"stays": True, "waits": True}, "does not refute that every run does"),
        ("F L", {"stays": True, "deeper": True}, "a run that stays goes deeper"),
        ("F L", {"waits": True}, "a run that goes on waits"),
        ("F L", {"fair": "much"}, "no such fairness"),
        ("F L", {"fair": "weak"}, ""),
        (None, {"fair": "strong"}, ""),
        ("F L", {"stays": 1}, "true or false"),
        ("F N", {}, "there is no label 'N'"),
        (5, {}, "should be a text"),
    ],
)
def test_what_fits_together(formula: Any, says: dict[str, Any], reason: str) -> None:
    if not reason:
        assert refutation(formula, **says).formula == formula
        return
    with pytest.raises(Refused, match=reason):
        refutation(formula, **says)


def test_what_is_refuted() -> None:
    often = refutation("G F L")
    assert set(often.meanings) == {"L"}
    assert often.is_refuted([{"L"}], [set()]) and not often.is_refuted([set()], [{"L"}, set()])
    ends = refutation(None)
    assert not ends.meanings and ends.is_refuted([set()], [set()])


def test_what_the_verdict_says() -> None:
    found = refutation("F L", "weak").verdict(7)
    assert (found.claim, found.formula, found.fair, found.answered) == ("violated", "F L", "weak", {"replayed": 7})
    found = refutation(None).verdict(3)
    assert (found.claim, found.formula, found.fair, found.answered) == ("endless", "", "none", {"replayed": 3})
