"""All runs of models beside an automaton: the kernel's own walk decides what fair effects claim."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster_check import Refused
from knaster_check.heap import fair_runs
from knaster_check.heap.graph import HeapGraph
from knaster_check.refused import Unsupported
from support.kernel import kernel

DOWN = """class Main {{
  static int x;
  static bool stop;
  activate static void main() {{ A: work({}); B: stop = true; }}
  static void work(int n) {{
    bool b;
    b = choose(bool);
    if (n > 0) {{ x = {}; C: work({}); }}
    {}
  }}
}};
"""
RIGHT = ("3", "2", "n - 1", "x = 1;")
QUESTIONS = ("termination", "F ended", "F {Main.stop}", "G (at(C) -> F {Main.x == 1})", "G (at(A) -> F at(B))")
WRONG = {
    "termination": ("3", "2", "n - 1", "while (b) { b = choose(bool); }"),
    "F ended": ("3", "2", "n - 1", "while (n == 0) { work(n - 1); }"),
    "F {Main.stop}": ("3", "2", "n - 1", "while (x == 2) { x = 2; }"),
    "G (at(C) -> F {Main.x == 1})": ("3", "2", "n - 1", "x = 3;"),
    "G (at(A) -> F at(B))": ("3", "2", "n - 1", "while (b) { x = 1; }"),
}
DEEP = """class Main {
  static bool error; static bool held;
  activate static void main() { A: held = true; again(); B: held = false; }
  static void again() { bool b; b = choose(bool); if (b) { C: again(); } }
};
"""


def proof_of(text: str, question: str) -> tuple[Program, dict[str, Any]]:
    evidence = knaster.Evidence(proofs=True)
    found = knaster.check(text, file="a.zing", property=question, engine="visible", evidence=evidence)
    return found.program, json.loads(proof_to_text(found))


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_proved_is_believed_of_this_model_alone(question: str) -> None:
    program, proof = proof_of(DOWN.format(*RIGHT), question)
    assert "fair_effects" in proof
    verdict = kernel(program, proof)
    assert verdict.claim == ("ends" if question == "termination" else "holds")
    assert verdict.answered["rows expanded"] > 5
    other = parse(DOWN.format(*WRONG[question]), "a.zing")
    with pytest.raises(Refused, match="goes around"):
        kernel(other, {**proof, "program": fingerprint(other)})


@pytest.mark.parametrize("change", ["formula", "fair", "automaton", "targets", "fields"])
def test_another_question_is_refused(change: str) -> None:
    program, proof = proof_of(DOWN.format(*RIGHT), "F {Main.stop}")
    data = proof["fair_effects"]
    match change:
        case "formula":
            data["formula"] = "F {Main.x == 7}"
        case "fair":
            data["fair"] = "somewhat"
        case "automaton":
            data["steps"] = data["steps"][:-1]
        case "targets":
            proof["targets"] = [{"name": "any failure", "procedure": "", "location": 0}]
        case "fields":
            data["more"] = 1
    with pytest.raises(Refused) as refused:
        kernel(program, proof)
    assert not isinstance(refused.value, Unsupported)


@pytest.mark.parametrize("limit", ["MOST", "DEEPEST"])
def test_nothing_is_said_where_stacks_grow_for_ever(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_runs, limit, 9)
    program, proof = proof_of(DEEP, "G (at(B) -> F ended)")
    with pytest.raises(Unsupported, match="too many states"):
        kernel(program, proof)


def test_a_planted_mistake_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    question = "F {Main.stop}"
    _, proof = proof_of(DOWN.format(*RIGHT), question)
    other = parse(DOWN.format(*WRONG[question]), "a.zing")
    monkeypatch.setattr(HeapGraph, "moves", lambda *_: ())
    monkeypatch.setattr(HeapGraph, "rests", lambda *_: False)
    assert kernel(other, {**proof, "program": fingerprint(other)}).claim == "holds"
