"""C that is large, deep or strange: an answer, or a refusal by name where a run can get there."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError

ODD = 'static int odd(int x) { __asm__("bsf %1, %0" : "=r"(x) : "r"(x)); return x; }\n'
JUMP = "#include <setjmp.h>\nstatic jmp_buf b;\nstatic int jump(int x) { if (setjmp(b)) longjmp(b, x); return x; }\n"


@pytest.mark.parametrize(
    "text",
    [
        "#include <stdlib.h>\nint main(void) { char *p = malloc(1000000000); p[999999999] = 1; assert(p[999999999]); }",
        "int a[100000000];\nint main(void) { int i = 99999999; a[i] = i; assert(a[i] == i); }",
        "int a[100000000];\nint main(void) { int *p = a + 99999999; *p = 3; assert(*p == 3); }",
        ODD + "int main(void) { int x = 1; assert(x == 1); }",
        JUMP + "int main(void) { int x = 1; assert(x == 1); }",
    ],
)
def test_what_no_run_needs_is_no_obstacle(text: str) -> None:
    assert knaster.check(text, file="a.c").verdict.value == "TRUE"


@pytest.mark.parametrize(
    ("head", "call", "said"),
    [(ODD, "odd(2)", "assembly is not read"), (JUMP, "jump(2)", "setjmp and longjmp are not read")],
)
def test_what_a_run_needs_and_nobody_reads_is_refused_by_name(head: str, call: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        knaster.check(f"{head}int main(void) {{ return {call}; }}", file="a.c")
