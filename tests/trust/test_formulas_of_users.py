"""A wrong formula is the user's mistake, not ours: it is compared with traces and proofs that were checked."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from knaster import Verdict, check
from knaster.base.errors import DisagreementError, InternalError
from knaster.checkers.runs.replay import replay
from knaster.cli import main
from knaster.decide.asked import SMALL_PROGRAM

SOURCE = """decl g;
void main()
begin
  g := F;
  f();
  if (g) then
    R: skip;
  fi
  Q: skip;
  S: assert(!g);
end
void f()
begin
  skip;
end
"""
FORMULA = (files("knaster.engines.calculus") / "entry_forward.mu").read_text("utf-8")
NEVER = FORMULA.replace("exists State u, State v. Summary(u, v) & v.mod = mod & v.pc = pc;", "mod != mod;")
ALWAYS = FORMULA.replace("exists State u, State v. Summary(u, v) & v.mod = mod & v.pc = pc;", "mod = mod;")
NO_RETURN = FORMULA.replace("| (exists Counter xpc,", "| false & (exists Counter xpc,")  # calls never return
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.bp").write_text(SOURCE)
    Path("large.bp").write_text(SOURCE.replace("  skip;\nend", "  skip;\n" * SMALL_PROGRAM + "end"))
    for name, text in {"mine": FORMULA, "never": NEVER, "always": ALWAYS, "no_return": NO_RETURN}.items():
        Path(f"{name}.mu").write_text(text)


def run(algorithm: str, *arguments: str, file: str = "a.bp") -> int:
    return main(["check", file, "--engine", "calculus", "--algorithm", f"{algorithm}.mu", *arguments])


def test_the_formulas_differ() -> None:
    assert len({FORMULA, NEVER, ALWAYS, NO_RETURN}) == 4


def test_a_right_formula_is_checked_like_any_engine(capsys: Capture) -> None:
    assert run("mine", "--target", "R") == 0
    assert "(proof checked by the kernel)" in capsys.readouterr().out
    assert run("mine", "--target", "Q") == 10
    assert "(trace replayed)" in capsys.readouterr().out


@pytest.mark.parametrize("formula", ["never", "no_return"])
def test_a_formula_that_says_unreachable_is_shown_the_trace(capsys: Capture, formula: str) -> None:
    assert run(formula, "--target", "R", "--target", "Q") == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    assert lines[0] == "knaster: a.bp: Q (line 9): your formula says unreachable; this trace reaches it:"
    assert lines[2].split() == ["line", "procedure", "statement", "values", "before", "it"]
    assert [line.split()[0] for line in lines[3:]] == ["4", "5", "14", "6", "9"]
    assert "report" not in said.err


def test_a_formula_that_says_reachable_is_told_of_the_proof(capsys: Capture) -> None:
    assert run("always", "--target", "R") == 2
    assert capsys.readouterr().err == (
        "knaster: a.bp: R (line 7): your formula says reachable; a proof that it is not was checked\n"
    )


def test_json_has_the_evidence(capsys: Capture) -> None:
    assert run("never", "--target", "Q", "--format", "json") == 2
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["verdict"]) == ("refused", "UNKNOWN")
    assert document["reason"] == "a.bp: Q (line 9): your formula says unreachable; this trace reaches it"
    (target,) = document["targets"]
    assert (target["name"], target["reachable"], target["checked"]) == ("Q", True, True)
    assert [entry["line"] for entry in target["trace"]] == [4, 5, 14, 6, 9]
    assert run("always", "--target", "R", "--format", "json") == 2
    (target,) = json.loads(capsys.readouterr().out)["targets"]
    assert (target["name"], target["reachable"], target["checked"], target["trace"]) == ("R", False, True, None)


def test_from_python_the_error_has_the_evidence() -> None:
    with pytest.raises(DisagreementError) as caught:
        check(Path("a.bp"), "Q", engine="calculus", algorithm="never.mu")
    program, target, trace = caught.value.evidence
    replay(program, trace, target)
    assert (caught.value.author, caught.value.claim) == ("your formula", "unreachable")
    assert not isinstance(caught.value, InternalError)


def test_what_is_not_checked_says_so(capsys: Capture) -> None:
    assert run("never", "--target", "Q", "--no-certify") == 0
    assert "Q (line 9) is unreachable (proof not checked: its check was switched off)." in capsys.readouterr().out
    assert run("always", "--target", "R", "--trace", "none") == 10
    assert "R (line 7) is reachable (trace not replayed: none was asked for)." in capsys.readouterr().out
    result = check(Path("a.bp"), ["Q", "S"], engine="calculus", algorithm="always.mu", first=True)
    assert result.verdict is Verdict.FALSE and [answer.checked for _, answer in result.answers] == [True, False]


def test_large_programs(capsys: Capture) -> None:
    assert run("never", "--target", "R", "--target", "Q", file="large.bp") == 0
    assert "(proof not checked: more than 3,000 edges; --certify checks it)" in capsys.readouterr().out
    assert run("never", "--target", "Q", "--certify", file="large.bp") == 2
    assert "your formula says unreachable; this trace reaches it:" in capsys.readouterr().err
    assert run("always", "--target", "R", file="large.bp") == 2
    assert "your formula says reachable; a proof that it is not was checked" in capsys.readouterr().err


def test_a_failing_assertion_is_named(capsys: Capture) -> None:
    assert run("always", "--target", "asserts") == 2
    assert "assert at line 10: your formula says reachable" in capsys.readouterr().err


def test_an_algorithm_of_ours_is_our_fault(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("knaster.engines.calculus.system.algorithm_text", lambda name: (name, NEVER))
    assert main(["check", "a.bp", "--engine", "calculus", "--target", "Q"]) == 6
    assert "the engine says that 'Q' is unreachable; a trace that reaches it was replayed" in capsys.readouterr().err
