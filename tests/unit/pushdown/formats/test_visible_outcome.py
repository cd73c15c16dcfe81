"""What is said about visible states: the verdict first, then a run, or what was seen and whether that is all."""

from __future__ import annotations

from knaster.base.limits import OutOfBudget
from knaster.pushdown.formats.cuba import Visible, read_concurrent
from knaster.pushdown.formats.visible_outcome import content, to_text
from knaster.pushdown.switching.visible_states import find_visible_states

SYSTEM = read_concurrent("4\nPDA 1 2\n0 1 -> 1 2\n3 2 -> 0 1\nPDA 4 6\n0 4 -> 0 -\n1 4 -> 2 5\n2 5 -> 3 4 6\n", "a.pds")


def test_without_a_question() -> None:
    found = find_visible_states(SYSTEM, SYSTEM.first)
    head = "8 visible states from 0|1,4, the last new one after 4 switches; nothing is new after 5 switches (checked)"
    assert to_text(found).splitlines()[:2] == [head, "  0|1,-  after 0 switches"]
    assert content(found)["closed"] is True and content(found)["visible_states"]["3|2,4"] == 1


def test_with_one() -> None:
    reached = find_visible_states(SYSTEM, SYSTEM.first, Visible(3, (2, 4)))
    assert to_text(reached).startswith("reachable: 3|2,4 after 1 switch\na run from 0|1,4:\n")
    assert content(reached)["run"][0]["system"] == 1
    assert to_text(find_visible_states(SYSTEM, SYSTEM.first, Visible(3, (1, 4)))).startswith("unreachable: 3|1,4\n")


def test_where_time_is_over() -> None:
    def tick() -> None:
        raise OutOfBudget("no time")

    text = to_text(find_visible_states(SYSTEM, SYSTEM.first, Visible(3, (1, 4)), tick))
    assert text == "unknown: 3|1,4: no time\n0 visible states from 0|1,4, before the first; no time\n"
