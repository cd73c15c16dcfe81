"""Names of several files: what is external is one thing, what is static is told apart, what contradicts is refused."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.errors import SourceError
from knaster.frontends.languages import load
from knaster.frontends.text.several import FilePart, join_files

FAIL = "void reach_error(void);\n"


def joined(*texts: str) -> str:
    return join_files([FilePart(f"{name}.c", text) for name, text in zip("abcd", texts, strict=False)])


def verdict(*texts: str, objects: str = "auto") -> str:
    return check(joined(*texts), file="all", objects=objects).verdict.value


HELD = """
extern int x;
int main(void) { if (x != 7) reach_error(); }
--- int x = 7;

int x; int f(void);
int main(void) { f(); if (x != 7) reach_error(); }
--- extern int x; int f(void) { return x = 7; }

static int x = 1; int f(void);
int main(void) { f(); if (f() != 4 || x != 1) reach_error(); }
--- static int x = 2; int f(void) { return ++x; }

static int g(void) { return 1; } int f(void);
int main(void) { if (10 * g() + f() != 12) reach_error(); }
--- static int g(void) { return 2; } int f(void) { return g(); }

int f();
int main(void) { if (f(3) != 4) reach_error(); }
--- int f(int x) { return x + 1; }

inline int f(int x) { return x; } int g(void);
int main(void) { if (g() != f(5)) reach_error(); }
--- inline int f(int x) { return x; } int g(void) { return f(5); }

extern int a[];
int main(void) { if (a[1] != 2) reach_error(); }
--- int a[3] = {1, 2, 3};

struct p { int x, y; }; struct p f(struct p);
int main(void) { struct p v = {1, 2}; if (f(v).x != 2) reach_error(); }
--- struct p { int x, y; }; struct p f(struct p v) { struct p w = {v.y, v.x}; return w; }

int f(void); int g(void);
int main(void) { if (f() + 10 * f() != 21 || g() != 1) reach_error(); }
--- int f(void) { static int n; return ++n; } static int n = 9; int g(void) { static int n; return ++n; }

int f(void); int g(void);
int main(void) { int (*t[])(void) = {f, g}; if (t[0]() + t[1]() != 3) reach_error(); }
--- static int one = 1; int f(void) { return one; }
--- static int one = 2; int g(void) { return one; }

int n = 2; void grow(void);
int main(void) { grow(); int a[n]; if (sizeof a != 12) reach_error(); }
--- extern int n; void grow(void) { n = 3; }
"""


@pytest.mark.parametrize("objects", ["auto", "always"])
@pytest.mark.parametrize("case", HELD.strip().split("\n\n"))
def test_what_holds_of_the_whole(case: str, objects: str) -> None:
    first, *others = case.split("--- ")
    assert verdict(FAIL + first, *others, objects=objects) == "TRUE"
    assert verdict(FAIL + first.replace("!=", "==", 1), *others, objects=objects) == "FALSE"


def test_macros_end_with_their_file() -> None:
    first = "#define N 3\nint n(void); int main(void) { if (n() != 4 || N != 3) reach_error(); }"
    assert verdict(FAIL + first, "#ifdef N\n#error leaks\n#endif\n#define N 4\nint n(void) { return N; }") == "TRUE"


@pytest.mark.parametrize(
    "second, said",
    [
        ("int main(void) { return 0; }\n", "b.c:1:5: error: 'main' is defined twice: here and at a.c:2"),
        ("int x = 1;\n", "b.c:1:5: error: 'x' is defined twice: here and at a.c:1"),
        ("int x;\n", "'x' is defined twice"),
        ("extern long x;\n", "b.c:1:13: error: 'x' is 'long' here, and 'int' at a.c:1"),
        ("int x(void);\n", "'x' is 'int (void)' here, and 'int' at a.c:1"),
        ("long main(void);\n", "'main' is 'long (void)' here, and 'int (void)' at a.c:2"),
        ("\nint y = ;\n", "b.c:2:9: error: expected expression"),
        ("#include \"nowhere.h\"\n", "b.c:1:"),
        ("\n\nint f(void) { __asm__(\"nop\" : : \"r\"(1)); return 0; }\nint (*p)(void) = f;\n", "b.c:3:"),
    ],
)  # fmt: skip
def test_what_is_refused(second: str, said: str) -> None:
    with pytest.raises(SourceError) as refused:
        load(joined("int x = 0;\nint main(void) { return x; }\n", second), file="all")
    assert said in str(refused.value)


def test_each_file_has_macros_of_its_own() -> None:
    first = f"{FAIL}int f(void); int main(void) {{ if (f() + K != 3) reach_error(); }}"
    text = join_files([
        FilePart("a.c", first, {"define": ("K=1",)}),
        FilePart("b.c", "int f(void) { return K; }\n", {"define": ("K=2",), "std": "c99"}),
    ])  # fmt: skip
    result = check(text, file="all")
    assert result.verdict.value == "TRUE"
    assert check(text, file="all", define=("L=1",)).verdict.value == "TRUE"


def test_places_are_in_files() -> None:
    from knaster.evidence.questions.targets import resolve_targets

    program = load(
        joined("int f(int);\nint main(void) {\n  return f(1);\n}\n", "\nint f(int x) {\n  return x;\n}\n"), file="all"
    )
    (target,) = resolve_targets(program, ["b.c:3"])
    assert target.procedure == "f" and str(target.line) == "b.c:3" and target.name == "line b.c:3"
