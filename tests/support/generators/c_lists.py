"""Random C programs over lists: loops of any length, calls that recurse, pointers to pointers, `free`."""

from __future__ import annotations

from random import Random

HEAD = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; struct node *other; };
struct node *shared;
"""
BUILD = """struct node *build(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = %s;
    n->data = __VERIFIER_nondet_int(); n->next = %s; n->other = 0;
    head = n;
  }
  return head;
}
"""
WALK = """struct node *walk(struct node *l, int x) {
  if (l == 0%s) return %s;
  %s
  return l;
}
"""
POINTERS = ("p", "q", "r", "shared")


def random_list_program(random: Random, statements: int = 6) -> str:
    """Return a program over lists of any length."""
    allocation = random.choice(("malloc(sizeof(struct node))", "calloc(1, sizeof(struct node))"))
    build = BUILD % (allocation, random.choice(("head", "head", "head", "shared", "0")))
    more = random.choice(("", " || l->data > x", " || l->next == 0"))
    back = random.choice(("l", "l", "0", "build()"))
    inside = random.choice(
        (
            "l->next = walk(l->next, x);",
            "walk(l->next, x);",
            "struct node *t = walk(l->next, x); if (t) t->other = l->other;",
            "shared = l; l->next = walk(l->next, x + 1);",
            "l->next = walk(l->next, x); if (l->data == x) { struct node *t = l->next; free(l); return t; }",
        )
    )
    body = "\n".join("  " + statement(random, 2) for _ in range(statements))
    main = f"int main(void) {{\n  struct node *p = build(), *q = 0, *r = 0; int i = 0;\n{body}\n  return 0;\n}}\n"
    return HEAD + build + WALK % (more, back, inside) + main


def statement(random: Random, depth: int) -> str:
    """Return a random statement."""
    one, other = random.choice(POINTERS), random.choice(POINTERS)
    simple = (
        f"{one} = {other};",
        f"{one} = {other};",
        f"if ({other}) {one} = {other}->next;",
        f"{one} = build();",
        f"{one} = 0;",
        f"if ({one}) {one}->next = {other};",
        f"if ({one}) {one}->other = {other};",
        f"if ({one} && {one}->other) {other} = {one}->other;",
        f"{one} = walk({other}, __VERIFIER_nondet_int());",
        f"{one} = malloc(sizeof *{one}); {one}->next = {other}; {one}->other = 0; {one}->data = {random.randint(0, 2)};"
        f" if ({one}->next == {other}) i = {one}->data;",
        f"struct node **s = &{one}; while (*s && (*s)->data) s = &(*s)->next; *s = {other};",
        f"if ({one}) {{ struct node *t = {one}->next; free({one}); {one} = t; }}",
        f"free({one}); {one} = 0;",
        f"{one}->data = i;",
        f"if ({one}->next) i = {one}->next->data;",
        "i++;",
        f"if (i > 2 && {one} == {other}) {one} = {other}->next;",
    )
    if depth == 0 or random.random() < 0.6:
        chosen = random.choice(simple)
        return f"{{ {chosen} }}" if chosen.startswith("struct") else chosen
    inner = " ".join(statement(random, depth - 1) for _ in range(random.randint(1, 2)))
    loops = (
        f"while ({one} && __VERIFIER_nondet_int()) {{ {one} = {one}->next; {inner} }}",
        f"for (struct node *t = {one}; t; t = t->next) {{ {inner} if (i > 3) break; }}",
        f"while (__VERIFIER_nondet_int()) {{ {inner} }}",
        f"if (__VERIFIER_nondet_int() > i) {{ {inner} }}",
        f"while ({one}) {{ struct node *t = {one}->next; {one}->next = {other}; {other} = {one}; {one} = t; }}",
    )
    return random.choice(loops)
