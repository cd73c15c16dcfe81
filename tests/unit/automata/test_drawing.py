"""The picture of an automaton has all of its states, and every guard."""

from __future__ import annotations

from xml.etree import ElementTree

from knaster.automata.drawing import draw
from knaster.automata.translate import ltl


def test_states_steps_and_guards_are_drawn() -> None:
    for text in ("G F p", "p U (q & X !p)", "G ({x < 1} -> F at(L))", "false"):
        automaton = ltl(text)
        picture = draw(automaton)
        ElementTree.fromstring(picture)
        assert picture.count("<circle") == automaton.states
    assert "{x &lt; 1}" in draw(ltl("G ({x < 1} -> F at(L))")) and 'stroke-width="2.5"' in draw(ltl("G F p"))
