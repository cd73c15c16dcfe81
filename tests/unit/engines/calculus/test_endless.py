"""A model checker for LTL in the calculus: `fair.mu` decides what the other methods decide."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError, UsageError
from knaster.engines.calculus import endless
from knaster.engines.calculus.system import algorithm_text
from support.temporal_programs import questions


@pytest.mark.parametrize(("name", "text", "asked", "true"), questions()[1::3])
def test_by_hand(name: str, text: str, asked: str, true: bool) -> None:
    result = knaster.check(text + "\n", property=asked, engine="calculus")
    assert result.verdict.value == ("TRUE" if true else "FALSE"), name
    assert all(answer.checked for _, answer in result.answers)


def test_a_formula_for_another_question_is_refused() -> None:
    text = "void main() begin ERROR: skip; end\n"
    with pytest.raises(UsageError, match="for reachability"):
        knaster.check(text, property="termination", engine="calculus", algorithm="summary")
    with pytest.raises(UsageError, match="about all runs"):
        knaster.check(text, engine="calculus", algorithm="fair")


def test_a_wrong_formula_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The evidence is derived by another method, which has to agree."""
    name, good = algorithm_text("fair")
    wrong = good.replace("Target(u.mod, u.pc) & ", "!Target(u.mod, u.pc) & ")
    monkeypatch.setattr("knaster.engines.calculus.system.algorithm_text", lambda _: (name, wrong))
    assert wrong != good and endless is not None
    with pytest.raises(InternalError, match="the opposite was checked"):
        knaster.check("void main() begin L: skip; while (1) do M: skip; od end\n", property="G F L", engine="calculus")
        knaster.check("void main() begin L: skip; while (1) do M: skip; od end\n", property="F G !L", engine="calculus")
