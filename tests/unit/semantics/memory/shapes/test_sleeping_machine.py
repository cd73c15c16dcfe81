"""Machines that begin in a shape: they look into lists only when these are unfolded, and read nothing forgotten."""

from __future__ import annotations

import pytest

import knaster
from knaster.checkers.memory.enumerated_inputs import EnumeratedInputs
from knaster.evidence.answers.answer import Unreachable
from knaster.frontends.languages import load
from knaster.program.memory import Address
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LEAK
from knaster.semantics.memory.shapes.shape import Range, Shape, Unfit
from knaster.semantics.memory.shapes.sleeping_machine import SleepingMachine, Unfold
from support.shapes import cell, segment, shape

pytest.importorskip("clang.cindex")
TEXT = "struct n { int d; struct n *next; };\nint main(void) { struct n *p = 0; int i = 0; p = p->next; i = i + 1; }\n"


def machine(text: str = TEXT) -> SleepingMachine:
    program = load(text, file="a.c", objects="always")
    assert isinstance(program, Program)
    inputs = EnumeratedInputs()
    inputs.vague = True
    return SleepingMachine(Codes(program), inputs, frozenset())


def at(found: Shape, location: int) -> Shape:
    return found._replace(frames=(found.top._replace(location=location),))


def test_it_is_what_it_was_put_into() -> None:
    sleeper = machine()
    for each in (
        shape({"p": 1, "i": Range(3, 9)}, cell(2), segment(0)),
        shape({"p": 1, "i": Range(-5, 5)}, cell(0, alive=False)),
        shape({"p": 1}, cell(1, 7), forgotten=("i",)),
    ):
        sleeper.wake(each)
        assert sleeper.shape() == each


def test_a_step_on_an_object_is_a_step_of_all_its_states() -> None:
    sleeper = machine()
    sleeper.wake(at(shape({"p": 1, "i": Range(1, 4)}, cell(2), segment(0)), 2))
    sleeper.step()
    sleeper.step()
    assert dict(sleeper.shape().top.registers) == {"i": Range(2, 5), "p": Address(1, 0)}
    assert sleeper.shape().nodes == ((1, segment(0)),)


def test_who_looks_into_a_segment_is_told_to_unfold_it() -> None:
    sleeper = machine()
    sleeper.wake(at(shape({"p": 2}, cell(0), segment(0)), 2))
    with pytest.raises(Unfold) as told:
        sleeper.step()
    assert told.value.base == 2


def test_nobody_reads_what_is_forgotten() -> None:
    sleeper = machine()
    sleeper.wake(at(shape({}, forgotten=("p",)), 2))
    with pytest.raises(Unfit, match="'p' is read"):
        sleeper.step()


def test_a_number_that_may_be_any_is_no_pointer() -> None:
    sleeper = machine()
    node = cell(0)._replace(cells=((0, 4, None), (8, 8, None)))
    sleeper.wake(at(shape({"p": 1}, node), 2))
    with pytest.raises(Unfit, match="as a pointer"):
        sleeper.step()


FLAGS = """#include <stdlib.h>
int in(void); struct n { union { unsigned char byte; _Bool flag; } u; struct n *next; };
int main(void) {
  struct n *l = 0; unsigned char c = 0;
  while (in()) { struct n *m = malloc(sizeof *m); c = c ? 0 : 7; m->u.byte = c; m->next = l; l = m; }
  if (l && l->next && l->u.flag) return 1;
  return 0;
}
"""


@pytest.mark.parametrize("text", [FLAGS, FLAGS.replace("7", "1")])
def test_a_number_that_may_be_any_may_be_no_truth_value(text: str) -> None:
    """Shapes said TRUE of `boolean` where the number is 7."""
    result = knaster.check(text, file="a.c", engine="shapes", property="safety")
    left = [target.name for target, answer in result.answers if not isinstance(answer, Unreachable)]
    assert left == ["boolean:6"]


def test_what_is_left_in_the_heap_is_not_seen() -> None:
    program = load(TEXT, file="a.c", objects="always")
    assert isinstance(program, Program)
    with pytest.raises(Unfit):
        SleepingMachine(Codes(program), EnumeratedInputs(), frozenset({LEAK}))
