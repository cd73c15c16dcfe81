"""Runs of threads and models that never end, in files: what is saved comes back; what is no run is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.cli import main
from knaster.evidence.proofs.threads.thread_lasso import ThreadLasso, from_fields
from knaster.program.model import Program

BUSY = """decl x := 0;
void main_1() begin decl l; while (!x) do l := g(l); od end
bool g(a) begin return !a; end
void main_2() begin L: x := 1; end
"""
GROWS = "decl x := 0; void main_1() begin f(); end void f() begin f(); end void main_2() begin x := 1; end\n"
STUCK = "void main_1() begin decl l; assume(l); end void main_2() begin skip; end\n"
MODEL = """class C { C f; };
class Main {
  static bool stop; static C g;
  activate static void one() { bool b; while (!stop) { g = new C; b = choose(bool); step(); } }
  activate static void two() { stop = true; }
  static void step() { g = null; }
};
"""
NULL = "class C { C f; };\nclass Main { static C g; activate static void main() { g.f = null; } };\n"


@pytest.mark.parametrize(
    ("name", "text", "asked", "fair"),
    [
        ("a.bp", BUSY, "termination", "none"),
        ("a.bp", BUSY, "F !at(L)", "none"),
        ("a.bp", GROWS, "termination", "none"),
        ("a.bp", STUCK, "F ended", "strong"),
        ("a.zing", MODEL, "termination", "none"),
        ("a.zing", MODEL, "F {Main.stop}", "none"),
        ("a.zing", NULL, "G !ended", "weak"),
    ],
)
def test_saved_and_certified(tmp_path: Path, name: str, text: str, asked: str, fair: str) -> None:
    file, proof = tmp_path / name, tmp_path / "a.proof"
    file.write_text(text)
    assert main(["check", str(file), "--property", asked, "--fair", fair, "--proof", str(proof)]) == 10
    assert main(["certify", str(file), str(proof)]) == 0
    document = json.loads(proof.read_text())
    run = document["run_of_threads"]
    wrongs: list[dict[str, object]] = [
        {"formula": "true"},
        {"waits": not run["waits"]},
        {"fair": "often"},
        {"stem": []},
        {"stays": 1},
    ]
    wrongs += [{"cycle": run["cycle"][:-1] if run["cycle"] and name == "a.zing" else [[9, [0]]]}, {"more": 0}]
    for wrong in wrongs:
        document["run_of_threads"] = {**run, **wrong}
        if document["run_of_threads"] != run:
            proof.write_text(json.dumps(document))
            assert main(["certify", str(file), str(proof)]) == 2, wrong


def test_an_unfair_run_is_no_proof_about_fair_ones(tmp_path: Path) -> None:
    file, proof = tmp_path / "a.bp", tmp_path / "a.proof"
    file.write_text(BUSY)
    assert main(["check", str(file), "--property", "termination", "--proof", str(proof)]) == 10
    document = json.loads(proof.read_text())
    document["run_of_threads"]["fair"] = "weak"
    proof.write_text(json.dumps(document))
    assert main(["certify", str(file), str(proof)]) == 2


def read(program: Program, **changes: Any) -> ThreadLasso:
    fields = {"formula": None, "fair": "none", "deeper": False, "stays": False, "waits": False}
    found: dict[str, Any] = {**fields, "stem": [], "cycle": [[1, 0]] * 6, "last": 1, **changes}
    return from_fields({"run_of_threads": found}, program, 1 << 10, Budget())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"last": 0}, "no such thread ran last"),
        ({"last": 3}, "no such thread ran last"),
        ({"last": "1"}, "no such thread ran last"),
        ({"last": True}, "no such thread ran last"),
        ({"cycle": [[0, 0]]}, "a step is of no thread"),
        ({"cycle": [[3, 0]]}, "a step is of no thread"),
        ({"cycle": [[1, 1]]}, "no such choice"),
        ({"cycle": [[1, -1]]}, "no such choice"),
        ({"cycle": [[1, 0], [1, 0], [1, 2]]}, "no such choice"),
        ({"stem": [[2, 0], [2, 0]]}, "a step is of no thread"),
        ({"cycle": [[1]]}, "a step has not two parts"),
    ],
)
def test_steps_of_models(changes: dict[str, Any], message: str) -> None:
    program = knaster.parse(MODEL, file="a.zing")
    with pytest.raises(ProofError, match=message):
        read(program, **changes)


def test_the_thread_that_ran_last_goes_on() -> None:
    program = knaster.parse(MODEL, file="a.zing")
    for last in (1, 2):
        assert read(program, last=last).lasso.stem.segments[-1].thread == last
    ended = read(program, stem=[[2, 0]], last=2, cycle=[[1, 0]] * 2)  # the second thread has ended
    assert [segment.thread for segment in ended.lasso.stem.segments] == [2]


def test_a_run_of_threads_is_about_threads() -> None:
    for text in ("void main() begin skip; end\n",):
        with pytest.raises(ProofError, match="it is a run of threads"):
            read(knaster.parse(text))
    integers = knaster.parse("int main(void) { return 0; }", file="a.c")
    with pytest.raises(ProofError, match="it is a run of threads"):
        read(integers)


def test_the_second_of_three_threads() -> None:
    three = MODEL.replace(
        "  static void step", "  activate static void three() { stop = true; stop = true; }\n  static void step"
    )
    program = knaster.parse(three, file="a.zing")
    ended = read(program, stem=[[2, 0]], last=2, cycle=[[1, 0]] * 2)
    assert [segment.thread for segment in ended.lasso.stem.segments] == [2]
    with pytest.raises(ProofError, match="a step is of no thread"):
        read(program, stem=[[2, 0], [2, 0]])
    assert read(program, stem=[[3, 0]], last=2, cycle=[[1, 0]]).lasso.stem.segments[-1].thread == 2


def test_the_question_comes_back() -> None:
    program = knaster.parse(MODEL, file="a.zing")
    assert read(program).lasso.formula == ""
    asked = read(program, formula="F {Main.stop}")
    assert asked.lasso.formula == str(asked.question) and "Main.stop" in asked.lasso.formula
