"""Tables that leave out the order of threads and turns that can wait: what is proved is believed, lies are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster_check import Refused, read_program
from knaster_check.heap.excluded import Excluded
from knaster_check.heap.graph import HeapGraph
from knaster_check.heap.reduced_table import Representatives, _asks_for_numbers, _orders, _outline
from knaster_check.heap.state_table import States
from knaster_check.heap.unnoticed import Unnoticed
from knaster_check.program import Reference
from knaster_check.work import nothing
from support.changed_proofs import changed_proof
from support.generators.zing_models import random_threads
from support.generators.zing_owners import random_owners
from support.kernel import kernel

OWN = """
class C { int k; };
class M {
  static int n;
  activate static void one() { C p; p = new C; p.k = 1; p.k = 2; n = p.k; }
  activate static void two() { C p; p = new C; p.k = 3; n = 2; assert(p.k == 3); }
};
"""
ALIKE = """
class C { int k; };
class M {
  static int n;
  static bool m;
  activate static void main() { async work(); async work(); async work(); }
  static void work() {
    C p; p = new C; p.k = 1;
    atomic { select { wait(!m) -> m = true; } }
    n = n + p.k;
    assert(n >= 1);
    m = false;
  }
};
"""
QUEUE = """
chan Line int;
class M {
  static Line c;
  static int got;
  activate static void main() { c = new Line; async one(); async two(); }
  static void one() { int a; a = 1; send(c, a); }
  static void two() { int b; select { receive(c, b) -> ; } got = b; assert(got == 1); }
};
"""
CASES = [(OWN, "persistent"), (OWN, "all"), (ALIKE, "symmetry"), (ALIKE, "all"), (QUEUE, "all"), (QUEUE, "persistent")]


def proof_of(text: str, reduction: str) -> tuple[Program, dict[str, Any]]:
    evidence = knaster.Evidence(proofs=True)
    found = knaster.check(text, "failures", file="a.zing", engine="explicit", reduction=reduction, evidence=evidence)
    return found.program, json.loads(proof_to_text(found))


def with_data(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**document, "table": {**document["table"], **changes}}


def is_believed(program: Program, document: dict[str, Any]) -> bool:
    try:
        kernel(program, document)
    except Refused:
        return False
    return True


def holds(program: Program, document: dict[str, Any]) -> bool:
    try:
        check_proof_text(json.dumps(document), program, 64, Budget())
    except KnasterError:
        return False
    return True


@pytest.mark.parametrize(("text", "reduction"), CASES)
def test_every_row_is_needed(text: str, reduction: str) -> None:
    program, document = proof_of(text, reduction)
    table = document["table"]
    assert "representatives" in table and kernel(program, document).claim == "unreachable"
    count = len(table["representatives"])
    for number in range(0, count, count // 12 + 1):
        rows, chosen = ([*table[name][:number], *table[name][number + 1 :]] for name in ("representatives", "chosen"))
        assert not is_believed(program, with_data(document, representatives=rows, chosen=chosen))


def wrong_proofs() -> list[tuple[Program, dict[str, Any]]]:
    """Return proofs that claim what is not so."""
    found = []
    changes = [
        (OWN, "persistent", "n = 2; assert(p.k == 3)", "n = 2; assert(n == 2)"),
        (OWN, "all", "p.k = 2; n = p.k", "p.k = 2; n = 7; assert(n != 2)"),
        (ALIKE, "all", "m = true; } }", "; } }"),
        (ALIKE, "symmetry", "n >= 1", "n >= 2"),
        (QUEUE, "all", "a = 1", "a = 2"),
    ]
    for text, reduction, old, new in changes:
        assert old in text
        _, document = proof_of(text, reduction)
        other = load(text.replace(old, new), file="a.zing")
        found.append((other, {**document, "program": fingerprint(other)}))
    return found


def test_what_is_not_so_is_refused() -> None:
    for program, document in wrong_proofs():
        assert not is_believed(program, document)


def test_who_moves_alone() -> None:
    program, document = proof_of(OWN, "persistent")
    chosen, refused = document["table"]["chosen"], 0
    assert any(chosen)
    for at, thread in enumerate(chosen):
        for other in (1, 2, 7):
            if other != thread:
                changed = with_data(document, chosen=[*chosen[:at], other, *chosen[at + 1 :]])
                believed = is_believed(program, changed)
                assert not believed or holds(program, changed)
                refused += not believed
    assert refused > 10
    for wrong in ([], chosen[1:], [True, *chosen[1:]], [-1, *chosen[1:]]):
        assert not is_believed(program, with_data(document, chosen=wrong))


def test_nobody_moves_alone_while_another_chooses() -> None:
    text = OWN.replace("p.k = 1;", "bool b; b = choose(bool); p.k = 1;")
    program, document = proof_of(text, "persistent")
    table, refused = document["table"], 0
    for at, row in enumerate(table["representatives"]):
        for thread in (1, 2) if row[0] else ():
            wrong = [*table["chosen"][:at], thread, *table["chosen"][at + 1 :]]
            assert not is_believed(program, with_data(document, chosen=wrong))
            refused += 1
    assert refused > 1


@pytest.mark.parametrize("body", ["p.b = !p.b;", ""])
def test_nobody_is_put_off_for_ever(body: str) -> None:
    text = f"""
    class C {{ bool b; }};
    class M {{
      static bool x;
      activate static void one() {{ C p; p = new C; while (true) {{ {body} }} }}
      activate static void two() {{ x = true; assert(!x); }}
    }};"""
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(
        text, "deadlock", file="a.zing", engine="explicit", reduction="persistent", evidence=evidence
    )
    document = json.loads(proof_to_text(result))
    assert is_believed(result.program, document)
    alone = [1] * len(document["table"]["chosen"])
    with pytest.raises(Refused, match="put off for ever"):
        kernel(result.program, with_data(document, chosen=alone))


def test_numbers_of_threads_cannot_be_left_out() -> None:
    program, document = proof_of(OWN.replace("p.k = 3; n", "int l; l = self; p.k = 3; n"), "persistent")
    assert is_believed(program, document)
    with pytest.raises(Refused, match="numbers of threads"):
        kernel(program, with_data(document, symmetric=True))


def everything_is_unnoticed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Unnoticed, "has", lambda *_: True)


def all_threads_are_alike(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Representatives, "form", lambda self, memory, choosing: choosing)


RACE = """
class M {
  static int n;
  activate static void one() { n = 1; assert(n == 1); }
  activate static void two() { n = 2; }
};
"""


def one_after_the_other() -> tuple[Program, dict[str, Any]]:
    """Return a wrong proof: in its rows the second thread waits until the first has finished."""
    evidence = knaster.Evidence(proofs=True)
    asked = {"engine": "explicit", "reduction": "persistent", "evidence": evidence}
    result = knaster.check(RACE, "deadlock", file="a.zing", **asked)  # type: ignore[arg-type]
    document = json.loads(proof_to_text(result))
    states = document["table"]["representatives"]
    waiting = states[0][2][1]
    rows = [row for row in states if row[2][1] == waiting or not row[2][0]]
    targets = [{"name": "assertion", "procedure": "", "location": 0}]
    changed = with_data(document, representatives=rows, chosen=[int(bool(row[2][0])) for row in rows])
    return result.program, {**changed, "targets": targets}


@pytest.mark.parametrize("plant", [everything_is_unnoticed, all_threads_are_alike])
def test_a_planted_mistake_is_noticed(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [*wrong_proofs(), one_after_the_other()]
    assert not any(is_believed(*one) for one in wrong)
    for _, document in wrong[:-1]:
        document["table"] |= {name: document["table"][name][:1] for name in ("representatives", "chosen")}
    plant(monkeypatch)
    assert any(is_believed(*one) for one in wrong)


@pytest.mark.parametrize("make", [random_threads, random_owners])
def test_random_models(make: Callable[[Random], str]) -> None:
    """What the engine proves is believed; changed tables are where our own checker believes them, if at all."""
    rng, done, refused = Random(f"reduced {make.__name__}"), 0, 0
    while done < 6:
        text = make(rng)
        try:
            program, document = proof_of(text, rng.choice(("all", "symmetry", "persistent")))
        except KnasterError:
            continue
        if "representatives" not in document.get("table", {}) or len(document["table"]["chosen"]) > 60:
            continue
        done += 1
        assert is_believed(program, document), text
        for _ in range(4):
            changed = changed_proof(rng, document, 1)
            believed = is_believed(program, changed)
            assert not believed or holds(program, changed), json.dumps(changed)
            refused += not believed
    assert refused > 4


DIFFERENT = """
class C { int k; };
class M {
  static int n;
  activate static void main() { async work(1); async work(2); }
  static void work(int a) { C p; p = new C; p.k = a; a = 0; n = n + p.k; n = n - p.k; assert(p.k > 0); }
};
"""
LOOPS = """
class C { int k; };
class M {
  static int n;
  activate static void one() { C p; p = new C; while (true) { p.k = 1; p.k = 2; } }
  activate static void two() { n = 2; assert(n == 2); }
};
"""
CHOOSES = """
class C { int k; };
class M {
  static int n;
  activate static void one() { bool b; atomic { n = 1; b = choose(bool); if (b) { n = 2; } } assert(n > 0); }
  activate static void two() { C p; p = new C; p.k = 1; p.k = 2; p.k = 3; }
};
"""


@pytest.mark.parametrize("reduction", ["symmetry", "all"])
def test_threads_that_look_alike_and_have_other_cells(reduction: str) -> None:
    program, document = proof_of(DIFFERENT, reduction)
    assert document["table"]["symmetric"] is True and kernel(program, document).claim == "unreachable"


def test_who_moves_alone_must_not_go_around() -> None:
    """One thread never touches what is shared; if it could go on for ever alone, nobody would look at the other."""
    _, document = proof_of(LOOPS, "persistent")
    rows = document["table"]["representatives"]
    first = rows[0][2][1]
    alone = [row for row in rows if row[2][1] == first]
    wrong = load(LOOPS.replace("n == 2", "n == 3"), file="a.zing")
    forged = with_data(document, representatives=alone, chosen=[1] * len(alone))
    with pytest.raises(Refused, match="put off for ever"):
        kernel(wrong, {**forged, "program": fingerprint(wrong)})


def test_nobody_moves_alone_where_another_chooses() -> None:
    program, document = proof_of(CHOOSES, "persistent")
    table = document["table"]
    at = [number for number, row in enumerate(table["representatives"]) if row[0]]
    assert at and kernel(program, document).claim == "unreachable"
    for number in at:
        chosen = [*table["chosen"][:number], 2, *table["chosen"][number + 1 :]]
        with pytest.raises(Refused, match="who is to move alone cannot"):
            kernel(program, with_data(document, chosen=chosen))


def test_who_asks_for_numbers() -> None:
    """Also where a new cell asks, whoever makes it."""
    plain = "class C { int k; }; class M { static C c; activate static void main() { c = new C; } };"
    for text, asks in ((plain, False), (plain.replace("int k", "int k = self"), True)):
        assert _asks_for_numbers(read_program(program_to_kernel(load(text, file="a.zing")))) is asks


def test_orders_of_threads_that_look_alike() -> None:
    main, other = "activate static void main() { async f(); async f(); x = 1; }", "static void f() { x = 2; }"
    text = f"class M {{ static int x; {main} {other} }};"
    graph = HeapGraph(read_program(program_to_kernel(load(text, file="a.zing"))), nothing)
    (here,) = graph.starts()
    for _ in range(2):
        (here,) = (move.after for move in graph.moves(here) if move.thread == 0)
    assert {tuple(number for number in order if number > 1) for order in _orders(here.memory, 0)} == {(2, 3), (3, 2)}
    assert len(list(_orders(here.memory, 0))) == 2


def test_outlines() -> None:
    one, other = Reference("C", 1), Reference("C", 2)
    assert _outline([one, other, 5, True, (one, 5)], {one: 3}) == [
        *[("cell", 3), ("cell", None), ("int", 5), ("bool", True), (("cell", 3), ("int", 5))]
    ]


@pytest.mark.parametrize(("first", "new", "own"), [("l = self;", False, True), ("l = 1;", True, True)])
def test_a_new_thread_does_not_ask_for_its_number(first: str, new: bool, own: bool) -> None:
    main, other = "activate static void main() { async f(); x = 1; }", f"static void f() {{ int l; {first} x = l; }}"
    text = f"class M {{ static int x; {main} {other} }};"
    program = read_program(program_to_kernel(load(text, file="a.zing")))
    graph, states = HeapGraph(program, nothing), States(program, Excluded(()), True, None, nothing)
    (start,) = graph.starts()
    memory = next(iter(graph.moves(start))).after.memory
    assert len(memory.threads) == 2
    assert (len(list(states._later(memory, 1, range(2, 3)))) > 1) is new
    assert (len(list(states._later(memory, 2, range(0)))) > 1) is own
