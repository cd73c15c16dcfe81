"""What a run reads is told by a witness: results of functions, and variables that nobody initialised."""

from __future__ import annotations

import knaster
from benchmarks.witness_rules import problems
from knaster.base.limits import Limits
from knaster.competition.validate import Question, validate
from knaster.competition.witness import read_witness
from knaster.competition.writer import write_witness

VARIABLES = """\
extern void reach_error(void);
int any(void) { int a; return a; }
int main(void) {
  int x = any() - any();
  int y, z; unsigned long w;
  if (x == 3 && y == 4 && z == -5 && w > 18446744073709551614UL) reach_error();
  return 0;
}
"""
LOOPS = """\
_Bool any(void) { _Bool a; return a; }
int main(void) {
  if (any()) { while (1) ; }
  if (any()) { while (1) ; }
  return 0;
}
"""
LABEL = """\
extern void reach_error(void);
int any(void) { int a; again: if (a > 9) { a--; goto again; } return a; }
int main(void) {
  if (any() == 9 && any() == 2) reach_error();
  return 0;
}
"""


def told(text: str, property: str) -> list[tuple[str, int, str | None]]:
    """Return the segments of a confirmed witness."""
    result = knaster.check(text, "reach_error" if property == "reach" else None, file="p.c", property=property)
    written = write_witness(result)
    assert problems(written, text.encode()) == []
    witness = read_witness(written, "w.yml")
    found = validate(Question(text, "p.c", {"data_model": "LP64"}, Limits()), witness, "w.yml", strict=True)
    assert found.verdict == "TRUE", found.reason
    return [(one.last.type, one.last.place.line, one.last.constraint) for one in witness.segments]


def test_variables_are_told_at_the_statement_behind_their_declaration() -> None:
    first, second, numbers, large, target = told(VARIABLES, "reach")
    assert first[:2] == second[:2] == ("assumption", 2)
    assert numbers == ("assumption", 5, "y == 4 && z == -5")
    assert large == ("assumption", 6, "w == 18446744073709551615ULL")
    assert target[:2] == ("target", 6)


def test_the_stem_decides_which_cycle_is_meant() -> None:
    *stem, cycle = told(LOOPS, "termination")
    assert stem and all(one[:2] == ("assumption", 1) for one in stem)
    assert cycle[0] == "branching"


def test_a_label_behind_a_declaration_is_no_place_for_its_value() -> None:
    assert [one[0] for one in told(LABEL, "reach")] == ["target"]
