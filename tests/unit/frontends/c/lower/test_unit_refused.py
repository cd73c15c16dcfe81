"""What is not read as C means it is refused by name, and never read as something else."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError

START = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
MAIN = "int main(void) { if (%s) reach_error(); return 0; }"


@pytest.mark.parametrize(
    "text, message",
    [
        ("enum { LIM = (int)1e3 };" + MAIN % "LIM", "the value of 'LIM' is no constant"),
        ("int main(void) { switch (2) { case SEEK_END: reach_error(); } return 0; }", "of a case is no constant"),
        (
            "int g; __attribute__((constructor)) static void f(void) { g = 1; }" + MAIN % "g",
            "'constructor' is not read",
        ),
        ("int g; void f(void) __attribute__((__constructor__(101)));" + MAIN % "g", "'constructor' is not read"),
        ("struct S { char a; int b; } __attribute__((packed));" + MAIN % "1", "'packed' is not read"),
        ("#pragma pack(1)\nstruct S { char a; int b; };" + MAIN % "1", "'#pragma pack' is not read"),
        ("volatile int v;" + MAIN % "v != v", "volatile variables are not read"),
        ("typedef __volatile__ int T; T v[2];" + MAIN % "v[0]", "volatile variables are not read"),
        ("struct { volatile int f; } v;" + MAIN % "v.f", "volatile variables are not read"),
        ("struct S { int a : 3; };" + MAIN % "sizeof(struct S) == 4", "bit-fields are not read"),
        ("struct S { int a; char *b; int c; };" + MAIN % "sizeof(struct S) == 24", "pointers are not read"),
        (MAIN % "sizeof(float) == 4", "floating-point numbers are not read"),
        ("int g; int main(void) { __CPROVER_ASYNC_1: g = 1; reach_error(); return 0; }", "threads are not read"),
        ("#ifdef __GNUC__\nint g;\n#endif\n" + MAIN % "1", "'__GNUC__' after #ifdef"),
        ("#if defined(__clang__) || 1\nint g;\n#endif\n" + MAIN % "1", "'__clang__' after #if"),
        ("#if __SIZEOF_INT__ == 4\nint g;\n#endif\n" + MAIN % "1", "'__SIZEOF_INT__' after #if"),
    ],
)
def test_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(SourceError) as refused:
        knaster.check(START + text, file="a.c")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef __MY_TYPE__\n#define __MY_TYPE__\n#endif\n" + MAIN % "1",
        "#define __GNUC__ 4\n#ifdef __GNUC__\nint g;\n#endif\n" + MAIN % "g == 0",
        "#if __STDC_VERSION__ >= 199901L\nint g;\n#endif\n" + MAIN % "g == 0",
        "#if 0\n#ifdef __GNUC__\n#endif\n#endif\n" + MAIN % "1",
        "extern int f(volatile int *p) __attribute__((nonnull));" + MAIN % "1",
        MAIN % "sizeof(char *) == 8",
    ],
)
def test_not_refused(text: str) -> None:
    assert knaster.check(START + text, file="a.c").verdict.value == "FALSE"


@pytest.mark.parametrize("integers", ["machine", "mathematical"])
@pytest.mark.parametrize(
    "type, value, label", [("unsigned", "4294967295u", "-1"), ("int", "-1", "4294967295u"), ("char", "-1", "-1")]
)
def test_labels_of_cases_are_converted(type: str, value: str, label: str, integers: str) -> None:
    text = f"int main(void) {{ {type} x = {value}; switch (x) {{ case {label}: reach_error(); }} return 0; }}"
    assert knaster.check(START + text, file="a.c", integers=integers).verdict.value == "FALSE"
