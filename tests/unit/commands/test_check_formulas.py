"""`check --property`: formulas on the command line and in files, proofs that are saved, mistakes that are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

TEXT = "decl g; void main() begin A: g := 1; if (*) then B: skip; fi C: skip; end\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "p.bp"
    file.write_text(TEXT)
    return str(file)


def test_formulas_of_a_file(program: str, tmp_path: Path, capsys: Capture) -> None:
    formulas = tmp_path / "f.ltl"
    formulas.write_text("# two\nlive: F at(C)\nG !at(B)  # not so\n")
    assert main(["check", program, "--property", f"@{formulas}"]) == 10
    lines = capsys.readouterr().out.splitlines()
    assert "TRUE. live: F at(C) holds" in lines[0] and "FALSE. G !at(B)" in lines[1]
    assert lines[2] == "2 answers: 1 TRUE, 1 FALSE."
    assert main(["check", program, "--property", f"@{formulas}", "--format", "json"]) == 10
    documents = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["formula"]) for one in documents] == [("live", "F at(C)"), (None, "G !at(B)")]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--property", "G F at(D)"], 2, "there is no label 'D'"),
        (["--property", "G (at(A)"], 2, "there is no ')'"),
        (["--property", "terminate"], 1, "did you mean 'termination'?"),
        (["--property", "@"], 1, "takes a file of formulas"),
        (["--property", "@nowhere.ltl"], 2, "nowhere.ltl"),
        (["--property", "G F at(A)", "--target", "A"], 1, "a target cannot be named"),
        (["--fair", "weak"], 1, "--fair is about termination and formulas"),
        (["--property", "F ended", "--engine", "summaries"], 1, "it decides reachability, not formulas"),
    ],
)
def test_mistakes(program: str, arguments: list[str], code: int, said: str, capsys: Capture) -> None:
    assert main(["check", program, *arguments]) == code
    found = capsys.readouterr()
    assert said in found.err and not found.out


@pytest.mark.parametrize(("asked", "verdict"), [("F at(C)", "TRUE"), ("G !at(B)", "FALSE"), ("termination", "TRUE")])
def test_proofs_and_runs_are_saved_and_checked(
    program: str, asked: str, verdict: str, tmp_path: Path, capsys: Capture
) -> None:
    proof = str(tmp_path / "proof.json")
    main(["check", program, "--property", asked, "--proof", proof])
    capsys.readouterr()
    assert main(["certify", program, proof]) == 0
    said = capsys.readouterr().out
    assert f"{verdict}. The proof" in said and ("every run ends" if asked == "termination" else asked) in said


def test_three_methods_are_compared(program: str, capsys: Capture) -> None:
    assert main(["compare", program, "--property", "F at(C)"]) == 0
    said = capsys.readouterr().out
    assert "ranks" in said and "pushdown" in said and "calculus" in said and "agree" in said


def test_formulas_about_c_are_unknown(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) { int x = 0; L: x = 1; return x; }\n")
    assert main(["check", str(file), "--property", "F in(main)"]) == 5
    assert "UNKNOWN. Of formulas about C programs those about prefixes are decided" in capsys.readouterr().out


def test_a_page_and_a_picture(program: str, capsys: Capture) -> None:
    assert main(["check", program, "--property", "G !at(B)", "--format", "html"]) == 10
    assert "holds: " in capsys.readouterr().out
    assert main(["check", program, "--property", "G !at(B)", "--format", "svg"]) == 10
    assert "<svg" in capsys.readouterr().out
