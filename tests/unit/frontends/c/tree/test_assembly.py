"""Assembly without an instruction: it changes nothing but outputs that share their place with an input, as gcc says."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.frontends.c.tree.assembly import Place, read_assembly
from support.compiled import differs, needs_gcc

HEAD = """#include <assert.h>
#define barrier() __asm__ __volatile__("" "\\n" : : : "memory", "cc")
#define hide(x) ({ __typeof__(x) hidden = (x); asm("" : "+r"(hidden)); hidden; })
struct s { int a, b[3]; };
int *bar(void) { static int k = 4; k++; return &k; }
"""


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        'int x = 5, y = 7; barrier(); if (x == 5) barrier(); asm volatile("" : "+r"(x) : "r"(y)); assert(x == 5);',
        'int x = 5, y = 7; asm("" : "=r"(y) : "0"(x)); assert(x == 5 && y == 5);',
        'int x = 5, y = 7; asm("" : "=r"(y) : "0"(x)); assert(y == 7);',
        'long l = 1; asm("" : "=r"(l) : "0"(0)); assert(l == 0);',
        'short h = -3; unsigned u = 0; asm("" : "=r"(u) : "0"(h + 0)); assert(u == 4294967293u);',
        'int x = 5, *p = 0; asm("" : [o] "=r"(p) : "[o]"(&x), "r"(x)); assert(*p == 5);',
        'struct s s = {1, {2}}; int z[2] = {3}; asm("" : "+m"(s), "+m"(z) : "m"(s.b[1])); assert(s.a + *z == 4);',
        'double d = -0.0; asm("" : "+x"(d)); assert(1 / d < 0);',
        'asm("" : "+r"(*bar())); asm("" : "+m"(*bar())); assert(*bar() == 7);',
        'int x = 5; asm("" : : "r"(x++), "g"(&x)); assert(x == 6);',
        'int x = 5; asm("" : : "r"(x++)); assert(x == 5);',
        'int x = 5; for (int i = 0; ({ asm(""); i < 3; }); i++) x += hide(i); assert(x == 8);',
        'int x = 0; char *t = "asm (\\"nop\\")"; do { asm("" : "+r"(x)); } while (x++ < 3); assert(x == 4 && *t);',
        'register int r asm("ebx") = 3; asm("" : "+r"(r)); assert(r == 3);',
    ],
)
def test_assembly_without_an_instruction(body: str) -> None:
    assert differs(f"{HEAD}int main(void) {{ {body} return 0; }}\n") == ""


@pytest.mark.parametrize(
    ("assembly", "why"),
    [
        ('asm("nop")', "assembly is not read"),
        ('asm("" : "=r"(x))', "what this output of assembly is cannot be told"),
        ('asm("" : "=r"(x), "=r"(y) : "0"(y), "1"(x))', "which operands of this assembly share a place"),
        ('asm("" : "=r"(l) : "0"(-1))', "what assembly makes of a value of another type cannot be told"),
        ('asm goto("" : : : : end)', "assembly is not read"),
    ],
)
def test_what_assembly_computes_otherwise_is_refused_where_a_run_can_get_there(assembly: str, why: str) -> None:
    text = (
        f"void f(void) {{ int x = 1, y = 2; long l; {assembly}; end: return; }} int main(void) {{ CALL return 0; }}\n"
    )
    with pytest.raises(SourceError, match=why):
        knaster.check(text.replace("CALL", "f();"), file="a.c", property="termination")
    assert knaster.check(text.replace("CALL", ""), file="a.c", property="termination").verdict.value == "TRUE"


def test_a_printed_function_has_templates_and_constraints() -> None:
    operands = '[o] "=&r" (x ? y : z), "+m" (*p) : "[o]" (f(1, "b"))'
    text = f'int k asm("ebx"); asm volatile ("a" : {operands}); asm (""); "asm (1)";'
    first, second = read_assembly(text)
    assert (first.template, first.outputs) == ("a", (Place("=&r", "o"), Place("+m", "")))
    assert (first.shared(0), first.is_empty, second.is_empty, second.inputs) == (0, False, True, ())
    assert [place.stays for place in (*first.outputs, Place("rm", ""))] == [False, True, False]
