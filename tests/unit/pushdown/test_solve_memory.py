"""What is not used any more is gone at once, without the collector: batches run with the collector off."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from knaster import check
from knaster.pushdown.automaton import Automaton, single, starting_with
from knaster.pushdown.decide import decide_file
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.relations import BddRelations
from knaster.pushdown.fast.session import Session
from knaster.pushdown.fast.tours import best_tour
from knaster.pushdown.projections.error_projection import project
from knaster.pushdown.runs.witness import witness, witnesses
from knaster.pushdown.saturation.query import path_summary, weight_at
from knaster.pushdown.signed_lengths import SignedLengths, best_pre_star, best_run_in
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule

PROGRAM = """
decl g;
main() begin g := F; call swap(); call swap(); if (g) then fail: skip; fi; end
swap() begin decl x; x := !g; g := x; if (*) then call swap(); call swap(); fi; end
"""


@contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def ours() -> Counter[str]:
    """Count the objects of our packages that are alive."""
    homes = ("knaster.bdd.", "knaster.pushdown.", "knaster.views.", "knaster.engines.")
    kinds = (type(each) for each in gc.get_objects())
    return Counter(
        kind.__qualname__ for kind in kinds if str(kind.__module__).startswith(homes)
    )  # of some native types it is no text


def bdd_system() -> PushdownSystem[Any]:
    domain = BddRelations(["a", "b"], tagged=True)
    flip = domain.assign({"a": ~domain.variable("a")})
    copy = domain.assign({"b": domain.variable("a")})
    rules: list[Rule[Any]] = [
        Rule("p", "n0", "p", ("f", "n1"), flip),
        Rule("p", "n1", "p", ("n0",), copy),
        Rule("p", "n1", "p", ("n2",), domain.one),
        Rule("p", "f", "p", ("f", "f"), flip),
        Rule("p", "f", "p", (), copy),
    ]
    return PushdownSystem.of(domain, rules)


def saturate(saturation: Any, **options: Any) -> Callable[[], Any]:
    def work() -> Any:
        answer = saturation(bdd_system(), single("p", "n0"), **options)
        asked: Automaton[Any] = starting_with("p", "n2")
        runs = witnesses(answer, asked) if "witnesses" in options else []
        return weight_at(answer, "n2"), path_summary(answer), runs

    return work


def edit_a_session() -> Any:
    session = Session(bdd_system())
    session.post(single("p", "n0"))
    before = session.at("n2")
    session.edit(add=[Rule("p", "n2", "p", ("n0",), session.system.domain.one)])
    return before, session.at("n2"), session.explain()


def project_a_system() -> Any:
    found = project(bdd_system(), single("p", "n0"), starting_with("p", "n2"), witnesses=True)
    return found.nodes, found.values("f"), found.witness("f")


def measure_lengths() -> Any:
    lengths: PushdownSystem[Any] = PushdownSystem.of(MinPath(), [Rule("p", "a", "p", ("b",), 1)])
    signed: PushdownSystem[Any] = PushdownSystem.of(SignedLengths(), [Rule("p", "a", "p", ("b",), -1)])
    tour = best_tour(lengths, Configuration("p", ("a",)), "b", ["a"])
    shortest = witness(post_star(lengths, single("p", "a"), witnesses="one"), single("p", "b"))
    return tour, shortest, best_run_in(best_pre_star(signed, single("p", "b")), single("p", "a"))


@pytest.mark.parametrize(
    "work",
    [
        saturate(post_star),
        saturate(pre_star),
        saturate(post_star, priority=lambda *transition: 0),
        saturate(post_star, witnesses="all"),
        saturate(post_star, engine="fast"),
        saturate(pre_star, engine="fast", witnesses="all"),
        edit_a_session,
        project_a_system,
        measure_lengths,
    ],
)
def test_the_library_leaves_no_cycles(work: Callable[[], Any]) -> None:
    work()  # what is made once and kept
    with without_collector():
        before = ours()
        work()
        assert not ours() - before
        assert gc.collect() == 0


def test_an_interrupted_computation_is_gone_as_well() -> None:
    def tick() -> None:
        raise KeyboardInterrupt

    for engine in ("plain", "fast"):
        with without_collector():
            before = ours()
            with pytest.raises(KeyboardInterrupt):
                post_star(bdd_system(), single("p", "n0"), engine=engine, tick=tick)
            assert not ours() - before


@pytest.mark.parametrize("options", [{}, {"fast": True}, {"direction": "pre"}, {"fast": True, "direction": "pre"}])
def test_ten_checks_leave_no_store_behind(options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "program.bp"
    path.write_text(PROGRAM)
    check(path, "fail", engine="pushdown", **options)
    with without_collector():
        before = ours()
        for _ in range(10):
            check(path, "fail", engine="pushdown", **options)
        assert not ours() - before


def test_files_leave_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("A,B\n0\n0\n0 A -> 1 -\n1 B -> 0 +B\n")
    decide_file(path, post="< 0, A B >", ask="< 0, B B >")
    with without_collector():
        before = ours()
        decide_file(path, post="< 0, A B >", ask="< 0, B B >", shortest=True)
        assert not ours() - before
