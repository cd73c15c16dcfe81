"""All states of models: the kernel's own walk finds what the interpreter finds, and uses nothing of the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from knaster.checkers.files import proof_to_text
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.semantics.heap.explore import explore
from knaster_check import Refused
from knaster_check.heap import all_states
from knaster_check.heap.all_states import AllStates
from knaster_check.heap.state_table import States
from knaster_check.refused import Unsupported
from support.generators.zing_channels import random_channels
from support.generators.zing_models import random_threads
from support.generators.zing_transactions import random_transactions
from support.kernel import document, kernel
from support.kinds_of_proofs import result_with

FIELDS: dict[str, Any] = {"boundaries": [], "held": [], "locks": [], "unprotected": [], "crowded": []}
KINDS = ("assertion", "deadlock", "null-dereference", "blocked-select", "endless-atomic", "empty-choice")
LOCKED = """class Start {{
  static int x;
  static bool m;
  activate static void main() {{ x = 1; async work(1); async work(2); }}
  static void work(int n) {{
    int y; bool b;
    atomic {{ select {{ wait({}) -> m = true; }} }}
    y = x; b = choose(bool);
    if (b) {{ x = 0; }}
    {} {} {}
    x = y;
    m = false;
  }}
}};
"""
RIGHT = ("!m", "assert(y == 1);", "y = 1;", "n = n - 1;")
WRONG = [
    ("true", *RIGHT[1:]),
    ("!m", "assert(y == 1 && !b);", *RIGHT[2:]),
    ("!m", "assert(n == 1);", *RIGHT[2:]),
    ("!m", RIGHT[1], "y = 2;", RIGHT[3]),
    ("m", *RIGHT[1:]),
    ("!m", *RIGHT[1:3], "m = true; assume(m); n = 3 / (n - n);"),
]


def claim(program: Program, *kinds: str) -> dict[str, Any]:
    """Return a proof that nothing fails in some ways."""
    targets = [{"name": kind, "procedure": "", "location": 0} for kind in kinds]
    return {**document(program, {"table": FIELDS}), "targets": targets}


def is_believed(program: Program, proof: dict[str, Any]) -> bool:
    try:
        return kernel(program, proof).claim == "unreachable"
    except Refused as refused:
        assert not isinstance(refused, Unsupported), refused
        return False


def test_proofs_by_transactions() -> None:
    result = result_with("transaction_table")
    proof = json.loads(proof_to_text(result))
    assert "boundaries" in proof["table"] and is_believed(result.program, proof)
    assert kernel(result.program, proof).answered["states expanded"] > 10
    assert not is_believed(result.program, {**proof, "targets": []})
    assert not is_believed(result.program, {**proof, "table": {"boundaries": []}})


def test_by_hand() -> None:
    program = parse(LOCKED.format(*RIGHT), "a.zing")
    assert is_believed(program, claim(program, "any failure"))
    for wrong in WRONG:
        program = parse(LOCKED.format(*wrong), "a.zing")
        assert not is_believed(program, claim(program, "any failure")), wrong


PLACES = """class M {
  static int x;
  activate static void main() { int a; A: a = 1; B: a = a + 1; if (a == 1) { C: x = 1; } D: x = 2; }
  activate static void other() { int b; b = x; if (b == 2) { E: b = 0; F: b = 1; } else { if (b == 1) { G: x = 0; } } }
};
"""


@pytest.mark.parametrize("label", "ABCDEFG")
def test_places_inside_what_nobody_notices(label: str) -> None:
    program = parse(PLACES, "a.zing")
    places = [(each.name, at) for each in program.procedures for name, at in each.labels if name == label]
    ((name, at),) = places
    proof = {**claim(program), "targets": [{"name": label, "procedure": name, "location": at}]}
    assert is_believed(program, proof) == (label in "CG")


def models() -> Iterator[str]:
    """Yield models of all kinds that transactions are asked about, one after the other."""
    rng = Random("all states of models")
    while True:
        yield random_threads(rng)
        yield random_transactions(rng, False)
        yield random_channels(rng)


def compare_with_interpreter(count: int, limit: int) -> None:
    failing = done = 0
    for text in models():
        program = parse(text, "a.zing")
        everything = explore(program, limit=limit)
        if not everything.complete:
            continue
        found = {failure.kind for failure in everything.failures}
        assert is_believed(program, claim(program, *(kind for kind in KINDS if kind not in found))), text
        for kind in found:
            assert not is_believed(program, claim(program, kind)), (text, kind)
        failing, done = failing + bool(found), done + 1
        if done == count:
            break
    assert count // 8 <= failing <= done - count // 8


def test_random_models() -> None:
    compare_with_interpreter(16, 150)


@pytest.mark.slow
def test_many_random_models() -> None:
    compare_with_interpreter(600, 1_500)


def test_what_is_too_large_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse(LOCKED.format(*RIGHT), "a.zing")
    monkeypatch.setattr(all_states, "MOST", 5)
    with pytest.raises(Unsupported):
        kernel(program, claim(program, "any failure"))


def test_nothing_is_said_where_stacks_grow_for_ever() -> None:
    text = "class M { activate static void main() { bool b; down(); } static void down() { down(); } };"
    program = parse(text, "a.zing")
    with pytest.raises(Unsupported, match="too many states"):
        kernel(program, claim(program, "assertion"))


@pytest.mark.parametrize("plant", [(States, "_go"), (AllStates, "_arrive")])
def test_a_planted_mistake_is_noticed(plant: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*plant, lambda *_: None)
    programs = [parse(LOCKED.format(*wrong), "a.zing") for wrong in WRONG]
    assert all(is_believed(program, claim(program, "any failure")) for program in programs)
