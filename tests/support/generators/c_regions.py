"""Random C programs with pointers to locals, arrays and structs, two truth values as inputs, and some mistakes.

Everything is in reach of `transform.regions`: no heap, no casts, no calls through pointers.  All inputs can be
enumerated, so the interpreter of memory decides every target.
"""

from __future__ import annotations

from random import Random

HEAD = """extern _Bool __VERIFIER_nondet_bool(void);
void abort(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)
void reach_error(void) { ERROR: abort(); }
struct pair { int u; short w; int *p; };
int g = 5, h[3] = {1, 2}; int *gp = &g; const int fixed = 4;
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int first(const int *a) { return *a; }
static void fill(int *a, int n, int v) { for (int *q = a; q != a + n; q++) *q = v; }
static int *pick(int *a, int *b, int c) { return c ? a : b; }
static int *keep(int *a) { int own = 2; gp = &own; return a; }
static int down(int n, int *r) { int own = n; int *o = &own; if (n <= 0) return *o + *r; *r += 1;
  return down(n - 1, r) + *o; }
static void put(struct pair *s, int v) { s->u = v; s->w = (short)v; }
static int *leave(int n) { int own[2]; own[0] = n; int *p = own; return p; }
"""


def program(random: Random, statements: int = 8) -> str:
    """Return the text of a program."""
    maker = _Maker(random)
    lines = [
        HEAD + "int main(void) {",
        "_Bool b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool();",
        "int n = b + 2 * c, x = 3, y = n, i = 0, a[4] = {1, 2, 3}, m[2][3] = {{1, 2, 3}, {4, n}};",
        "int *p = &x, *q = a, *none = 0; int **pp = &p; struct pair s = { 1, 2, &y }, t[2]; struct pair *sp = &s;",
        't[0].u = 1; t[1].u = n; t[0].w = 7; t[1].w = 7; t[0].p = &x; t[1].p = a; char text[4] = "ab"; char *z = text;',
    ]
    lines += [maker.statement() for _ in range(statements)]
    lines += [f"assert({maker.condition()});", "return 0; }"]
    return "\n".join(lines) + "\n"


class _Maker:
    """A program while it is made."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.depth = 0

    def pick(self, *choices: str) -> str:
        """Return one of some texts."""
        return self.random.choice(choices)

    def index(self, length: int) -> str:
        """Return an index, now and then a wrong one."""
        if self.random.random() < 0.07:
            return self.pick(str(length), "-1", "n + 1", "n - 1")
        return self.pick(*map(str, range(length)), "b", "c", "(n & 1)", "i" if length > 3 else "b")

    def number(self) -> str:
        """Return a number."""
        plain = self.pick("x", "y", "n", "i", "g", "*p", "**pp", "*q", "*gp", "s.u", "sp->u", "sp->w", "*s.p", "q[1]")
        more = self.pick(
            f"a[{self.index(4)}]",
            f"h[{self.index(3)}]",
            f"t[{self.index(2)}].u",
            f"*t[{self.index(2)}].p",
            "z[1]",
            f"m[{self.index(2)}][{self.index(3)}]",
            "(int)(p - &x)" if self.random.random() < 0.1 else "*p",
            "first(q)",
            "sum(a, n)",
            "fixed",
            "q[n]",
            "*(q + b)",
            "z[n]",
            "text[i & 3]",
        )
        return self.pick(plain, plain, more, more, str(self.random.randint(-3, 9)))

    def sum(self) -> str:
        """Return an expression."""
        one, other = self.number(), self.number()
        return self.pick(
            f"{one} + {other}",
            f"{one} - {other}",
            f"{one}",
            f"({one}) % 7",
            f"b ? {one} : {other}",
            f"{one} / {other}" if self.random.random() < 0.2 else one,
            f"{one} << 2",
            f"({one} & 15) * ({other} & 15)",
            "down(2, &x)",
            "down(n, q)",
            f"(c && {one} > 1)",
            f"(!b || {one} == {other})",
        )

    def condition(self) -> str:
        """Return a condition."""
        one, other = self.number(), self.number()
        return self.pick(
            f"{one} < {other} + 3",
            f"{one} == {one}",
            f"{one} != {other}",
            "p == q",
            "p != &x",
            "none",
            "p",
            f"none == 0 || *none == 3 || {one} > 0",
            f"{one} > {other} && {other} != 4",
            "q >= a && q <= a + 4",
            f"{one} + {other} != 11",
            "gp == &g",
            "sp->p != 0",
            "q - a < 3",
            "*pp == p",
            "t[b].p != q",
        )

    def place(self) -> str:
        """Return something that can be assigned."""
        return self.pick(
            "x",
            "y",
            "g",
            "*p",
            "**pp",
            "*q",
            "s.u",
            "sp->w",
            f"a[{self.index(4)}]",
            f"h[{self.index(3)}]",
            f"t[{self.index(2)}].u",
            f"m[{self.index(2)}][{self.index(3)}]",
            "*gp",
            "*s.p",
            f"q[{self.index(2)}]",
            "i",
            f"t[{self.index(2)}].w",
            "*z",
            f"text[{self.index(4)}]",
        )

    def statement(self) -> str:
        """Return a statement."""
        self.depth += 1
        found = self._statement()
        self.depth -= 1
        return found

    def _statement(self) -> str:
        inner = self.statement if self.depth < 3 else lambda: "x = x + 1;"
        return self.pick(
            f"{self.place()} = {self.sum()};", f"{self.place()} = {self.sum()};", f"{self.place()} = {self.sum()};",
            self.pick("p = &y;", "p = &x;", "p = a + 1;", "q = &a[1];", "q++;", "p = q;", "pp = &q;", "pp = &p;",
                      "p = h;", "q = a + n;", "p = &g;", "p = m[1];", "q = &m[b][0];", "p = &s.u;", "p = none;"),
            self.pick("swap(&x, &y);", "swap(p, q);", "swap(&a[0], &a[2]);", "swap(&g, p);", "swap(&x, &x);"),
            self.pick("fill(a, n, 3);", "fill(h, 3, n);", "fill(q, 2, 1);", "put(&s, n);", "put(&t[b], 6);"),
            self.pick("p = pick(&x, &y, c);", "q = pick(a, a + 2, b);", "p = pick(p, q, n);", "p = keep(&y);"),
            self.pick("sp = &t[1];", "sp = b ? &s : &t[0];", "s.p = &g;", "sp->p = p;", "t[c].p = &y;", "sp->p = q;"),
            f"if ({self.condition()}) {{ {inner()} }} else {{ {inner()} }}",
            f"if ({self.condition()}) {inner()}",
            f"for (i = 0; i < {self.pick('3', 'n', '4')}; i++) {{ "
            + self.pick("a[i] = i;", "x += a[i];", "q = &a[i];", inner())
            + " }",
            f"{{ int z1 = 2; p = &z1; {inner()} *p += 1; p = &x; }}",
            self.pick("{ int z2 = n; none = &z2; }", "none = leave(n);"),
            self.pick("{ int z3 = 1; if (b) p = &z3; }", "none = 0;"),
            f"while (q < a + 3 && *q {self.pick('<', '!=', '>')} 3) q++;",
            f"assert({self.condition()});", "z = text + b;", "z++;", "if (fixed != 4) x = 0;",
        )  # fmt: skip
