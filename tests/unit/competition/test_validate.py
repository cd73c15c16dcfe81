"""Witnesses of small programs: confirmed where a run follows them, rejected where none does, never the other way."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from knaster.base.errors import KnasterError
from knaster.base.limits import Limits
from knaster.competition.validate import Question, Validated, validate
from knaster.competition.witness import read_witness
from support import ROOT
from support.witnesses import ENDS, PROGRAM, contract, invariants, sequence

SHARED = ROOT.parent / "shared" / "benchmarks" / "witnesses"


def ask(text: str, program: str = PROGRAM, **options: bool) -> Validated:
    question = Question(program, "p.c", {}, Limits())
    return validate(question, read_witness(text, "w.yml"), "w.yml", **options)


TARGET = "target follow 16"
CONFIRMED = [
    (TARGET,),
    ("function_return follow 4:33 \\\\result == 4", TARGET),
    ("branching follow 7 true", TARGET),  # a == 0 at the first visit
    ("branching avoid 7 true; branching follow 11 default", TARGET),
    ("branching avoid 11 default; branching follow 16 true", TARGET),
    ("branching follow 11 2", TARGET),
    ("assumption follow 8 n == 1", TARGET),
    ("assumption follow 9:5 n == 0", "assumption follow 9:5 n == 3", TARGET),
    (
        "branching follow 6 true",
        "branching follow 6 true",
        "branching follow 6 true",
        "branching follow 6 false",
        TARGET,
    ),
    ("function_enter follow 4:33", "branching follow 16:3 true", "target follow 16:23"),
]
REJECTED = [
    ("function_return follow 4:33 \\\\result == 5", TARGET),
    ("branching follow 6 false", TARGET),  # the first visit passes: no skipping ahead
    ("branching follow 7 true", "branching follow 11 1", TARGET),
    ("branching avoid 16 true; target follow 16",),
    ("assumption follow 9:5 n == 3", TARGET),
    ("branching follow 16 false", TARGET),
]


@pytest.mark.parametrize("segments", CONFIRMED)
def test_a_run_follows(segments: tuple[str, ...]) -> None:
    found = ask(sequence(*segments))
    assert (found.verdict, found.passed) == ("TRUE", len(segments)), found.reason


@pytest.mark.parametrize("segments", REJECTED)
def test_no_run_follows(segments: tuple[str, ...]) -> None:
    found = ask(sequence(*segments))
    assert found.verdict == "FALSE" and found.reason.startswith("no run passes segment"), found.reason


ENDLESS = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  while (i > 0)
    if (i != 5) i = i - 1;
  while (i == -7) { }
  return 0;
}
"""


@pytest.mark.parametrize(
    ("segments", "verdict"),
    [
        (("branching cycle 4 true",), "TRUE"),
        (("assumption follow 4 i == 0", "branching cycle 4 true"), "FALSE"),
        (("assumption follow 4 i == -7", "branching cycle 6 true"), "TRUE"),
        (("assumption follow 5 i == 6", "branching cycle 4 true", "branching cycle 5 false"), "TRUE"),
        (("assumption follow 5 i == 5", "branching cycle 5 true"), "FALSE"),
    ],
)
def test_runs_that_never_end(segments: tuple[str, ...], verdict: str) -> None:
    found = ask(sequence(*segments, specification=ENDS, version="2.1"), ENDLESS)
    assert found.verdict in (verdict, "UNKNOWN") and (verdict == "FALSE" or found.verdict == "TRUE"), found.reason


TWO_LOOPS = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x == 1) x = 1;
  int y = __VERIFIER_nondet_int();
  do {
    for (int i = 0; i < 3; i++) x = y;
  } while (y > 4);
  return 0;
}
"""


def test_a_run_for_ever_that_passes_the_cycle_is_looked_for_where_the_first_one_does_not() -> None:
    def said(segment: str) -> str:
        return ask(sequence(segment, specification=ENDS, version="2.1"), TWO_LOOPS).verdict

    assert said("branching cycle 4 true") == said("branching cycle 6 true") == "TRUE"


RING = """\
struct node { struct node *next; int v; };
int main(void) {
  struct node a = {0, 1}, b = {&a, 2}, *p = &b;
  a.next = &b;
  while (p)
    p = p->next;
  return 0;
}
"""


def test_a_run_through_pointers_that_never_ends() -> None:
    """With memory the counter of the cycle is an object, and to count on is a store."""
    assert ask(sequence("branching cycle 5 true", specification=ENDS, version="2.1"), RING).verdict == "TRUE"
    assert ask(sequence("branching cycle 5 false", specification=ENDS, version="2.1"), RING).verdict != "TRUE"


SAFE = """\
void reach_error(void) { }
int main(void) {
  int i = 0;
  for (; i < 10; i++) {
    int k = i;
  }
  do i--; while (i > 3);
  if (i != 3) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ((), "TRUE"),
        ((("loop_invariant", 4, "0 <= i && i <= 10"),), "TRUE"),
        ((("loop_invariant", 4, "i < 10"),), "FALSE"),
        ((("loop_invariant", 7, "i < 10"), ("location_invariant", 8, "i == 3")), "TRUE"),
        ((("location_invariant", 5, "i < 9"),), "FALSE"),
        ((("loop_invariant", 4, "0"),), "FALSE"),
    ],
)
def test_invariants(parts: tuple[tuple[str, int, str], ...], verdict: str) -> None:
    assert ask(invariants(*parts), SAFE).verdict == verdict


def test_invariants_of_a_program_that_is_wrong_are_rejected() -> None:
    assert ask(invariants(("loop_invariant", 6, "1"))).reason == "reach_error can be reached"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (sequence("target follow 99"), "it names line 99, and p.c has 18 lines"),
        (sequence("target follow 4"), "expects a call of reach_error here"),
        (sequence("branching follow 5 true", TARGET), "expects if, while, for, do or switch on this line"),
        (sequence("branching follow 7:6 true", TARGET), "p.c:7:6"),
        (sequence("function_return follow 4:5 1", TARGET), "the ')' of a call"),
        (sequence("assumption follow 9 n = 3", TARGET), "has an effect"),
        (sequence("assumption follow 9 abort()", TARGET), "calls abort"),
        (sequence("assumption follow 9 n", TARGET).replace("p.c", "q.c"), "a witness of q.c"),
        (sequence(TARGET, specification=ENDS), "has no cycle"),
        (sequence("branching follow 11 7x", TARGET), "a number or 'default'"),
        (sequence("branching follow 7 maybe", TARGET), "'true' or 'false'"),
        (sequence(TARGET, specification="G def-behavior"), "not decided by Knaster"),
    ],
)
def test_what_is_no_witness_of_this_program(text: str, said: str) -> None:
    with pytest.raises(KnasterError, match=said.replace("(", r"\(").replace(")", r"\)")):
        ask(text)


def test_what_is_not_checked_is_not_confirmed() -> None:
    text = sequence("function_return follow 4:33 \\\\result == n", TARGET)
    assert ask(text).verdict == "UNKNOWN"
    assert ask(invariants(("location_transition_invariant", 4, "1")), SAFE).verdict == "UNKNOWN"


CALLS = """\
extern int __VERIFIER_nondet_int(void);
int total;
void reach_error(void) { }
static int half(int n) { if (n < 2) return 0; else return 1 + half(n - 2); }
void add(int n)
{
  if (n == 7) return;
  total = total + n;
}
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 0 || a > 8) return 0;
  add(half(a));
  if (total > 4) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize(
    ("line", "requires", "ensures", "verdict"),
    [
        ("4", "n >= 0", "\\\\result >= 0 && \\\\result <= \\\\at(n, Old)", "TRUE"),
        ("4, column: 12", "1", "\\\\result * 2 <= \\\\at(n, Old)", "TRUE"),
        ("4", "1", "\\\\result * 2 == \\\\at(n, Old)", "FALSE"),
        ("4", "n > 0", "1", "FALSE"),
        ("5", "total == 0", "total == \\\\at(total, Pre) + n", "TRUE"),
        ("5", "n >= 0 && n < 4", "1", "FALSE"),
        ("5", "1", "total < 4", "FALSE"),
        ("4", "1", "\\\\at(n, AnyPrev) > n", "UNKNOWN"),
        ("5", "1", "\\\\at(\\\\at(n, Old), Old) == n", "UNKNOWN"),
    ],
)
def test_contracts(line: str, requires: str, ensures: str, verdict: str) -> None:
    assert ask(contract(line, requires, ensures), CALLS).verdict == verdict


@pytest.mark.parametrize(
    ("line", "ensures", "said"),
    [("8", "1", "the definition of a function"), ("3, column: 2", "1", "definition"), ("5", "total = 1", "an effect")],
)
def test_contracts_of_no_function(line: str, ensures: str, said: str) -> None:
    with pytest.raises(KnasterError, match=said):
        ask(contract(line, "1", ensures), CALLS)


COUNTS = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 9) x = 9;
  while (x > 0) {
    for (y = 3; y > 0; y--) ;
    x--;
  }
  return 0;
}
"""


@pytest.mark.parametrize(
    ("line", "value", "verdict"),
    [
        (5, "\\\\at(x, AnyPrev) > x", "TRUE"),
        (5, "\\\\at(x, LastPrev) == x + 1", "TRUE"),
        (5, "\\\\at(x, AnyPrev) == x + 1", "FALSE"),  # of the visit before the last
        (6, "\\\\at(y, AnyPrev) > y", "FALSE"),  # the outer loop begins again
        (6, "\\\\at(x, AnyPrev) > x || \\\\at(y, AnyPrev) > y", "TRUE"),
        (5, "x >= 0", "UNKNOWN"),
        (5, "\\\\at(x, Old) > x", "UNKNOWN"),
        (5, "\\\\at(x) > x", "UNKNOWN"),
    ],
)
def test_transition_invariants(line: int, value: str, verdict: str) -> None:
    text = invariants(("loop_transition_invariant", line, value), specification=ENDS)
    assert ask(text, COUNTS).verdict == verdict


ENTERED_AGAIN = """\
int main(void) {
  int n = 2, y, z = 3;
  while (n > 0) {
    n--; z--; y = 1;
    while (y > 0) { if (z == 1) { y = -1; z = 9; } else z--; }
  }
  return 0;
}
"""


def test_steps_do_not_suffice_where_a_loop_is_entered_again() -> None:
    """z is 2, 1, then 9, where the loop is left, then 8: each visit is as said of the last one, not of the first."""
    value = "\\\\at(z, AnyPrev) > z || (\\\\at((y > 0), AnyPrev) && !(y > 0))"
    text = invariants(("loop_transition_invariant", 5, value), specification=ENDS)
    assert ask(text, ENTERED_AGAIN).verdict == "FALSE"


DOWN = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = 0, i = 0, n = __VERIFIER_nondet_int();
  while (i < n) { i++; k++; }
  int j = n;
  while (j > 0) { if (k <= 0) return 1; j--; k--; }
  return 0;
}
"""


def test_each_transition_invariant_is_asked_alone() -> None:
    """Together they took a minute and more, alone a second."""
    first = "(long long)\\\\at(n, AnyPrev) - (long long)\\\\at(i, AnyPrev) > (long long)n - (long long)i"
    first += " || (\\\\at((i < n), AnyPrev) && !(i < n))"
    second = "\\\\at(k, AnyPrev) > k || (\\\\at((j > 0), AnyPrev) && !(j > 0))"
    rows = [("loop_transition_invariant", line, value) for line, value in ((4, first), (6, second))]
    assert ask(invariants(*rows, specification=ENDS), DOWN).verdict == "TRUE"
    wrong = [rows[0], (*rows[1][:2], second.replace("> k", "> k + 1"))]
    assert ask(invariants(*wrong, specification=ENDS), DOWN).verdict == "FALSE"


@pytest.mark.parametrize(
    ("line", "value", "verdict"),
    [
        (7, "\\\\at(x, AnyPrev) > x", "TRUE"),
        (7, "\\\\at(x, AnyPrev) == x + 1", "FALSE"),
        (4, "\\\\at(x, LastPrev) > x", "TRUE"),  # which is visited once
    ],
)
def test_transition_invariants_of_places(line: int, value: str, verdict: str) -> None:
    text = invariants(("location_transition_invariant", line, value), specification=ENDS)
    assert ask(text, COUNTS).verdict == verdict


def test_transition_invariants_where_jumps_pass_declarations() -> None:
    program = COUNTS.replace("  return 0;", "  if (y > 7) goto out; out: return 0;")
    text = invariants(("loop_transition_invariant", 5, "\\\\at(x, AnyPrev) > x"), specification=ENDS)
    assert "goto" in ask(text, program).reason


def test_hashes_are_compared() -> None:
    assert ask(sequence(TARGET)).notes == ("the hash of the program is another one than the witness says",)
    with pytest.raises(KnasterError, match="the hash of the program"):
        ask(sequence(TARGET), strict=True)


def shared() -> list[dict[str, str]]:
    if not SHARED.exists():
        return []
    with (SHARED / "questions.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("row", shared(), ids=lambda row: str(row["name"]))
def test_witnesses_by_others(row: dict[str, str]) -> None:
    folder = Path(SHARED, row["kind"], row["name"])
    program = (folder / row["program"]).read_text("utf-8")
    question = Question(program, row["program"], {"data_model": row["data_model"]}, Limits())
    found = validate(question, read_witness((folder / row["witness"]).read_text("utf-8"), row["witness"]), "w.yml")
    assert found.verdict == {"confirmed": "TRUE", "rejected": "FALSE"}[row["expected"]], found.reason
