"""The arguments of main: as many as argc says, texts of any length, and null after the last."""

from __future__ import annotations

import pytest

from knaster import check
from knaster.base.errors import UsageError

HEAD = "#include <assert.h>\n#include <string.h>\n"
HOLDS = [
    "assert(argc >= 0 && argv[argc] == 0);",
    "if (argc > 1) { assert(argv[1] != 0 && argv[0] != argv[1]); }",
    "if (argc != 2) return 0; char *p = argv[1]; argv++; assert(argv[0] == p && argv[1] == 0);",
    "if (argc == 1) { char c = argv[0][0]; if (c) { argv[0][0] = 'x'; assert(argv[0][0] == 'x'); } }",
    "char ***p = &argv; assert((*p)[argc] == 0);",
    "if (argc == 2 && strlen(argv[1]) == 3) assert(argv[1][0] && argv[1][2] && !argv[1][3]);",
    "if (argc == 2 && argv[1][0] == 0) assert(strlen(argv[1]) == 0);",
    "if (argc == 2 && strlen(argv[1]) > 1) { argv[1][1] = 0; assert(strlen(argv[1]) == 1 && argv[1][0]); }",
    "if (argc == 2 && strlen(argv[1] + 0) == 2) { argv[1][0] = 'x'; assert(strlen(argv[1] + 1) == 1); }",
]
FAILS = [
    ("assert(argc != 3);", "reach"),
    ("if (argc == 2) assert(strlen(argv[1]) != 2 || argv[1][1] != 'q');", "reach"),
    ("char *last = argv[argc]; char c = *last;", "memory"),
    ("char *more = argv[argc + 1];", "memory"),
    ("if (argc == 2) assert(strlen(argv[1]) < 5);", "reach"),
    ("if (argc == 2 && strlen(argv[1]) == 2) { argv[1][1] = 0; assert(strlen(argv[1]) == 2); }", "reach"),
    ("char b[2]; if (argc == 2 && strlen(argv[1]) <= sizeof b) strcpy(b, argv[1]);", "safety"),
    ('char b[3] = "a"; if (argc == 2 && strlen(argv[1]) < 3) strcat(b, argv[1]);', "safety"),
    ("if (argc == 2) { char c = argv[1][strlen(argv[1]) + 1]; }", "safety"),
]
GUARDED = """#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char name[3]; if (argc == 0) return 3;
  if (argc != 2) { fprintf(stderr, "usage: %s NAME\\n", argv[0]); return 2; }
  if (strlen(argv[1]) >= sizeof name) return 1;
  strcpy(name, argv[1]);
  printf("hello %s\\n", name);
  return 0;
}
"""


def verdict(body: str, property: str = "reach", argc: str = "") -> str:
    text = f"{HEAD}int main(int argc, char **argv) {{ {body} return 0; }}\n"
    return check(text, file="a.c", property=property, argc=argc).verdict.value


@pytest.mark.parametrize("body", HOLDS)
def test_what_holds(body: str) -> None:
    assert verdict(body) == "TRUE" and verdict(body, argc="2") == "TRUE"


@pytest.mark.parametrize("body, property", FAILS)
def test_what_fails(body: str, property: str) -> None:
    assert verdict(body, property) == "FALSE"


def test_a_number_of_arguments() -> None:
    assert verdict("assert(argc != 3);", argc="2") == "TRUE" and verdict("assert(argc != 3);", argc="3") == "FALSE"
    text = "#include <assert.h>\nint main(int argc) { assert(argc == 3); }\n"
    result = check(text, file="a.c", argc="3")
    assert result.verdict.value == "TRUE" and "LP64, argc: 3," in result.to_text()
    with pytest.raises(UsageError, match="'x' is no number of arguments of main"):
        check(text, file="a.c", argc="x")


def test_what_is_not_known() -> None:
    assert verdict("if (argc == 2) { argv[0] = argv[1]; assert(argv[0] == argv[1]); }") == "UNKNOWN"
    assert verdict("char *copy[1]; if (argc) { memcpy(copy, argv, sizeof copy); assert(copy[0]); }") == "UNKNOWN"


def test_a_guarded_copy_is_safe_and_a_plain_one_is_not() -> None:
    """However long the name of the program is, and the text: nobody has to read them to know how long they are."""
    assert check(GUARDED, file="a.c").verdict.value == "TRUE"
    wrong = check(GUARDED.replace(">= sizeof", "> sizeof"), file="a.c")
    assert wrong.verdict.value == "FALSE" and "reachable:   bounds:7:3" in wrong.to_text()


def test_few_arguments_are_shown() -> None:
    text = f"{HEAD}int main(int argc, char **argv) {{ if (argc > 1) assert(strlen(argv[1]) != 7); return 0; }}\n"
    shown = check(text, file="a.c", property="reach").to_text()
    assert "argc = 2" in shown and "the length of argv[1] = 7" in shown


def test_what_printf_returns_of_an_argument() -> None:
    """As many characters as the text has; `int` has no number for more."""
    head = "#include <stdio.h>\n#include <string.h>\n#include <assert.h>\n"
    body = 'if (argc == 2) { int n = printf("<%s>", argv[1]); assert(n == -1 || n == (int)strlen(argv[1]) + 2); }'
    text = f"{head}int main(int argc, char **argv) {{ {body} return 0; }}\n"
    assert check(text, file="a.c", property="reach").verdict.value == "TRUE"
    assert check(text.replace("+ 2", "+ 1"), file="a.c", property="reach").verdict.value == "FALSE"
