"""Writes which visible states several pushdown systems reach, for people and for programs."""

from __future__ import annotations

from typing import Any

from knaster.pushdown.switching.visible_states import VisibleStates

SHOWN = 20  # visible states in text output; the rest is counted


def to_text(found: VisibleStates) -> str:
    """Return what was found for people."""
    lines: list[str] = []
    if found.wanted is not None:
        lines.append(_verdict(found))
    if found.reached:
        lines += _run(found)
    else:
        lines.append(f"{_count(len(found.least), 'visible state')} from {found.start}, {_end(found)}")
        shown = sorted(found.least, key=lambda seen: (found.least[seen], str(seen)))[:SHOWN]
        lines += [f"  {seen}  after {_count(found.least[seen], 'switch', 'switches')}" for seen in shown]
        if len(found.least) > SHOWN:
            lines.append(f"  and {len(found.least) - SHOWN} more (--format json has all)")
    return "\n".join(lines) + "\n"


def content(found: VisibleStates) -> dict[str, Any]:
    """Return what was found as fields of a document."""
    body: dict[str, Any] = {
        "start": str(found.start),
        "wanted": None if found.wanted is None else str(found.wanted),
        "switches": found.switches,
        "closed": found.closed,
        "last_new": found.last,
        "visible_states": {str(seen): found.least[seen] for seen in sorted(found.least, key=str)},
    }
    if found.reached:
        rules = [{"system": each.running + 1, "rules": [str(rule) for rule in each.run]} for each in found.run]
        body["run"] = rules
    return body


def _verdict(found: VisibleStates) -> str:
    if found.reached:
        assert found.wanted is not None
        return f"reachable: {found.wanted} after {_count(found.least[found.wanted], 'switch', 'switches')}"
    if found.closed:
        return f"unreachable: {found.wanted}"
    return f"unknown: {found.wanted}: {found.reason}"


def _end(found: VisibleStates) -> str:
    if not found.closed:
        within = f"within {_count(found.switches, 'switch', 'switches')}" if found.switches >= 0 else "before the first"
        return f"{within}; {found.reason}"
    last = f"the last new one after {_count(found.last, 'switch', 'switches')}"
    return f"{last}; nothing is new after {_count(found.switches, 'switch', 'switches')} (checked)"


def _run(found: VisibleStates) -> list[str]:
    lines = [f"a run from {found.start}:"]
    for context in found.run:
        for rule in context.run:
            lines.append(f"  system {context.running + 1}  by {rule}")
    return lines


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
