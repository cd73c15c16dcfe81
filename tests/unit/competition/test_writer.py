"""Witnesses that Knaster writes are witnesses, and `validate` confirms them."""

from __future__ import annotations

from pathlib import Path

import pytest

import knaster
from benchmarks.witness_rules import problems
from knaster.base.errors import UsageError
from knaster.base.limits import Limits
from knaster.cli import main
from knaster.competition.validate import Question, validate
from knaster.competition.witness import TRANSITION, Segment, Witness, read_witness
from knaster.competition.writer import write_witness
from support.witnesses import PROGRAM

INPUTS = """\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { }
int twice(void) { return 2 * __VERIFIER_nondet_int(); }
int main(void) {
  int a = twice(), b = __VERIFIER_nondet_int() - __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 3; i++) a += twice();
  if (a == 8 && b == 3) { if (c == 200) reach_error(); }
  return 0;
}
"""
ENDLESS = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x != 0) {
    if (x < 0 || x > 100) return 0;
    x = x + 1;
    for (int k = 0; k < 2; k++) x = x - 1;
    if (x == 0) x = 9;
  }
  return 0;
}
"""
PROVED = """\
void reach_error(void) { }
int main(void) {
  int i = 0;
  while (i < 10) i++;
  if (i != 10) reach_error();
  return 0;
}
"""


RECURSIVE = """\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
int mc(int n) {
  if (n > 100) return n - 10;
  return mc(mc(n + 11));
}
int main(void) {
  if (mc(__VERIFIER_nondet_int()) < 91) reach_error();
  return 0;
}
"""
NESTED = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  while (x > 0) {
    y = __VERIFIER_nondet_int();
    for (; y > 0; y--)
      ;
    x--;
  }
  return 0;
}
"""


def confirmed(text: str, property: str = "reach", engine: str | None = None) -> Witness:
    target = "reach_error" if property == "reach" else None
    result = knaster.check(text, target, file="dir/p.c", property=property, engine=engine)
    witness = read_witness(write_witness(result), "w.yml")
    found = validate(Question(text, "p.c", {"data_model": "LP64"}, Limits()), witness, "w.yml", strict=True)
    assert found.verdict == "TRUE", found.reason
    return witness


def test_inputs_and_the_target() -> None:
    witness = confirmed(INPUTS)
    assert [(s.last.type, s.last.place.line) for s in witness.segments] == [
        *[("function_return", line) for line in (4, 7, 4, 4, 4)],
        ("target", 9),
    ]
    assert confirmed(PROGRAM).version == "2.0"


def test_a_run_that_never_ends() -> None:
    witness = confirmed(ENDLESS, "termination")
    assert witness.version == "2.1" and witness.segments[-1].last.action == "cycle"
    assert witness.segments[-1].last.place.line == 4


def test_invariants_of_a_proof() -> None:
    witness = confirmed(PROVED, engine="horn")
    assert [(one.type, one.place.line, one.value) for one in witness.invariants] == [("loop_invariant", 4, "i <= 10")]


def test_a_cycle_of_jumps() -> None:
    text = ENDLESS.replace("while (x != 0) {", "again: if (x != 0) {").replace(
        "= 9;\n  }", "= 9;\n    goto again;\n  }"
    )
    witness = confirmed(text, "termination")
    assert witness.segments[-1].last.type == "branching" and witness.segments[-1].last.action == "cycle"


def test_a_proof_by_all_runs_has_an_empty_witness() -> None:
    assert not confirmed("int main(void) { return 0; }\n", "termination").invariants


def test_narrow_machines_have_no_wide_integers() -> None:
    result = knaster.check(NESTED, file="p.c", property="termination", data_model="ILP32")
    assert "(long long)\\\\at(y, AnyPrev) > (long long)y" in write_witness(result)


def test_contracts_of_a_proof() -> None:
    witness = confirmed(RECURSIVE)
    assert witness.version == "2.1" and [one.place.line for one in witness.contracts] == [3]
    assert witness.contracts[0].ensures == "\\result >= 91"


def test_measures_of_a_proof_that_every_run_ends() -> None:
    witness = confirmed(NESTED, "termination")
    related = [one for one in witness.invariants if one.type == TRANSITION]
    assert witness.version == "2.1" and [one.place.line for one in related] == [4, 6]
    assert "(__int128)\\at(y, AnyPrev) > (__int128)y" in related[1].value


@pytest.mark.parametrize("loop", ["for (; i <= n; i += step) ;", "do { i += step; } while (i <= n);"])
def test_measures_name_what_they_need(loop: str) -> None:
    text = f"""\
extern int __VERIFIER_nondet_int(void);
void f(int n, int step) {{
  int i = 0;
  if (n == 1) {{ i = 1; }}
  {loop}
}}
int main(void) {{
  int n = __VERIFIER_nondet_int(), step = __VERIFIER_nondet_int();
  if (step > 0 && step < 1000 && n > 0 && n < 1000) f(n, step);
  return 0;
}}
"""
    witness = confirmed(text, "termination")
    known = [one.value for one in witness.invariants if one.type == "loop_invariant"]
    assert "step >= 1" in (known if loop.startswith("for") else [each.partition(" || ")[2] for each in known])
    assert all(each.startswith("!(i <= n) || ") for each in known) == loop.startswith("do")
    assert "step >= 1" in witness.contracts[0].requires


UNDEFINED = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[3] = {1, 2, 3}, n = __VERIFIER_nondet_int(), k = 1;
  if (n < 0 || n > 3) return 0;
  for (int i = 0; i < a[n]; i++) k = k + n;
  assert(k != 3);
  ERROR: return 2147483642 + k;
}
"""


@pytest.mark.parametrize(
    ("property", "target", "specification", "line", "column"),
    [
        ("reach", "asserts", "G ! call(__assert_fail())", 6, 3),
        ("reach", "ERROR", "G ! label(ERROR)", 7, 3),
        ("memory", None, "G valid-deref", 5, 19),
        ("overflow", None, "G ! overflow", 7, 10),
    ],
)
def test_violations_of_other_properties(
    property: str, target: str | None, specification: str, line: int, column: int
) -> None:
    result = knaster.check(UNDEFINED, target, file="p.c", property=property)
    text = write_witness(result)
    witness = read_witness(text, "w.yml")
    assert specification in witness.specification and problems(text, UNDEFINED.encode()) == []
    last = witness.segments[-1].last
    assert (last.type, last.place.line, last.place.column) == ("target", line, column)
    found = validate(Question(UNDEFINED, "p.c", {}, Limits()), witness, "w.yml")
    assert found.verdict == "TRUE", found.reason
    first = witness.segments[0].last
    wrong = witness._replace(segments=(Segment((), first._replace(constraint="\\result == 7")), *witness.segments[1:]))
    assert validate(Question(UNDEFINED, "p.c", {}, Limits()), wrong, "w.yml").verdict == "FALSE"


def test_what_holds_of_memory_has_a_witness_without_invariants() -> None:
    text = UNDEFINED.replace("n > 3", "n > 2")
    for property, formulas in (("memory", ["valid-deref", "valid-free"]), ("overflow", ["overflow"])):
        safe = text.replace("2147483642", "7")
        witness = read_witness(write_witness(knaster.check(safe, file="p.c", property=property)), "w.yml")
        assert not witness.segments and [each in witness.specification for each in formulas] == [True] * len(formulas)
        assert validate(Question(safe, "p.c", {}, Limits()), witness, "w.yml").verdict == "TRUE"


def test_the_hash_is_that_of_the_file_and_its_lines_are_counted() -> None:
    original = PROGRAM.replace("\n", "\r\n").encode()
    text = write_witness(knaster.check(PROGRAM, "reach_error", file="p.c"), None, original)
    assert problems(text, original) == []
    moved = f'#line 40 "q.c"\n{PROGRAM}'
    with pytest.raises(UsageError, match="#line"):
        write_witness(knaster.check(moved, "reach_error", file="p.c"), None, moved.encode())


def test_two_runs_write_the_same_but_for_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first, second = (write_witness(knaster.check(PROGRAM, "reach_error", file="p.c")) for _ in range(2))
    assert first == second and "2023-11-14T22:13:20+00:00" in first


@pytest.mark.parametrize(
    ("text", "file", "property", "said"),
    [
        ("void main() begin\n  assert(F);\nend\n", "p.bp", "reach", "programs of C"),
        ("#include <stdlib.h>\nint main(void) { malloc(3); return 0; }\n", "p.c", "leak", "stands at no statement"),
        ("int main(void) { return 0; }\n", "p.c", "G !at(p.c:1)", "no calls, assertions or labels"),
        (
            "void f(int n) { if (n > 0) f(n - 1); }\nint g(void);\nint main(void) { f(g()); }\n",
            "p.c",
            "termination",
            "no loop",
        ),
        ("void f(void) { f(); }\nint main(void) { f(); return 0; }\n", "p.c", "termination", "recursion"),
    ],
)
def test_where_there_is_none(text: str, file: str, property: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        write_witness(knaster.check(text, file=file, property=property))


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    assert main(["check", "p.c", "--target", "reach_error", "--witness", "w.yml"]) == 10
    assert "The witness was written to w.yml." in capsys.readouterr().out
    assert main(["validate", "p.c", "w.yml"]) == 0
    assert capsys.readouterr().out == "p.c: confirmed. A run follows it.\n"
    assert main(["check", "p.c", "--witness", "p.c"]) == 1
    assert main(["check", "p.c", "p.c", "--witness", "w.yml"]) == 1
    Path("w.yml").write_text("[]")
    assert main(["validate", "p.c", "w.yml"]) == 2
    assert "this is no witness" in capsys.readouterr().err
