"""Random closed C programs with pointers, structs, unions, arrays, strings, `malloc` and function pointers.

Each is a function without parameters whose result is a checksum, so that many of them fit into one file for a compiler.
Nothing is read that was not written.  Some of them make a mistake: an index, a freed pointer, a sum that is too large.
"""

from __future__ import annotations

from random import Random

HEAD = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct inner { short s; char c[3]; };
struct node { int v; struct node *next; struct inner in; unsigned bits : 3; int low : 5; };
union both { int i; unsigned char b[4]; short s[2]; };
typedef int (*function)(int, int);
static int add(int a, int b) { return (a & 255) + (b & 255); }
static int sub(int a, int b) { return (a & 255) - (b & 255); }
static int deep(int n, int *out) { int own = n; if (n <= 0) return *out; *out += own; return deep(n - 1, &own) + *out; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static struct inner make(int s) { struct inner r = { (short)s, "ab" }; r.c[0] = (char)s; return r; }
static int length(const char *s) { int n = 0; while (*s++) n++; return n; }
static int *dangling(int n) { int own[2]; own[0] = n; int *p = own; return n > 9000 ? p : p; }
static int total(int n, int m, const int g[n][m]) {
  int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += g[i][j]; return s; }
static int table[4] = {3, 1, 4};
static function functions[2] = {add, sub};
"""


def program(random: Random, name: str, statements: int = 14, mistakes: float = 0.25) -> str:
    """Return the text of a function; `HEAD` goes before it."""
    return _Maker(random, mistakes).text(name, statements)


class _Maker:
    """A program while it is made."""

    def __init__(self, random: Random, mistakes: float) -> None:
        self.random = random
        self.wrong = random.random() < mistakes
        self.freed = False

    def text(self, name: str, statements: int) -> str:
        """Return the whole function."""
        lines = [f"int {name}(void) {{"]
        lines += ["int x = 3, y = -7, z = 11, i = 0;", "int a[4] = {1, 2, 3}, m[2][3] = {{1, 2, 3}, {4}};"]
        lines += ["int *p = &x, *q = a, **pp = &p;", "union both u; u.i = 66051;", 'char text[8] = "hello", *s = text;']
        lines += ["struct node n = { .v = 5, .in = { 2, {1, 2, 3} }, .bits = 2, .low = -3 }, *list = 0, *h = &n;"]
        lines += [
            "struct inner k = make(7), *ip = &h->in;",
            "unsigned w = 77; long long big = 5; unsigned char c = 200;",
            "double real = 2.75; float single = 0.1f;",
        ]
        lines += [
            "function f = add;",
            "int *heap = malloc(4 * sizeof(int)); heap[0] = heap[1] = heap[2] = heap[3] = 2;",
        ]
        for _ in range(statements):
            lines.append(self.statement())
        lines.append("for (struct node *e = list; e; e = e->next) x = (x & 0xffff) + e->v % 100;")
        lines.append("if (heap) { z = (z & 0xffff) + (heap[1] & 255); free(heap); }")
        lines.append("while (list) { struct node *e = list->next; free(list); list = e; }")
        lines.append(f"unsigned sum = {' + '.join(f'(unsigned)({part})' for part in self.parts())};")
        lines += ["return (int)((sum ^ (sum >> 8) ^ (sum >> 16)) & 127);", "}"]
        return "\n".join(lines)

    def parts(self) -> list[str]:
        """Return what the checksum is made of."""
        found = ["x", "y * 3", "z", "a[0] + a[1] + a[2] * 2", "m[0][2] + m[1][1]", "u.i", "u.b[1]", "n.v + n.in.s"]
        return [
            *found,
            "n.bits + n.low",
            "k.s + k.c[0] + k.c[1]",
            "w",
            "(int)big",
            "c",
            "length(text)",
            "(single > 1) + (int)(real < 3) * 2",
            "*q",
            "ip->c[1]",
        ]

    def number(self) -> str:
        """Return a small number."""
        choices = ["x", "y", "z", "*p", "a[1]", "*q", "n.v", "h->in.s", "u.b[2]", "c", "i", "k.c[1]", "n.low", "s[1]"]
        return self.random.choice([*choices, str(self.random.randint(-9, 9)), "(int)(w & 15)", "m[1][0]"])

    def index(self, length: int) -> str:
        """Return an index, now and then a wrong one."""
        if self.wrong and self.random.random() < 0.15:
            return str(self.random.choice([length, -1, length + 1]))
        return str(self.random.randrange(length)) if self.random.random() < 0.7 else f"({self.number()} & {length - 1})"

    def place(self) -> str:
        """Return something that can be assigned."""
        fixed = [
            "x",
            "y",
            "z",
            "*p",
            "**pp",
            "n.v",
            "h->v",
            "h->in.s",
            "ip->c[0]",
            "u.b[3]",
            "u.s[1]",
            "n.bits",
            "n.low",
        ]
        fixed += [f"a[{self.index(4)}]", f"m[{self.index(2)}][{self.random.randrange(3)}]", "c", "w", "big", "k.c[2]"]
        return self.random.choice([*fixed, f"text[{self.index(4)}]", f"table[{self.index(4)}]"])

    def sum(self) -> str:
        """Return an expression."""
        one, other = self.number(), self.number()
        if self.wrong and self.random.random() < 0.05:
            return self.random.choice([f"2147483600 + ({one} & 127)", f"{one} / ({other} & 1)", f"1 << ({one} & 63)"])
        simple = [
            f"({one}) % 50 + ({other}) % 50",
            f"({one}) % 90 - ({other}) % 9",
            f"(({one}) & 15) * (({other}) & 15)",
        ]
        simple += [
            f"({one}) / 3",
            f"(({one}) & 1023) << 2",
            f"({one}) >> 1",
            f"({one}) ^ ({other})",
            f"~({one})",
            f"!({one})",
        ]
        simple += [f"({one}) < ({other})", f"({one}) ? ({other}) : 4", f"({one}) && ({other})", f"f({one}, {other})"]
        return self.random.choice(
            [*simple, f"functions[({one}) & 1]({other}, 3)", f"(char)({one})", f"(short)({one} * 7 % 99)"]
        )

    def statement(self) -> str:
        """Return a statement, each on a line of its own."""
        random = self.random
        kinds = ["assign"] * 6 + [
            "step",
            "add",
            "swap",
            "point",
            "array",
            "list",
            "loop",
            "if",
            "copy",
            "union",
            "text",
        ]
        kinds += [
            "deep",
            "struct",
            "switch",
            "row",
            "function",
            "heap",
            "bytes",
            "cast",
            "variable",
            "grid",
            "rows",
            "jump",
            "last",
            "literal",
            "again",
            "float",
            "float",
            "print",
        ]
        if self.wrong:
            kinds += ["free", "null", "dangle"]
        match random.choice(kinds):
            case "assign":
                return f"{self.place()} = {self.sum()};"
            case "step":
                return random.choice(["i++;", "++c;", "a[i & 3]++;", "w--;", "--n.v;", "h->in.s++;", "n.bits++;"])
            case "add":
                place, other = random.choice(["x", "a[2]", "*p", "h->v"]), random.choice(["x", "y"])
                return f"{place} = ({self.number()} & 63); {other} ^= 5;"
            case "swap":
                return random.choice(
                    ["swap(&x, &y);", "swap(a, a + 1);", "swap(p, &z);", "swap(&x, &x);", "swap(&m[0][1], q);"]
                )
            case "point":
                return random.choice(
                    ["p = &y;", "p = a + 2;", "q = &a[1];", "pp = &q;", "p = *pp;", "p = &m[1][2];", "pp = &p;"]
                )
            case "array":
                return f"for (i = 0; i < {random.choice([2, 3, 4])}; i++) a[i] = (a[i] & 31) + {self.index(4)};"
            case "list":
                return "{ struct node *e = malloc(sizeof *e); *e = n; e->v = (z & 31); e->next = list; list = e; }"
            case "loop":
                skipped = random.randrange(4)
                return f"for (i = 0; i < 3; i++) {{ int t = i * 2; if (t == {skipped}) continue; z = (z & 63) + t; }}"
            case "if":
                test = f"int test = {self.sum()};"  # gcc does not look at sums in conditions
                return f"{{ {test} if (test) {{ {self.place()} = {self.number()} & 7; }} else y = 4; }}"
            case "copy":
                return random.choice(
                    ["memcpy(a, m[0], sizeof m[0]);", "memset(&k, 1, sizeof k);", "memmove(a + 1, a, 8);"]
                )
            case "union":
                return random.choice(
                    ["u.i = (x & 0xffff);", "u.b[0] = (unsigned char)z;", "u.s[0] = 300;", "x = u.s[1];"]
                )
            case "text":
                return random.choice(["s = text + 1;", "text[1] = 'x';", "x = length(s);"])
            case "deep":
                return "x = deep(3, &y) & 255; y &= 31;"
            case "struct":
                return random.choice(
                    ["k = make(z & 63);", "n.in = k;", "k = h->in;", "*ip = make(4);", "x = make(9).c[0];"]
                )
            case "switch":
                return f"switch ({self.number()} & 3) {{ case 0: x = 1; break; case 1: y = 2; default: z = 3; }}"
            case "row":
                return "{ int (*row)[3] = m; row++; x = (*row)[0] + row[-1][1]; }"
            case "function":
                return random.choice(["f = sub;", "f = functions[x & 1];", "f = f == add ? sub : add;"])
            case "heap":
                return f"if (heap) heap[{self.index(4)}] = {self.number()} & 63;"
            case "bytes":
                return "{ unsigned char *b = (unsigned char *)&x; x = x & 0xffff; y = b[1] + b[0]; }"
            case "cast":
                return "{ void *v = &z; long address = (long)v; int *r = (int *)address; *r = 6; x = r == &z; }"
            case "variable":
                return "{ int len = (c & 3) + 1, v[len]; v[len - 1] = 8; y = v[len - 1] + (int)sizeof v; }"
            case "grid":
                row = "rows" if self.wrong and random.random() < 0.3 else random.choice(["0", "rows - 1"])
                made = "int rows = (c & 1) + 2, cols = (z & 1) + 3, g[rows][cols]; memset(g, 0, sizeof g);"
                used = f"g[{row}][cols - 1] = {self.number()} & 63; g[1][0] += 2;"
                return f"{{ {made} {used} x = total(rows, cols, g) + (int)sizeof g[0]; }}"
            case "rows":
                least = "0" if self.wrong and random.random() < 0.5 else "1"
                made = f"int cols = (c & 1) + {least}; typedef short line[cols]; line block[2], *r = block; cols = 9;"
                used = "block[0][0] = 3; block[1][0] = 4; r++; y = (*r)[0] + (int)(r - block) + (int)sizeof *r;"
                return f"{{ {made} {used} }}"
            case "jump":
                first = f"__label__ one, two, end; void *to[] = {{&&one, &&two, &&end}}; goto *to[{self.number()} & 1];"
                return f"{{ {first} one: x = 5; goto *to[2]; two: y = 6; end: z = x & 31; }}"
            case "last":
                made = f"int r = 4; if ({self.number()} & 1) goto out; r = {self.number()} & 63; out: r;"
                return f"{random.choice('xyz')} = ({{ __label__ out; {made} }});"
            case "literal":
                first = "int *l = (int[]){4, 5, 6}; struct inner *r = &(struct inner){ .s = 9 };"
                return f"{{ {first} x = l[2] + r->s + r->c[1]; }}"
            case "again":  # a jump back before a declaration ends nothing
                made = random.choice([f"int fresh = {self.number()} & 31", "int *fresh = (int[]){turns, 4}"])
                used, place = ("*last", "&fresh") if made.startswith("int fresh") else ("last[0] + last[1]", "fresh")
                more = f"if (last) y = {used} + (last == {place}); last = {place}; if (turns++ < 2) goto again;"
                return f"{{ __label__ again; int *last = 0, turns = 0; again: ; {made}; {more} }}"
            case "float":
                lines = ["real = real / 3 + c;", "single = single * 1.5f + (x & 7);", "x = (int)real & 15; real -= x;"]
                lines += ["single = (float)(real * 0.1); z = single < real;", "single++; y = -single < 0;", "real = w;"]
                return random.choice(
                    [*lines, "single = (x & 0xffffff) * 3 + 1; if (!single) z = 9;", "real *= single;"]
                )
            case "print":
                lines = ['printf("%s %d", s, x);', "puts(text);", 'x = printf("%.*s", 3, s) & 7;']
                lines += ['printf("%.2s|%5d", k.c, y);', 'x = printf("%-*d|%s", i & 7, z & 255, s);', 'puts("a");']
                return random.choice([*lines, "memset(text, 65, 8); puts(s);"] if self.wrong else lines)
            case "free":
                return random.choice(["free(heap);", "if (heap) heap[1] = 3;", "free(list);"])
            case "null":
                return random.choice(["{ int *none = x > 1 ? 0 : p; *none = 1; }", "x = list->v;", "x = *q;"])
        return "{ int *none; { int inner = 3; none = &inner; } x = *none; }"
