"""Entry values: variables that may be read before they are written, and no others."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.transform.reference_models.entry_values import entry_values, start_values


def begins(body: str, head: str = "void main()") -> tuple[str, ...]:
    return entry_values(load(f"decl g; {head} begin decl a, b, c; {body} end\n").procedure("main"))


def test_what_is_read_first() -> None:
    assert begins("a := T; b := a; if (c) then b := F; fi") == ("c",)
    assert begins("if (g) then a := T; fi g := a;") == ("a",)
    assert begins("while (*) do a := b; b := T; od") == ("b",)


def test_what_is_enforced_is_read() -> None:
    assert begins("enforce (a | !b); c := T;") == ("a", "b")


def test_a_result_that_nobody_sets_is_any_value() -> None:
    assert begins("g := T;", "bool main()") == ("@0",)
    assert begins("return g;", "bool main()") == ()


def test_globals_that_nobody_reads() -> None:
    sequential = load("decl g, h; void main() begin h := g; if (h) then skip; fi end" + "\n")
    assert start_values(sequential) == {"g"}
    threads = load("decl g, h; void main_1() begin skip; end void main_2() begin skip; end" + "\n")
    assert start_values(threads) == {"g", "h"}
