"""A text as Clang reads it: macros and headers of ours, words of verifiers, and Clang's errors in our form."""

from __future__ import annotations

import pytest

from knaster.base.errors import SourceError, UsageError
from knaster.frontends.c import parse
from knaster.frontends.c.clang.command import HEADERS
from knaster.frontends.text.options import COptions
from support.c_text import messages, read

MAIN = "int main(void) { return 0; }\n"


@pytest.mark.parametrize("model", ["LP64", "ILP32"])
@pytest.mark.parametrize("std", ["c89", "gnu17", "c2x"])
def test_all_our_headers_are_read(model: str, std: str) -> None:
    names = sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h"))
    assert len(names) > 30
    text = "".join(f"#include <{name}>\n" for name in names if name != "iso646.h") + MAIN.replace("(void)", "(void)")
    assert parse(text, options=COptions(data_model=model, std=std)).procedure("main")


def test_macros_of_the_user() -> None:
    text = "int main(void) { int a[N]; return sizeof a; }\n"
    program = parse(text, options=COptions(define=("N=3", "M"), undefine=("M",)))
    assert "3" in str(dict(program.procedure("main").types)["a"])
    with pytest.raises(UsageError, match="'3=4' is no macro"):
        parse(text, options=COptions(define=("3=4",)))


def test_errors_have_a_place_and_what_belongs_to_them() -> None:
    with pytest.raises(SourceError) as error:
        parse("int f(void) { return 1; }\nint é, f(void) { return 2; }\n")
    found = error.value.problems[-1]
    assert found.span.line == 2 and error.value.render().count("^")
    with pytest.raises(SourceError) as error:
        parse("int x = 1; /* é */ int x = 2;\n" + MAIN)
    assert [(p.message, p.span.column, p.hint) for p in error.value.problems] == [
        ("redefinition of 'x'", 24, "line 1: previous definition is here")
    ]


@pytest.mark.parametrize(
    ("call", "type"),
    [("uchar", "Int(width=8, signed=False)"), ("bool", "Bool()"), ("ulong", "Int(width=64, signed=False)")],
)
def test_what_verifiers_call_without_declaring_it(call: str, type: str) -> None:
    program, notes = read(f"int main(void) {{ long x = __VERIFIER_nondet_{call}(); assert(x); return 0; }}\n")
    assert str(dict(program.undefined)[f"__VERIFIER_nondet_{call}"]) == type and notes == []


def test_what_a_user_declares_counts() -> None:
    program, _ = read("short __VERIFIER_nondet_uint(void); int main(void) { return __VERIFIER_nondet_uint(); }\n")
    assert str(dict(program.undefined)["__VERIFIER_nondet_uint"]) == "Int(width=16, signed=True)"


def test_static_assertions() -> None:
    assert messages('#include <assert.h>\nstatic_assert(sizeof(int) == 8, "no");\n' + MAIN)[0].startswith(
        "static assert"
    )
    hola, _ = read("#include <assert.h>\nint main(void) { int x = 1; static_assert(x == 1); return 0; }\n")
    assert hola.procedure("main").failures


def test_texts_of_the_newest_c_are_read_as_such() -> None:
    text = "int main() { bool n = (bool)7; __CPROVER_assert(n == true && !false); return 0; }\n"
    assert parse(text).procedure("main").failures
    with pytest.raises(SourceError, match="bool"):
        parse(text, options=COptions(std="gnu11"))
    null, _ = read("int main() { int *p = nullptr; if (p) return 1; return 0; }\n")
    assert null.procedure("main").edges
    assert messages("int main() { bool n = nobody; return 0; }\n")[0] == "use of undeclared identifier 'bool'"
