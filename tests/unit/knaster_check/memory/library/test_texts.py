"""Functions on texts: against Python's own bytes, and what they must not do."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from support.attacks.on_memory import text_of
from support.kernel_memory import Kernel

CASES = {
    'strlen("abc") * 10 + strnlen("abcdef", 4)': 34,
    '(strcmp("ab", "abc") < 0) * 10 + (strncmp("abx", "aby", 2) == 0)': 11,
    'strcasecmp("aBc", "AbC")': 0,
    'strspn("aabc", "ab") * 10 + strcspn("xyza", "a")': 33,
    'strstr("hello", "llo")[0]': ord("l"),
    'strrchr("abab", 98) - strchr("x", 120) == 0': None,
    'strpbrk("xyz", "zy")[0]': ord("y"),
    'memchr("abc", 99, 3) != 0': 1,
    'atoi("  +17z") + !!isxdigit(102) + isalpha(48) + toupper(98)': 17 + 1 + 0 + 66,
    "__builtin_popcount(255) * 100 + __builtin_ffs(8) * 10 + __builtin_clz(1) - 31": 840,
    'printf("%3d|%-4s|%.2s", 7, "a", "abc") * 10 + printf("%*d%-*d", 3, 1, 4, 2)': 117,
    'printf("%.*s", 2, "abc") * 100 + printf("%.*s%*s", -1, "abcd", -3, "")': 207,
    "__builtin_bswap16(258)": 513,
}


@pytest.mark.parametrize(("expression", "value"), [case for case in CASES.items() if case[1] is not None])
def test_a_function_says(expression: str, value: int) -> None:
    text = "#include <strings.h>\n#include <ctype.h>\n" + text_of(f"int x = 1, *p = &x; return {expression};")
    told = Kernel(load(text, file="a.c", objects="always")).tell([], 5_000)
    assert told["end"] == ("end", value, "")


@pytest.mark.parametrize(
    "body",
    [
        'char v[8] = "abc"; strcat(v, v + 1);',
        'char v[8] = "abc"; strncpy(v + 1, v, 3);',
        'char v[8] = "abcd"; strcpy(v, v + 2);',
    ],
)
def test_an_overlap_is_noted(body: str) -> None:
    told = Kernel(load(text_of(body), file="a.c", objects="always")).tell([], 5_000)
    assert [kind for kind, _, _ in told["lapses"]] == ["overlap"]
