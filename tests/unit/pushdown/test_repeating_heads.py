"""Repeating heads: cycles of rules, through calls that return, and through calls that never do."""

from __future__ import annotations

from knaster.pushdown.repeating_heads import Head, RepeatingHeads
from knaster.pushdown.system import Rule


def rule(source: str, symbol: str, target: str, *push: str) -> Rule[bool]:
    return Rule(source, symbol, target, push, True)


def heads(rules: list[Rule[bool]], *marked: Rule[bool]) -> RepeatingHeads:
    reached: dict[Head, None] = {}
    for each in rules:
        reached[each.source, each.symbol] = None
    return RepeatingHeads(rules, set(marked).__contains__, reached)


def test_a_loop_is_passed_with_its_mark() -> None:
    loop, leave = rule("p", "a", "p", "a"), rule("p", "a", "p", "b")
    assert heads([loop, leave], leave).repeating() == []
    found = heads([loop, leave], loop)
    (part,) = found.repeating()
    assert found.cycle(("p", "a"), part) == ([loop], False)


def test_a_mark_inside_a_call_that_returns_counts() -> None:
    call, work, back = rule("p", "a", "p", "f", "a"), rule("p", "f", "p", "g"), rule("p", "g", "p")
    found = heads([call, work, back], work)
    assert [part for part in found.repeating() if ("p", "a") in part]
    part = next(part for part in found.repeating() if ("p", "a") in part)
    assert found.cycle(("p", "a"), part) == ([call, work, back], False)


def test_a_call_that_never_returns_goes_deeper() -> None:
    call = rule("p", "f", "p", "f", "f")
    found = heads([call], call)
    (part,) = found.repeating()
    assert found.cycle(("p", "f"), part) == ([call], True)


def test_a_call_that_returns_to_another_state_does_not_come_back() -> None:
    call, back = rule("p", "a", "p", "f", "a"), rule("p", "f", "q")
    assert heads([call, back], call).repeating() == []
    again = rule("q", "a", "p", "a")
    found = heads([call, back, again], call)
    (part,) = found.repeating()
    assert found.cycle(("p", "a"), part) == ([call, back, again], False)
