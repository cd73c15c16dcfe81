"""What holds at places, and what procedures do: through calls, recursion, and modulo powers of two."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UnsupportedError
from knaster.evidence.answers.facts import Equation
from knaster.views.weighted.program_facts import AffineFacts, ConstantFacts

TEXT = """int h;
int twice(int x) {
  h = h + 1;
  return 2 * x + 1;
}
int main(void) {
  int i = 0, j;
  while (i < 10) {
    i = i + 1;
  }
  j = twice(i);
  return j;
}
"""


def at_line(facts: AffineFacts | ConstantFacts, line: int) -> tuple[Equation, ...] | None:
    own = facts.program.procedure("main")
    return facts.at(("main", min(edge.source for edge in own.edges if edge.span.line == line)))


def test_results_depend_on_the_arguments() -> None:
    facts = AffineFacts(knaster.parse(TEXT, file="t.c", integers="mathematical"))
    one = [Equation(-1, (("h", 1),), None), Equation(-1, (("j", 1), ("i", -2)), None)]
    assert list(at_line(facts, 12) or ()) == one
    assert facts.summary(facts.program.procedure("twice")) == (
        Equation(-1, (("\\result", 1), ("\\old(x)", -2)), None),
        Equation(-1, (("h", 1), ("\\old(h)", -1)), None),
    )
    assert facts.summary(facts.program.procedure("main")) is None


def test_constants() -> None:
    facts = ConstantFacts(knaster.parse(TEXT, file="t.c"))
    assert at_line(facts, 8) == (Equation(0, (("h", 1),), None),)
    assert at_line(facts, 12) == ()
    assert facts.summary(facts.program.procedure("twice")) == ()


def test_machine_integers_know_even_numbers() -> None:
    text = "int main(void) { int i = 0;\nwhile (i != 7) {\ni = i + 2;\n}\nreturn i; }\n"
    facts = AffineFacts(knaster.parse(text, file="t.c"))
    assert at_line(facts, 2) == (Equation(0, (("i", 1 << 31),), 32),)


def test_no_path_and_too_many_variables() -> None:
    text = "void main() begin goto L;\nskip;\nL: skip; end\n"
    program = knaster.parse(text)
    assert at_line(AffineFacts(program), 2) is None and at_line(ConstantFacts(program), 2) is None
    many = ", ".join(f"x{n}" for n in range(30))
    with pytest.raises(UnsupportedError, match="between 24 variables at most, and there are 31"):
        AffineFacts(knaster.parse(f"int main(void) {{ int {many}; return 0; }}\n", file="t.c"))
