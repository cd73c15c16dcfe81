"""Moves that concern no other thread: by hand, and as our own checker says of every state of random models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.checkers.files import proof_to_text
from knaster.checkers.heap.rows import configuration_of
from knaster.checkers.heap.unnoticed_moves import UnnoticedMoves
from knaster.evidence.proofs.heap.state_table import state_of_json
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.program.model import Program
from knaster.semantics.heap.interpreter import Machine as OwnMachine
from knaster_check import read_program
from knaster_check.heap import unnoticed
from knaster_check.heap.machine import Machine
from knaster_check.heap.memory import Memory
from knaster_check.heap.rows import read_state
from knaster_check.heap.unnoticed import Unnoticed
from support.generators.zing_channels import random_channels
from support.generators.zing_owners import random_owners

MODEL = """
class C {{ int k; int l; }};
array A[2] int;
chan Line int;
class M {{
  static int n;
  static C c;
  static A a;
  static Line q;
  static int own;
  activate static void main() {{ c = new C; a = new A; q = new Line; async one(); async two(); }}
  static void one() {{ C p; int i; bool b; L: {} }}
  static void two() {{ C p; int i; {} }}
}};
"""
CALLED = "static void more() { n = 2; } static int get() { return 2; }"
CASES = [
    ("i = n;", "i = n;", True),
    ("atomic { b = choose(bool); if (b) { n = 1; } }", "i = n;", False),
    ("atomic { b = choose(bool); if (b) { i = 1; } }", "i = n;", True),
    ("i = n;", "n = 1;", False),
    ("n = 1;", "i = n;", False),
    ("n = 1;", "own = 1;", True),
    ("n = 1;", "more();", False),
    ("i = n;", "n = get();", False),
    ("i = n;", "get();", True),
    ("i = c.k;", "i = c.k;", True),
    ("i = c.k;", "c.l = 2;", False),
    ("c.k = 1;", "i = c.k;", False),
    ("c.k = 1;", "p = new C; p.k = 2;", True),
    ("c.k = 1;", "i = n;", True),
    ("i = a[0];", "i = a[1];", True),
    ("i = a[0];", "a[1] = 1;", False),
    ("a[0] = 1;", "i = a[1];", False),
    ("send(q, 1);", "i = n;", True),
    ("send(q, 1);", "select { receive(q, i) -> ; }", False),
    ("i = sizeof(q);", "i = sizeof(q);", True),
    ("i = sizeof(q);", "send(q, 1);", False),
    ("assert(n == 1);", "i = own;", False),
    ("assume(n == 0);", "i = own;", True),
    ("assume(n == 1);", "i = own;", False),
    ("i = own; assume(n == 0);", "n = 1;", True),
    ("async two();", "i = own;", False),
]


def states(text: str, most: int) -> tuple[Program, list[Any]]:
    """Return the program of a model, and states of it as a proof file has them."""
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(
        text, "endless-atomic", file="a.zing", engine="explicit", reduction="none", evidence=evidence
    )
    return result.program, json.loads(proof_to_text(result))["table"]["states"][:most]


def standing(one: str, two: str) -> tuple[Machine, list[Memory]]:
    """Return the memories in which two threads are to do something, and no other is left."""
    text = MODEL.format(one, two).replace("static int own;", "static int own; " + CALLED)
    program, rows = states(text, 100)
    machine = Machine(read_program(program_to_kernel(program)))
    found = []
    for row in rows:
        memory, choosing = read_state(machine, row)
        places = [frames[-1].procedure.name.split(".")[-1] for frames in memory.threads[1:3] if frames]
        if places == ["one", "two"] and not (choosing or memory.threads[0] or memory.threads[3:]):
            first, second = memory.threads[1][-1], memory.threads[2][-1]
            if first.location == dict(first.procedure.labels)["L"] and second.location == second.procedure.entry:
                found.append(memory)
    return machine, found


@pytest.mark.parametrize(("one", "two", "expected"), CASES)
def test_by_hand(one: str, two: str, expected: bool) -> None:
    machine, memories = standing(one, two)
    assert {Unnoticed(machine).has(memory, 2) for memory in memories} == {expected}


def test_what_takes_long_or_runs_on_a_copy_concerns_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, (memory, *_) = standing("i = n;", "i = n;")
    assert Unnoticed(machine).has(memory, 2)
    cells = {
        name: cell._replace(initial=(("k", (("apply", "M.more", 0),)),)) if cell.form == "class" else cell
        for name, cell in machine.program.cells.items()
    }
    assert not Unnoticed(Machine(machine.program._replace(cells=cells))).has(memory, 2)
    machine, (memory, *_) = standing("n = 1;", "p = new C;")
    reads = {
        name: cell._replace(initial=(("k", (("variable", "M.n"),)),)) for name, cell in cells.items() if name == "C"
    }
    assert Unnoticed(machine).has(memory, 2)
    changed = machine.program._replace(cells={**machine.program.cells, **reads})
    assert not Unnoticed(Machine(changed)).has(memory, 2)
    monkeypatch.setattr(unnoticed, "LONGEST", 0)
    assert not Unnoticed(machine).has(memory, 2)


def compared(rng: Random, make: Callable[[Random], str], most: int) -> Iterator[tuple[bool, bool]]:
    """Yield what the kernel and our own checker say of moves of a random model."""
    try:
        program, rows = states(make(rng), most)
    except KnasterError:
        return
    machine, own = Machine(read_program(program_to_kernel(program))), OwnMachine(program)
    mine, moves = Unnoticed(machine), UnnoticedMoves(own)
    for row in rows:
        memory, choosing = read_state(machine, row)
        configuration = configuration_of(own, state_of_json(row))
        for thread in range(1, len(memory.threads) + 1) if not choosing else ():
            if machine.can_run(memory, thread):
                yield mine.has(memory, thread), moves.has(configuration, thread)


@pytest.mark.parametrize("make", [random_owners, random_channels])
def test_random_models(make: Callable[[Random], str]) -> None:
    rng, found = Random(f"unnoticed {make.__name__}"), list[tuple[bool, bool]]()
    while len(found) < 150:
        found += compared(rng, make, 40)
    assert all(one is other for one, other in found)
    assert {one for one, _ in found} == {True, False}
