"""Sessions: what is asked, what is refused, what is recomputed and said about it."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import single, starting_with
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.fast.session import Session
from knaster.pushdown.merge import Merge
from knaster.pushdown.saturation.query import weight_at
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule


def step(source: str, *push: str, weight: Length = 1) -> Rule[Length]:
    return Rule("p", source, "p", push, weight)


RULES = [
    step("m", "f", "m1"),
    step("m1", "g", "m2"),
    step("m2"),
    step("f", "f1", weight=5),
    step("f1"),
    step("g", "h", "g1"),
    step("g1"),
    step("h"),
]


def asked() -> Session[Length]:
    session = Session(PushdownSystem.of(MinPath(), RULES))
    session.post(single("p", "m"))
    return session


def test_answers_and_contexts() -> None:
    session = asked()
    assert session.at("m2") == 11
    assert session.at("h", ["g1", "m2"]) == session.at("h", ["g1"]) == session.at("h", state="p") == 9
    assert session.at("h", "g1") == 9  # a string is one symbol
    assert session.at("h", ["m2"]) == session.at("nothing") == session.at("h", state="q") == MinPath.zero
    assert session.weight_of(Configuration("p", ("h", "g1", "m2"))) == 9
    assert session.weight_of(Configuration("p")) == 12
    assert (
        session.weight_of(Configuration("q", ("m",))) == session.weight_of(Configuration("p", ("no",))) == MinPath.zero
    )


def test_only_what_an_edit_reaches_is_computed_again() -> None:
    session = asked()
    assert session.at("m2") == 11
    assert session.explain().scratch == "the question is new"
    session.edit(remove=[step("h")], add=[step("h", weight=3)])
    assert session.at("m2") == 13
    told = session.explain()
    assert told.procedures == ("g", "h") and told.rebuilt == 1 and told.scratch == ""
    assert str(told).startswith("computed again: 2 summaries (g, h), path expressions of 1 procedure, ")
    session.edit(add=[step("f", "f1", weight=9)])
    assert session.at("m2") == 13
    assert session.explain().procedures == ("f",)


def test_the_same_question_is_not_asked_twice() -> None:
    session = asked()
    first = session.at("m2")
    session.post(single("p", "m"))
    assert session.at("m2") == first
    session.pre(starting_with("p", "m2"))
    assert session.weight_of(Configuration("p", ("m",))) == 11
    session.edit(remove=[step("f", "f1", weight=5)])
    assert session.weight_of(Configuration("p", ("m",))) == MinPath.zero


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (Rule("p", "f", "q", ("f1",), 1), "control state"),
        (step("f", "f1", "x", "y"), "more than two"),
    ],
)
def test_edits_that_start_from_scratch(rule: Rule[Length], reason: str) -> None:
    session = asked()
    session.edit(add=[rule])
    fresh = post_star(PushdownSystem.of(MinPath(), [*RULES, rule]), single("p", "m"))
    assert session.at("f1") == weight_at(fresh, "f1")
    assert reason in session.explain().scratch and "from scratch" in str(session.explain())


def test_a_wildcard_meets_symbols_that_come_later() -> None:
    session = Session(PushdownSystem.of(MinPath(), RULES))
    session.pre(starting_with("p", "f1"))
    new = [step("m", "f1", "fresh")]
    session.edit(add=new)
    fresh = pre_star(PushdownSystem.of(MinPath(), [*RULES, *new]), starting_with("p", "f1"))
    assert session.weight_of(Configuration("p", ("m",))) == fresh.weight_of(Configuration("p", ("m",))) == 1


def test_many_edits_do_not_pile_up() -> None:
    session = asked()
    for number in range(40_000 // 40):
        session.edit(add=[step("h", f"x{number}", weight=3 + number % 7), step(f"x{number}")])
        session.edit(remove=[step("h", f"x{number}", weight=3 + number % 7), step(f"x{number}")])
        assert session.at("m2") == 11
    solver = session._solver
    assert solver is not None and len(solver.expressions) < 40_000


def test_what_is_refused() -> None:
    session = Session(PushdownSystem.of(MinPath(), RULES))
    with pytest.raises(UsageError, match="begin with post or pre"):
        session.at("m")
    answer = session.post(single("p", "m"))
    before = session.at("m2")
    with pytest.raises(UsageError, match="cannot be removed"):
        session.edit(remove=[step("h"), step("h")])
    with pytest.raises(UsageError, match="cannot be removed"):
        session.edit(add=[step("h", "g")], remove=[step("h", weight=7)])
    with pytest.raises(UsageError, match="no weight"):
        session.edit(add=[step("h", weight=-1)])
    relaxed: Merge[Length] = Merge(lambda caller, callee: caller, path_extension=False)
    with pytest.raises(UsageError, match="path extension"):
        session.edit(add=[Rule("p", "m", "p", ("f", "m1"), 1, relaxed)])
    assert session.at("m2") == before and session.system.given == tuple(RULES)
    session.edit(add=[step("h", "g")])
    with pytest.raises(UsageError, match="ask again"):
        answer.weight_of(Configuration("p", ("m2",)))


def test_zero_rules_can_be_added_and_removed() -> None:
    session = asked()
    never = step("m", "m2", weight=MinPath.zero)
    session.edit(add=[never])
    assert session.at("m2") == 11
    session.edit(remove=[never])
    assert session.at("m2") == 11
