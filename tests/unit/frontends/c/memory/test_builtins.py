"""Builtins of compilers, casts to unions and offsets with indices, against gcc."""

from __future__ import annotations

import pytest

import knaster
from support.compiled import differs, needs_gcc

HEAD = """#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
struct part { int x; char y; };
struct whole { int i; struct part parts[3]; };
union both { struct { int low : 1, rest : 31; }; int all; double d; };
struct tail { int n; short a[]; };
struct tail five = {1, {2, 3, 4}}, named = {.n = 2, .a = {[1] = 7}};
struct text { int n; char s[]; } word = {3, "abc"};
"""


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        "unsigned char c = 0; assert(__builtin_add_overflow_p(200, 100, c)); "
        "assert(!__builtin_add_overflow_p(200, 100, (int)c));",
        "short s = 3; assert(!__builtin_mul_overflow_p(200, 100, s) && __builtin_mul_overflow_p(2000, 100, (short)0));",
        "assert(__builtin_sub_overflow_p(1, 2, 0u) && !__builtin_sub_overflow_p(1, 2, 0LL));",
        "assert(__builtin_sub_overflow_p(1, 2, 0));",
        "double x = 1, y = 2; assert(isless(x, y) && !isgreater(x, y) && islessequal(x, x) && isgreaterequal(y, y));",
        "double x = 1, y = 2; assert(islessgreater(x, y) && !islessgreater(x, x) && !isunordered(x, y));",
        "double x = 1, z = 0; z = z / z; assert(isunordered(x, z) && !isless(x, z) && !islessgreater(z, x));",
        "double x = 1, z = 0; z = z / z; assert(isgreaterequal(z, z));",
        "int k = 2; assert(offsetof(struct whole, parts[k].y) == 24 && offsetof(struct whole, parts[1].y) == 16);",
        "int k = 2; assert(offsetof(struct whole, parts[k].y) == 16);",
        "int v = 6; assert(((union both)v).all == 6 && ((union both)v).low == 0 && ((union both)v).rest == 3);",
        "int v = 6; assert(((union both)v).rest == 6);",
        "assert(sizeof five == 4 && five.a[2] == 4 && named.a[0] == 0 && named.a[1] == 7 && "
        "word.s[2] == 'c' && !word.s[3]);",
        "assert(five.a[1] == 4);",
        'int n = __builtin_printf("%d\\n", 12), x = -4; assert(n == 3 && __builtin_abs(x) == 4);',
        "long l = -5; assert(__builtin_labs(l) == 5 && __builtin_llabs(-6LL) == 6);",
        "char b[8]; int k = 1; __builtin_prefetch(&b[k++], 0, 3); __builtin_prefetch(b); assert(k == 2);",
        "char b[8]; int k = 1; __builtin_prefetch(&b[k++]); assert(k == 1);",
        '__builtin_puts("x"); __builtin_putchar(10); __builtin_fprintf(stdout, "x"); assert(1);',
        'char b[8] = "abcb"; assert(__builtin_index(b, 98) == b + 1 && __builtin_rindex(b, 98) == b + 3);',
        "assert(__builtin_object_size(five.a, 1) && __builtin_object_size(&word.s, 2) < 9);",
        "char b[8]; assert(__builtin_object_size(b, 0) == 8 && __builtin_object_size(&b[3], 1) == 5);",
        "char b[8], *p = b; assert(__builtin_object_size(p, 0) == -1ul && __builtin_object_size(p, 3) == 0);",
        "char b[8]; int k = 0; assert(__builtin_object_size(&b[k++], 1) == -1ul && k == 0);",
        "assert(!__builtin_types_compatible_p(__builtin_va_list, char *) && __builtin_types_compatible_p(int, int));",
    ],
)
def test_programs_do_what_gcc_says(body: str) -> None:
    assert differs(f"{HEAD}int main(void) {{ {body} return 0; }}\n") == ""


@pytest.mark.parametrize(("expected", "said"), [("5", "TRUE"), ("4", "FALSE")])
def test_loads_and_stores_past_the_cache(expected: str, said: str) -> None:
    load = f"__CPROVER_assert(__builtin_nontemporal_load(&x) == {expected});"
    body = f"int x = 4; __builtin_nontemporal_store(5, &x); {load}"
    assert knaster.check(f"int main(void) {{ {body} return 0; }}", file="a.c").verdict.value == said


@pytest.mark.parametrize(("expected", "said"), [("5", "TRUE"), ("4", "FALSE")])
def test_names_with_dollars(expected: str, said: str) -> None:
    body = f"struct {{ int a$1; void *p; }} s; s.a$1 = 5; s.p = &s; __CPROVER_assert(s.a$1 == {expected});"
    assert knaster.check(f"int main(void) {{ {body} return 0; }}", file="a.c").verdict.value == said
