"""Zing models: what is read, what it means, and every mistake of a text in one run."""

from __future__ import annotations

import re
from random import Random

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Reachable
from knaster.frontends.zing import parse
from knaster.report.text import trace_to_text
from knaster.semantics.heap.explore import Exploration, explore

HEAD = """\
enum E { a, b, c };
range R 1 .. 3;
struct S { int x; T t; };
struct T { bool y; C r; };
array A[] int;
array B[2] C;
chan Q S;
set Z int;
interface I { int get(int k); };
class C : I { int f; C next; static int s = 2; int get(int k) { return f + k; } };
class D : I { int get(int k) { return 100; } };
"""


def model(body: str, rest: str = "", statics: str = "") -> str:
    return HEAD + f"class Main {{\n{statics}\nactivate static void main() {{\n{body}\n}}\n{rest}\n}};\n"


def run(body: str, rest: str = "", statics: str = "") -> Exploration:
    found = explore(parse(model(body, rest, statics)), limit=3000)
    assert found.complete
    return found


def kinds(found: Exploration) -> list[str]:
    return sorted({failure.kind for failure in found.failures})


def problems(text: str) -> list[str]:
    with pytest.raises(SourceError) as error:
        parse(text)
    return [problem.message for problem in error.value.problems]


@pytest.mark.parametrize(
    "condition",
    [
        "7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1 && 7 % -3 == 1",
        "1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 10 - 4 - 3 == 3",
        "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5 && ~5 == -6 && 1 << 4 == 16 && -8 >> 1 == -4",
        "true || 1 / 0 == 1",
        "!(false && 1 / 0 == 1)",
        "(true & false) == false && (true | false) && (true ^ false)",
        "0x10 == 16 && E.c == 2 && E.a != E.b && null == null",
        "1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && -2147483648 < 2147483647",
        "sizeof(B) == 2 && C.s == 2",
        "self == 1",
    ],
)
def test_expressions(condition: str) -> None:
    assert run(f"assert({condition});").failures == set()
    assert kinds(run(f"assert(!({condition}));")) == ["assertion"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("C c; c.f = 1;", "null-dereference"),
        ("C c; int i = c.f;", "null-dereference"),
        ("A a; a[0] = 1;", "null-dereference"),
        ("A a; int i = sizeof(a);", "null-dereference"),
        ("Q q; S s; send(q, s);", "null-dereference"),
        ("Q q; S s; select { receive(q, s) -> ; }", "null-dereference"),
        ("Z z; int i; i = choose(z);", "null-dereference"),
        ("A a = new A[2]; a[2] = 1;", "index-out-of-range"),
        ("A a = new A[2]; a[-1] = 1;", "index-out-of-range"),
        ("B b = new B; C c = b[2];", "index-out-of-range"),
        ("int i; i = 1 / i;", "division-by-zero"),
        ("int i; i = 1 % i;", "division-by-zero"),
        ("int i = 2147483647; i = i + 1;", "overflow"),
        ("int i = -2147483648; i = -i;", "overflow"),
        ("int i = 65536; i = i * i;", "overflow"),
        ("int i = -1; A a = new A[i];", "overflow"),
        ("Z z = new Z; int i; i = choose(z);", "empty-choice"),
        ("raise Oops;", "unhandled-exception"),
        ("atomic { int i; select { wait(false) -> ; } }", "deadlock"),
        ("atomic { int i = 1; select { wait(false) -> ; } }", "blocked-select"),
        ("select { wait(false) -> ; }", "deadlock"),
        ("bool b; b = choose(bool); select { wait(b) -> ; }", "deadlock"),
        ("atomic { while (true) { } }", "endless-atomic"),
        ("assert(1 == 2);", "assertion"),
        ("bool b; b = choose(bool); assume(b); assert(!b);", "assertion"),
        ("I i; int k; k = i.get(1);", "null-dereference"),
    ],
)
def test_every_kind_of_failure(body: str, kind: str) -> None:
    assert kinds(run(body)) == [kind]


@pytest.mark.parametrize(
    "body",
    [
        "select end { wait(false) -> ; }",
        "assume(false); assert(false);",
        "S s; S u; s.x = 3; u = s; s.x = 4; s.t.y = true; assert(u.x == 3 && !u.t.y && s.x == 4 && s.t.y);",
        "C c = new C; C d = c; d.f = 5; assert(c.f == 5 && c == d && c != new C);",
        "object o = new C; C c = o; assert(c == o);",
        "A a = new A[3]; a[2] = 7; assert(a[2] == 7 && a[1] == 0 && sizeof(a) == 3);",
        "Q q = new Q; S s; s.x = 1; send(q, s); s.x = 2; send(q, s); S u; select { receive(q, u) -> ; }"
        " assert(u.x == 1 && sizeof(q) == 1);",
        "Z z = new Z; z = z + 1; z = z + 1; z = z + 2; assert(sizeof(z) == 2 && 2 in z); z = z - 1; int i;"
        " i = choose(z); assert(i == 2);",
        "int i; i = choose(R); assert(i >= 1 && i <= 3);",
        "E e; e = choose(E); assert(e == E.a || e == E.b || e == E.c);",
        "{ int x = 5; } { int x; assert(x == 0); }",
        "int k; while (k < 3) { int x; assert(x == 0); x = 1; k = k + 1; }",
        "C c; C d; c = d = new C; assert(c == d);",
        "I i = new C; int k; k = i.get(1); assert(k == 1); i = new D; k = i.get(1); assert(k == 100);",
        "C c; c = new C; int k; k = c.get(3); assert(k == 3);",
        "A a = new A[3]; int n; foreach (int x in a) { n = n + 1; } assert(n == 3);",
        "Z z = new Z; z = z + 4; z = z + 5; int n; foreach (int x in z) n = n + x; assert(n == 9);",
        "int n; try { n = 1; raise X; n = 2; } with { Y -> n = 3; X -> n = n + 10; } assert(n == 11);",
        "int n; try { thrower(); n = 2; } with { * -> n = 7; } assert(n == 7);",
        "goto L; assert(false); L: ;",
        "int x; int y; give(out x, 4, out y); assert(x == 5 && y == 6);",
        "bool t; select first { wait(true) -> t = true; timeout -> ; } assert(t);",
        "bool t; select first { wait(false) -> ; timeout -> t = true; } assert(t);",
        "select { wait(yes()) -> ; }",
        'trace("x={0}", 1); yield; ;;',
        "C.s = 3; assert(C.s == 3);",
        "int r; r = nothing(); assert(r == 0);",
    ],
)
def test_statements_that_hold(body: str) -> None:
    rest = """
      static void thrower() { inner(); }
      static void inner() { raise Z; }
      static void give(out int a, int b, out int c) { a = b + 1; c = b + 2; }
      static bool yes() { int i = 1; return i == 1; }
      static int nothing() { }
    """
    assert run(body, rest).failures == set()


def test_a_call_through_null_enters_the_method_and_fails_at_the_first_use_of_this() -> None:
    text = HEAD + "class M { int f; void m() { int i = 1;\n f = i; }\n activate static void a() { M x; x.m(); } };\n"
    (failure,) = explore(parse(text)).failures
    assert (failure.kind, failure.procedure, failure.line) == ("null-dereference", "m", HEAD.count("\n") + 2)


def test_a_failing_assume_removes_the_run_for_all_threads() -> None:
    text = """class M { static int h;
      activate static void one() { h = 1; assume(false); }
      activate static void two() { int y = h; assert(y == 0); } };"""
    assert kinds(explore(parse(text))) == ["assertion"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = 1;", "there is no variable 'x' here"),
        ("int x; x = true;", "the left side is int, this is bool"),
        ("bool x; if (x + 1) ;", "'+' asks for an int, this is bool"),
        ("Foo f;", "there is no type 'Foo'"),
        ("C c; c.g = 1;", "the class 'C' has no field 'g'"),
        ("C c; c.go();", "the class 'C' has no method 'go'"),
        ("C c; int i; i = c.get();", "'get' takes 1 argument, not 0"),
        ("C c; int i; i = c.get(true);", "'k' is int, this is bool"),
        ("int i; int i;", "there is already a variable 'i' in this block"),
        ("goto L;", "there is no label 'L' in this method"),
        ("L: ; L: ;", "the label 'L' is there twice"),
        ("C c; int i; i = void_() + 1;", "'void_' is void and has no result"),
        ("float f;", "'float' is not read by Knaster"),
        ("string s;", "'string' is not read by Knaster"),
        ("invokesched(1);", "'invokesched' is not read by Knaster"),
        ("invokeplugin(1);", "'invokeplugin' is not read by Knaster"),
        ("invokescheduler(1);", "'invokescheduler' is not read by Knaster"),
        ("[x int i;", "this '[' is not closed"),
        ('int i = "x";', "strings are no values"),
        ("int i = 3000000000;", "3000000000 does not fit into int"),
        ("int i = 1.5;", "floating numbers are not read by Knaster"),
        ("this.f = 1;", "there is no 'this' in a static method"),
        ("S s; S u; bool b = s == u;", "structs are not compared"),
        ("C c = new A[2];", "the left side is C, this is A"),
        ("A a = new A;", "the length of 'A' is missing"),
        ("B b = new B[2];", "'B' has the length 2"),
        ("C c = new Foo;", "'Foo' is nothing that can be made with 'new'"),
        ("E e = E.z;", "the enum 'E' has no value 'z'"),
        ("give(1, 2, 3);", "'a' is an out parameter"),
        ("int x; give(out x, out x, out x);", "'b' is no out parameter"),
        ("int x; x = void_();", "'void_' is void and has no result"),
        ("select { }", "a select has at least one branch"),
        ("1 = 2;", "nothing can be assigned to this"),
        ("int i; send(i, 1);", "this is int, no channel"),
        ("return 1;", "'main' is void and returns no value"),
        ("int i; i = choose(int);", "expected an expression, found 'int'"),
        ("int i = (1;", "expected ')', found ';'"),
        ("assert(1);", "a condition is a bool, this is int"),
        ("async void_(1);", "'void_' takes no argument, not 1"),
        ("Z z = new Z; int i = z + 1;", "a set is changed in place"),
    ],
)
def test_mistakes_are_said_in_words(body: str, message: str) -> None:
    rest = "static void give(out int a, int b, out int c) { } static void void_() { }"
    assert message in problems(model(body, rest))


def test_all_mistakes_of_a_file_come_in_one_run() -> None:
    found = problems(
        "class A { int x; int x; Foo f; void m() { y = 1; } void m() { } };\nenum E { a, a };\n"
        "class B { activate int main(int k) { return true; } static void n() { goto M; 1 = 2; z = 2; } };\n"
    )
    assert found == [
        "the class 'A' has two fields 'x'",
        "there is no type 'Foo'",
        "there is no variable 'y' here",
        "the class 'A' has two methods 'm'",
        "'a' is there twice",
        "the activate method 'main' must be static, void, without parameters",
        "the result is int, this is bool",
        "there is no label 'M' in this method",
        "nothing can be assigned to this",
        "there is no variable 'z' here",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no method is marked 'activate', so nothing runs"),
        ("class A { };", "no method is marked 'activate', so nothing runs"),
        ("class A { ", "expected the '}' of 'A', found the end of the text"),
        ("class A { activate static void m() { } }", "a declaration ends with ';'"),
        ("struct S { S s; };", "the struct 'S' contains itself"),
        ("class A { B b = new B; }; class B { A a = new A; activate static void m() { } };", "without end"),
        ("class A : I { activate static void m() { } };", "there is no interface 'I'"),
        ("interface I { int k(); }; class A : I { activate static void m() { } };", "which 'I' asks for"),
        ("class A { }; class A { };", "there is already a type 'A' (line 1)"),
        ("/* ", "this comment does not end"),
        ('class A { activate static void m() { trace("); } };', "this string does not end"),
        ("class $ { };", "'$' is no part of Zing"),
        ("hello world", "expected a declaration: class, struct, enum, range, chan, set, array or interface"),
    ],
)
def test_broken_texts(text: str, message: str) -> None:
    assert any(message in problem for problem in problems(text))


def test_deep_and_long_texts_are_read() -> None:
    deep = "{" * 5000 + "int i = " + "(" * 5000 + "1" + ")" * 5000 + ";" + "}" * 5000
    assert len(parse(model(deep)).procedure("main").edges) == 2
    long = "i = i + 1;\n" * 20_000
    assert len(parse(model("int i;" + long)).procedure("main").edges) == 20_001


def test_a_long_sum_is_evaluated() -> None:
    assert run(f"int i = {'+'.join(['1'] * 3000)}; assert(i == 3000);").failures == set()


def test_every_mistake_of_a_method_is_reported_in_one_run() -> None:
    text = """class Main {
  static ulong big;
  activate static void main() {
    int i; bool b;
    invokesched(1, 2);
    if (b) { i++; invokeplugin(b); }
    while (b) { { invokeplugin("x"); } i += 2; }
    [Attr] float i = 1;
    i = g() + 1;
    select { wait(b) -> { i = ; } }
    try { i = ; } with { E -> { i = ]; } }
    atomic { j = 3; i = true; }
    f(1)
  }
  static int f() { return 1; }
};
"""
    with pytest.raises(SourceError) as raised:
        parse(text)
    lines = [problem.span.line for problem in raised.value.problems]
    assert sorted(set(lines)) == [2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert lines.count(6) == lines.count(7) == lines.count(11) == 2


@pytest.mark.parametrize("seed", range(4))
def test_a_text_in_which_words_were_lost_is_never_our_fault(seed: int) -> None:
    rng = Random(seed)
    words = re.findall(r"\s+|\w+|[^\w\s]", EVERYTHING)
    for _ in range(60):
        changed = list(words)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(changed))
            if rng.random() < 0.5:
                del changed[place]
            else:
                changed.insert(place, rng.choice([*"{}();[", "foreach", "try", "with", "atomic", "select", "->", "if"]))
        try:
            parse("".join(changed))
        except SourceError as error:
            assert error.problems


EVERYTHING = r"""interface I { int get(); };
class Impl : I { int k = 3; int get() { return k; } };
enum Color { red, green };
range Small 1 .. 3;
struct S { int a; C r; };
class C { int v; C f; S s; };
array Fixed[2] int;
array Dyn[] C;
chan Q int;
set Z int;
class Main {
  static int x; static bool b; static Color c; static Q q = new Q; static Z z = new Z; static object o;
  static Fixed fx = new Fixed; static Dyn dy;
  activate static void main() {
    int i; int r; Small m; Dyn d; C t; I iface; S st; int total;
    i = (1 + 2 * 3 - 4 / 2 % 3) << 1 >> 1 & 7 | 8 ^ 1;
    i = -i + ~i;
    b = !(i < 3 && i >= 2 || i != 4 && i == 5 || i <= 6 || i > 7);
    c = choose(Color);
    m = choose(Small);
    z = z + 1; z = z + 2; z = z - 1;
    i = choose(z);
    b = 1 in z;
    d = new Dyn[3]; d[0] = new C; dy = d; o = d[0];
    t = d[0]; t.s.a = 4; st = t.s; t.f = t;
    t.f = dy[0];
    fx[1] = sizeof(d) + sizeof(fx) + sizeof(z) + sizeof(q);
    foreach (int e in z) { total = total + e; }
    foreach (int e in fx) { total = total + e; }
    outs(4, out r);
    assert(r == 5, @"back\slash");
    iface = new Impl; i = iface.get();
    try { thrower(); } with { E1 -> x = 1; * -> x = 2; }
    assert(x == 1);
    yield;
    i = self;
    send(q, 3);
    select { receive(q, i) && wait(b || !b) -> x = i; timeout -> ; }
    select first { wait(x == 100) -> ; timeout -> x = 7; }
    atomic { x = x + 1; goto L; }
    L: x = x + 1;
    trace("x is {0}", x);
    async later(t);
    if (c == Color.red) ; else { x = 0; }
    while (false) { }
    return;
  }
  static void outs(int p, out int result) { result = p + 1; }
  static void thrower() { raise E1; }
  static atomic void later(C v) { assume(v != null); v.v = 1; }
  activate static void other() { select end { wait(x == 55) -> ; } }
};
"""


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("byte b; int i = 255; b = i; assert(b == 255); i = i + 1; b = i;", {"overflow"}),
        ("byte b = 200; int i; i = b + 100; assert(i == 300);", set()),
        ("sbyte b; b = narrow(-128); assert(b == -128); b = narrow(-129);", {"overflow"}),
        ("long k = 2147483647; k = k + 1; assert(k == 2147483648); int i; i = k;", {"overflow"}),
        ("long k = 9223372036854775807; k = k + 1;", {"overflow"}),
        ("long k = 1; k = k << 40; assert(k == 1099511627776); k = k >> 39; assert(k == 2);", set()),
        ("long k = -7; k = k / 2; assert(k == -3); assert(k % 2 == -1);", set()),
        ("int i = 1; i = i << 40; assert(i == 256);", set()),
        ("short s; s = 32767; int i = s; s = i * 2;", {"overflow"}),
        ("ushort s; s = narrow(-1);", {"overflow"}),
        ("byte b; b = choose(R); assert(b < 4);", set()),
        ("[Wrong, but(1)] int i; [x] event(1, true, i); accept(i == 0); assert(i == 0);", set()),
        ("bool b; atomic { select { wait(ready(1) && !ready(2)) -> b = true; } } assert(b);", set()),
        ("select { wait(ready(2) || ready(3)) -> ; }", {"deadlock"}),
    ],
)
def test_numbers_attributes_and_calls_in_conditions(body: str, kinds: set[str]) -> None:
    """The interpreter and the methods agree on what fails."""
    rest = "static int narrow(int k) { return k; } static bool ready(int k) { return k == 1; }"
    program = parse(model(body, rest))
    assert {failure.kind for failure in explore(program).failures} == kinds
    for engine in ("explicit", "auto"):
        result = knaster.check(program, engine=engine)
        if kinds:
            assert result.failure is not None and {result.failure.kind} == kinds
        else:
            assert result.verdict is knaster.Verdict.TRUE


def test_a_text_in_a_trace_is_kept() -> None:
    program = parse(model(r'trace(@"#file", 0, @"C:\t.cs"); trace("{1} is {{{0}}}", 1, "{one}"); assert(false);'))
    result = knaster.check(program)
    answer = result.answers[0][1]
    assert isinstance(answer, Reachable) and answer.trace is not None
    text = "\n".join(trace_to_text(program, answer.trace))
    assert "says: #file 0 C:\\t.cs" in text and "says: {one} is {1}" in text
