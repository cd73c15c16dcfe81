"""Statements of C: where they begin, and where runs end."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.transform.formula_letters import beginnings, calls_main, places_of_ends

TEXT = """void exit(int); int a, b; int f(int k) { if (k > 5) exit(2); return k; }
int main(void) {
  a = b = f(1) + f(2);
  while (a++ < b--) ;
  L: a = 0;
  return 0;
}
"""


def test_beginnings() -> None:
    program = load(TEXT, file="p.c")
    main = program.procedure("main")
    lines = sorted(main.leaving[place][0].span.line for place in beginnings(main))
    assert lines == [3, 4, 5, 6]
    assert main.entry in beginnings(main) and dict(main.labels)["L"] in beginnings(main)


def test_ends() -> None:
    program = load(TEXT, file="p.c")
    main, f = program.procedure("main"), program.procedure("f")
    assert places_of_ends(program, main) == {main.exit}
    (stop,) = places_of_ends(program, f)
    assert stop not in f.leaving and stop != f.exit
    assert not calls_main(program) and calls_main(load(TEXT.replace("exit(2)", "main()"), file="p.c"))
