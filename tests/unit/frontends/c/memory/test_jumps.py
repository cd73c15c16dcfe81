"""Labels as values and labels of blocks, of GNU C, against gcc."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Reachable
from support.compiled import differs, needs_gcc

MACHINE = """#include <assert.h>
static int run(const unsigned char *code) {
  static const void *const table[] = {&&halt, &&inc, &&dbl, &&dec};
  int acc = 1;
  goto *table[*code++];
inc: acc++; goto *table[*code++];
dec: { int k = acc; acc = k - 1; goto *table[*code++]; }
dbl: acc *= 2; goto *table[*code++];
halt: return acc;
}
static int other(int n) { void *p = n ? &&halt : &&inc; goto *p; inc: return 1; halt: return 2; }
#define SKIP(x) ({ __label__ out; int r = 0; if (x) goto out; r = 1; out: r; })
"""


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        "unsigned char a[] = {1, 2, 2, 3, 0}; assert(run(a) == 7);",
        "unsigned char a[] = {1, 2, 2, 3, 0}; assert(run(a) == 8);",
        "unsigned char a[] = {1, 9, 0}; run(a);",
        "assert(other(0) == 1 && other(5) == 2);",
        "assert(other(0) == 2);",
        "assert(SKIP(1) == 0 && SKIP(0) == 1);",
        "assert(SKIP(1) == 1);",
        "int v = 3, *p = &v; *p = SKIP(1); assert(v == 0);",
        "int v = 3, *p = &v; *p = SKIP(1); assert(v == 1);",
        "int x = 0; here: x++; if (x > 1) return 0; { __label__ here; goto here; here: x += 5; } assert(x == 6);",
        "int x = 0; here: x++; if (x > 1) return 0; { __label__ here; goto here; here: x += 5; } assert(x == 1);",
    ],
)
def test_programs_do_what_gcc_says(body: str) -> None:
    assert differs(f"{MACHINE}int main(void) {{ {body} return 0; }}\n") == ""


@pytest.mark.parametrize(
    ("wrong", "property", "said"),
    [("&x", "safety", "FALSE"), ("&x", "memory", "TRUE"), ("0", "safety", "FALSE"), ("&&end", "safety", "TRUE")],
)
def test_a_jump_to_what_is_no_label_is_undefined(wrong: str, property: str, said: str) -> None:
    body = f"int x; void *p = nondet_int() ? {wrong} : &&end; goto *p; end: return 0;"
    result = knaster.check(f"int nondet_int(void);\nint main(void) {{ {body} }}", file="a.c", property=property)
    assert result.verdict.value == said
    kinds = [target.kind for target, answer in result.answers if isinstance(answer, Reachable)]
    assert kinds == (["call"] if said == "FALSE" else [])


def test_differences_of_labels_are_refused() -> None:
    with pytest.raises(SourceError, match="arithmetic with labels"):
        knaster.check("int main(void) { long d = &&a - &&b; a: b: return d; }", file="a.c")
