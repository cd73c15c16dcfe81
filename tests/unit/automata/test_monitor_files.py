"""Files of monitors: read as they are meant, or refused with every mistake."""

from __future__ import annotations

import pytest

from knaster.automata.monitor import Event
from knaster.automata.monitor_files import read_monitor
from knaster.base.errors import SourceError

GOOD = 'start A  # where\nerror E, F\n\nA -> B : call f // one\nB -> E : line "x = // *"\n* -> F : line 7\n'


def test_a_file() -> None:
    monitor = read_monitor(GOOD)
    assert monitor.states == ("A", "B", "E", "F")
    assert monitor.errors == {"E", "F"}
    assert [move.event for move in monitor.moves] == [Event("call", "f"), Event("line", "x = // *"), Event("line", "7")]
    assert monitor.moves[2].source is None
    assert [str(event) for event in monitor.events()] == ["call f", 'line "x = // *"', "line 7"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("error E\nA -> E : call f\n", "no state to start in"),
        ("start A\nA -> E : call f\n", "no error state"),
        ("start A\nerror E\nA -> E call f\n", "3:1: error: this is no line of a monitor"),
        ("start A\nerror E\nA -> E : cal f\n", "did you mean 'call'?"),
        ("start A\nerror E\nA -> E : call\n", "this is no event"),
        ("start A\nerror E\nA -> E : line f\n", "a line is a number"),
        ('start A\nerror E\nA -> E : call "f"\n', "without quotes"),
        ("start A, B\nerror E\nA -> E : call f\n", "one state to start in"),
        ("start A\nerror Eror\nA -> Error : call f\n", "did you mean 'Error'?"),
        ("start Locked\nerror E\nLocke -> E : call f\nE -> E : call g", "did you mean 'Locked'?"),
        ("start A\nerror E F\nA -> E : call f\n", "a state is one word"),
        ("", "no state to start in"),
    ],
)
def test_bad_files(text: str, said: str) -> None:
    with pytest.raises(SourceError, match="error: ") as caught:
        read_monitor(text, "m.aut")
    assert said in str(caught.value)
