"""The families of programs in which mistakes are planted: which rooms and checkers, and questions with what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

Question = tuple[str, str, str | None, str]  # a program, its file, the engine, and what is so


class Family(NamedTuple):
    """Where mistakes are planted, how often a checker counts beside another module, and what is asked."""

    rooms: tuple[str, ...]
    checkers: tuple[str, ...]
    weight: int
    questions: Callable[[], Iterator[Question]]


def boolean_questions() -> Iterator[Question]:
    """Yield Boolean programs with and without threads, each right and wrong."""
    from support.fuzz.proofs import boolean_cases

    cases = [case for case in boolean_cases() if case.section != "run" and case.question is None and not case.switches]
    texts = [
        (text, case.engine, truth) for case in cases for text, truth in ((case.right, "TRUE"), (case.wrong, "FALSE"))
    ]
    yield from ((text, "p.bp", engine, truth) for text, engine, truth in dict.fromkeys(texts))


_C = (  # a program, and what is changed in it so that it fails
    ("int i = 0, s = 0; while (i < 9) { i++; s += 2; } assert(s == 18);", "s == 18", "s == 17"),
    (
        "int x = in(), y = 0; if (x > 3) y = 1; else y = 2; assert(y > 0 && (y == 1) == (x > 3));",
        "== (x > 3)",
        "== (x > 2)",
    ),
    ("int a[4] = {0}, i; for (i = 0; i < 4; i++) a[i] = i * i; assert(a[3] == 9);", "a[3] == 9", "a[2] == 5"),
    ("unsigned char c = 250; while (c > 9) c = c + 1; assert(c == 0);", "c == 0", "c == 1"),
    ("int x = in(); if (x < 0 || x > 5) return 0; assert(half(x + x) == x);", "== x)", "< 5)"),
    ("int x = in(), n = 0; while (x > 0) { x = x - 1; n = 1; } assert(x <= 0);", "x <= 0)", "x < 0)"),
    ("int x = in(); assert(-7 / 2 == -3 && -7 % 2 == -1 && (x & 1) < 2);", "< 2)", "< 1)"),
    ("int i = 0, j = 10; while (i < j) { i = i + 1; j = j - 1; } assert(i == j);", "i == j)", "i < j)"),
)


def c_questions() -> Iterator[Question]:
    """Yield programs of C, each right and wrong."""
    before = "#include <assert.h>\nint in(void);\nint half(int n) { if (n < 2) return 0; return 1 + half(n - 2); }\n"
    for body, old, new in _C:
        assert old in body
        for text, truth in ((body, "TRUE"), (body.replace(old, new), "FALSE")):
            yield f"{before}int main(void) {{ {text} return 0; }}\n", "p.c", None, truth


_MEMORY = (  # likewise, with pointers
    ("int x = in(), *p = &x; if (*p > 5) *p = 5; assert(x <= 5);", "x <= 5", "x < 5"),
    (
        "int v[4] = {1, 2, 3, 4}, i = in(); if (i < 0 || i > 3) return 0; int *p = v + i; assert(*p == i + 1);",
        "== i",
        "> i",
    ),
    ("int x = in(), y = in(), a = x, b = y; swap(&a, &b); assert(a == y && b == x);", "b == x", "b == y"),
    ("int *p = malloc(8); p[0] = in(); p[1] = p[0] & 7; assert(p[1] >= 0 && p[1] < 8); free(p);", "< 8", "< 7"),
    ("unsigned x = in(); unsigned char *p = (unsigned char *)&x; assert(p[0] == x % 256);", "x % 256", "x % 128"),
    (
        "int x = in(), s = 0, *p = &s; if (x < 0 || x > 3) return 0; while (x--) *p += 2; assert(s < 7);",
        "s < 7",
        "s < 6",
    ),
    ("int n = in(), x = 0, *p = &x; if (n < 0) return 0; while (*p < n) *p += 1; assert(x == n);", "== n)", "< n)"),
    ("int x = in(), *p = 0; if (x > 3) p = &x; assert(!p || *p > 3); assert(p || x <= 3);", "x <= 3", "x < 3"),
)


def memory_questions() -> Iterator[Question]:
    """Yield programs of C with memory, each right and wrong, by several engines."""
    before = "#include <assert.h>\n#include <stdlib.h>\nint in(void);\n"
    before += "void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }\n"
    for body, old, new in _MEMORY:
        assert old in body
        for text, truth in ((body, "TRUE"), (body.replace(old, new), "FALSE")):
            for engine in ("paths", "regions", None):
                yield f"{before}int main(void) {{ {text} return 0; }}\n", "p.c", engine, truth


_THREADS = (  # what a thread does, what main does beside it, and what is changed so that it fails
    ("x = 7; y = 1;", "int b = y, c = x; assert(b != 1 || c == 7);", "x = 7; y = 1;", "y = 1; x = 7;"),
    ("int n = in(); lock; x = n; y = n; unlock;", "lock; assert(x == y); unlock;", "y = n;", "y = 0;"),
    ("lock; x = x + 1; unlock;", "lock; x = x + 1; unlock; assert(x > 0);", "x > 0", "x > 1"),
    ("if (in() > 5) x = 1;", "int b = x; assert(b == 0 || b == 1);", "b == 1", "b == 2"),
)


def thread_questions() -> Iterator[Question]:
    """Yield threads of C, each right and wrong, by several engines."""
    before = "#include <assert.h>\n#include <pthread.h>\nint in(void); int x, y; pthread_mutex_t m;\n"
    for thread, main, old, new in _THREADS:
        text = f"{before}void *f(void *p) {{ {thread} return 0; }}\nint main(void) {{ pthread_t t; "
        text += f"pthread_create(&t, 0, f, 0); {main} return 0; }}\n"
        assert old in text
        for one, truth in ((text, "TRUE"), (text.replace(old, new), "FALSE")):
            whole = one.replace("unlock;", "pthread_mutex_unlock(&m);").replace("lock;", "pthread_mutex_lock(&m);")
            yield from ((whole, "p.c", engine, truth) for engine in ("interleaved", None))


def zing_questions() -> Iterator[Question]:
    """Yield the small models."""
    from support.small_models import ONE_THREAD, RECURSIVE, THREADS

    engines = {"visible": ONE_THREAD | RECURSIVE, "patterns": ONE_THREAD, "explicit": ONE_THREAD}
    for engine, models in engines.items():
        yield from ((text, "m.zing", engine, "FALSE" if kinds else "TRUE") for text, kinds in models.values())
    fails = {"the second waits", "the third fails", "raised outside of a region", "nobody ends"}
    yield from ((text, "m.zing", "explicit", "FALSE" if name in fails else "TRUE") for name, text in THREADS.items())


FAMILIES = {
    "boolean": Family(
        (
            *("bdd", "engines/boolean/summaries", "engines/threads/states", "engines/threads/modular"),
            *("engines/threads/stacks", "views/symbolic", "views/summaries", "program/layout", "pushdown/saturation"),
        ),
        (
            *("path_edges", "boolean_meaning", "threads/configurations", "threads/thread_steps"),
            *("threads/interference", "threads/interference_form", "threads/stack_table", "checked"),
        ),
        6,
        boolean_questions,
    ),
    "c": Family(
        ("engines/integers", "views/steps", "smt", "program/unrolling", "transform/cones"),
        (
            *("invariants", "unrolling", "all_runs", "checked", "c/bit_vectors", "c/claims", "c/meaning", "c/terms"),
            *("c/obligations", "c/unbounded_integers", "c/walk"),
        ),
        4,
        c_questions,
    ),
    "memory": Family(
        ("engines/integers/paths", "engines/integers/regions", "transform/regions", "semantics/memory"),
        (
            "memory/memory_paths",
            "memory/memory_runs",
            "memory/memory_ends",
            "memory/regions",
            "memory/enumerated_inputs",
        ),
        2,
        memory_questions,
    ),
    "threads of C": Family(
        ("engines/integers/interleaved", "engines/explicit", "transform/memory_threads", "semantics/memory/threads"),
        ("memory/reduced_threads", "memory/memory_states", "memory/reduced_texts"),
        2,
        thread_questions,
    ),
    "zing": Family(
        ("engines/references", "engines/explicit", "views/heap", "semantics/heap"),
        (
            *("heap/effect_table", "heap/matching", "heap/rows", "heap/state_table", "heap/private_steps"),
            *("heap/form", "heap/exclusions", "heap/endless_regions", "heap/partial_heap"),
        ),
        4,
        zing_questions,
    ),
}
