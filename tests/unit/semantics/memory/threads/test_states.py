"""Keys of machines with threads: the names of objects do not matter, values that are read again do."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.frontends.languages import load
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.threads.states import Liveness, key_of, live_variables
from knaster.semantics.memory.threads.turns import Branching, start_machines

pytest.importorskip("clang.cindex")
TEXT = """#include <pthread.h>
#include <stdlib.h>
int *p, *q;
void *f(void *a) { p = malloc(4); *p = 1; return 0; }
void *g(void *a) { q = malloc(4); *q = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return 0; }
"""


def test_the_order_of_allocation_does_not_matter() -> None:
    program = load(TEXT, file="p.c")
    keys = set()
    for order in ((2, 3), (3, 2)):
        (machine, _), *_ = start_machines(Codes(program), Branching(Numbers(program)), frozenset())
        while len(machine.threads) < 3:
            machine.step()
        for thread in order:
            machine.switch(thread)
            while machine.frames:
                machine.step()
        keys.add(key_of(machine, Liveness()))
    assert len(keys) == 1


def test_a_variable_that_is_set_before_it_is_read_does_not_matter() -> None:
    program = load(TEXT.replace("*p = 1;", "int z; z = 1; *p = z;"), file="p.c")
    live = live_variables(program.procedure("f"))
    assert "z" not in live[program.procedure("f").entry]
    assert any("z" in names for names in live.values())


MERGING = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
_Bool flip(void); void near(void); void far(void);
int x, y, *p; void (*q)(void); pthread_key_t k; pthread_mutex_t m, n;
void one(void *a) { x = 1; }
void two(void *a) { x = 2; }
void *g(void *a) { pthread_setspecific(k, &y); return 0; }
void *f(void *a) { pthread_mutex_lock(&n); return 0; }
int main(void) {
  pthread_t t, u; pthread_mutex_lock(&n); pthread_create(&t, 0, f, 0);
  int i = flip() + flip();
  if (i == 1) { SECOND } else { FIRST }
  THEN
  return 0; }
"""


@pytest.mark.parametrize(
    ("first", "second", "then"),
    [
        ("p = calloc(1, 4);", "p = malloc(4);", "pthread_mutex_lock(&m); assert(*p == 0);"),
        ("q = near;", "q = far;", "pthread_mutex_lock(&m); assert(q != far);"),
        (
            "pthread_key_create(&k, one);",
            "pthread_key_create(&k, two);",
            "pthread_create(&u, 0, g, 0); pthread_join(u, 0); assert(x != 2);",
        ),
    ],
)
def test_what_is_merged_is_the_same(first: str, second: str, then: str) -> None:
    """The second of three ways alone leads there; the search sees the first one before, the check the last."""
    text = MERGING.replace("FIRST", first).replace("SECOND", second).replace("THEN", then)
    assert check(text, file="p.c", property="reach").verdict.name == "FALSE"
