"""Questions about bit-vectors: Bitwuzla and z3 say the same."""

from __future__ import annotations

import pytest

from knaster.base.limits import Budget
from knaster.smt import bit_questions
from knaster.smt.bit_questions import ask_bits
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session


@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_both_solvers_answer_with_numbers(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if solver == "z3":
        monkeypatch.setattr(bit_questions, "find_spec", lambda name: None)
    else:
        pytest.importorskip("bitwuzla")
    session = Session(Budget())
    x, y = (z3.BitVec(name, 8, session.context) for name in ("input!1", "y"))
    truth = z3.Bool("guard!2", session.context)
    said, number = ask_bits(session, [x * x == 225, z3.UGT(x, 200), truth == (x == 241), y == x + 1], 10)
    assert said is Answer.SATISFIABLE and number is not None
    assert number(x) == 241 and number(y) == 242 and number(truth) == 1
    unused = z3.BitVec("unused", 8, session.context)
    assert number(unused) == 0
    assert ask_bits(session, [x != x], 10) == (Answer.UNSATISFIABLE, None)
