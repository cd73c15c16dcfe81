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
]
FAILS = [
    ("assert(argc != 3);", "reach"),
    ("if (argc == 2) assert(strlen(argv[1]) != 2 || argv[1][1] != 'q');", "reach"),
    ("char *last = argv[argc]; char c = *last;", "memory"),
    ("char *more = argv[argc + 1];", "memory"),
]


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
