"""Threads of a witness: who creates them and who violates the property is told, and compared with a run."""

from __future__ import annotations

import knaster
from benchmarks.witness_rules import problems
from knaster.base.limits import Limits
from knaster.competition.validate import Question, validate
from knaster.competition.witness import Witness, read_witness
from knaster.competition.writer import write_witness

RACE = """\
#include <pthread.h>
int x;
void *add(void *a) { int t = x; x = t + 1; return 0; }
void *look(void *a) { assert(x != 1); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, (void *)0);
  pthread_create(&b, 0, look, 0);
  return 0;
}
"""


def validated(witness: Witness) -> str:
    return validate(Question(RACE, "p.c", {}, Limits()), witness, "w.yml").verdict


def test_creating_calls_and_the_violation_name_their_threads() -> None:
    text = write_witness(knaster.check(RACE, file="p.c"))
    witness = read_witness(text, "w.yml")
    found = [(one.last.type, one.last.place.line, one.last.thread) for one in witness.segments]
    assert found == [("function_enter", 7, 0), ("function_enter", 8, 0), ("target", 4, 2)]
    assert witness.version == "2.2" and problems(text, RACE.encode()) == []
    assert validated(witness) == "TRUE"
    first, second, last = witness.segments
    others = last._replace(last=last.last._replace(thread=1))
    assert validated(witness._replace(segments=(first, second, others))) == "UNKNOWN"
    assert validated(witness._replace(segments=(second, first, last))) == "FALSE"
