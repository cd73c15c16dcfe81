"""Runs of threads and models that never end, in files: what is saved comes back, and what is no run is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knaster.cli import main

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
