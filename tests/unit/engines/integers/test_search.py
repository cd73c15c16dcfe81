"""Runs on chosen inputs: what is found is shown, and a wrong lasso is caught."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.all_runs import check_all_runs, check_ending
from knaster.checkers.runs.lasso import replay_lasso
from knaster.cli import main
from knaster.engines.contract import Task
from knaster.engines.integers.search import SearchOptions
from knaster.engines.integers.search.memory import search_memory
from knaster.evidence.answers.answer import Diverges, Verdict
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.questions.properties import SAFETY
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Path as Run
from knaster.evidence.traces.trace import Trace
from knaster.frontends.languages import load
from knaster.report.json import schema

ACK = """int ack(int x, int y) {
  if (x > 0) {
    if (y > 0) {
      y--;
      return ack(x, y);
    }
    int n = 1;
    int rl = ack(x, n);
    return ack(x - 1, rl);
  }
  return y + 1;
}
int main(void) {
  int mx = __VERIFIER_nondet_int(), my = __VERIFIER_nondet_int();
  ack(mx, my);
  return 0;
}
"""
LOOP = "int main() { int x = nondet(); while (x != 3) { if (x == 5) x = 4; else x = 5; } }\n"


def lasso_of(text: str) -> tuple[knaster.Program, Lasso]:
    result = knaster.check(text, property="termination", engine="search", file="test.c")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.checked and answer.lasso is not None
    return result.program, answer.lasso


def test_infinite_recursion_is_told_from_a_loop() -> None:
    text = knaster.check(ACK, property="termination", file="ack.c").to_text()
    said = "ack.c: FALSE. A run never ends: ack is entered again and again, one frame deeper each time (machine"
    assert text.startswith(said)
    assert "and so on for ever: line 2 is reached again, one frame deeper" in text
    assert lasso_of(ACK)[1].deeper
    program, lasso = lasso_of(LOOP)
    assert not lasso.deeper and "passed again and again" in knaster.check(program, property="termination").to_text()


def test_a_wrong_lasso_is_caught() -> None:
    program, lasso = lasso_of(LOOP)
    replay_lasso(program, lasso)
    path = lasso.cycle.paths[0]
    wrong = [
        replace(lasso, deeper=True),
        replace(
            lasso, cycle=Trace.sequential((Run(path.procedure, path.start, (), path.begin),), lasso.cycle.location)
        ),
        replace(lasso, cycle=Trace.sequential((Run(path.procedure, path.start, path.steps[:-1], path.begin),), 0)),
        replace(
            lasso,
            cycle=Trace.sequential(
                (Run(path.procedure, {**path.start, "x": 9}, path.steps, path.begin),), lasso.cycle.location
            ),
        ),
        replace(lasso, stem=Trace.sequential((replace(lasso.stem.paths[0], steps=()),), lasso.stem.location)),
    ]
    for one in wrong:
        with pytest.raises(InternalError):
            replay_lasso(program, one)


def test_a_counter_that_grows_is_no_lasso() -> None:
    text = "int main() { int x = 0; while (x >= 0) x++; }\n"
    for integers in ("machine", "mathematical"):
        result = knaster.check(text, property="termination", engine="search", file="t.c", runs=300, integers=integers)
        assert result.verdict is Verdict.UNKNOWN


def test_a_dead_variable_does_not_hide_a_lasso_but_a_divisor_does() -> None:
    assert not lasso_of("int main() { int x = 0; while (1) x++; }\n")[1].deeper
    text = "int main() { int x, y = 9; while (1) { x = 10 / y; y--; } }\n"
    assert knaster.check(text, property="termination", engine="search", file="t.c").verdict is Verdict.TRUE


@pytest.mark.parametrize("callee", ["", "int f(int p, int q) { g = 0; return h(q, p); }\n"], ids=["direct", "nested"])
def test_a_call_on_a_cycle_may_be_given_other_dead_values(callee: str) -> None:
    text = f"""int g;
int h(int p, int q) {{ return 1; }}
{callee or "int f(int p, int q) { return 1; }"}
int main(void) {{
  int x = 1;
  while (1) {{
    if (__VERIFIER_nondet_int()) x = f(x, 0);
    if (x) {{ }} else {{ }}
    x++;
  }}
}}
"""
    result = knaster.check(text, file="test.c", engine="search", property="termination")
    assert result.verdict is Verdict.FALSE and all(answer.checked for _, answer in result.answers)


def test_calls_are_remembered() -> None:
    """T1(n) reaches its error for even n only; a tower of doubled calls has 2^60 steps."""
    for n, verdict in ((40, Verdict.FALSE), (41, Verdict.UNKNOWN)):
        assert knaster.check(t1(n), engine="search", file="t1.c", integers="mathematical").verdict is verdict
    tower = [f"void f{level}(void) {{ f{level + 1}(); f{level + 1}(); }}" for level in range(60)]
    text = "\n".join(["int g; void f60(void) { g = 1; }", *reversed(tower), "int main() { f0(); assert(g == 0); }\n"])
    trace = knaster.check(text, engine="search", file="tower.c").trace
    assert trace is not None and trace.expanded_length > 1 << 60


def t1(n: int) -> str:
    lines = ["int g;"]
    for level in range(n, 0, -1):
        inside = "g = -1 * g;" if level == n else f"level{level + 1}(); g = -g; level{level + 1}();"
        lines.append(f"void level{level}(void) {{ int t = 0; g = -g; if (g <= 0) t++; else {{ {inside} }} g = -g; }}")
    return (
        "\n".join(lines)
        + "\nint main() { g = __VERIFIER_nondet_int(); if (g < 0) { level1(); if (g <= 0) reach_error(); } }\n"
    )


def test_the_answer_as_json_and_the_harness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "test.c"
    path.write_text("int main() { int y, x = nondet(); if (x == 7 && y == 2) reach_error(); while (1); }\n")
    harness = tmp_path / "out.c"
    assert main(["check", str(path), "--format", "json", "--harness", str(harness)]) == 10
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(document)
    assert (document["property"], document["integers"], document["data_model"]) == ("safety", "machine", "LP64")
    assert [(one["name"], one["value"], one["line"]) for one in document["inputs"]] == [("y", 2, 1), ("nondet()", 7, 1)]
    written = harness.read_text()
    assert "int nondet()" in written and "'y' is not initialised; it must be 2" in written
    assert main(["check", str(path), "--format", "json", "--property", "termination", "--data-model", "ILP32"]) == 10
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(document)
    assert document["lasso"]["cycle"] and document["data_model"] == "ILP32" and document["targets"] == []
    assert main(["check", str(path), "--property", "termination", "--target", "x"]) == 1
    assert "a target cannot be named" in capsys.readouterr().err
    for form in ("cfg", "dot", "svg", "source"):
        assert main(["show", str(path), "--as", form]) == 0


FIBONACCI = """int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
int main() { _Bool b = __VERIFIER_nondet_bool(); int r = fib(9); if (b) r++; assert(r == 34 || r == 35); }
"""


def test_all_runs_are_a_proof() -> None:
    for property in ("reach", "termination"):
        result = knaster.check(FIBONACCI, property=property, file="fib.c")
        assert result.verdict is Verdict.TRUE and result.answers[0][1].checked
        assert isinstance(result.proof, AllRuns)


def test_a_proof_by_runs_that_misses_one_is_caught() -> None:
    result = knaster.check(FIBONACCI, file="fib.c")
    proof, targets = result.proof, [target for target, _ in result.answers]
    assert isinstance(proof, AllRuns)
    check_all_runs(proof, result.program, targets, Budget())
    check_ending(proof, result.program, Budget())
    ends = {(p.name, p.exit) for p in result.program.procedures} | {
        (p.name, p.entry) for p in result.program.procedures
    }
    for number, (name, _, location, _) in enumerate(proof.states):
        if (name, location) not in ends or (name, location) == ("main", 0):
            continue
        states = proof.states[:number] + proof.states[number + 1 :]
        with pytest.raises(InternalError):
            check_all_runs(replace(proof, states=states), result.program, targets, Budget())
    reached = [Target("the end", "main", result.program.procedure("main").exit, 0)]
    with pytest.raises(InternalError, match="which is a target"):
        check_all_runs(proof, result.program, reached, Budget())


def test_a_loop_is_no_proof_that_every_run_ends() -> None:
    text = "int main() { int x = 0; while (x != 7) { x = (x + 2) % 6; } assert(x == 7); }\n"
    result = knaster.check(text, file="loop.c")
    assert result.verdict is Verdict.TRUE and isinstance(result.proof, AllRuns)
    with pytest.raises(InternalError, match="not every run ends"):
        check_ending(result.proof, result.program, Budget())
    with pytest.raises(InternalError, match="another program"):
        check_all_runs(result.proof, knaster.check(FIBONACCI, file="fib.c").program, [], Budget())


def test_a_program_without_variables_is_still_c() -> None:
    result = knaster.check("void main() { if (1 > 2) reach_error(); }\n", file="t.c")
    assert (result.engine, result.verdict) == ("auto", Verdict.TRUE)


def test_inputs_of_many_values_are_no_proof() -> None:
    text = "int main() { int x = nondet(); if (x == 123456) x = 0; assert(x != 99999); }\n"
    assert knaster.check(text.replace("99999", "99999 || x"), file="t.c", engine="search").verdict is not Verdict.TRUE


def test_the_papers_trap_in_machine_integers() -> None:
    """T2's error is reachable in machine integers only: the negation of the smallest number is itself."""
    text = (
        "int g;\nvoid f(void) { g = -g; }\n"
        "int main() { g = __VERIFIER_nondet_int(); if (g < 0) { f(); if (g < 0) reach_error(); } }\n"
    )
    assert knaster.check(text, engine="search", file="t.c").verdict is Verdict.FALSE
    assert knaster.check(text, engine="search", file="t.c", integers="mathematical").verdict is Verdict.UNKNOWN


def test_a_program_without_inputs_is_one_run() -> None:
    text = "int g;\nvoid f(int n) { if (n == 0) return; g++; f(n - 1); f(n - 1); }\n"
    text += "int main(void) { f(11); assert(g == 2047); return 0; }\n"
    result = knaster.check(text, file="x.c")
    assert result.verdict is Verdict.TRUE and result.stats["method"] == "search"
    assert 10_000 < int(result.stats["states"]) < 20_000


def test_what_runs_with_memory_have_found_is_kept_where_the_rest_is_stopped() -> None:
    text = "int main(void) { int x = 1, *p = __VERIFIER_nondet_bool() ? &x : 0; *p = 2; while (1) x ^= *p; }\n"
    program, ledger = load(text, file="a.c"), Ledger()

    class Impatient(Budget):
        def check(self) -> None:
            if ledger.established.answers:
                raise KeyboardInterrupt

    task = Task(program, Reach(SAFETY.targets_in(program)), Impatient(), SearchOptions(), ledger=ledger)
    with pytest.raises(KeyboardInterrupt):
        search_memory(task)
    assert [target.kind for target in ledger.established.answers] == ["null"]
