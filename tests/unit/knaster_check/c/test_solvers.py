"""Who is asked, in which order and with how much effort; what is counted, and when a question ends."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from knaster_check.c import solvers
from knaster_check.c.bits import Bits
from knaster_check.c.nodes import FALSE, INTEGER, TRUE, Names, Node, apply
from knaster_check.c.script import to_script
from knaster_check.c.solvers import LAST, Solvers, _Patience, _Way
from knaster_check.c.translation import Translation
from knaster_check.program import BOOL
from knaster_check.refused import Refused, Unsupported
from knaster_check.work import nothing


class Asked(NamedTuple):
    """An obligation."""

    wrong: Node
    place: str = "'main'"
    why: str = "it may fail"


def ways(monkeypatch: pytest.MonkeyPatch, **says: str) -> list[tuple[str, int]]:
    """Let solvers say something; return who is asked with which effort."""
    asked: list[tuple[str, int]] = []

    def way(name: str, said: str) -> _Way:
        def ask(script: str, effort: int, tick: Any, values: Any = None) -> str:
            asked.append((name, effort))
            return said

        return _Way(name, ask, Bits)

    monkeypatch.setattr(solvers, "_WAYS", tuple(way(name, said) for name, said in says.items()))
    monkeypatch.setattr(solvers, "find_spec", lambda name: None if name == "missing" else object())
    monkeypatch.setattr(solvers, "_version", lambda name: "1")
    return asked


def test_the_first_that_answers_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    work: list[int] = []
    asked = ways(monkeypatch, missing="sat", a="unknown", b="unsat", c="sat")
    own = Solvers(lambda units=1: work.append(units))
    own.refute(Asked(FALSE))
    assert asked == [("a", 1), ("b", 1)] and own.answered == {"b 1": 1}
    own.refute(Asked(FALSE))
    assert asked[2:] == [("b", 1)] and own.answered == {"b 1": 2}  # who has failed is asked later
    assert work == [2_000] * 3


def test_what_is_possible_is_refused_and_what_nobody_knows_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    ways(monkeypatch, a="unknown", b="sat")
    with pytest.raises(Refused, match="it may fail") as refused:
        Solvers(lambda units=1: None).refute(Asked(FALSE))
    assert not isinstance(refused.value, Unsupported)
    asked, work = ways(monkeypatch, a="unknown", b="unknown"), list[int]()
    with pytest.raises(Unsupported, match="no solver answers"):
        Solvers(lambda units=1: work.append(units)).refute(Asked(FALSE))
    assert asked == [("a", 1), ("b", 1), ("a", 25), ("b", 25)] and work == [2_000, 2_000, 50_000, 50_000]


def test_z3_is_asked_only_where_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ways(monkeypatch, z3="unsat", a="unsat")
    Solvers(lambda units=1: None).refute(Asked(FALSE))
    assert asked == [("a", 1)]
    token = LAST.set(True)
    try:
        Solvers(lambda units=1: None).refute(Asked(FALSE))
    finally:
        LAST.reset(token)
    assert asked == [("a", 1), ("z3", 1)]
    ways(monkeypatch, missing="unsat", z3="unsat")
    with pytest.raises(Unsupported, match="is installed"):
        Solvers(lambda units=1: None)


def test_patience_ends() -> None:
    own = _Patience(2, lambda units=1: None)
    assert [own() for _ in range(4)] == [False, False, True, True]
    own.settle()

    def stop(units: int = 1) -> None:
        raise KeyboardInterrupt

    own = _Patience(100, stop)
    assert own() is True
    with pytest.raises(KeyboardInterrupt):
        own.settle()


def test_the_solvers_themselves() -> None:
    names = Names()
    x = names.fresh("x", BOOL)
    false = apply(("logic", "&"), x, apply(("not",), x))
    for solver in ("bitwuzla", "cvc5", "z3"):
        pytest.importorskip(solver)
        for way in solvers._WAYS:
            if way.solver == solver:
                scripts = [to_script(Translation(way.arithmetic()).term(node)) for node in (x, false)]
                assert [way.ask(script, 1, lambda units=1: None) for script in scripts] == ["sat", "unsat"]
        assert solvers._version(solver)[0].isdecimal()


def test_values_are_found_or_there_are_none() -> None:
    x = Names().fresh("x", ("int", 8, True))
    less = apply(("compare", "<"), x, Node(("number", -126), INTEGER))
    found = Solvers(nothing).find(less)
    assert found is not None and found[x.head[1]] in (128, 129)  # as bits
    asked = Solvers(nothing)
    assert asked.find(apply(("logic", "&"), less, apply(("not",), less))) is None
    assert sum(asked.answered.values()) == 1


def test_values_of_others_than_bitwuzla_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    ways(monkeypatch, cvc5="sat")
    with pytest.raises(Unsupported, match="another way"):
        Solvers(nothing).find(TRUE)
    ways(monkeypatch, cvc5="unsat")
    assert Solvers(nothing).find(TRUE) is None
