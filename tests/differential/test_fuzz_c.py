"""A few programs of `tests/fuzz.py c`, failures that it is to find, and its oracle against another one.

`KNASTER_EXAMPLES=2500 pytest tests/differential/test_fuzz_c.py` checks 5,000.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("z3")

import knaster
from knaster.evidence.answers.answer import Diverges, Reachable, Result, Terminates, Unreachable
from support.fuzz.c import problems, program_of
from support.fuzz.c_smaller import smaller
from support.generators.c_programs import CProgram, Function, Truth, random_program, text, truth, wilder_program
from support.oracles.c_tabulation import tabulated

EXAMPLES = int(os.environ.get("KNASTER_EXAMPLES", "1"))


def test_random_programs() -> None:
    count: Counter[str] = Counter()
    for number in range(1, 2 * EXAMPLES + 1):
        assert problems(program_of(number), count) == [], f"python tests/fuzz.py c --first {number} --programs 1"
    assert count["programs"] == 2 * EXAMPLES


def test_search_agrees_where_inputs_are_read_anywhere() -> None:
    decided = 0
    for seed in range(40 * EXAMPLES):
        program = wilder_program(seed)
        expected = tabulated(program)
        for property, fails in (("reach", expected.error), ("termination", expected.endless)):
            if property == "reach" and "reach_error();" not in text(program):
                continue
            result = knaster.check(text(program), property=property, engine="search", file="random.c", runs=3_000)
            said = result.verdict.value
            decided += said == "FALSE" and bool(fails)
            assert fails is None or said == "UNKNOWN" or (said == "FALSE") == fails, (
                f"{property}, {seed}\n{text(program)}"
            )
    assert decided > 10 * EXAMPLES


def test_two_oracles_agree() -> None:
    known = 0
    for seed in range(100 * EXAMPLES):
        program = random_program(seed)
        one, other = truth(program), tabulated(program)
        for left, right in ((one.error, other.error), (one.endless, other.endless)):
            assert None in (left, right) or left == right, f"seed {seed}: {one} {other}\n{text(program)}"
            known += right is not None
    assert known > 180 * EXAMPLES


X = ("variable", "x0")
COUNT = (
    ("input", "x0"),
    ("while", 1, ("binary", ">", X, ("number", 0)), (("step", "x0", "--"),)),
    ("if", ("binary", "!=", X, ("number", 0)), (("error",),), ()),
    ("return", X),
)


def _program(body: tuple[tuple[object, ...], ...]) -> CProgram:
    return CProgram((), (Function("main", (), (("x0", "int"),), body),), 0)


def test_all_states_are_tabulated() -> None:
    assert tabulated(_program(COUNT)) == Truth(False, False)
    once = (COUNT[0], ("if", ("binary", "==", X, ("number", 2)), (("error",),), ()), COUNT[-1])
    assert tabulated(_program(once)) == Truth(True, False)
    around = (COUNT[0], ("while", 1, ("binary", "==", X, ("number", 1)), (("assign", "x0", X),)), COUNT[-1])
    assert tabulated(_program(around)) == Truth(False, True)
    assert tabulated(_program((("while", 1, ("number", 1), (("step", "x0", "++"),)), COUNT[-1])), 100) == Truth(
        None, None
    )


def test_calls_that_return_and_calls_that_do_not() -> None:
    p = ("variable", "p0")
    less = ("call", "x0", "f0", (("binary", "-", p, ("number", 1)),))
    down = Function("f0", (("p0", "int"),), (("x0", "int"),), (("if", p, (less,), ()), ("return", p)))
    main = Function("main", (), (("x0", "int"),), (("call", "x0", "f0", (("number", 50),)), ("return", ("number", 0))))
    assert tabulated(CProgram((), (down, main), 0)) == Truth(False, False)
    same = replace(down, body=(("call", "x0", "f0", (p,)), ("return", p)))
    assert tabulated(CProgram((), (same, main), 0)) == Truth(False, True)


def _changed(result: Result, change: Callable[[object], object]) -> Result:
    return replace(result, answers=tuple((target, change(answer)) for target, answer in result.answers))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (lambda a: Reachable(None) if isinstance(a, Unreachable) else a, "FALSE is said, and it holds"),
        (lambda a: Diverges(None) if isinstance(a, Terminates) else a, "FALSE is said, and it holds"),
        (lambda a: replace(a, checked=False) if isinstance(a, Unreachable) else a, "an answer was not checked"),
    ],
)  # fmt: skip
def test_it_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch, lie: Callable[[object], object], said: str) -> None:
    check = knaster.check
    monkeypatch.setattr("support.fuzz.c.PATIENCE", None)  # units are enough, and no clock ends them
    monkeypatch.setattr(knaster, "check", lambda *args, **kinds: _changed(check(*args, **kinds), lie))
    found = problems(_program(COUNT), Counter())
    assert any(said in wrong for wrong in found), found


def test_what_fails_is_made_smaller() -> None:
    small = smaller(program_of(4), lambda program: "while" in text(program), lambda: True)
    assert [statement[0] for statement in small.functions[-1].body] == ["assign", "assign", "while", "return"]
    assert len(small.functions) == 1
