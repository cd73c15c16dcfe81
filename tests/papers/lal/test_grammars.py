"""Joins over derivations (Figure 2.12) and the words of rules that pop a symbol (Figure 2.6)."""

from __future__ import annotations

from collections.abc import Callable

from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.saturation.grammar import PopSequences, Production, join_over_derivations, pop_grammar, words
from knaster.pushdown.system import PushdownSystem, SystemBuilder


def test_figure_2_12() -> None:
    domain = MinPath()

    def after(length: Length) -> Callable[[Length], Length]:
        return lambda rest: domain.extend(length, rest)

    productions: list[Production[Length]] = [
        Production("t1", (), lambda: 1),
        Production("t1", ("t2",), after(2)),
        Production("t2", ("t1",), after(3)),
        Production("t3", ("t2",), after(4)),
    ]
    assert join_over_derivations(domain, productions) == {"t1": 1, "t2": 4, "t3": 8}


def _system(text: str) -> PushdownSystem[bool]:
    builder = SystemBuilder(Boolean())
    for rule in text.split(";"):
        symbol, *push = rule.split()
        builder.rule("p", symbol, "p", *push)
    return builder.build()


def test_words_of_figure_2_11() -> None:
    grammar = pop_grammar(_system("n1 n2; n1 n3; n2 n7 n4; n3 n7 n5; n4 n6; n5 n6; n7 n8; n8"))
    assert words(grammar, PopSequences("p", "n7", "p"), 9) == [(6, 7)]
    assert words(grammar, PopSequences("p", "n1", "p"), 9) == []


def test_words_of_a_recursive_procedure() -> None:
    system = _system("m0 f0 m1; f0 f1; f0 f3; f1 f1b; f1b f0 f2; f2 f3; f3")
    a, d, b, c, h, e = 1, 2, 3, 4, 5, 6
    found = words(pop_grammar(system), PopSequences("p", "f0", "p"), 12)
    assert found == [(d, e), (a, b, c, d, e, h, e), (a, b, c, a, b, c, d, e, h, e, h, e)]
