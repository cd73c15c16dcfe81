"""The check of shapes: it refuses a proof that lacks a shape, says too much or is about less than is asked."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.memory.memory_shapes import check_memory_shapes
from knaster.engines.contract import Task
from knaster.engines.references.shapes import ShapeOptions
from knaster.engines.references.shapes.engine import shapes
from knaster.evidence.proofs.memory.memory_shapes import MemoryShapes, _value, from_fields, to_fields
from knaster.evidence.questions.memory_targets import leak_targets, memory_targets, overflow_targets
from knaster.evidence.questions.question import Reach, Target
from knaster.frontends.languages import load
from knaster.program.memory import Address
from knaster.program.model import Program
from knaster.semantics.memory.shapes.shape import SINGLE, Range, Shape

pytest.importorskip("clang.cindex")
TEXT = """#include <stdlib.h>
int in(void);
struct n { int d; struct n *next; };
struct n *insert(struct n *l, int x) {
  if (l == 0 || x <= l->d) { struct n *m = malloc(sizeof *m); m->d = x; m->next = l; return m; }
  l->next = insert(l->next, x);
  return l;
}
int main(void) {
  struct n *l = 0;
  while (in()) l = insert(l, in());
  while (l) { struct n *m = l->next; free(l); l = m; }
  return 0;
}
"""


@cache
def proof() -> MemoryShapes:
    program = load(TEXT, file="a.c", objects="always")
    assert isinstance(program, Program)
    found = shapes(Task(program, Reach(memory_targets(program)), Budget(), ShapeOptions()))
    assert found.proof is not None and not found.doubtful
    made = found.proof()
    assert isinstance(made, MemoryShapes)
    return made


def ask(made: MemoryShapes, targets: Any = memory_targets) -> None:
    check_memory_shapes(made, made.program, targets(made.program), Budget())


def test_a_proof_that_holds_and_its_form_in_a_file() -> None:
    ask(proof())
    again = from_fields(to_fields(proof(), proof().program), proof().program, 0, Budget())
    assert again == proof()
    ask(again)


def test_every_shape_is_needed_or_another_one_stands_for_it() -> None:
    refused = 0
    for number, rows in enumerate(proof().entries):
        for at in range(0, len(rows), 2):
            entries = list(proof().entries)
            entries[number] = rows[:at] + rows[at + 1 :]
            try:
                ask(replace(proof(), entries=tuple(entries)))
            except InternalError:
                refused += 1
    assert refused > sum(map(len, proof().entries)) // 4


def test_a_list_that_is_said_to_be_short_is_refused() -> None:
    def shorten(shape: Shape) -> Shape:
        return shape._replace(nodes=tuple([(base, node._replace(link=SINGLE)) for base, node in shape.nodes]))

    entries = tuple([tuple(map(shorten, rows)) for rows in proof().entries])
    with pytest.raises(InternalError):
        ask(replace(proof(), entries=entries))


def test_a_caller_that_forgets_what_it_needs_is_refused() -> None:
    forgotten = tuple([(place, (*names, "l")) for place, names in proof().forgotten])
    with pytest.raises(InternalError, match=r"nothing is known|no shape"):
        ask(replace(proof(), forgotten=forgotten))


@pytest.mark.parametrize("targets", [overflow_targets, leak_targets])
def test_what_shapes_do_not_see_is_refused(targets: Any) -> None:
    with pytest.raises(InternalError, match="do not see"):
        ask(proof(), targets)


def test_a_target_that_is_reached_is_refused() -> None:
    program = load(TEXT.replace("l == 0 || ", ""), file="a.c", objects="always")
    assert isinstance(program, Program)
    found = shapes(Task(program, Reach(memory_targets(program)), Budget(), ShapeOptions()))
    assert found.proof is not None and found.doubtful
    made = found.proof()
    assert isinstance(made, MemoryShapes)
    with pytest.raises(InternalError, match="undefined step at line 5"):
        ask(made)


def test_a_place_that_shapes_come_to_is_not_excluded() -> None:
    entry = proof().program.procedure("insert").entry
    with pytest.raises(InternalError, match="a shape comes to a target in 'insert'"):
        ask(proof(), lambda program: [Target("here", "insert", entry, 1)])


def test_values_and_places_in_files() -> None:
    assert [_value(data) for data in (None, 3, True)] == [None, 3, True]
    assert _value({"object": 1, "offset": 2}) == Address(1, 2) and _value({"from": 1, "to": 2}) == Range(1, 2)
    for wrong in ("x", [1], {"from": 1}, {"object": "1", "offset": 2}):
        with pytest.raises(ProofError):
            _value(wrong)
    fields = to_fields(proof(), proof().program)["shapes_of_memory"]
    for forgotten, right in (([["main", 1, ["x"]]], True), ([["main", 1]], False), ([["main", 1, [], 7]], False)):
        document = {"shapes_of_memory": {**fields, "forgotten": forgotten}}
        if right:
            assert from_fields(document, proof().program, 0, Budget()).forgotten == ((("main", 1), ("x",)),)
        else:
            with pytest.raises(ProofError, match="has not three parts"):
                from_fields(document, proof().program, 0, Budget())
