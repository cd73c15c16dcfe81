"""Random C programs with structs that have arrays among their members, two truth values as inputs, and some mistakes.

As `c_regions`: everything is in reach of `transform.regions`, and all inputs can be enumerated.  Indices now and then
leave their array, and then they are inside of the struct or not; pointers to members of all kinds are parameters.
"""

from __future__ import annotations

from random import Random

HEAD = """extern _Bool __VERIFIER_nondet_bool(void);
void abort(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)
void reach_error(void) { ERROR: abort(); }
struct inner { short k; char t[3]; };
struct box { int len; char buf[5]; short h; int v[3]; struct inner in; int *p; };
struct front { char name[4]; int len; int m[2][2]; };
struct deep { struct front f; int count; struct inner rows[2]; struct box *up; };
struct box gk = { 1, "ab", 3, {4, 5}, {6, "c"}, 0 }; struct front gf; static int g = 2;
static void put(struct box *q, char c) { if (q->len >= 0 && q->len < 5) q->buf[q->len++] = c; }
static void push(struct box *q, int v) { q->v[q->len] = v; q->len++; }
static int total(const char *s, int n) { int r = 0; for (int i = 0; i < n; i++) r += s[i]; return r; }
static int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
static char *last(char *s) { while (*s) s++; return s; }
static int sum(int *a, int n) { int s = 0; for (int *q = a; q < a + n; q++) s += *q; return s; }
static void bump(int *a) { *a += 1; }
static void copy(char *to, const char *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i]; }
static int *slot(struct box *q, int i) { return &q->v[i]; }
static struct inner *part(struct box *q) { return &q->in; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int down(int n) { struct box own = { n }; own.v[n & 1] = n; own.v[1 - (n & 1)] = 1; if (n <= 0) return 0;
  return down(n - 1) + own.v[0]; }
"""


def program(random: Random, statements: int = 8) -> str:
    """Return the text of a program."""
    maker = _Maker(random)
    lines = [
        HEAD + "int main(void) {",
        "_Bool b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool();",
        'int n = b + 2 * c, x = 3, i = 0, *p = &x; struct box k = { 0, "xy", 1, {1, 2, 3}, {1, "z"}, &x }, *kp = &k;',
        'struct front f = { "abc", 2, {{1, 2}, {3, n}}}, *fp = &f; char text[4] = "hi", *z = text;',
        "struct inner *ip = &k.in; struct deep d = { .count = 1 };",
        "d.up = &gk; d.rows[0].k = 1; d.rows[1].t[1] = 2;",
    ]
    lines += [maker.statement() for _ in range(statements)]
    lines += [f"assert({maker.condition()});", "return 0; }"]
    return "\n".join(lines) + "\n"


class _Maker:
    """A program while it is made."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.depth = 0
        self.pools = random.sample(range(5), random.randint(2, 5))  # which structs it uses

    def pick(self, *choices: str) -> str:
        """Return one of some texts."""
        return self.random.choice(choices)

    def index(self, length: int) -> str:
        """Return an index, now and then a wrong one."""
        if self.random.random() < 0.07:
            return self.pick(str(length), "-1", "n + 1", "n - 1", "i + 9", "-9 * b")
        return self.pick(*map(str, range(length)), "b", "c", "(n & 1)", "i" if length > 3 else "b")

    def place(self) -> str:
        """Return something that can be assigned."""
        pools = (
            ("k.len", "kp->len", "kp->h", f"k.buf[{self.index(5)}]", f"kp->buf[{self.index(5)}]", "kp->buf[kp->len]"),
            ("k.h", f"k.v[{self.index(3)}]", f"kp->v[{self.index(3)}]", f"k.in.t[{self.index(3)}]", "*kp->p"),
            ("f.len", f"f.name[{self.index(4)}]", f"fp->m[{self.index(2)}][{self.index(2)}]", "fp->len", "*fp->name"),
            ("gk.len", f"gk.v[{self.index(3)}]", f"gk.buf[{self.index(5)}]", "gf.len", f"gf.name[{self.index(4)}]"),
            ("d.count", f"d.rows[{self.index(2)}].k", f"d.f.name[{self.index(4)}]", "d.up->len",
             f"d.f.m[{self.index(2)}][{self.index(2)}]", f"d.up->v[{self.index(3)}]"),
        )  # fmt: skip
        more = ("x", "i", "*p", "g", "*z", "ip->k", f"ip->t[{self.index(3)}]", f"z[{self.index(3)}]")
        return self.pick(*(pools[self.random.choice(self.pools)] if self.random.random() < 0.7 else more))

    def number(self) -> str:
        """Return a number."""
        more = self.pick("total(k.buf, n)", "total(f.name, n)", "sum(k.v, 3)", "sum(&k.v[b], 2)", "length(f.name)",
                         "n", "(int)(z - text)", "sum(f.m[1], 2)", "total(k.in.t, b)", "length(text)", "down(n)",
                         "total(kp->buf, 2)", "*slot(kp, b)", "part(kp)->k", "length(z)")  # fmt: skip
        return self.pick(self.place(), self.place(), more, str(self.random.randint(-3, 9)))

    def sum(self) -> str:
        """Return an expression."""
        one, other = self.number(), self.number()
        return self.pick(f"{one} + {other}", one, one, f"({one}) % 7", f"b ? {one} : {other}", f"(c && {one} > 1)")

    def condition(self) -> str:
        """Return a condition."""
        one, other = self.number(), self.number()
        return self.pick(
            f"{one} < {other} + 3", f"{one} != {other}", f"{one} == {one}", "z == k.buf", "z != text", "p == &k.len",
            "kp == &k", "ip == &k.in", "z < text + 3", "k.len >= 0 && k.len <= 5", "p != &k.v[1]", "fp->name == z",
            "kp->p == &x", "z - f.name < 4" if self.random.random() < 0.1 else "z == text",
        )  # fmt: skip

    def statement(self) -> str:
        """Return a statement."""
        self.depth += 1
        found = self._statement()
        self.depth -= 1
        return found

    def _statement(self) -> str:
        inner = self.statement if self.depth < 3 else lambda: "x = x + 1;"
        return self.pick(
            *[f"{self.place()} = {self.sum()};"] * 4,
            self.pick("put(&k, 'a');", "put(kp, 'b');", "push(&k, n);", "push(kp, 3);", "put(&gk, 'q');",
                      "put(d.up, 1);"),
            self.pick("kp = &gk;", "kp = b ? &k : &gk;", "kp = d.up;", "d.up = kp;", "fp = &gf;",
                      "fp = c ? &f : &d.f;"),
            self.pick("z = k.buf;", "z = f.name + b;", "z = last(text);", "z++;", "z = kp->buf;", "z = k.in.t;",
                      "z = last(f.name);", "z = &k.buf[n];", "z = text;", "z--;"),
            self.pick("p = &k.len;", "p = &k.v[b];", "p = slot(kp, n);", "p = &f.m[b][c];", "p = &x;", "p = &d.count;",
                      "k.p = &k.len;", "kp->p = &x;", "k.p = k.v;", "p = kp->p;"),
            self.pick("bump(&k.len);", "bump(&f.len);", "bump(p);", "swap(&k.v[0], &k.v[2]);", "swap(&k.len, p);",
                      "bump(&k.v[b]);", "bump(&d.count);"),
            self.pick("copy(k.buf, f.name, 4);", "copy(text, k.buf, n);", "copy(k.in.t, text, 2);",
                      "copy(z, text, b);"),
            self.pick("ip = part(kp);", "ip = &gk.in;", "ip = &k.in;", "ip = &d.rows[1];", "ip = &d.rows[b];"),
            f"if ({self.condition()}) {{ {inner()} }} else {{ {inner()} }}",
            f"if ({self.condition()}) {inner()}",
            f"for (i = 0; i < {self.pick('3', 'n', '4')}; i++) {{ "
            + self.pick("k.buf[i] = i;", "x += k.v[i];", "z = &f.name[i];", "kp->buf[i] = f.name[i];", inner())
            + " }",
            f"for (char *y = k.buf; y < k.buf + {self.pick('5', 'n')}; y++) {{ {self.pick('*y = 1;', 'x += *y;')} }}",
            f"{{ struct box own = {{ 1 }}; kp = &own; {inner()} kp = &k; }}",
            f"assert({self.condition()});",
        )  # fmt: skip
