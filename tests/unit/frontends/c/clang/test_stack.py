"""A stack for Clang: how deep a text is nested at most, and what is run in a thread of its own."""

from __future__ import annotations

import threading

import pytest

from knaster.base.errors import KnasterError
from knaster.frontends.c.clang import library, stack
from knaster.frontends.c.clang.stack import nesting, run_deep
from support.c_text import messages

FLAT = "int main(void) { int x = 0;\n" + "if (x) { x = (1 + 2) * 3; } else { x = 4; }\n" * 60 + "return x; }\n"


def test_a_flat_text_is_not_deep() -> None:
    assert len(FLAT) > 1_000 and nesting(FLAT * 40) < 200
    assert nesting("int t[] = {" + "1, " * 5_000 + "};") < 50


@pytest.mark.parametrize(
    "text",
    [
        "int x = " + "(" * 2_000 + "1" + ")" * 2_000 + ";",
        "int x = 1" + " + 1" * 2_000 + ";",
        "int x = " + "- " * 2_000 + "1;",
        "void f(void) {" + "{" * 2_000 + "}" * 2_000 + "}",
        "void f(int x) {" + "if (x) " * 2_000 + ";}",
        "void f(int x) {" + "if (x) x = 1; else " * 2_000 + ";}",
    ],
)
def test_what_is_deep_is_seen(text: str) -> None:
    assert nesting(text) >= 2_000


def test_another_thread() -> None:
    assert run_deep(threading.get_ident, 10) != threading.get_ident()
    with pytest.raises(ValueError):
        run_deep(lambda: int("x"), 10)
    assert run_deep(threading.get_ident, 10**7) is None


def test_what_is_too_deep_is_refused() -> None:
    text = "int main(void) { return " + "- " * 200_000 + "1; }\n"
    assert messages(text) == ["statements or expressions are nested too deep"]


def test_where_the_system_grants_no_stack_memory_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "_start", lambda work, size: False)
    with pytest.raises(KnasterError, match="8 MB more of memory"):
        run_deep(threading.get_ident, 10)
    monkeypatch.setattr("knaster.base.limits.address_space", lambda: 300 << 20)
    with pytest.raises(KnasterError, match=r"128 MB more.*300 MB of it are allowed.*ulimit -v"):
        run_deep(threading.get_ident, 20_000)
    assert run_deep(threading.get_ident, 10**7) is None


def test_c_is_not_read_where_there_is_too_little_address_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "address_space", lambda: 250_000 << 10)
    with pytest.raises(KnasterError, match="needs about 420 MB of address space"):
        library.load_library.__wrapped__()
    monkeypatch.setattr(library, "address_space", lambda: 420 << 20)
    assert library.load_library.__wrapped__() is library.load_library()
