"""Atoms: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import pytest

from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import SourceError
from knaster.evidence.questions.letters import Meaning, meanings_of
from knaster.evidence.questions.question import Temporal
from knaster.frontends.boolean import parse
from knaster.program.model import Program

TEXT = """decl ready, done;
void main()
begin
  decl x;
  START: x := ready;
  f(x);
  f(x); done := 1;
end
void f(p)
begin
  LOOP: skip;
  START: skip;
end
"""


def program() -> Program:
    return parse(TEXT, "some/prog.bp", "default", None)


def meaning(atom: str) -> Meaning:
    return meanings_of(program(), Temporal(parse_ltl(f"G {atom}"), f"G {atom}"))[atom]


def test_labels_lines_and_procedures() -> None:
    assert meaning("at(LOOP)").places == meaning("LOOP").places == meaning("at(11)").places == {("f", 0)}
    assert meaning("at(prog.bp:11)").places == {("f", 0)} and meaning("f.START").places == {("f", 1)}
    assert len(meaning("START").places) == 2 and len(meaning("at(7)").places) == 2
    assert meaning("in(f)").places == {("f", 0), ("f", 1)}


def test_when_they_hold() -> None:
    state = {"ready": True, "done": False, "x": False}
    assert meaning("{ready & !done}").holds(("main", 0), state) and meaning("{ready}").holds(None, state)
    assert meaning("ended").holds(None, state) and not meaning("ended").holds(("main", 0), state)
    assert meaning("in(f)").holds(("f", 1), state) and not meaning("in(f)").holds(None, state)


@pytest.mark.parametrize(
    ("atom", "message", "hint"),
    [
        ("LOPP", "no label 'LOPP'", "did you mean 'LOOP'?"),
        ("at(START2)", "no label", "did you mean 'START'?"),
        ("ready", "no label 'ready'", "write {ready}"),
        ("f", "no label 'f'", "write in(f)"),
        ("in(g)", "no procedure 'g'", "main, f"),
        ("at(99)", "no statement begins on line 99", "line 12"),
        ("at(other.bp:5)", "not in 'other.bp'", "prog.bp"),
        ("om(f)", "no atom 'om(...)'", "at(LABEL)"),
        ("{x}", "'x'", "a local of 'main'"),
        ("{redy}", "'redy'", "ready"),
        ("{*}", "choice", "leave '*' out"),
        ("{ready &}", "", ""),
        ("thread(1).at(LOOP)", "no threads", "leave"),
        ("endd", "no label 'endd'", "did you mean 'ended'?"),
    ],
)
def test_errors_point_at_the_atom(atom: str, message: str, hint: str) -> None:
    with pytest.raises(SourceError) as caught:
        meaning(atom)
    problem = caught.value.problems[0]
    assert message in problem.message and hint in problem.hint and problem.span.column >= 3
    assert "^" in str(caught.value)
