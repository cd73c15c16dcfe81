"""cuba's files: what is read, and what is refused, by place."""

from __future__ import annotations

import pytest

from knaster.base.errors import SourceError
from knaster.pushdown.formats.cuba import Visible, looks_concurrent, read_concurrent, read_visible

TEXT = """# a comment
2 # control states
PDA 2 4
0 2 -> 1 3      # overwrite
1 3 -> 0 2 4    # push, 2 on top
0 4 -> 0 -
1 9 -> 0
PDA 0 0
0 0->1 0
"""


def test_rules_and_symbols() -> None:
    system = read_concurrent(TEXT, "a.pds")
    assert system.states == 2 and list(map(sorted, system.symbols)) == [[2, 3, 4, 9], [0]]
    assert [rule.push for rule in system.systems[0].given] == [(3,), (2, 4), (), ()]
    assert str(system.first) == "0|2,0"


def test_visible_states() -> None:
    system = read_concurrent(TEXT, "a.pds")
    assert read_visible("# here\n1|9,-\n", "a.init", system) == Visible(1, (9, None))
    assert str(read_visible(" 1 | - , 0 ", "a.init", system)) == "1|-,0"
    assert system.first.joint.stacks == ((2,), (0,)) and Visible(0, (None, 0)).joint.stacks == ((), (0,))


@pytest.mark.parametrize("text", ["", "1", "1|", "2|2,0", "1|2", "1|2,0,0", "1|7,0", "1|2,0\n1|2,0", "a|2,0", "1|2;0"])
def test_what_is_no_visible_state(text: str) -> None:
    with pytest.raises(SourceError, match="such as 0\\|2,0"):
        read_visible(text, "a.init", read_concurrent(TEXT, "a.pds"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no system"),
        ("2\n", "there is no system"),
        ("PDA 1 2\n", "the number of control states is missing"),
        ("0\nPDA 1 2\n", "the number of control states is missing"),
        ("2\n0 1 -> 0 1\n", "a rule before the first"),
        ("2\nPDA 3 1\n", "the symbols of a system are missing"),
        ("2\nPDA 1 2\n0 1 - 0 1\n", "this is no rule"),
        ("2\nPDA 1 2\n0 1 -> 0 1 2 3\n", "this is no rule"),
        ("2\nPDA 1 2\n0 1 -> 2 1\n", "the control states 0 to 1"),
        ("2\nPDA 1 2\n0 1 -> 9999999999 1\n", "this is no rule"),
        ("2\nPDA 1 99999999\n", "the symbols of a system are missing"),
    ],
)
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        read_concurrent(text, "a.pds")


def test_how_such_a_file_is_told() -> None:
    assert looks_concurrent("a.pds", "") and looks_concurrent("-", TEXT)
    assert not looks_concurrent("a.json", "{}")
