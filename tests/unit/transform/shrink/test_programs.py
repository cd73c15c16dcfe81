"""Smaller programs: each has one small change, and is still a program."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.expression import TRUE, Binary, Not, Operator, Var
from knaster.program.model import Call
from knaster.program.validate import validate
from knaster.transform.shrink.programs import smaller_programs

X, Y = Var("x"), Var("y")
AND = Binary(Operator.AND, X, Not(Y))


def test_what_is_left_out_is_not_started_either() -> None:
    text = "void main() begin start_thread f(T); ASYNC_1: f(F); end\nvoid f(p) begin skip; end"
    for smaller in smaller_programs(load(text)):
        assert validate(smaller) == []


SMALL = """decl g;
void main()
begin
  decl x;
  x := f(g, T);
  if (x) then
    L: skip;
  fi
end
bool f(a, b)
begin
  return a & b;
end
"""


def test_every_smaller_program_is_one() -> None:
    for smaller in smaller_programs(load(SMALL)):
        assert validate(smaller) == []


def test_each_thing_goes_once() -> None:
    found = list(smaller_programs(load(SMALL)))
    assert [p.name for p in found[0].procedures] == ["main"]  # a procedure first; its calls are skips
    assert not any(isinstance(edge.action, Call) for edge in found[0].procedure("main").edges)
    assert any(p.globals == () for p in found)
    assert any(p.procedure("main").locals == () for p in found)
    without = {p.procedure("f").parameters: p for p in found if len(p.procedures) == 2}
    assert set(without) == {("a", "b"), ("a",), ("b",)}
    (call,) = [e.action for e in without["b",].procedure("main").edges if isinstance(e.action, Call)]
    assert call.arguments == (TRUE,)
    assert any(len(p.procedures) == 2 and p.procedure("f").results == () for p in found)
    assert any(p.procedure("main").labels == () and len(p.procedure("main").edges) == 4 for p in found)


def test_whoever_led_to_a_skip_leads_behind_it() -> None:
    program = load("void main()\nbegin\n  skip;\n  L: skip;\nend\n")
    assert any(
        len(p.procedure("main").edges) == 1 and dict(p.procedure("main").labels) == {"L": 0}
        for p in smaller_programs(program)
    )
