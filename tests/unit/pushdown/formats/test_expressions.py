"""Set expressions: what they accept, and how mistakes are shown."""

from __future__ import annotations

import re
from itertools import product

import pytest

from knaster.base.errors import SourceError
from knaster.pushdown.automaton import without_weights
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.formats.expressions import parse_set
from knaster.pushdown.solve import pre_star
from knaster.pushdown.system import Configuration, PushdownSystem

STATES = {"p": "p", "q": "q", "odd name": "odd name", "0": 0}
WORDS = ["".join(letters) for length in range(5) for letters in product("abx", repeat=length)]


def _accepts(text: str, state: object, word: str) -> bool:
    answer = pre_star(PushdownSystem.of(Boolean(), []), without_weights(parse_set(text, STATES.get)))
    return answer.accepts(Configuration(state, tuple(word)))


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("<p,>", ""),
        ("< [p] , ([a]?[b])* >", "(a?b)*"),
        ("< p , .+ >", ".+"),
        ("< p , a b >", "ab"),
        ("< p , [a, b] [^a, b]* >", "[ab]x*"),
        ("< p , (a | b b)+ x? >", "(a|bb)+x?"),
        ("< p , a | >", "a|"),
        ("< p , () a >", "a"),
        ("< p , ((a*)*)* >", "a*"),
        ('< p , "a" # a comment >\n b >', "ab"),
        ("< p, a > | < [p, q], b+ > | < q, x >", "a|b+"),
    ],
)
def test_expressions(text: str, pattern: str) -> None:
    answer = pre_star(PushdownSystem.of(Boolean(), []), without_weights(parse_set(text, STATES.get)))
    for word in WORDS:
        assert answer.accepts(Configuration("p", tuple(word))) == bool(re.fullmatch(pattern, word)), word


def test_states_are_looked_up() -> None:
    assert _accepts('< ["odd name", 0], a >', "odd name", "a")
    assert _accepts('< ["odd name", 0], a >', 0, "a")
    assert not _accepts("< q, a >", "p", "a")


def test_deeply_nested_brackets() -> None:
    assert _accepts("< p , " + "(" * 20_000 + "a" + ")" * 20_000 + " >", "p", "a")


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("p, a >", "expected `<`", 1, 1),
        ("< r, a >", "there is no control state `r`", 1, 3),
        ("< p a >", "expected `,`", 1, 5),
        ("< p, (a >", r"expected `\)`", 1, 9),
        ("< p, a) >", "there is nothing to close here", 1, 7),
        ("< p, * >", "expected a name", 1, 6),
        ("< p, [a b] >", "expected `]`", 1, 9),
        ("< p, a > b", "expected `|` or the end", 1, 10),
        ("< p,\n  a", "expected a name", 2, 4),
        ('< p, "a >', "ends inside a quoted name", 1, 6),
        ("", "expected `<`", 1, 1),
    ],
)
def test_mistakes(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        parse_set(text, STATES.get)
    assert caught.value.problems[0].span[:2] == (line, column)
