"""What is said besides an answer about C: overflow, undefined steps, functions that nobody defines."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import knaster
import knaster.checkers.open_conditions
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.decide.asked import Evidence
from knaster.decide.conclusions import remarks
from knaster.decide.conclusions.remarks import remarks_about
from knaster.evidence.answers.answer import Reachable, Verdict
from knaster.report.harness import harness
from support.machines import PATIENCE


def notes(text: str, verdict: Verdict, **options: Any) -> list[str]:
    result = knaster.check(text, file="t.c", engine="search", **{"property": "reach", **options})
    assert result.verdict is verdict
    assert all(note in " ".join(result.to_text().split()) for note in result.notes)
    return list(result.notes)


def test_a_run_with_an_overflow_says_where() -> None:
    text = "int main(void) {\n int x = 2147483647;\n x = x + 1;\n x = x - 5;\n assert(x > 0 && 0);\n return 0; }\n"
    said = "signed overflow in this run (undefined behaviour); here it wraps"
    assert notes(text, Verdict.FALSE) == [f"t.c:3: {said}; likewise at line 4"]
    assert notes(text, Verdict.FALSE, integers="mathematical") == []
    assert notes(text.replace("int x", "unsigned x"), Verdict.FALSE) == []


def test_overflow_is_looked_for_in_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int main(void) {\n int x = 2147483647, y = 1;\n y = 2;\n x = x + 1;\n assert(0);\n return 0; }\n"
    result = knaster.check(text, file="t.c", engine="search", property="reach")
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    lines = [step.edge.span.line for step in answer.trace.paths[0].steps]
    for most, told in ((lines.index(4) + 1, 1), (lines.index(4), 0), (0, 0)):
        monkeypatch.setattr(remarks, "MOST_STEPS", most)
        assert len(notes(text, Verdict.FALSE)) == told


def test_overflow_is_told_before_other_steps() -> None:
    body = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n y = 6 / y;\n x = x + 1;\n if (0) assert(0);"
    result = knaster.check(f"int main(void) {{\n {body}\n return 0; }}\n", file="t.c", property="reach")
    assert result.verdict is Verdict.TRUE
    first, second = (note for note in result.notes if note.startswith("t.c:"))
    assert first.startswith("t.c:4: possible signed overflow") and second.startswith("t.c:3: a division by zero")


def test_an_endless_run_with_an_overflow_says_where() -> None:
    text = "int main(void) {\n int x = 1, y = 2147483647;\n while (x) {\n y = -y; y = y - 2;\n }\n return 0; }\n"
    result = knaster.check(text, file="t.c", engine="search", property="termination")
    assert result.verdict is Verdict.FALSE and any(note.startswith("t.c:4:") for note in result.notes)


def test_an_endless_run_that_overflows_later_says_where() -> None:
    body = "int m = f(), x = 1, y = 0;\n while (x <= m) {\n x = x + 1;\n y = m - 3;\n }"
    text = f"int f(void);\nint main(void) {{\n {body} }}\n"
    result = knaster.check(text, file="t.c", property="termination")
    assert result.verdict is Verdict.FALSE  # where m is the largest integer
    said = "t.c:5: possible signed overflow (undefined behaviour) where this run goes on"
    assert [note for note in result.notes if "overflow" in note] == [said]
    result = knaster.check(text.replace("int m = f(), x", "unsigned m = f(), x"), file="t.c", property="termination")
    assert result.verdict is Verdict.FALSE and said not in result.notes


def test_what_is_not_evaluated_does_not_overflow() -> None:
    text = "int main(void) {\n int x = 2147483647, y = 0;\n STEP\n assert(0); }\n"
    for step in ("y = x < 0 && x + 1;", "y = x > 0 || x + 1;", "y = x < 0 ? x + 1 : x;", "y = x > 0 ? x : x + 1;"):
        assert notes(text.replace("STEP", step), Verdict.FALSE) == []
        assert len(notes(text.replace("STEP", step).replace("x + 1", "x - -1"), Verdict.FALSE)) == 0
    for step in ("y = x > 0 && x + 1;", "y = x < 0 || x + 1;", "y = x > 0 ? x + 1 : x;", "y = -x - 9;", "y = x << 1;"):
        assert len(notes(text.replace("STEP", step), Verdict.FALSE)) == 1
    for step in ("x = -x - 1; y = x / -1;", "x = -x - 1; y = x % -1;"):
        assert len(notes(text.replace("STEP", step), Verdict.FALSE)) == 1


DIVISION, SHIFT, INDEX = "a division by zero", "a shift too far", "an index out of range"
STEPS = [
    ("y = 6 / x;", DIVISION),
    ("y = 6 % (x + 1);", ""),
    ("y = 6 % (x - 1);", DIVISION),
    ("y = 1 << x;", ""),
    ("y = 1 >> (x + 31);", SHIFT),
    ("y = a[x];", ""),
    ("y = a[x + 1];", INDEX),
    ("a[x] = 1;", ""),
    ("a[x - 1] = 1;", INDEX),
    ("y = 6 / 2 + (1 << 1) + a[1] - 5; a[0] = 1;", ""),
]
BODY = "int main(void) {\n int a[2] = {0}; int x = __VERIFIER_nondet_bool(); int y = 0;\n STEP\n assert(y < 9); }\n"


@pytest.mark.parametrize(("step", "what"), STEPS)
def test_all_runs_tell_which_steps_are_undefined(step: str, what: str) -> None:
    found = notes(BODY.replace("STEP", step), Verdict.TRUE)
    assert found == ([f"t.c:3: {what} happens in a run, which ends there"] if what else [])


@pytest.mark.parametrize(("step", "what"), STEPS)
@pytest.mark.parametrize("property", ["reach", "termination"])
def test_a_proof_names_steps_that_it_does_not_exclude(step: str, what: str, property: str) -> None:
    engine = "horn" if property == "reach" else "ranking"
    result = knaster.check(BODY.replace("STEP", step), file="t.c", engine=engine, property=property)
    assert result.verdict is Verdict.TRUE
    assert list(result.notes) == ([f"t.c:3: {what} is not excluded; a run would end there"] if what else [])


SUM = """int nd(void);
int id(int n) { return n + 0; }
int main(void) {
  int n = nd(), x = 0, s = 0;
  if (n > 1000) return 0;
  while (x < n) {
    x = x + 1;
    s = s + x;
    s = s * 2;
  }
  if (n < 9) n = n + 1; n = id(n);
  if (x < 0) reach_error();
  return 0;
}
"""
MAY = "possible signed overflow (undefined behaviour), not ruled out"


@pytest.mark.parametrize(("property", "engine"), [("reach", "horn"), ("reach", "yasm"), ("termination", "ranking")])
def test_a_proof_says_where_a_signed_integer_may_overflow(property: str, engine: str) -> None:
    """Lines 7 and 11 cannot overflow, 8 and 9 can; as mathematical integers, or unsigned ones, none does."""
    result = knaster.check(SUM, file="t.c", engine=engine, property=property)
    assert result.verdict is Verdict.TRUE
    said = [note for note in result.notes if "overflow" in note]
    assert said == [f"t.c:8: {MAY}; likewise at line 9"]
    assert said[0] in json.loads(result.to_json())["notes"]
    plain = knaster.check(SUM, file="t.c", engine=engine, property=property, integers="mathematical")
    assert not any("overflow" in note for note in plain.notes)
    result = knaster.check(
        SUM.replace("s = 0;", "z = 0; unsigned s = 0;"), file="t.c", engine=engine, property=property
    )
    assert result.verdict is Verdict.TRUE and not any("overflow" in note for note in result.notes)


def test_a_proof_that_was_not_checked_excludes_nothing_but_what_types_do() -> None:
    result = knaster.check(SUM, file="t.c", engine="horn", evidence=Evidence(proofs=False))
    assert [note for note in result.notes if "overflow" in note] == [f"t.c:7: {MAY}; likewise at lines 8, 9 and 11"]


def test_all_runs_tell_which_signed_integers_overflow() -> None:
    text = (
        "int main(void) {\n int x = 2147483640 + __VERIFIER_nondet_bool(), z;\n x = x + 7;\n"
        " x = x - 7;\n int w = x; z = w + 1;\n assert(x); }\n"
    )
    for property in ("reach", "termination"):
        result = knaster.check(text, file="t.c", engine="search", property=property)
        assert result.verdict is Verdict.TRUE
        assert "t.c:3: signed overflow in some run (undefined behaviour); here it wraps" in [
            note.removesuffix("; likewise at line 4") for note in result.notes
        ]
        assert [f"t.c:5: {MAY}"] == [note for note in result.notes if "possible signed" in note]  # nobody needs w


@pytest.mark.parametrize("engine", ["search", "horn"])
def test_when_the_time_is_over_nothing_is_excluded(engine: str) -> None:
    result = knaster.check(BODY.replace("STEP", "y = a[x];"), file="t.c", engine=engine, property="reach")
    over = Budget(seconds=0.0)
    assert remarks_about(result) == ()
    assert remarks_about(result, over) == ("t.c:3: an index out of range is not excluded; a run would end there",)


def test_questions_that_take_too_long_exclude_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knaster.checkers.open_conditions, "MOST_UNANSWERED", 0)
    result = knaster.check(SUM, file="t.c", engine="horn")
    assert result.verdict is Verdict.TRUE and f"t.c:7: {MAY}; likewise at lines 8, 9 and 11" in result.notes


def test_a_question_that_is_dropped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nothing asked, or the answer always no, the notes that other tests want would not be there."""
    monkeypatch.setattr(knaster.checkers.open_conditions._Exclusion, "_among", lambda *_: ())
    result = knaster.check(SUM, file="t.c", engine="horn")
    assert result.verdict is Verdict.TRUE and not any("overflow" in note for note in result.notes)


def test_functions_that_nobody_defines_are_named() -> None:
    text = "int f(int);\nvoid g(void);\nint main(void) {\n g();\n if (f(1) == 7) reach_error();\n return 0; }\n"
    found = notes(text, Verdict.FALSE)
    assert [note.split(" is ")[0] for note in found] == ["t.c:4: 'g'", "t.c:5: 'f'"]
    assert "reach_error (line 5)" in knaster.check(text, file="t.c", engine="search").to_text()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_harness_defines_what_the_run_does_not_call_too(tmp_path: Path) -> None:
    text = (
        "int f(int); void g(void); unsigned h(void);\nextern void reach_error(void);\n"
        "int main(void) {\n g();\n if (f(1) == 7) reach_error();\n return (int)h(); }\n"
    )
    result = knaster.check(text, file="t.c", engine="search")
    assert result.trace is not None
    (tmp_path / "t.c").write_text(text)
    (tmp_path / "out.c").write_text(harness(result.program, result.trace))
    binary = tmp_path / "binary"
    subprocess.run(["cc", "-w", "-o", binary, tmp_path / "t.c", tmp_path / "out.c"], check=True, timeout=PATIENCE)
    assert subprocess.run([binary], capture_output=True, timeout=PATIENCE).returncode == 10


def test_what_was_asked_before_a_place_of_the_proof_counts() -> None:
    text = (
        "int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }\nint main(void) { int a = nondet(), b = nondet();"
        " __VERIFIER_assume(a > 0 && b > 0); assert(gcd(a, b) > 0); return 0; }\n"
    )
    result = knaster.check(text, file="t.c", engine="horn")
    assert result.verdict is Verdict.TRUE
    assert not [note for note in result.notes if DIVISION in note]


def test_steps_that_have_their_own_answers_are_not_noted() -> None:
    loop = "for (i = 0; i < 1000; i++) s ^= a[i % 4]\n+ a[(i + 1) % 4];"
    text = f"int a[4];\nint main(void) {{ int s = 0, i;\n{loop}\nreturn s; }}"
    result = knaster.check(text, file="t.c", property="safety")
    assert result.verdict is Verdict.TRUE and len(result.answers) == 2
    assert not [note for note in result.notes if "index" in note]


def test_steps_that_were_asked_for_have_no_remark_unless_another_of_the_line_was_not() -> None:
    body = "int x = f(), y = 0;\n y = 6 / x + 7 / (x - 1);\n HERE: y = 1;\n assert(y < 9);"
    text = f"int f(void);\nint main(void) {{\n {body} }}\n"
    unchecked = Evidence(proofs=False)  # which excludes nothing
    result = knaster.check(text, file="t.c", engine="horn", property="safety", evidence=unchecked)
    assert [target.name for target, _ in result.answers if target.kind] == ["division:4:6", "division:4:14"]
    said = f"t.c:4: {DIVISION} is not excluded; a run would end there"
    assert said not in remarks_about(result)
    for name in ("division:4:6", "division:4:14"):
        some = replace(result, answers=tuple(entry for entry in result.answers if entry[0].name != name))
        assert said in remarks_about(some)
