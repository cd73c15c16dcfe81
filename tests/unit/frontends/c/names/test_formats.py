"""Functions that print: what they read besides texts in quotes, by the text of the call."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.frontends.c.names.formats import reads_memory, writes_count
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.tree import nodes

X: Any = SimpleNamespace()  # something that is no text


def texts(*arguments: Any) -> list[Any]:
    """Return arguments, each of which may be a text."""
    char = Integer(8, True)
    return [nodes.Text(tuple(one.encode()), char, (1, 1)) if isinstance(one, str) else one for one in arguments]


@pytest.mark.parametrize(
    ("name", "arguments", "reads"),
    [
        ("printf", ["%d %c %% %f %p", X, X, X, X], False),
        ("printf", ["%s", "a"], False),
        ("printf", ["%s", X], True),
        ("printf", ["%*s", X, "a"], False),
        ("printf", ["%*.*s", X, X, X], True),
        ("printf", ["%s%d%-5.3s", "a", X, X], True),
        ("printf", ["%s%d%-5.3s", "a", X, "b"], False),
        ("printf", ["%d%ls", X, X], True),
        ("printf", ["%s"], True),
        ("printf", [X], True),
        ("printf", [], False),
        ("fprintf", [X, "%d", X], False),
        ("fprintf", [X, "%s", X], True),
        ("fprintf", [X, X], True),
        ("fprintf", [X], False),
        ("puts", ["a"], False),
        ("puts", [X], True),
        ("fputs", ["a", X], False),
        ("fputs", [X, X], True),
        ("perror", [X], True),
        ("puts", [], False),
        ("putchar", [X], False),
        ("printf", ["%hhn", X], True),
    ],
)
def test_what_is_read(name: str, arguments: list[Any], reads: bool) -> None:
    assert reads_memory(name, texts(*arguments)) is reads


def test_what_is_written() -> None:
    assert writes_count("printf", texts("%d%n", X, X)) and writes_count("fprintf", texts(X, "%ln", X))
    assert not writes_count("printf", texts("%%n%d", X)) and not writes_count("fprintf", texts("%n", X))
    assert not writes_count("printf", [X]) and not writes_count("printf", []) and not writes_count("puts", texts("%n"))


def test_it_is_read_with_memory_or_not_at_all() -> None:
    text = '#include <stdio.h>\nint main(void) { char a[2] = "ab"; printf("%s", a); return 0; }\n'
    assert knaster.check(text, file="a.c").verdict.value == "FALSE"
    with pytest.raises(KnasterError, match="'printf' reads through a pointer"):
        knaster.check(text, file="a.c", objects="never")
