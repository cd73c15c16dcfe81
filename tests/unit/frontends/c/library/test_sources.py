"""Functions of the library that are written in C: they are read with the program, and places stay the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster import check
from knaster.base.errors import SourceError
from knaster.frontends.c.library.sources import OURS, with_library
from knaster.frontends.text.several import FilePart, join_files, split_files
from support.compiled import differs, ends_well, needs_gcc

HEAD = """#include <stdlib.h>
#include <assert.h>
int up(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int key(const void *a, const void *b) { return *(const char *)a / 10 - *(const char *)b / 10; }
"""


def verdict(body: str, before: str = "") -> str:
    return check(f"{HEAD}{before}int main(void) {{ {body} return 0; }}\n", file="a.c").verdict.value


def test_a_text_has_what_it_needs() -> None:
    plain = "int main(void) { return 0; }\n"
    assert with_library(plain, "a.c") == plain
    own, library = split_files(with_library(f"{HEAD}int main(void) {{ qsort(0, 0, 0, up); }}\n", "a.c"))
    assert (own.name, own.shown) == ("a.c", "") and library.name in OURS
    assert with_library("void qsort(int a, int b)\n{ }\nint main(void) { qsort(1, 2); }\n", "a.c").startswith("void")
    both = with_library(join_files([FilePart("a.c", HEAD), FilePart("b.c", "void f(void) { bsearch(); }")]), "all")
    assert [part.shown for part in split_files(both)] == ["a.c", "b.c", "<stdlib.c>"]


def test_sorting() -> None:
    assert verdict("char t[] = {3, 1, 2}; qsort(t, 3, 1, up); assert(t[0] == 1 && t[1] == 2 && t[2] == 3);") == "TRUE"
    assert verdict("char t[] = {21, 11, 22}; qsort(t, 3, 1, key); assert(t[0] == 11 && t[1] / 10 == 2);") == "TRUE"
    assert verdict("char t[] = {21, 11, 22}; qsort(t, 3, 1, key); assert(t[1] == 21);") == "FALSE"
    assert verdict("char t[] = {21, 11, 22}; qsort(t, 3, 1, key); assert(t[1] == 22);") == "FALSE"
    assert verdict("char t[1]; qsort(t, 0, 1, up); assert(1);") == "TRUE"


def test_searching() -> None:
    assert verdict("char k = 2, t[] = {1, 2, 3}; assert(bsearch(&k, t, 3, 1, up) == &t[1]);") == "TRUE"
    assert verdict("char k = 5, t[] = {1, 2, 3}; assert(!bsearch(&k, t, 3, 1, up));") == "TRUE"
    body = "char k = 20, t[] = {1, 21, 22, 31}; char *p = bsearch(&k, t, 4, 1, key); assert(%s);"
    assert verdict(body % "p == t + 1 || p == t + 2") == "TRUE"
    assert verdict(body % "p == t + 1") == verdict(body % "p == t + 2") == "FALSE"


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ('strtol("  -0x1fz", &e, 0) * 1000 + *e', -31000 + ord("z")),
        ('strtol("077", 0, 0)', 63),
        ('strtol("zZ", 0, 36)', 35 * 36 + 35),
        ('strtol("0x", &e, 16) + *e', ord("x")),
        ('strtol(" +", &e, 10) + *e', ord(" ")),
        ('strtol("9223372036854775807", 0, 10) == 9223372036854775807 && errno == 0', 1),
        ('strtol("9223372036854775808", &e, 10) == 9223372036854775807 && errno == ERANGE && *e == 0', 1),
        ('strtol("-9223372036854775808", 0, 10) + 9223372036854775807 == -1 && errno == 0', 1),
        ('strtoll("-9223372036854775809", 0, 10) < 0 && errno == ERANGE', 1),
        ('strtoul("-1", 0, 10) == -1ul && errno == 0', 1),
        ('strtoull("18446744073709551616", 0, 10) == -1ull && errno == ERANGE', 1),
        ('atol(" +9x") + atoll("-4")', 5),
        ("div(-17, 5).quot * 100 + div(-17, 5).rem", -302),
        ("ldiv(17L, -5).rem + lldiv(-9, 4).quot", 0),
    ],
)
def test_numbers(call: str, value: int) -> None:
    """Each value is gcc's."""
    head = "#include <stdlib.h>\n#include <errno.h>\n#include <assert.h>\n"
    for claim, expected in ((value, "TRUE"), (value + 1, "FALSE")):
        text = f"{head}int main(void) {{ char *e = 0; assert(({call}) == {claim}); return 0; }}\n"
        assert check(text, file="a.c", property="reach").verdict.value == expected, call


def test_pieces_of_texts() -> None:
    cut = 'char b[] = ",a,bc;;d"; long r = 0; for (char *p = %s; p; p = %s) r = r * 100 + strlen(p) * 10 + (p[0] - 97);'
    head = "#include <string.h>\n"
    for first, then in (('strtok(b, ",;")', 'strtok(0, ",;")'), ('strtok_r(b, ",;", &q)', 'strtok_r(0, ",;", &q)')):
        assert verdict(f"char *q = 0; {cut % (first, then)} assert(r == 102113);", head) == "TRUE"
    body = 'char b[] = "a,,b"; char *q = b; assert(*strsep(&q, ",") == 97 && *strsep(&q, ",") == 0 && q == b + 3);'
    assert verdict(f'{body} assert(*strsep(&q, ",") == 98 && !q && !strsep(&q, ","));', head) == "TRUE"


def test_a_field_is_no_function_of_the_library() -> None:
    text = "struct o { int (*div)(int); }; int f(struct o *p, struct o q) { return p->div(1) + q.div(2); }\n"
    assert with_library(text, "a.c") == text


def test_a_function_of_the_program_comes_first() -> None:
    text = "int bsearch\n(int x)\n\n{ return x; }\n"
    body = "int main(void) { if (bsearch(3) != 3) { __VERIFIER_error(); } return 0; }\n"
    assert check(text + body, file="a.c").verdict.value == "TRUE"


def test_places_are_the_users() -> None:
    text = f"{HEAD}int main(void) {{\n  char t[] = {{2, 1}};\n  qsort(t, 2, 1, up);\n  assert(t[0] == 2);\n}}\n"
    result = check(text, file="a.c", property="reach")
    said = result.to_text()
    assert "a.c: FALSE. Assert at line 8 can fail" in said and "<stdlib.c>:21  qsort" in said
    assert check(text, "assert:8", file="a.c").verdict.value == "FALSE"
    assert check(text, "a.c:7", file="a.c").verdict.value == check(text, "7", file="a.c").verdict.value == "FALSE"


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        'char *v[] = {"p", "-t", "10", "-ax7", "rest", 0}; int a = 0, t = 0, x = 0, o; '
        'while ((o = getopt(5, v, "at:x:")) != -1) '
        "switch (o) { case 'a': a = 1; break; case 't': t = atoi(optarg); break; case 'x': x = atoi(optarg); break; "
        "default: return 1; } assert(a == 1 && t == 10 && x == 7 && optind == 4);",
        'char *v[] = {"p", "-q", 0}; opterr = 0; assert(getopt(2, v, "at:") == \'?\' && optopt == \'q\');',
        'char *v[] = {"p", "-t", 0}; opterr = 0; assert(getopt(2, v, ":at:") == \':\' && optopt == \'t\');',
        'char *v[] = {"p", "--", "-a", 0}; assert(getopt(3, v, "a") == -1 && optind == 2);',
        'char *v[] = {"p", "-", 0}; assert(getopt(2, v, "a") == -1 && optind == 1);',
        'char *v[] = {"p", "-a", 0}; assert(getopt(2, v, "a") == \'b\');',
        "fd_set s; FD_ZERO(&s); FD_SET(3, &s); FD_SET(63, &s); FD_CLR(3, &s); "
        "assert(!FD_ISSET(3, &s) && FD_ISSET(63, &s));",
        "fd_set s; FD_ZERO(&s); FD_SET(3, &s); assert(FD_ISSET(4, &s));",
        "mbstate_t s = {0}; assert(mbsinit(&s) && mbsinit(0));",
    ],
)
def test_options_and_sets_as_gcc_has_them(body: str) -> None:
    heads = "assert.h stdlib.h unistd.h wchar.h sys/select.h"
    text = "".join(f"#include <{name}>\n" for name in heads.split())
    assert differs(f"{text}int main(void) {{ {body} return 0; }}\n") == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("char b[4] = {0}; long n = read(0, b, 4); assert(n >= -1 && n <= 4);", "TRUE"),
        ("char b[4] = {0}; long n = read(0, b, 4); assert(n >= 0);", "FALSE"),
        ("char b[4] = {0}; if (read(0, b, 1) == 1) assert(b[0] != 'x' && !b[1]);", "FALSE"),
        ("char b[4] = {0}; if (read(0, b, 1) == 1) assert(!b[1]);", "TRUE"),
        ("char b[4] = {0}; read(0, b, 5);", "FALSE"),
        ("char b[4] = {0}; assert(write(1, b, 4) <= 4);", "TRUE"),
        ("char b[4] = {0}; write(1, b, 5);", "FALSE"),
        ("int s = socket(AF_INET, SOCK_STREAM, 0); assert(s >= -1); assert(close(s) <= 0);", "TRUE"),
        ("int s = socket(AF_INET, SOCK_STREAM, 0); assert(s >= 0);", "FALSE"),
    ],
)
def test_what_comes_from_outside_is_anything(body: str, said: str) -> None:
    assert verdict(body, "#include <unistd.h>\n#include <sys/socket.h>\n") == said


def test_names_of_posix_are_anybodys_without_its_headers() -> None:
    text = "int read(int); int main(void) { __CPROVER_assert(read(3) <= 4); return 0; }\n"
    assert with_library(text, "a.c") == text and check(text, file="a.c").verdict.value == "FALSE"


def test_a_call_with_braces_is_no_definition() -> None:
    text = f"{HEAD}int main(void) {{ qsort((char[]){{2, 1}}, 2, 1, up); }}\n"
    assert with_library(text, "a.c") != text
    text = '#include <string.h>\nint main(void) { char t[] = "a"; if (strtok(t, "b")) { return 1; } return 0; }\n'
    assert with_library(text, "a.c") != text


HANDLERS = """int n, *kept;
void one(void) { n = n * 10 + 1; }
void two(void) { n = n * 10 + 2; }
void last(void) { assert(n == 21); }
void use(void) { *kept = 1; }
void stop(void) { exit(3); }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("atexit(last); atexit(one); atexit(two);", "TRUE"),
        ("atexit(last); atexit(two); atexit(one);", "FALSE"),
        ("atexit(last); atexit(one); atexit(two); stop();", "TRUE"),
        ("atexit(last); stop();", "FALSE"),
        ("atexit(last); _exit(0);", "TRUE"),
        ("atexit(last); abort();", "TRUE"),
        ("int x; kept = &x; atexit(use);", "FALSE"),  # main's locals have ended
        ("int x; kept = &x; atexit(use); exit(0);", "TRUE"),  # they have not
        ("static int x; kept = &x; atexit(use);", "TRUE"),
    ],
)
def test_what_atexit_registers_is_called(body: str, found: str) -> None:
    assert verdict(body, HANDLERS) == found


SCANS = [
    'sscanf("12 34abc", "%d %d%s", &a, &b, w) == 3 && a == 12 && b == 34 && w[0] == \'a\' && w[3] == 0',
    'sscanf("abc", "%d", &a) == 0',
    'sscanf("", "%d", &a) == -1',
    'sscanf("0x1f,077", "%i,%i", &a, &b) == 2 && a == 31 && b == 63',
    "sscanf(\"k=v9\", \"%[a-z]=%2s\", w, w + 4) == 2 && w[0] == 'k' && w[5] == '9'",
    'sscanf("ab]c", "%[^]]", w) == 1 && w[2] == 0',
    'sscanf("12345", "%2d%*1d%d", &a, &b) == 2 && a == 12 && b == 45',
    'sscanf("x y", "%c%c%c", w, w + 1, w + 2) == 3 && w[1] == \' \'',
    'sscanf("7%", "%d%%%n", &a, &b) == 1 && b == 2',
    'sscanf("+5 -6", "%u %d", &a, &b) == 2 && a == 5 && b == -6',
    'sscanf("3;4", "%d,%d", &a, &b) == 1',
]


@needs_gcc
@pytest.mark.parametrize("scan", SCANS)
def test_scanning_a_text(scan: str) -> None:
    text = f"#include <stdio.h>\n{HEAD}int main(void) {{ int a = 0, b = 0; char w[8]; assert({scan}); return 0; }}\n"
    assert check(text, file="a.c").verdict.value == "TRUE"
    assert ends_well(text)


def test_of_what_scanning_does_not_read_nothing_is_said() -> None:
    for scan in ('"1.5", "%f", (float *)&a', '"99999999999999999999", "%d", &a', '"70000", "%hd", (short *)&a'):
        assert verdict(f"int a; sscanf({scan}); assert(1);", "#include <stdio.h>\n") == "UNKNOWN"


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        'char *e = mempcpy(c, "ab", 2); *e = 0; assert(e == c + 2 && c[1] == 98);',
        'char *e = __builtin_mempcpy(c, "ab", 2); assert(e == c + 1);',
        'char *e = stpncpy(c, "hu", 8); assert(e == c + 2 && !c[7]);',
        'char *e = __builtin_stpncpy(c, "hallo", 2); assert(e == c + 2 && c[2] == 51);',
        'bcopy(c + 1, c, 7); assert(c[0] == 50 && !bcmp(c, "2345", 4) && bcmp(c, "2346", 4));',
        "bzero(c, 2); assert(c[2] == 51 && c[1] == 1);",
    ],
)
def test_copies_of_bytes(body: str) -> None:
    head = "#define _GNU_SOURCE\n#include <string.h>\n#include <strings.h>\n#include <assert.h>\n"
    assert differs(f'{head}int main(void) {{ char c[9] = "12345678"; {body} return 0; }}\n') == ""


@needs_gcc
@pytest.mark.parametrize(
    "body",
    [
        '__builtin___memcpy_chk(b, "hallo", 6, 8); assert(b[4] == 111);',
        'char *e = __builtin___mempcpy_chk(p, "hu", 2, __builtin_object_size(p, 0)); assert(e == b + 2 && b[2] == 99);',
        '__builtin___strcpy_chk(p, "x", -1ul); __builtin___strcat_chk(b, "yz", 8); assert(!strcmp(b, "xyz"));',
        '__builtin___memset_chk(b, 1, 8, 8); __builtin___strncpy_chk(b, "q", 8, 8); assert(!b[7] && b[0] == 113);',
        '__builtin___memmove_chk(b + 1, b, 3, 7); assert(b[1] == 97 && __builtin___stpcpy_chk(b, "", 1) == b);',
        '__builtin___strncat_chk(b, "12345678", 4, 8); assert(b[6] == 52);',
        '__builtin___strncat_chk(b, "12345678", 4, 8); assert(b[6] == 51);',
    ],
)
def test_copies_that_know_how_much_room_there_is(body: str) -> None:
    head = "#include <string.h>\n#include <assert.h>\n"
    assert differs(f'{head}int main(void) {{ char b[8] = "abc", *p = b; {body} return 0; }}\n') == ""


def test_a_copy_that_has_no_room_ends_the_run() -> None:
    body = '__builtin___strncat_chk(b, "12345678", 5, 8); reach_error();'
    text = f'int main(void) {{ char b[8] = "abc"; {body} return 0; }}\n'
    assert check(text, file="a.c", property="reach").verdict.value == "TRUE"
    assert check(text.replace("5, 8", "4, 8"), file="a.c", property="reach").verdict.value == "FALSE"
    assert check(text, file="a.c", property="memory").verdict.value == "TRUE"


def test_a_function_that_is_defined_as_of_old_is_its_own() -> None:
    own = "int calls;\nvoid bzero(p, n)\n  char *p;\n  int n;\n{ calls++; }\n"
    text = f"{own}int main(void) {{ char c = 1; bzero(&c, 1); if (c != 1 || calls != 1) reach_error(); return 0; }}\n"
    assert with_library(text, "a.c") == text
    assert check(text, file="a.c", property="reach").verdict.value == "TRUE"


def test_a_word_in_a_header_that_needs_the_library_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#define copy(a, b) __builtin___strcpy_chk(a, b, 2)\n")
    text = '#include "a.h"\nint main(void) { char c[2]; copy(c, "a"); reach_error(); return 0; }\n'
    with pytest.raises(SourceError, match="'__builtin___strcpy_chk' is a function of the C library that is not read"):
        check(text, file=str(tmp_path / "a.c"), property="reach")
