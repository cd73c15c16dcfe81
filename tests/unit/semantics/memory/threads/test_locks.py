"""Locks and conditions: what a try says, how often a mutex is held, and who is woken."""

from __future__ import annotations

import pytest

from knaster import check

pytest.importorskip("clang.cindex")

HEAD = """#include <assert.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>
int x, y;
pthread_mutex_t m;
pthread_cond_t c;
"""
START = "pthread_t t; pthread_create(&t, 0, f, 0);"
CASES: dict[str, tuple[str, str, str]] = {  # the program, the property, and what is to be said
    "a mutex that is held is not given up": (
        """
int main() {
  pthread_mutex_lock(&m); assert(pthread_mutex_destroy(&m) == 16);
  pthread_mutex_unlock(&m); assert(pthread_mutex_destroy(&m) == 0); }
""",
        "reach",
        "TRUE",
    ),
    "a try": (
        """
int main() { assert(pthread_mutex_trylock(&m) == 0); assert(pthread_mutex_trylock(&m) == 16); }
""",
        "reach",
        "TRUE",
    ),
    "a recursive lock is held until its last unlock": (
        """
int main() {
  pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(pthread_mutex_trylock(&m) == 0);
  pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); assert(pthread_mutex_destroy(&m) == 16);
  pthread_mutex_unlock(&m); assert(pthread_mutex_destroy(&m) == 0); }
""",
        "reach",
        "TRUE",
    ),
    "a lock that looks who holds it": (
        """
int main() {
  pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == 35 && pthread_mutex_trylock(&m) == 16);
  assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == 1); }
""",
        "safety",
        "TRUE",
    ),
    "mutexes of C11": (
        """
int main() {
  mtx_t q; mtx_init(&q, mtx_plain);
  assert(mtx_trylock(&q) == thrd_success && mtx_trylock(&q) == thrd_busy); mtx_unlock(&q);
  mtx_init(&q, mtx_recursive); mtx_lock(&q); assert(mtx_trylock(&q) == thrd_success); }
""",
        "reach",
        "TRUE",
    ),
    "a wait that ends alone": (
        """
int main() {
  struct timespec u = {0}; pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&c, &m, &u) == 110); pthread_mutex_unlock(&m); }
""",
        "reach",
        "TRUE",
    ),
    "a wait that is ended": (
        """
void *f(void *a) { pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
int main() { struct timespec u = {0}; pthread_mutex_lock(&m); START
  assert(pthread_cond_timedwait(&c, &m, &u) == 110); }
""",
        "reach",
        "FALSE",
    ),
    "the first of two is woken": (
        """
void *f(void *a) {
  pthread_mutex_lock(&m); y++; pthread_cond_wait(&c, &m); x += *(int *)a; pthread_mutex_unlock(&m); return 0; }
int main() {
  int one = 1, two = 2; pthread_t t, u;
  pthread_create(&t, 0, f, &one); pthread_create(&u, 0, f, &two);
  pthread_mutex_lock(&m);
  if (y == 2) { pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(x != 1); } }
""",
        "reach",
        "FALSE",
    ),
    "the second of two is woken": (
        """
void *f(void *a) {
  pthread_mutex_lock(&m); y++; pthread_cond_wait(&c, &m); x += *(int *)a; pthread_mutex_unlock(&m); return 0; }
int main() {
  int one = 1, two = 2; pthread_t t, u;
  pthread_create(&t, 0, f, &one); pthread_create(&u, 0, f, &two);
  pthread_mutex_lock(&m);
  if (y == 2) { pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(x != 2); } }
""",
        "reach",
        "FALSE",
    ),
    "not both are woken": (
        """
void *f(void *a) {
  pthread_mutex_lock(&m); y++; pthread_cond_wait(&c, &m); x += *(int *)a; pthread_mutex_unlock(&m); return 0; }
int main() {
  int one = 1, two = 2; pthread_t t, u;
  pthread_create(&t, 0, f, &one); pthread_create(&u, 0, f, &two);
  pthread_mutex_lock(&m);
  if (y == 2) { pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_lock(&m); assert(x != 3); } }
""",
        "reach",
        "TRUE",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_can_happen(name: str) -> None:
    body, asked, expected = CASES[name]
    result = check(HEAD + body.replace("START", START), file="p.c", property=asked)
    assert result.verdict.name == expected, result.reason
    assert all(answer.checked for _, answer in result.answers)
