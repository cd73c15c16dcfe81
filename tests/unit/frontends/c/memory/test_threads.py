"""C with threads as it is read: every use of memory is an edge of its own; what is not understood is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.frontends.languages import load
from knaster.program.expression import postorder
from knaster.program.memory import Load, memory_expressions
from knaster.program.model import Program, expressions

pytest.importorskip("clang.cindex")
TEXT = """#include <pthread.h>
struct s {{ int a, b; struct s *next; }} *p; int x, y, v[3];
void *f(void *a) {{ {} return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); return 0; }}
"""
STATEMENTS = """x = y + x;
x++;
y = x++ + ++y;
v[x] += v[y];
p->next->a = p->b;
if (p && p->next->b) x = 1;
y = p ? p->a : x;
while (x && y || v[0]);
return x ? &x : &y;
*(&x + y) = p->next->next->b;
x = (y, p->a);"""


def loads_of(program: Program) -> list[int]:
    """Return how many times each edge reads memory."""
    found = []
    for edge in program.procedure("f").edges:
        read = (*expressions(edge.action), *memory_expressions(edge.action))
        found.append(sum(isinstance(node, Load) for expr in read for node in postorder(expr)))
    return found


@pytest.mark.parametrize("statement", STATEMENTS.splitlines())
def test_every_read_is_an_edge(statement: str) -> None:
    program = load(TEXT.format(statement), file="p.c")
    assert isinstance(program, Program)
    assert program.is_threaded
    counts = loads_of(program)
    assert max(counts) == 1
    for edge, count in zip(program.procedure("f").edges, counts, strict=True):
        assert not count or type(edge.action).__name__ == "Assign"


def test_a_program_without_threads_has_none() -> None:
    program = load("int x; int main(void) { int *p = &x; *p = 1; return 0; }\n", file="p.c")
    assert isinstance(program, Program)
    assert not program.is_threaded


@pytest.mark.parametrize("text", [TEXT.format("pthread_kill(pthread_self(), 9);"),
                                  "int main(void) { __CPROVER_ASYNC_1: return 0; }\n"])  # fmt: skip
def test_what_is_not_read_is_refused(text: str) -> None:
    with pytest.raises(SourceError):
        load(text, file="p.c")


def test_of_a_lock_the_thread_that_holds_it_is_shown() -> None:
    text = TEXT.format("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m);")
    program = load(text, file="test.c")
    assert program.memory is not None
    parts = {declared.name: [part.suffix for part in declared.parts] for declared in program.memory.objects}
    assert [suffixes for name, suffixes in parts.items() if name.endswith("m")] == [[".owner"]]


@pytest.mark.parametrize(
    ("wait", "notes"), [("while (!x) pthread_cond_wait(&c, &m);", 0), ("if (!x) pthread_cond_wait(&c, &m);", 1)]
)
def test_a_wait_outside_of_a_loop_is_said(wait: str, notes: int) -> None:
    text = f"""#include <pthread.h>
pthread_mutex_t m; pthread_cond_t c; int x;
void *f(void *a) {{ pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); {wait} pthread_mutex_unlock(&m); return 0; }}
"""
    result = knaster.check(text, "deadlock", file="a.c")
    assert sum("may return without a signal" in note for note in result.notes) == notes
