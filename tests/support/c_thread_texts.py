"""Small C programs with threads that several tests look at."""

from __future__ import annotations

HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int any(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;
pthread_mutex_t m;
"""


def two_threads(first: str, second: str, main: str = "", before: str = "") -> str:
    """Return a program whose main starts two threads and then does something itself."""
    return f"""{HEAD}
void *one(void *p) {{ {first} return 0; }}
void *two(void *p) {{ {second} return 0; }}
int main(void) {{ pthread_t a, b; {before}
pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
{main} return 0; }}
"""


COUNTER = two_threads(
    "while (any()) { int n = any(); pthread_mutex_lock(&m); x = x + n; y = y + n; pthread_mutex_unlock(&m); }",
    "while (any()) { int n = any(); pthread_mutex_lock(&m); x = x + n; y = y + n; pthread_mutex_unlock(&m); }",
    "pthread_mutex_lock(&m); assert(x == y); pthread_mutex_unlock(&m);",
    "x = y = any();",
)
"""A counter under a lock: what is added is any number, and the threads add as often as they want."""
