"""Merge functions without path extension (section 3.2.3), and witness sets of Figure 2.11."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.merge import Merge, check_merge
from knaster.pushdown.runs.witness import witness, witnesses
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, SystemBuilder, run_value

BITS = BitRelations(range(2))
K = BITS.relation([(0, 1), (1, 1)])


def _identity_on_domain(caller: BitRelation[int], callee: BitRelation[int]) -> BitRelation[int]:
    return BITS.zero if callee == BITS.zero else BITS.relation({(source, source) for source, _ in caller})


def _relaxed(path_extension: bool) -> PushdownSystem[BitRelation[int]]:
    builder = SystemBuilder(BITS)
    builder.rule("p", "s", "p", "c", weight=K)
    builder.rule("p", "c", "p", "e", "r", merge=Merge(_identity_on_domain, path_extension))
    builder.rule("p", "e", "p")
    return builder.build()


def test_post_star_follows_the_stack_semantics() -> None:
    system = _relaxed(path_extension=False)
    answer = post_star(system, single("p", "s"), witnesses="all")
    assert answer.weight_of(Configuration("p", ("r",))) == BITS.one
    found = witness(answer, single("p", "r"))
    assert found is not None
    assert found.value == run_value(BITS, found.run) == BITS.one


def test_pre_star_refuses() -> None:
    with pytest.raises(UsageError, match="path extension"):
        pre_star(_relaxed(path_extension=False), single("p", "r"))


def test_a_wrong_claim_is_found_and_gives_another_answer() -> None:
    wrong = Merge(_identity_on_domain, path_extension=True)
    laws = {violation.law for violation in check_merge(BITS, wrong, [BITS.zero, BITS.one, K])}
    assert laws == {"g(a · b, c) = a · g(b, c)"}
    assert check_merge(BITS, Merge(_identity_on_domain, path_extension=False), [BITS.zero, BITS.one, K]) == []
    answer = pre_star(_relaxed(path_extension=True), single("p", "r"))
    assert answer.weight_of(Configuration("p", ("s",))) == K


VALUES = BitRelations([(x, y) for x in range(8) for y in range(8)])


def _figure_2_11() -> PushdownSystem[BitRelation[tuple[int, int]]]:
    builder = SystemBuilder(VALUES)
    builder.rule("p", "n1", "p", "n2", weight=VALUES.function(lambda v: (3, v[1])))
    builder.rule("p", "n1", "p", "n3", weight=VALUES.function(lambda v: (7, v[1])))
    builder.rule("p", "n2", "p", "n7", "n4")
    builder.rule("p", "n3", "p", "n7", "n5")
    builder.rule("p", "n4", "p", "n6")
    builder.rule("p", "n5", "p", "n6")
    builder.rule("p", "n7", "p", "n8", weight=VALUES.function(lambda v: (v[0], v[0])))
    builder.rule("p", "n8", "p")
    return builder.build()


def test_witnesses_of_figure_2_11() -> None:
    system = _figure_2_11()
    expected = [(0, 2, 6, 7, 4), (1, 3, 6, 7, 5)]
    forward = witnesses(post_star(system, single("p", "n1"), witnesses="all"), starting_with("p", "n6"))
    assert sorted(found.numbers for found in forward) == expected
    backward = witnesses(pre_star(system, starting_with("p", "n6"), witnesses="all"), single("p", "n1"))
    assert sorted(found.numbers for found in backward) == expected
    assert [found.start for found in backward] == [Configuration("p", ("n1",))] * 2
    assert [found.end for found in backward] == [Configuration("p", ("n6",))] * 2
