"""What a thread may still use: globals that it reads and writes, by name, through pointers, and by the library."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.threads.footprints import POINTER_READ, POINTER_WRITE, Footprints

pytest.importorskip("clang.cindex")
TEXT = """#include <pthread.h>
#include <string.h>
int x, y, z, *p = &z;
void *f(void *a) { BODY return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = y; pthread_join(t, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "read", "written"),
    [
        ("", "", ""),
        ("int v = x;", "x", ""),
        ("x = 1;", "x", "x"),
        ("__builtin_add_overflow(4, 1, &x);", "x", "x"),
        ("__builtin_add_overflow(y, 1, &x);", "xy", "x"),
        ("int v; __builtin_add_overflow(4, 1, &v);", "", ""),
        ("int v = __builtin_popcount(3);", "", ""),
        ("int v = *p;", "z", ""),
        ("*p = 1;", "z", "z"),
        ("memset(&y, 0, 4);", "y", "y"),
    ],
)
def test_what_a_thread_may_still_use(body: str, read: str, written: str) -> None:
    """A write of a global meets whoever reads or writes it, a read of it whoever writes it.

    What a pointer leads to (`z`) may be met by more: by locals that end, whose address was given away.
    """
    program = load(TEXT.replace("BODY", body), file="a.c", objects="always")
    assert isinstance(program, Program)
    found = Footprints(program)
    mask = found.at("f", program.procedure("f").entry)
    through = POINTER_READ | POINTER_WRITE
    for name in "xyz":
        used = mask & found.conflicts(name, True) & (through if name == "z" else ~through)
        meets = mask & found.conflicts(name, False) & (through if name == "z" else ~through)
        if name != "z" or "&" not in body:
            assert (bool(used), bool(meets)) == (name in read, name in written), name
