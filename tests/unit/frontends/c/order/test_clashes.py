"""Operands in no fixed order: what C17 leaves undefined, what it leaves to the compiler, and what is fine."""

from __future__ import annotations

import pytest

from knaster.base.errors import Problem
from knaster.frontends.c.memory.reader import read_memory_tree
from knaster.frontends.c.order.clashes import Clash, Order, find_clashes
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.reading import read_tree
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.text.options import COptions

BEFORE = """int g, h;
int s(void) { g++; return g; }
int r(void) { return g; }
int other(void) { h++; return h; }
int plain(int x) { return x; }
int id(int a, int b) { return a + b; }
void put(int *p) { *p = 1; }
int get(int *p) { return *p; }
int far(void) { return s(); }
struct S { int a, b; };
struct V { int n, m; unsigned one : 3, two : 5; int near[4]; int *far; struct S s; struct V *next; char text[8];
    union { int i; char c; }; };
struct W { struct S s; int n; };
void *malloc(unsigned long);
"""
UNDEFINED = [
    "int i = 1; i = i++ + 1;",
    "int i = 0; i = i++;",
    "char c = 0; c = c++;",
    "int i = 0, a[3]; a[i] = i++;",
    "int i = 0, a[3]; a[i++] = i;",
    "int i = 0; i += i++;",
    "int i = 0; int k = i++ + i++;",
    "int i = 0; int k = id(i++, i);",
    "int i = 0; i = ++i + 1;",
    "int i = 0; int k = i + (i = 3);",
    "int i = 0; int k = -i++ - -i;",
    "int i = 0; if (i++ == i) ;",
    "struct S x = {1, 2}; x.a = x.a++;",
    "int a[2] = {0}; a[0] = a[0]++;",
    "char a[9]; char *p = a; *p++ = *p;",
    "int a[2] = {0}; int *p = a; int k = *p++ + *p++;",
    "int i = 0, a[3] = {0}; int k = a[i] * i++;",
    "int x = 0; int k = id(*(&x), x = 1);",
    "int a[2] = {0}; *a = a[0]++;",
    "struct S t = {0}, *p = &t; p->a = p->a++;",
    "struct S t = {0}, *p = &t; p->a = (*p).a++;",
    "struct V t = {0}, *p = &t; p->i = p->c++;",
    "union { int i; char c; } x = {0}; x.i = x.c++;",
    "struct V t = {0}, *p = &t; p->s.a = p->s.a++;",
]
WHERE_SAME = [
    "int a[2] = {0}; int i = 0, j = 1; a[i] = a[j]++;",
    "int x = 0, y = 0; int *p = &x, *q = &y; *p = (*q)++;",
    "int x = 0; int *p = &x; *p = x++;",
    "struct S t = {0}, u = {0}, *p = &t, *q = &u; p->a = q->a++;",
    "struct S t = {0}, *p = &t; int *q = &t.b; p->a = (*q)++;",
    "struct V t = {0}, *p = &t; p->far = &t.n; p->far[p->n++] = p->m;",
    "struct V t = {0}, *p = &t; int *far = (int *)p; far[p->n++] = p->m;",
    "struct V t = {0}, *p = &t; int *far = p->near; far[0] = p->near[1]++;",
    "struct V t = {0}, *p = &t; unsigned *q = (unsigned *)&p->n; q[0] = p->n++;",
    "struct V t = {0}, *p = &t; struct S *q = &t.s; *q = (p->s.a++, *q); p->s.b = q->b++;",
    "struct V t = {0}, u[2] = {0}, *p = &t, *q = &u[1]; *p = u[q->n++];",
    "struct V t = {0}, u = {0}, *p = &t, *q = &u; p->i = q->c++;",
    "struct W t = {0}, *p = &t; struct S *q = &t.s; p->s.a = q->a++;",
    "struct S t = {0}, *p = &t, **q = &p; (*q)->a = p->a++;",
    "struct S t = {0}, *p = &t; char *c = (char *)p; *c = p->b++;",
    "struct S t = {0}, *p = &t, *q = (struct S *)&t.b; p->b = q->a++;",
    "struct S *volatile p = 0; p->a = p->a++;",
    "int i = 0; int k = i + (i ? i++ : 0);",
    "int i = 0; int k = i + (i && i++);",
    "int i = 0; i = i ?: i++;",
    "int a[3] = {0}, i = 0; int k = a[a[i]++];",
    "struct V t = {0}, *p = &t; p->far = &t.n; int k = p->far[--p->n];",
]
UNSPECIFIED = [
    "int k = s() + s();",
    "int k = s() + g;",
    "g += s();",
    "g = g + s();",
    "int k = id(s(), r());",
    "int k = far() + r();",
    "int i = 0; int a[] = {i++, i++};",
    "int x = 0; int k = ({ put(&x); 1; }) + x;",
    "int x = 0; int k = get(&x) + (x = 2);",
]
FINE = [
    "int i = 0; i = i + 1;",
    "int i = 0; i = (i++, 5);",
    "int i = 0; int k = i++ && i++;",
    "int i = 0; int k = i++ || i;",
    "int i = 0; i = i++ ? 1 : 2;",
    "int k = r() + r();",
    "int k = s() + other();",
    "g = s();",
    "int k = plain(1) + plain(2);",
    "struct S x = {1, 2}; x.a = x.b++;",
    "int a[2] = {0}; a[0] = a[1]++;",
    "char a[9], b[9]; char *p = a, *q = b; *p++ = *q++;",
    "int x = 0, y; int *p = &y; *p = x++;",
    "int i = 5; while (i-- > 0) ;",
    "int i, j; i = j = 0;",
    "int a[3] = {0}; int i = 0; i = a[i] + i;",
    "int x = 0; put(&x); x = get(&x) + 1;",
    "int i = 1; int k = i++ * 2;",
    "int i = 0; switch (i++) { case 0: ; }",
    "long x = 0; int y = 0; int *p = &y; *p = x++;",
    "struct S t = {0}, *p = &t; p->a = p->b++ + 1;",
    "struct S t = {0}, u = {0}, *p = &t, *q = &u; p->a = q->b++;",
    "struct S t = {0}, *p = &t; struct { int k, n; } u = {0}, *q = &u; p->a = q->n++;",
    "struct V t = {0}, *p = &t; p->near[p->n++] = p->m;",
    "struct V t = {0}, *p = &t; int x, *q = &x; p->far = q; p->far[p->n++] = p->m; int k = p->far[--p->n] + *q;",
    "struct V t = {0}, *p = &t; struct S u = {0}, *q = &u; p->n++, *q = (p->n++, u); q->a = p->n++;",
    "struct W t = {0}, *p = &t; struct S *q = &t.s; q->a = p->n++;",
    "struct V t = {0}, *p = &t; p->near[p->n++] = p->near[p->m++];",
    "struct V t = {0}, *p = &t; p->text[p->n++] = p->c;",
    "struct V t = {0}, *p = &t; p->s.a = p->s.b++;",
    "struct V t = {0}, *p = &t; p->one = p->two++;",
    "struct V t = {0}, *p = &t; p[1].near[p[0].n++] = 3;",
    "struct V t = {0}, *p = &t; p->next->n = p->next->m++;",
    "struct V t = {0}, *p = &t; *p->text = p->n++;",
    "union { int i; struct { short x, y; } s; } x = {0}; x.s.x = x.s.y++;",
    "int a[2][2] = {0}, i = 0, j = 1; a[0][i] = a[1][j]++;",
    "int n = 0, m = 0, a[3], b[3] = {0}; a[n++] = b[m++];",
    "char *p = 0, **q = &p; *(*q)++ = 1;",
    "int i = 0; int k = i ? i++ : i;",
    "int i = 0; i = i && i;",
    "struct S *p = malloc(8), *q = malloc(8); p->a = q->b++;",
]


def _tree(text: str) -> nodes.File:
    problems: list[Problem] = []
    tree = read_tree(text, "test.c", COptions(), Layout(text), problems)
    if tree is not None and not problems and not any(function.problems for function in tree.functions):
        return tree
    problems.clear()
    found = read_memory_tree(text, "test.c", COptions(), Layout(text), problems)
    assert found is not None and not problems
    return found[0]


def _clashes(body: str) -> list[Clash]:
    tree = _tree(f"{BEFORE}int main(void) {{ {body} return 0; }}\n")
    return [clash for clash in find_clashes(tree) if clash.function == "main"]


@pytest.mark.parametrize(
    ("body", "order"),
    [
        *((body, Order.UNDEFINED) for body in UNDEFINED),
        *((body, Order.UNDEFINED_WHERE_SAME) for body in WHERE_SAME),
        *((body, Order.UNSPECIFIED) for body in UNSPECIFIED),
    ],
)
def test_operands_that_clash(body: str, order: Order) -> None:
    assert {clash.order for clash in _clashes(body)} == {order}


@pytest.mark.parametrize("body", FINE)
def test_operands_that_do_not_clash(body: str) -> None:
    assert not _clashes(body)
