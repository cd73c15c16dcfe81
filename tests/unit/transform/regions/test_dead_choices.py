"""Inputs that nobody reads are taken away, others stay."""

from __future__ import annotations

from knaster.program.expression import has_choice
from knaster.program.model import expressions
from support.regions import reduce_text


def inputs(text: str) -> int:
    """Return how many steps of the reduced program read inputs."""
    program = reduce_text(text).program
    edges = [edge for procedure in program.procedures for edge in procedure.edges]
    return sum(any(map(has_choice, expressions(edge.action))) for edge in edges)


END = "if (*p) { ERROR: ; } return 0; }"


def test_what_is_written_first_is_no_input() -> None:
    assert inputs("int main(void) { int x, *p = &x; x = 1; " + END) == 0
    assert inputs("int main(void) { int x[2], i = 1, *p = x + i; x[1] = 1; x[0] = 2; " + END) == 0


def test_what_may_be_read_is_one() -> None:
    assert inputs("int main(void) { int x, y = 0, *p = &x; if (y) x = 1; " + END) == 1
    assert inputs("int main(void) { int x[2], i = 1, *p = x + i; x[1] = 1; " + END) == 1
    assert inputs("void f(int *q) { *q += 1; } int main(void) { int x, *p = &x; f(p); " + END) == 1
