"""What is proved of a program with memory by numbers, in words: parts of objects have the names of the program."""

from __future__ import annotations

import knaster
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.memory.regions import field_names, to_words
from knaster.evidence.questions.targets import default_targets
from knaster.frontends.languages import load
from knaster.transform.regions.reduce import reduce_regions

QUEUE = """#include <assert.h>
extern int in(void);
struct queue { int cells[4]; int head; int count; };
static struct queue q;
static void run(struct queue *p) {
  while (in()) {
    if (in() && p->count < 4) { p->cells[(p->head + p->count) & 3] = 1; p->count++; }
    else if (p->count > 0) { p->head = (p->head + 1) & 3; p->count--; }
    assert(p->count >= 0 && p->count <= 4);
  }
}
int main(void) { run(&q); return 0; }
"""


def test_elements_that_are_fields_have_their_names() -> None:
    result = knaster.check(QUEUE, file="a.c", engine="regions", property="reach")
    answer = result.answers[0][1]
    assert isinstance(answer, Unreachable) and answer.proof is not None
    words = "\n".join(to_words(answer.proof, result.program))  # type: ignore[arg-type]
    assert "q.count <= 4" in words and "q[5]" not in words and "\\old(q)[" not in words


def names(text: str) -> dict[tuple[str, int], str]:
    program = load(text, file="a.c")
    return field_names(program, reduce_regions(program, default_targets(program)).program)


def test_names_by_name_and_index() -> None:
    whole = QUEUE.replace("run(&q);", "struct queue *r = &q; int i = 0; r[i].count = 0; run(&q);")
    assert names(whole) == {
        **{("q", index): f"q.cells[{index}]" for index in range(4)},
        ("q", 4): "q.head",
        ("q", 5): "q.count",
    }


def test_an_array_of_one_field_of_each_element_is_left_out() -> None:
    text = """#include <assert.h>
extern int in(void);
struct pair { int x, y; } a[4];
int main(void) { int i = in() & 3; struct pair *p = a; p[i].y = 3; assert(p[i].y == 3); return 0; }
"""
    program = load(text, file="a.c")
    reduced = reduce_regions(program, default_targets(program)).program
    assert "a" in dict(reduced.types) and not field_names(program, reduced)
