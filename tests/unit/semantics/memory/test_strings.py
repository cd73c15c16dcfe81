"""Functions on texts and characters: what they say, as gcc has it too, and copies whose places overlap."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import knaster
from support.machines import PATIENCE

HEAD = "#include <assert.h>\n#include <ctype.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n"
SAID = {
    "lengths": [
        'strlen("") == 0',
        'strlen("abc") == 3',
        'strnlen("abc", 2) == 2',
        'strnlen("abc", 3) == 3',
        'strnlen("abc", 9) == 3',
        'strnlen("abc", 0) == 0',
        'strnlen("ab", (size_t)-1) == 2',
    ],
    "comparisons": [
        'strcmp("ab", "ab") == 0',
        'strcmp("ab", "abc") < 0',
        'strcmp("b", "ab") > 0',
        'strcmp("\\xff", "a") > 0',
        'strncmp("abx", "aby", 2) == 0',
        'strncmp("abx", "aby", 3) < 0',
        'strncmp("a", "b", 0) == 0',
        'strcasecmp("aBz", "AbZ") == 0',
        'strcasecmp("a", "B") < 0',
        'strcasecmp("[", "{") < 0',
        'strcasecmp("@", "`") < 0',
        'strncasecmp("ABc", "abD", 2) == 0',
        'strncasecmp("ABc", "abD", 3) < 0',
        'memcmp("ab", "ac", 1) == 0',
        'memcmp("ab", "ac", 2) < 0',
        'memcmp("b", "a", 1) > 0',
    ],
    "places": [
        "strchr(t, 98) == t + 1",
        "strchr(t, 98 + 256) == t + 1",
        "strchr(t, 0) == t + 6",
        "strchr(t, 120) == 0",
        "strrchr(t, 97) == t + 3",
        "strrchr(t, 120) == 0",
        "memchr(t, 99, 7) == t + 2",
        "memchr(t, 99 + 256, 7) == t + 2",
        "memchr(t, 99, 3) == t + 2",
        "memchr(t, 99, 2) == 0",
        "memchr(t, 97, 7) == t",
        'strstr(t, "abc") == t',
        'strstr(t, "ca") == t + 2',
        'strstr(t, "") == t',
        'strstr(t, "cb") == 0',
        'strspn(t, "ab") == 2',
        'strspn(t, "cab") == 6',
        'strspn(t, "x") == 0',
        'strcspn(t, "cb") == 1',
        'strcspn(t, "x") == 6',
        'strpbrk(t, "xc") == t + 2',
        'strpbrk(t, "x") == 0',
    ],
    "copies": [
        'strcmp(strcpy(v, "abcd"), "abcd") == 0 && v[5] == 0',
        'stpcpy(v, "ab") == v + 2 && v[2] == 0',
        'strncpy(v, "xyz", 2) == v && v[0] == 120 && v[1] == 121 && v[2] == 0',
        'strncpy(v, "q", 3) == v && v[0] == 113 && v[1] == 0 && v[2] == 0',
        'strcmp(strcat(strcpy(v, "a"), "bc"), "abc") == 0',
        'strcmp(strncat(strcpy(v, "a"), "bcd", 2), "abc") == 0',
        'strcmp(strncat(strcpy(v, "a"), "b", 7), "ab") == 0',
        'strcmp(strncat(strcpy(v, "a"), "b", 0), "a") == 0',
        "memset(v, 7, 11) == v && v[0] == 7 && v[7] == 7 && v[8] == 7 && v[10] == 7 && v[11] == 0",
    ],
    "numbers": [
        'atoi("  -12x") == -12',
        'atoi("+7") == 7',
        'atoi("-+7") == 0',
        'atoi("x") == 0',
        'atoi("007") == 7',
    ],
}
CLASSES = [f"is{name}" for name in ("alpha", "digit", "alnum", "space", "blank", "upper", "lower", "xdigit", "punct")]
CLASSES += ["isprint", "isgraph", "iscntrl"]


def program(body: str) -> str:
    start = 'char t[8] = "abcabc"; char v[16] = "";'
    return f"{HEAD}int main(void) {{ {start} {body} return 0; }}\n"


def holds(text: str) -> bool:
    result = knaster.check(text, file="a.c", property="reach", engine="search")
    return result.verdict is knaster.Verdict.TRUE


def holds_compiled(text: str, folder: Path) -> bool:
    (folder / "a.c").write_text(text)
    subprocess.run(["gcc", "-w", "-o", folder / "a", folder / "a.c"], check=True, timeout=PATIENCE)
    return subprocess.run([folder / "a"], capture_output=True, timeout=PATIENCE).returncode == 0


def all_of(name: str) -> str:
    return program("\n".join(f"assert({said});" for said in SAID[name]))


def characters() -> str:
    """Return that every class and both cases are as Python says of every character."""
    python = {
        "isblank": lambda c: c in " \t",
        "isspace": str.isspace,
        "isxdigit": lambda c: c in "0123456789abcdefABCDEF",
        "ispunct": lambda c: c.isprintable() and not c.isalnum() and c != " ",
        "isprint": str.isprintable,
        "isgraph": lambda c: c.isprintable() and c != " ",
        "iscntrl": lambda c: not c.isprintable(),
    }
    said = []
    for name in CLASSES:
        test = python.get(name, getattr(str, name, None))
        assert test is not None
        odd = "\x1c\x1d\x1e\x1f" if name == "isspace" else ""  # which only Python takes for blanks
        bits = sum(1 << code for code in range(128) if test(chr(code)) and chr(code) not in odd)
        words = ", ".join(f"{bits >> 32 * at & 0xFFFFFFFF}u" for at in range(4))
        said.append(
            f"{{ unsigned w[4] = {{{words}}}; for (int i = 0; i < 128; i++)"
            f" assert(!{name}(i) == !(w[i / 32] >> i % 32 & 1)); "
            f"assert(!{name}(128) && !{name}(255) && !{name}(-1)); }}"
        )
    for name, low, high, by in (("tolower", 65, 90, 32), ("toupper", 97, 122, -32)):
        said.append(
            f"for (int i = -1; i < 256; i++) assert({name}(i) == (i >= {low} && i <= {high} ? i + ({by}) : i));"
        )
    return program("\n".join(said))


TEXTS = {**{name: all_of(name) for name in SAID}, "characters": characters()}


@pytest.mark.parametrize("name", TEXTS)
def test_what_functions_say(name: str) -> None:
    assert holds(TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compare with")
def test_gcc_says_the_same(name: str, tmp_path: Path) -> None:
    assert holds_compiled(TEXTS[name], tmp_path)


def test_a_wrong_sentence_is_noticed() -> None:
    assert not holds(program('assert(strlen("abc") == 4);'))


def overlapping(function: str, to: int, source: int, count: int | None) -> bool:
    """Tell whether a copy within "abcd" writes what it reads."""
    length = 4 - source
    copied = length if count is None else min(length, count)
    read = set(range(source, source + min(length + 1, 5 if count is None else count)))  # no end beyond the count
    start = 4 if function.endswith("cat") else to
    written = set(range(start, start + copied + 1))
    if function == "strncpy":
        assert count is not None
        written = set(range(to, to + count))
    return bool(read & written)


def copies() -> list[tuple[str, int, int, int | None]]:
    places = [(to, source) for to in range(6) for source in range(5)]
    found: list[tuple[str, int, int, int | None]] = []
    for function in ("strcpy", "stpcpy", "strcat"):
        found += [(function, to, source, None) for to, source in places if function != "strcat" or to < 2]
    for function in ("strncpy", "strncat"):
        found += [
            (function, to, source, count)
            for to, source in places
            for count in (0, 1, 2, 5)
            if function == "strncpy" or to < 2
        ]
    return found


def overlaps(lines: list[str], **options: Any) -> knaster.Result:
    text = f"#include <string.h>\nint main(void) {{\n{chr(10).join(lines)}\nreturn 0; }}\n"
    return knaster.check(text, file="a.c", property="safety", engine="search", **options)


def test_copies_between_places_that_overlap() -> None:
    """Appending and bounded copies were forgotten, which was a wrong TRUE."""
    lines, expected = [], []
    for number, (function, to, source, count) in enumerate(copies(), start=1):
        more = "" if count is None else f", {count}"
        lines.append(f'{{ char u[32] = "abcd"; {function}(u + {to}, u + {source}{more}); }}')
        if overlapping(function, to, source, count):
            expected.append(number)
    result = overlaps(lines, evidence=knaster.Evidence(traces=False, proofs=False))
    reached = [target for target, answer in result.answers if isinstance(answer, knaster.Reachable)]
    assert {target.kind for target in reached} == {"overlap"}
    assert [target.line - 2 for target in reached] == expected


@pytest.mark.parametrize(
    "call", ["strcat(u, u + 1)", "strncat(u, u + 1, 9)", "strncpy(u + 1, u, 3)", "strcpy(u + 2, u)"]
)
def test_the_kernel_sees_the_overlap_too(call: str) -> None:
    result = overlaps([f'char u[32] = "abcd"; {call};'])
    (reached,) = [answer for _, answer in result.answers if isinstance(answer, knaster.Reachable)]
    assert reached.kernel
