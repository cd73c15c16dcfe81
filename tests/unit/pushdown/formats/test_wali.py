"""WALi's XML: queries, systems and automata of their own, weights, and refusals that say where."""

from __future__ import annotations

from math import inf

import pytest

from knaster.base.errors import SourceError
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.formats.instance import Instance
from knaster.pushdown.formats.wali import read_xml
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Configuration

SYSTEM = """<WPDS>
  <Rule from='p' fromStack='a' to='p' toStack1='e' toStack2='r'><Weight>2</Weight></Rule>
  <Rule from='p' fromStack='e' to='p'><Weight/></Rule>
  <Rule from='p' fromStack='r' to='q' toStack1='x'><Weight>ONE</Weight></Rule>
  <Rule from='p' fromStack='a' to='q' toStack1='x'><Weight>ZERO</Weight></Rule>
</WPDS>"""
AUTOMATON = """<WFA query='INORDER'>
  <State Name='p' initial='TRUE'><Weight>ZERO</Weight></State><State Name='f' final='TRUE'/>
  <Trans from='p' stack='{}' to='f'><Weight>ONE</Weight></Trans>
</WFA>"""


def _read(text: str) -> Instance:
    found = read_xml(text)
    assert isinstance(found, Instance)
    return found


def test_forward_query() -> None:
    found = _read(f"<Query type='poststar'>{SYSTEM}{AUTOMATON.format('a')}</Query>")
    assert (found.direction, found.targets, len(found.rules)) == ("post", None, 3)
    assert found.sources is not None
    answer = post_star(found.with_lengths(MinPath()), found.sources)
    assert answer.weight_of(Configuration("q", ("x",))) == 2


def test_backward_query() -> None:
    found = _read(f"<Query type='prestar'>{SYSTEM}{AUTOMATON.format('r')}</Query>")
    assert (found.direction, found.sources) == ("pre", None)
    assert found.targets is not None
    answer = pre_star(found.with_lengths(MinPath()), found.targets)
    assert answer.weight_of(Configuration("p", ("a",))) == 2
    assert answer.weight_of(Configuration("p", ("x",))) == inf


def test_parts_of_their_own() -> None:
    assert len(_read(SYSTEM).rules) == 3
    automaton = read_xml(AUTOMATON.format("a"))
    assert not isinstance(automaton, Instance)
    assert (automaton.initial, automaton.final, len(automaton.edges)) == (frozenset("p"), frozenset("f"), 1)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("<WPDS>", "this is no XML", 1),
        ("<Other/>", "expected <Query>", 1),
        ("<WPDS>\n<Trans/></WPDS>", "expected <Rule>", 2),
        ("<WPDS>\n\n<Rule from='p' to='q'/></WPDS>", "needs the attribute 'fromStack'", 3),
        ("<WPDS><Rule from='p' fromStack='a' to='q'><Weight>x</Weight></Rule></WPDS>", "the weight 'x'", 1),
        ("<WFA><Rule/></WFA>", "expected <State> or <Trans>", 1),
        ("<WFA><State/></WFA>", "needs the attribute 'name'", 1),
        ("<Query type='poststar'/>", "a query needs a <WPDS>", 1),
        ("<Query type='both'><WPDS/></Query>", "is 'poststar' or 'prestar'", 1),
    ],
)
def test_refusals(text: str, message: str, line: int) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        read_xml(text)
    assert caught.value.problems[0].span.line == line
