"""Small files that would be much work: each is refused by name, or answered; none runs for ever or breaks down."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Verdict
from knaster.pushdown.formats.pdaaal import read_json, read_rule_list
from knaster.pushdown.formats.wali import read_xml

MAIN = "int main(void) { assert(1); return 0; }\n"
DOUBLE = "".join(f"struct S{n} {{ struct S{n - 1} a, b; }};\n" for n in range(1, 40))
ZING = "class P { static activate void main() { %s } };\n"
ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
REFUSED = {
    "a struct that doubles": ("x.c", f"struct S0 {{ int a; }};\n{DOUBLE}struct S39 s;\n{MAIN}", "10,000 parts"),
    "a designator far away": ("x.c", f"int a[] = {{[999999999] = 1}};\n{MAIN}", "element 999999999"),
    "one by a macro": ("x.c", f"#define N 0x3fffffff\nint a[] = {{[N] = 1}};\n{MAIN}", "element N"),
    "one by a shift": ("x.c", f"int a[] = {{1, [1 << 30] = 1}};\n{MAIN}", "element 1 << 30"),
    "digits": ("x.c", f"int x = {'9' * 5000};\n{MAIN}", "too large to be represented"),
    "digits of a condition": ("x.c", f"#if {'9' * 5000}\n#endif\n{MAIN}", "too large to be represented"),
    "a line marker": ("x.i", f'# 1 "x.c"\n# {"9" * 5000} "x.c"\n{MAIN}', "positive integer"),
    "results": ("x.bp", f"bool<{'9' * 5000}> f() begin skip; end\nvoid main() begin skip; end\n", "results"),
    "a long array of Zing": ("x.zing", "array A[1000000000] int;\n" + ZING % "A a; a = new A;", "1,000,000 elements"),
    "a long range of Zing": ("x.zing", "range R 0..1000000000;\n" + ZING % "int x; x = choose(R);", "1,000,000 values"),
    "digits of Zing": ("x.zing", ZING % f"int x; x = {'9' * 5000};", "64 bits"),
    "digits of a range": ("x.zing", f"range R 0..{'9' * 5000};\n" + ZING % "int x; x = choose(R);", "64 bits"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    file, text, said = REFUSED[name]
    with pytest.raises(SourceError, match=said):
        knaster.check(text, file=file)


def test_an_array_that_a_run_makes() -> None:
    for size, verdict in (("1000000000", Verdict.UNKNOWN), ("3", Verdict.TRUE)):
        text = "array A[] int;\n" + ZING % f"A a; a = new A[{size}]; assert(true);"
        result = knaster.check(text, file="x.zing")
        assert result.verdict is verdict
        assert verdict is Verdict.TRUE or "an array of 1,000,000,000 elements" in result.reason


DEEP = 3_000
ANSWERED = {
    "arrays of arrays": ("x.c", f"int a[1000][1000][1000];\n{MAIN}"),
    "an array of structs": ("x.c", f"struct S {{ int a[1000]; }};\nstruct S a[10000];\n{MAIN}"),
    "brackets": ("x.c", f"int main(void) {{ int x = {'(' * DEEP}1{')' * DEEP}; assert(x); return 0; }}\n"),
    "braces": ("x.c", f"int main(void) {{ {'{' * DEEP} assert(1); {'}' * DEEP} return 0; }}\n"),
    "negations of a program": ("x.bp", f"void main() begin decl x; x := {'!' * DEEP}T; assert(x | !x); end\n"),
    "brackets of a program": ("x.bp", f"void main() begin decl x; x := {'(' * DEEP}T{')' * DEEP}; assert(x); end\n"),
    "branches": ("x.bp", f"void main() begin {'if (*) then ' * DEEP} skip; {'fi; ' * DEEP} assert(T); end\n"),
    "brackets of Zing": ("x.zing", ZING % f"int x; x = {'(' * DEEP}1{')' * DEEP}; assert(x == 1);"),
    "calls of calls": (
        "x.bp",
        "".join(f"void p{n}() begin p{n + 1}(); p{n + 1}(); end\n" for n in range(100))
        + "void p100() begin skip; end\nvoid main() begin p0(); assert(T); end\n",
    ),
    "a shift in a condition": ("x.c", f"#if 1 << 1000000000\n#endif\n{MAIN}"),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_what_is_answered(name: str) -> None:
    file, text = ANSWERED[name]
    assert knaster.check(text, file=file).verdict is Verdict.TRUE


def test_pushdown_files() -> None:
    with pytest.raises(SourceError, match="entities are not read"):
        read_xml(f'<!DOCTYPE WPDS [<!ENTITY e0 "1">{ENTITIES}]><WPDS>&e8;</WPDS>')
    with pytest.raises(SourceError, match="nested too deeply"):
        read_json("[" * 100_000)
    with pytest.raises(SourceError, match="too many digits"):
        read_json("9" * 5_000)
    with pytest.raises(SourceError, match="expected a rule"):
        read_rule_list("A\np\nq\np a" + "->" * 200_000 + "\n")


def test_a_text_in_pieces_is_put_together_once() -> None:
    """A weight of many lines is as long as it is, and its text is one piece."""
    rule = "<Rule from='p' fromStack='a' to='p'><Weight>{}2{}</Weight></Rule>".format("\n" * 300_000, "\n" * 300_000)
    found = read_xml(f"<WPDS>{rule}</WPDS>")
    assert getattr(found, "rules")[0].length == 2  # noqa: B009
