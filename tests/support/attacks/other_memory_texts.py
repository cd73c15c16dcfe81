"""Proofs of C with memory, handed over as those of another text: all runs, paths and states, and reduced programs.

Of `regions` and threads as one program the kernel is asked about the reduced program of the other text, too, which is
made from that text; loops have no bound, so it has nothing else to go by.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from support.attacks.attack import Attack
from support.attacks.other_texts import Group, changes_of, forge

REACH: dict[str, Any] = {"property": "reach"}
ADD = """void add(int *p, int n) { *p += n; }
int main(void) { int x = 0, n = read(); if (n < 0) return 0; for (int i = 0; i < n; i++) { add(&x, 1); }
if (x != n) { ERROR: ; } return 0; }
"""
KEEP = """struct pair { int a, b; } g;
void keep(struct pair *p, int n) { p->a = n; p->b = n; }
int main(void) { struct pair *p = &g; while (read()) { int n = read(); if (n > 3) n = 3; keep(p, n); }
if (g.a != g.b || g.a > 3) { ERROR: ; } return 0; }
"""
INSIDE = """int v[4];
int main(void) { int i = 0, n = read(), *p = v; while (n > 0) { n = n - 1; p[i] = 1; i = i + 1; if (i > 3) i = 0; }
return *p; }
"""
ENDS = """void less(int *p) { *p -= 1; }
int main(void) { int n = read(); while (n > 0) { less(&n); } return 0; }
"""
LOCK = """#include <pthread.h>
int x, y; pthread_mutex_t m;
void *one(void *p) { int n = read(); pthread_mutex_lock(&m); x = n; y = n; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0);
pthread_mutex_lock(&m); if (x != y) { ERROR: ; } pthread_mutex_unlock(&m); return 0; }
"""
FLAG = """#include <pthread.h>
int x, y;
void *one(void *p) { x = 7; y = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); int b = y, c = x;
if (b == 1 && c != 7) { ERROR: ; } return 0; }
"""
BUSY = """#include <pthread.h>
int x, k;
void *one(void *p) { x = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); while (!x) { k = !k; } return 0; }
"""
LISTS = """struct n { int d; struct n *next; }; extern void *malloc(unsigned long); extern void free(void *);
struct n *push(struct n *l, int d) { struct n *m = malloc(sizeof *m); m->d = d; m->next = l; return m; }
void drop(struct n *l) { while (l) { struct n *m = l->next; free(l); l = m; } }
int main(void) { struct n *l = 0, *k = 0;
while (read()) { l = push(l, 1); }
while (l) { struct n *m = l->next; l->next = k; k = l; l = m; }
drop(k); return 0; }
"""
GROUPS = (
    Group(
        "a.c",
        LISTS,
        {"property": "memory"},
        {"shapes of another text": {"engine": "shapes"}},
        """m->next = l; return -> m->d = l == 0; return
        l = m; } } -> l = l; } }
        free(l) -> free(m)
        l->next = k; k = l -> k = l; l->next = k""",
    ),
    Group(
        "a.c",
        BUSY,
        {"property": "termination"},
        {"lasso of threads of C": {}},
        """k = !k -> x = !x
        k = !k -> x = !k
        while (!x) -> while (!k)""",
    ),
    Group(
        "a.c",
        BUSY,
        {"property": "termination", "fair": "weak"},
        {"fair states of threads of C": {}},
        """x = 1 -> x = 0
        x = 1 -> k = 1
        while (!x) -> while (k < 2)""",
    ),
    Group(
        "a.c",
        ADD,
        REACH,
        {"regions, reduced": {"engine": "regions"}},
        """i < n -> i <= n
        i = 0 -> i = 1
        x = 0, -> x = 1,
        add(&x, 1) -> add(&x, 2)
        add(&x, 1) -> add(&x, i)
        *p += n -> *p -= n
        *p += n -> *p += n + n
        *p += n -> *p = n
        n < 0 -> n < -5
        x != n -> x == n
        x != n -> x > 100
        i++ -> i += 2""",
    ),
    Group(
        "a.c",
        KEEP,
        REACH,
        {"regions, reduced": {"engine": "regions"}},
        """p->b = n -> p->b = n + 1
        p->b = n -> p->a = n
        p->a = n -> p->b = n
        n > 3 -> n > 4
        n = 3; -> n = 4;
        g.a > 3 -> g.a > 2
        g.a != g.b -> g.a == g.b
        keep(p, n) -> keep(p, n + 1)""",
    ),
    Group(
        "a.c",
        INSIDE,
        {"property": "safety"},
        {"regions, reduced": {"engine": "regions"}},
        """i > 3 -> i > 4
        i = i + 1 -> i = i - 1
        i = 0; } -> i = -1; }
        i = 0, n -> i = 4, n
        v[4] -> v[3]
        p[i] -> p[i + 1]""",
    ),
    Group(
        "a.c",
        ENDS,
        {"property": "termination"},
        {"regions, reduced": {"engine": "regions"}},
        """*p -= 1 -> *p -= 0
        *p -= 1 -> *p = 5
        *p -= 1 -> *p += 0
        n > 0 -> n != 7 and *p -= 1 -> *p += 2""",
    ),
    Group(
        "a.c",
        LOCK,
        REACH,
        {"threads, reduced": {"engine": "interleaved"}, "rounds, reduced": {"engine": "rounds", "rounds": 2}},
        """y = n; -> y = 0;
        x = n; -> x = 5;
        x != y -> x == y
        y = n; -> y = 1;
        x = n; -> x = n + 1;
        x != y -> x <= y""",
    ),
    Group(
        "a.c",
        FLAG,
        REACH,
        {
            "threads, reduced": {"engine": "interleaved"},
            "rounds, reduced": {"engine": "rounds", "rounds": 2},
            "states of threads of C": {},
        },
        """x = 7; y = 1 -> y = 1; x = 7
        b = y, c = x -> c = x, b = y
        x = 7 -> x = 6
        c != 7 -> c == 7
        b == 1 -> b == 0
        x = 7 -> x = 1""",
    ),
    Group(
        "a.c",
        "int main(void) { int n = read(), x = 0, *p = &x; if (n > 5) *p = 1; if (n * 2 == 8) *p += 2; "
        "if (x == 3) { ERROR: ; } return 0; }\n",
        REACH,
        {"paths of another text": {"engine": "paths"}},
        """n > 5 -> n > 3
        x == 3 -> x == 2
        *p = 1 -> *p = 3
        *p += 2 -> *p += 3
        == 8 -> == 14
        x = 0 -> x = 1""",
    ),
)


def attacks() -> Iterator[Attack]:
    """Yield all of them."""
    for group in GROUPS:
        for way in group.ways:
            for change in changes_of(group):
                yield Attack(way, change, partial(forge, group, way, change))
