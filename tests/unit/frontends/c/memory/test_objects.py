"""Objects of a whole file."""

from __future__ import annotations

import pytest

from knaster import check
from support.compiled import differs, needs_gcc


def test_initial_values_name_what_is_defined_later() -> None:
    text = (
        "struct n { struct n *next; int v; };\nstruct n b, a = {&b, 1}, b = {&a, 2};\nint z[], *r = z, z[2] = {3, 4};\n"
    )
    text += "int main(void) { assert(a.next->next->next->v == 2 && r[1] == 4); return 0; }\n"
    assert check("#include <assert.h>\n" + text, file="a.c").verdict.value == "TRUE"


WIDE = """#include <assert.h>
#include <wchar.h>
#include <uchar.h>
wchar_t g[] = L"foo\\x1234" L"5", h[2] = L"ab", m[9] = {L"q"};
const char16_t *s = u"a\\U0001F600b"; const char32_t *t = U"\\U0001F600\\u00e4";
struct w { int n; wchar_t c[4]; } w = {1, L"xyz"};
"""


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        "assert(g[3] == 0x1234 && g[4] == L'5' && sizeof g == 24 && h[1] == 'b' && m[1] == 0 && m[8] == 0);",
        "assert(s[0] == 'a' && s[1] == 0xd83d && s[2] == 0xde00 && s[3] == 'b' && !s[4] && !t[2]);",
        "assert(t[0] == 0x1f600 && t[1] == 0xe4 && w.c[2] == 'z' && !w.c[3]);",
        'wchar_t l[] = L"\\n\\"\\0\\377", k[7] = L"hu"; assert(l[1] == 34 && l[3] == 255 && !k[6] && sizeof l == 20);',
        'wchar_t k[7] = L"hu"; assert(k[2] == 1);',
        'int n = 0; const wchar_t *p = L"abc"; while (*p++) n++; assert(n == 3);',
        'const char *u = u8"\u00e4"; assert((u[0] & 255) == 0xc3 && !u[2] && L"ab"[1] == L\'b\');',
        'assert(__builtin_strlen((char *)L"abc") == 1);',
    ],
)
def test_texts_of_wide_characters(body: str) -> None:
    assert differs(f"{WIDE}int main(void) {{ {body} return 0; }}\n") == ""
