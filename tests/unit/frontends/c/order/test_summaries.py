"""What functions read and write that their callers can notice."""

from __future__ import annotations

from knaster.base.errors import Problem
from knaster.frontends.c.memory.reader import read_memory_tree
from knaster.frontends.c.order.summaries import summarise
from knaster.frontends.c.order.uses import Uses
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.text.options import COptions


def _summaries(text: str) -> dict[str, Uses]:
    problems: list[Problem] = []
    whole = f"{text}\nint main(void) {{ return 0; }}\n"
    found = read_memory_tree(whole, "test.c", COptions(), Layout(whole), problems)
    assert found is not None and not problems
    return summarise(found[0])


def test_a_summary_has_what_others_can_notice_also_of_functions_that_are_called() -> None:
    text = "int g; int s(void) { g++; return g; } int far(void) { return s(); } int plain(int x) { return x; }"
    summaries = _summaries(f"{text} void put(int *p) {{ *p = 1; }}")
    assert [place.text for place in summaries["far"].inner_writes] == ["g"]
    assert not summaries["plain"].inner_reads and not summaries["plain"].inner_writes
    assert [place.root for place in summaries["put"].inner_writes] == [None]


def test_functions_that_call_each_other_share_their_effects() -> None:
    text = "int g; int b(int n); int a(int n) { return n ? b(n - 1) : 0; } int b(int n) { g++; return a(n); }"
    assert [place.text for place in _summaries(text)["a"].inner_writes] == ["g"]
