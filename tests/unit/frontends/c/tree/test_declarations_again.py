"""Names that are declared twice, and other uses that C forbids: refused as gcc refuses them, and no others."""

from __future__ import annotations

import pytest

from knaster.base.errors import SourceError
from knaster.frontends.c import parse
from knaster.frontends.text.options import COptions
from knaster.program.types import Array

MAIN = "int main(void) { return 0; }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { int x = 1; int x = 2; return x; }", "redefinition of 'x'"),
        ("int main(void) { int x = 1; static int x; return x; }", "redefinition of 'x'"),
        ("int main(void) { static int x; static int x; return x; }", "redefinition of 'x'"),
        (f"int f(int a, int a) {{ return a; }} {MAIN.replace('0', 'f(1, 2)')}", "redefinition of parameter 'a'"),
        (f"enum e {{ A, B, A }}; {MAIN}", "redefinition of enumerator 'A'"),
        (f"enum e {{ A }}; int A; {MAIN}", "redefinition of 'A' as different kind"),
        (f"typedef int T; typedef long T; {MAIN}", "typedef redefinition with different types"),
        (f"struct s {{ int a; int a; }}; struct s x; {MAIN}", "duplicate member 'a'"),
        (f"int g = 1; int g = 2; {MAIN}", "redefinition of 'g'"),
        (f"int g; long g; {MAIN}", "redefinition of 'g' with a different type"),
        (f"int a[3]; int a[4]; {MAIN}", "redefinition of 'a' with a different type"),
        (f"int f; int f(int a) {{ return a; }} {MAIN}", "redefinition of 'f' as different kind"),
        (f"int f(int); int f(int a, int b) {{ return a; }} {MAIN}", "conflicting types for 'f'"),
        (f"int f(int); int f(char a) {{ return a; }} {MAIN}", "conflicting types for 'f'"),
        (f"int f(int); void f(int a) {{ }} {MAIN}", "conflicting types for 'f'"),
        ("void f(void) { } int main(void) { int x = f(); return x; }", "incompatible type 'void'"),
        ("void f(void) { } int main(void) { if (f()) return 1; return 0; }", "requires expression of scalar type"),
        ("int main(void) { const int x = 3; x = 4; return x; }", "cannot assign to variable 'x' with const-qualified"),
        (
            "const int a[2] = {1, 2}; int main(void) { a[0]++; return 0; }",
            "cannot assign to variable 'a' with const-qualified",
        ),
        (
            "int main(void) { static const int x = 3; return x--; }",
            "cannot assign to variable 'x' with const-qualified",
        ),
        ("int main(void) { int x = 99999999999999999999999; return x; }", "integer literal is too large"),
    ],
)
def test_what_c_forbids_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(text)
    assert any(message in problem.message for problem in caught.value.problems)


@pytest.mark.parametrize(
    "text",
    [
        f"extern int g; int g = 4; extern int g; int g; {MAIN}",
        f"extern int a[]; int a[5]; {MAIN}",
        f"typedef int T; typedef int T; {MAIN}",
        f"int f(); int f(int a); int f(int a) {{ return a; }} int f(int); {MAIN}",
        f"int f(int); int f(const int a) {{ return a; }} {MAIN}",
        "int main(void) { int x = 1; { int x = 2; } for (int x = 0; x < 1; x++) { int x = 3; } return x; }",
        "int g; int main(void) { extern int g; extern int g; int f(void); int f(void); return g; }",
        "void f(void) { } void g(void) { return f(); } int main(void) { f(), f(); (void) f(); g(); return 0; }",
        "int main(void) { unsigned long x = 18446744073709551615u; return x == 0; }",
        "struct x { int x; }; enum y { z }; int main(void) { struct x x; x.x = z; int y = 1; return x.x + y; }",
    ],
)
def test_what_c_allows_is_read(text: str) -> None:
    assert parse(text).procedure("main")


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("const int N = 2; int main(void) { int a[N]; return 0; }", True),
        ("int main(void) { unsigned N = 2, M = 1; int a[N][M]; return N; }", True),
        ("int main(void) { unsigned char N = 258; int a[N]; a[1] = 0; return N; }", True),
        ("int main(void) { int N = 2; int a[N]; N = 3; return 0; }", False),
        ("int main(void) { int N = 2; { int a[N]; } N++; return 0; }", False),
        ("int main(void) { int N; int a[N]; return 0; }", False),
        ("int main(int N, char **v) { int a[N]; return 0; }", False),
        ("int N = 2; int f(void) { N = 5; return 0; } int main(void) { f(); int a[N]; return 0; }", False),
    ],
)
def test_a_length_that_never_changes_is_a_constant(text: str, is_read: bool) -> None:
    if is_read:
        (array,) = (type for name, type in parse(text).procedure("main").types if name == "a")
        assert isinstance(array, Array) and array.length == 2
    else:
        with pytest.raises(SourceError, match="the length of this array is not a constant"):
            parse(text, options=COptions(objects="never"))
