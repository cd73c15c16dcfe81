"""The steps that may be undefined are listed with kind, line and column; what the text excludes is not."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.base.records import replace
from knaster.frontends.languages import load
from knaster.program.expression import NOWHERE, Const, Var
from knaster.program.memory import AddressOf, Moved
from knaster.semantics.memory.sites import Sites, _Walk, reachable_procedures


def sites(text: str) -> list[str]:
    return [f"{kind}:{line}" for kind, line, _ in Sites(load(text, file="a.c", objects="always")).all()]


def test_constant_indices_and_names_are_no_sites() -> None:
    assert sites("int a[4], g; int main(void) { a[3] = g; return a[0]; }\n") == []
    assert sites("int a[4]; int main(void) { return a[4]; }\n") == ["bounds:1"]


def test_an_index_of_a_named_array_is_a_matter_of_bounds() -> None:
    assert sites("int f(void);\nint a[4];\nint main(void) {\n  return a[f()];\n}\n") == ["bounds:4"]


def test_a_pointer_may_be_wrong_in_four_ways() -> None:
    assert sites("int g(int *p) {\n  return *p;\n}\nint main(void) { int x = 0; return g(&x); }\n") == [
        "null:2",
        "dead:2",
        "bounds:2",
        "invalid-pointer:2",
    ]


def test_a_pointer_that_is_moved_and_kept_is_one_and_one_that_is_used_at_once_is_none() -> None:
    moved = "int g(int *p) {\n  int *q = p + 1;\n  return q == p;\n}\nint main(void) { int x; return g(&x); }\n"
    assert sites(moved) == ["pointer:2"]
    used = "int g(int *p) {\n  return p[1];\n}\nint main(void) { int x; return g(&x); }\n"
    assert "pointer:2" not in sites(used)


def test_arithmetic_that_types_exclude_is_no_site() -> None:
    text = "short f(void);\nint main(void) {\n  int x = f();\n  int s = f(); s = (short)s * 2;\n  return x %s;\n}\n"
    assert sites(text % "+ 1") == ["overflow:5"]
    assert sites(text % "/ 3") == []
    assert sites(text % "/ s") == ["division:5", "overflow:5"]
    assert sites(text % "<< s") == ["shift:5", "overflow:5"]
    assert sites(text % ">> 2") == []


def test_functions_that_nobody_calls_have_no_sites() -> None:
    text = "int g(int *p) { return *p; }\nint h(int *p) { return *p; }\nint (*t)(int *) = h;\nint main(void) { %s }\n"
    program = load(text % "return 0;", file="a.c", objects="always")
    assert [procedure.name for procedure in reachable_procedures(program)] == ["h", "main"]


def test_alignment_is_asked_where_pointers_move_by_bytes() -> None:
    text = "int g(int *p) { return *p; }\nint main(void) { int a[2] = {0}; return g(%s); }\n"
    assert "alignment:1" not in sites(text % "a + 1")
    assert "alignment:1" in sites(text % "(int *)((char *)a + 1)")


def test_the_library_and_lengths_and_calls_and_truth_values() -> None:
    text = """#include <string.h>
#include <stdlib.h>
int n(void);
int main(void) {
  char *p = malloc(3);
  int a[n()];
  memcpy(p, "ab", 3);
  free(p);
  int (*f)(void) = n() ? n : 0;
  f();
  return (int)(n() * 1.5) + a[0];
}
"""
    found = sites(text)
    assert {"length:6", "overlap:7", "null:7", "invalid-free:8", "call:10", "null:10", "value:11"} <= set(found)


def test_a_step_that_is_not_listed_is_named() -> None:
    own = Sites(load("int main(void) { return 0; }\n", file="a.c", objects="always"))
    assert own.why_unlisted({"bounds"}, [("bounds", Span(3, 1))]).startswith("line 3: memory outside")
    assert own.why_unlisted({"null"}, [("bounds", Span(3, 1)), ("pointer", Span(3, 1))]) == ""


def test_a_word_of_threads_without_arguments_is_no_site() -> None:
    text = "#include <pthread.h>\nint main(void) { pthread_t t = pthread_self(); return pthread_equal(t, t); }\n"
    assert sites(text) == []


HEAD = """#include <string.h>
#include <stdlib.h>
int in(void); int a[4]; const int c[2] = {1, 2}; struct s { char b; int n; } g; _Bool t; short h; unsigned u;
"""
POINTER = ["null", "dead", "bounds", "invalid-pointer"]
STEPS: list[tuple[str, list[str]]] = [
    # uses of places
    ("a[in()] = 1;", ["bounds"]),
    ("c[0];", []),
    ("a[3] = 1;", []),
    ("a[4] = 1;", ["bounds"]),
    ("int v[3]; v[2] = 1;", []),
    ("int *p = a; *p = 1;", [*POINTER, "read-only"]),
    ("int *p = a; p[1];", POINTER),
    ("char *p = (char *)a; *(int *)(p + in()) = 1;", [*POINTER, "alignment", "read-only"]),
    ("struct s *p = &g; p->n;", POINTER),
    ("return *(int *)in();", [*POINTER, "alignment"]),
    ("_Bool *q = &t; return *q;", [*POINTER, "boolean"]),
    ("return t;", []),
    ("((int *)c)[1] = 2;", ["read-only"]),
    ('char *p = strchr("ab", 97); return *(short *)p;', [*POINTER, *POINTER, "alignment"]),
    ("_Bool *q = &t; return t;", ["boolean"]),
    ("_Bool b[2]; return b[0];", ["boolean"]),
    ("a[u % 4] = 1;", []),
    ("a[u % 5] = 1;", ["bounds"]),
    ("a[(int)(u % 4) - 1] = 1;", ["bounds"]),
    ("int m[2][3]; m[u % 2][u % 3] = 1;", []),
    ("int m[2][3]; m[u % 2][u % 4] = 1;", ["bounds"]),
    ("long l[4]; l[u % 5] = 1;", ["bounds"]),
    # pointers that move, are subtracted and compared
    ("int *p = a + 4;", []),
    ("int *p = a + 5;", ["pointer"]),
    ("int *p = a - 1;", ["pointer"]),
    ("int *p = a + in();", ["pointer"]),
    ("int *p = a; p + 0;", []),
    ("int *p = a; p + 1;", ["pointer"]),
    ("struct s *p = &g; int *q = &p->n;", []),
    ("int *p = a, *q = a; return p - q;", ["pointer"]),
    ("int *p = a, *q = a; return p < q;", ["pointer"]),
    ("int *p = a, *q = a; return p == q;", []),
    ("return in() < in();", []),
    # arithmetic
    ("double d = in(); return (int)d;", ["value"]),
    ("return (int)2.5;", []),
    ("return in() / in();", ["division", "overflow"]),
    ("return in() / 2;", []),
    ("return in() / -1;", ["overflow"]),
    ("return in() / -2;", []),
    ("return in() / (h + 1);", ["division", "overflow"]),
    ("return in() % in();", ["division", "overflow"]),
    ("return u / u;", ["division"]),
    ("return u / (u % 5);", ["division"]),
    ("return h / ((h & 1) - 1);", ["division"]),
    ("return (int)(u & 3) << 2;", []),
    ("return u / 3;", []),
    ("return in() / (u % 5 + 1);", []),
    ("return h / -1;", []),
    ("return in() << in();", ["shift", "overflow"]),
    ("return in() << 3;", ["overflow"]),
    ("return in() << (u % 32);", ["overflow"]),
    ("return in() >> 31;", []),
    ("return in() >> 32;", ["shift"]),
    ("return in() >> h;", ["shift"]),
    ("return u << 31;", []),
    ("return u << 32;", ["shift"]),
    ("return u << (u & 31);", []),
    ("return u << (u & 63);", ["shift"]),
    ("return 1 << (u & 7);", []),
    ("return h << 3;", ["overflow"]),
    ("return in() + in();", ["overflow"]),
    ("return in() & in();", []),
    ("return in() ^ in();", []),
    ("return u + u;", []),
    ("return h + h;", []),
    ("return -in();", ["overflow"]),
    # other steps
    ("int n = in(); int v[n];", ["length"]),
    ("void (*f)(void) = 0; f();", ["null", "call"]),
    ("int *p = malloc(4); free(p);", ["invalid-free"]),
    ('char b[3]; strcpy(b, "ab");', [*POINTER, "read-only", "overlap"]),
]


@pytest.mark.parametrize(("body", "kinds"), STEPS)
def test_kinds_of_steps(body: str, kinds: list[str]) -> None:
    """Of one statement or two, without those of the rest."""
    program = load(f"{HEAD}int main(void) {{ {body} return 0; }}\n", file="a.c", objects="always")
    assert [site.kind for site in Sites(program).all()] == kinds


def test_nothing_must_not_change_where_nothing_is_constant() -> None:
    text = "int a[4]; int main(void) { int *p = a; *p = 1; a[0] = 2; return 0; }\n"
    assert sites(text) == [f"{kind}:1" for kind in POINTER]
    assert "read-only:1" in sites(f"const int c = 1; int *q = (int *)&c; {text}")
    local = "int main(void) { const int c = 1; int *p = (int *)&c; *p = 1; return 0; }\n"
    assert sites(local) == [*(f"{kind}:1" for kind in POINTER), "read-only:1"]


def test_what_is_not_listed_is_said() -> None:
    found = Sites(
        load("int f(void);\nint a[4];\nint main(void) {\n  return a[f()];\n}\n", file="a.c", objects="always")
    )
    (site,) = found.all()
    span = Span(site.line, site.column, 1)
    assert found.is_listed("bounds", span) and not found.is_listed("null", span)
    assert found.why_unlisted(["bounds", "null"], [("bounds", span)]) == ""
    assert "no target stands for it" in found.why_unlisted(["bounds", "null"], [("bounds", span), ("null", span)])
    assert (
        found.why_unlisted(["bounds"], [("null", span)]) == "" == found.why_unlisted(["pointer"], [("pointer", span)])
    )


def test_what_stands_nowhere_is_no_site() -> None:
    """Steps that are in no text have line 0."""
    program = load(
        "int in(void);\nint a[4];\nint main(void) { a[in()] = 1; return 0; }\n", file="a.c", objects="always"
    )
    assert [site.kind for site in Sites(program).all()] == ["bounds"]
    main = program.procedure("main")
    moved = replace(main, edges=tuple(replace(edge, span=NOWHERE) for edge in main.edges))
    assert not Sites(replace(program, procedures=(moved,))).all()


def test_an_index_of_which_nothing_is_known() -> None:
    program = load("int a[4];\nint main(void) { return a[0]; }\n", file="a.c", objects="always")
    walk = _Walk(Sites(program), program.procedure("main"))
    for index, inside in ((Const(3), True), (Const(4), False), (Var("nobody knows"), False)):
        assert walk._room(Moved(AddressOf("a"), index, 4), 4) is inside
        assert walk._room(Moved(Moved(AddressOf("a"), index, 4), Const(0), 4), 4) is inside


@pytest.mark.parametrize(
    ("character", "listed"),
    [
        ("(unsigned char)f()", False),
        ("-1", False),
        ("-2", True),
        ("255", False),
        ("256", True),
        ("(signed char)f()", True),
        ("(unsigned short)f()", True),
        ("f()", True),
        ("x", True),
    ],
)
def test_a_character_that_is_one_is_no_site(character: str, listed: bool) -> None:
    text = "#include <ctype.h>\nint f(void);\nint main(void) { int x = f(), *p = &x; return isalpha(IT) + *p; }\n"
    text = text.replace("IT", character)
    assert ("value:3" in sites(text)) is listed
