"""Words of threads: small programs, each about one of them, and what can happen."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.errors import SourceError
from knaster.frontends.c.memory import threads as words
from knaster.semantics.memory.threads.operations import SECTIONS, THREADS

pytest.importorskip("clang.cindex")

HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <stdlib.h>
#include <stdatomic.h>
int x, y; atomic_int z; _Atomic unsigned char k;
pthread_mutex_t m; pthread_mutex_t n; pthread_cond_t c; pthread_rwlock_t w; sem_t s; pthread_barrier_t b;
pthread_once_t o = PTHREAD_ONCE_INIT;
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
"""
START = "pthread_t t; pthread_create(&t, 0, f, 0);"
CASES: dict[str, tuple[str, str, str]] = {  # the program, the property, and what is to be said
    "a sum of two steps": ("void *f(void *a) { x = x + 1; } int main() { START x = x + 1; pthread_join(t, 0);"
                           " assert(x == 2); }", "reach", "FALSE"),
    "a mutex": ("void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } int main() { START"
                " pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); assert(x == 2); }",
                "reach", "TRUE"),
    "a section": ("void *f(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); } int main() { START"
                  " __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); pthread_join(t, 0); assert(x == 2); }",
                  "reach", "TRUE"),
    "a function that is a section": ("void __VERIFIER_atomic_inc() { x++; } void *f(void *a) { __VERIFIER_atomic_inc();"
                                     " } int main() { START __VERIFIER_atomic_inc(); pthread_join(t, 0);"
                                     " assert(x == 2); }", "reach", "TRUE"),
    "the order of locks": ("void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); } int main() { START"
                           " pthread_mutex_lock(&n); pthread_mutex_lock(&m); }", "deadlock", "FALSE"),
    "a lock that is taken twice": ("int main() { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }",
                                   "deadlock", "FALSE"),
    "a recursive lock": ("int main() { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a,"
                         " PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a); pthread_mutex_lock(&m);"
                         " pthread_mutex_lock(&m); }", "deadlock", "TRUE"),
    "an unlock of what is not held": ("int main() { pthread_mutex_unlock(&m); }", "safety", "FALSE"),
    "a condition": ("void *f(void *a) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c);"
                    " pthread_mutex_unlock(&m); } int main() { START pthread_mutex_lock(&m); while (!x)"
                    " pthread_cond_wait(&c, &m); assert(x); pthread_mutex_unlock(&m); pthread_join(t, 0); }",
                    "deadlock", "TRUE"),
    "a signal that is lost": ("void *f(void *a) { pthread_cond_signal(&c); } int main() { START pthread_mutex_lock(&m);"
                              " pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }", "deadlock", "FALSE"),
    "a writer alone": ("void *f(void *a) { pthread_rwlock_wrlock(&w); x = 1; x = 0; pthread_rwlock_unlock(&w); } int"
                       " main() { START pthread_rwlock_rdlock(&w); assert(x == 0); pthread_rwlock_unlock(&w); }",
                       "reach", "TRUE"),
    "a semaphore": ("void *f(void *a) { x = 1; sem_post(&s); } int main() { sem_init(&s, 0, 0); START sem_wait(&s);"
                    " assert(x == 1); }", "reach", "TRUE"),
    "a barrier": ("void *f(void *a) { x = 1; pthread_barrier_wait(&b); } int main() { pthread_barrier_init(&b, 0, 2);"
                  " START pthread_barrier_wait(&b); assert(x == 1); pthread_join(t, 0); }", "deadlock", "TRUE"),
    "sums that may overflow": ("void *f(void *a) { __builtin_add_overflow(x, 1, &x); } int main() { START"
                               " __builtin_add_overflow(x, 1, &x); pthread_join(t, 0); assert(x == 2); }",
                               "reach", "FALSE"),
    "a sum that is seen": ("void *f(void *a) { __builtin_add_overflow(4, 1, &x); } int main() { START assert(x == 0);"
                           " pthread_join(t, 0); }", "reach", "FALSE"),
    "sums at once": ("void *f(void *a) { __builtin_mul_overflow(4, 1, &x); } int main() { START"
                     " __builtin_sub_overflow(4, 1, &x); pthread_join(t, 0); }", "race", "FALSE"),
    "sums in other places": ("void *f(void *a) { __builtin_mul_overflow(4, 1, &x); } int main() { START"
                             " __builtin_sub_overflow(4, 1, &y); pthread_join(t, 0); }", "race", "TRUE"),
    "what is no function": ("int main() { pthread_t t; pthread_create(&t, 0, (void *(*)(void *))&x, 0); }",
                            "safety", "FALSE"),
    "what is done once": ("void inc() { x++; } void *f(void *a) { pthread_once(&o, inc); } int main() { START"
                          " pthread_once(&o, inc); assert(x == 1); }", "reach", "TRUE"),
    "threads of C11": ("int f(void *a) { x = 1; return 7; } int main() { thrd_t t; int r; thrd_create(&t, f, 0);"
                       " thrd_join(t, &r); assert(x == 1 && r == 7); }", "reach", "TRUE"),
    "what a thread returns": ("void *f(void *a) { pthread_exit(&x); } int main() { START void *r; pthread_join(t, &r);"
                              " assert(r == &x); }", "reach", "TRUE"),
    "a value of each thread": ("_Thread_local int h = 1; void *f(void *a) { h++; x = h; } int main() { START"
                               " pthread_join(t, 0); assert(h == 1 && x == 2); }", "reach", "TRUE"),
    "a label that starts a thread": ("int main() { x = 1; __CPROVER_ASYNC_1: x = 2; assert(x == 1); }",
                                     "reach", "FALSE"),
    "the end of main ends all": ("void *f(void *a) { while (1); } int main() { START return 0; }", "deadlock", "TRUE"),
    "the end of a run is a step": ("void *f(void *a) { x = 1; exit(0); } int main() { START if (x) y = 1;"
                                   " assert(!y); }", "reach", "FALSE"),
    "an argument": ("void *f(void *a) { *(int *)a = 5; } int main() { int z = 0; pthread_t t; pthread_create(&t, 0, f,"
                    " &z); pthread_join(t, 0); assert(z == 5); }", "reach", "TRUE"),
    "a local of another thread": ("int *p; void *f(void *a) { if (p) *p = 1; } int main() { START int z = 0; p = &z;"
                                  " assert(z == 0); pthread_join(t, 0); }", "reach", "FALSE"),
    "a local that is dead": ("int *p; void *f(void *a) { int z = 0; p = &z; } int main() { START pthread_join(t, 0);"
                             " *p = 1; }", "memory", "FALSE"),
    "a local that still lives": ("int *p; void *f(void *a) { int z = 1; p = &z; x = 1; return 0; } int main() { START"
                                 " if (x && *p == 1) y = 1; assert(!y); }", "reach", "FALSE"),
    "a local of a call that still lives": ("int *p; void g() { int z = 1; p = &z; x = 1; } void *f(void *a) { g(); }"
                                           " int main() { START if (x && *p == 1) y = 1; assert(!y); }",
                                           "reach", "FALSE"),
    "a local of a block that still lives": ("int *p; void *f(void *a) { { int z = 1; p = &z; x = 1; } int k; k = 0; }"
                                            " int main() { START if (x && *p == 1) y = 1; assert(!y); }",
                                            "reach", "FALSE"),
    "a thread that waits for nobody who comes": ("void *f(void *a) { while (!x); } int main() { START pthread_t u;"
                                                 " y = 1; assert(!y); }", "reach", "FALSE"),
    "reads alone": ("void *f(void *a) { y = x; } int main() { START int z = x; pthread_join(t, 0); }", "race", "TRUE"),
    "a read and a write": ("void *f(void *a) { y = x; } int main() { START x = 1; }", "race", "FALSE"),
    "a join is an order": ("void *f(void *a) { x = 2; } int main() { START pthread_join(t, 0); x = 1; }",
                           "race", "TRUE"),
    "a section and a plain write": ("void *f(void *a) { __VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end(); }"
                                    " int main() { START x = 1; }", "race", "FALSE"),
    "atomic sums": ("void *f(void *a) { z++; z += 2; atomic_fetch_add(&z, 3); __sync_fetch_and_add(&x, 1); k++;"
    " } int main()"
                    " { START z++; z += 2; atomic_fetch_add(&z, 3); __sync_fetch_and_add(&x, 1); k++;"
                    " pthread_join(t, 0);"
                    " assert(z == 12 && x == 2 && k == 2); }", "reach", "TRUE"),
    "an atomic sum of two steps": ("void *f(void *a) { z = z + 1; } int main() { START z = z + 1; pthread_join(t, 0);"
                                   " assert(z == 2); }", "reach", "FALSE"),
    "an exchange": ("void *f(void *a) { int e = 0; if (atomic_compare_exchange_strong(&z, &e, 1)) x++; else y ="
    " e; } int"
                    " main() { START int e = 0; if (atomic_compare_exchange_strong(&z, &e, 1)) x++; else y = e;"
                    " pthread_join(t, 0); assert(x == 1 && y == 1); }", "reach", "TRUE"),
    "a weak exchange": ("int main() { int e = 0; pthread_mutex_lock(&m);"
    " assert(atomic_compare_exchange_weak(&z, &e, 1));"
                        " }", "reach", "FALSE"),
    "a value of a compiler's exchange": ("int main() { pthread_mutex_lock(&m);"
    " assert(__sync_val_compare_and_swap(&x, 0, 4)"
                                         " == 0 && x == 4 && __atomic_exchange_n(&x, 5, __ATOMIC_SEQ_CST) == 4); }",
                                         "reach", "TRUE"),
    "atomic uses are no race": ("void *f(void *a) { z = 1; y = z; } int main() { START z = 2;"
    " __atomic_store_n(&x, 1, 5);"
                                " }", "race", "TRUE"),
    "an atomic and a plain use": ("void *f(void *a) { x = 1; } int main() { START __atomic_store_n(&x, 1, 5); }",
                                  "race", "FALSE"),
    "a key with a destructor": ("pthread_key_t k1; void d(void *v) { x = *(int *)v; } void *f(void *a) {"
                                " pthread_setspecific(k1, &y); y = 5; return 0; } int main() {"
                                " pthread_key_create(&k1, d);"
                                " START pthread_join(t, 0); assert(x == 5); }", "reach", "TRUE"),
    "a thread that is cancelled": ("void *f(void *a) { pthread_testcancel(); x = 1; return 0; } int main() {"
    " START void *r;"
                                   " pthread_cancel(t); pthread_join(t, &r); assert(x || r == PTHREAD_CANCELED); }",
                                   "reach", "TRUE"),
    "an input of a thread that moves alone": ("int any(void); void *f(void *a) { int l = any(); while (l <"
    " x) l = l + 1;"
                                              " assert(l <= x); } int main() { START return 0; }", "reach", "FALSE"),
    "a function of which nothing is known": ("int __CPROVER_uninterpreted_h(int); void *f(void *a) { x ="
                                             " __CPROVER_uninterpreted_h(1); } int main() { START y ="
                                             " __CPROVER_uninterpreted_h(1); pthread_join(t, 0); assert(x == y); }",
                                             "reach", "TRUE"),
    "inputs that do not matter": ("int any(void); void *f(void *a) { pthread_mutex_lock(&m); x = x * any() - y;"
                                  " pthread_mutex_unlock(&m); } int main() { START pthread_mutex_lock(&m); y ="
                                  " any() ^ x;"
                                  " pthread_mutex_unlock(&m); }", "race", "TRUE"),
    "inputs that matter": ("int any(void); void *f(void *a) { if (x * 3 == 9) y = 1; } int main() { x = any(); START"
                           " assert(!y); }", "reach", "FALSE"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_can_happen(name: str) -> None:
    body, asked, expected = CASES[name]
    result = check(HEAD + body.replace("START", START) + "\n", file="p.c", property=asked)
    assert result.verdict.name == expected, result.reason
    assert all(answer.checked for _, answer in result.answers)


def test_the_machine_can_do_what_the_reader_knows() -> None:
    assert THREADS.keys() >= words.PLAIN | {*words._WAITS.values(), *words._IDLE.split()}
    assert SECTIONS.keys() == {*words.SECTIONS.values()}


def test_a_bound_is_said() -> None:
    text = HEAD + CASES["a sum of two steps"][0].replace("START", START) + "\n"
    assert check(text, file="p.c", switches=1).verdict.name == "UNKNOWN"
    assert check(text, file="p.c", switches=3).verdict.name == "FALSE"


def test_weaker_orders_are_refused_where_there_are_threads() -> None:
    alone = "#include <assert.h>\nint x; int main() { assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 0); }\n"
    assert check(alone, file="p.c").verdict.name == "TRUE"
    text = HEAD + "void *f(void *a) { } int main() { START return __atomic_load_n(&x, __ATOMIC_RELAXED); }\n"
    with pytest.raises(SourceError, match="weaker than seq_cst"):
        check(text.replace("START", START), file="p.c")


def test_what_atomics_return_is_a_plain_value() -> None:
    text = """int e = 9; atomic_bool i; atomic_flag l = ATOMIC_FLAG_INIT; int *_Atomic q;
    void *f(void *a) { } int main() { START int r = atomic_load(&z); assert(r == 0); atomic_store(&z, 5);
    assert(atomic_exchange(&z, 7) == 5 && atomic_fetch_add(&z, 3) == 7); if (atomic_load(&i)) assert(0);
    atomic_store(&i, 2); assert(atomic_exchange(&i, 0) == 1); atomic_store(&k, 255);
    assert(atomic_fetch_add(&k, 1) == 255 && k == 0); assert(!atomic_compare_exchange_strong(&z, &e, 1) && e == 10);
    assert(atomic_compare_exchange_strong(&z, &e, z + 1) && z == 11); atomic_store(&q, &x);
    assert(atomic_load(&q) == &x && !atomic_flag_test_and_set(&l)); while (!atomic_flag_test_and_set(&l)) assert(0); }
    """
    assert check(HEAD + text.replace("START", START), file="p.c", property="reach").verdict.name == "TRUE"


def test_a_function_of_another_file_is_not_known() -> None:
    text = f"{HEAD}void *far(void *); int main() {{ pthread_t t; pthread_create(&t, 0, far, 0); }}\n"
    result = check(text, file="a.c", property="safety")
    assert result.verdict.value == "UNKNOWN" and "a thread runs 'far', and nobody" in result.to_text().lower()
