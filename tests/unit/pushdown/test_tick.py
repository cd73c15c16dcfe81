"""A tick that raises stops every long computation, wherever it is, and leaves nothing half done."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from knaster.pushdown import kernel_calls as compiled
from knaster.pushdown.automaton import Automaton, configuration_set, single, starting_with
from knaster.pushdown.decide import decide_file
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.fast import post, pre
from knaster.pushdown.fast.expression_log import solve_fast
from knaster.pushdown.fast.session import Session
from knaster.pushdown.fast.tours import best_tour
from knaster.pushdown.projections.error_projection import project
from knaster.pushdown.projections.functional import FunctionalAutomaton
from knaster.pushdown.runs.derivation_runs import search_derivations
from knaster.pushdown.runs.witness import expand_derivations, witness, witnesses
from knaster.pushdown.saturation.derivations import AllDerivations
from knaster.pushdown.saturation.query import weight_at, weight_in
from knaster.pushdown.signed_lengths import Equation, SignedLengths, best_pre_star, best_run_in, best_values
from knaster.pushdown.solve import ijop, post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule
from knaster.pushdown.tick import EACH, with_ticks
from support.generators.pushdown_systems import RELATIONS

needs_kernel = pytest.mark.skipif(not compiled.is_available(), reason="the kernel was not compiled")


class Stop(Exception):
    """The time is over."""


class Countdown:
    """A tick that raises once, when it has been called so often."""

    def __init__(self, calls: int = -1) -> None:
        self.left, self.calls = calls, 0

    def __call__(self) -> None:
        self.calls += 1
        if self.left == 0:
            self.left = -1
            raise Stop
        self.left -= 1


def interruptions(work: Callable[[Countdown], Any], most: int = 60) -> Iterator[tuple[Any, Countdown]]:
    """Yield what `work` returns after it was interrupted at one place, for every place, or for `most` of them."""
    whole = Countdown()
    expected = work(whole)
    assert whole.calls, "there was no tick at all"
    for place in sorted(random.Random(0).sample(range(whole.calls), min(most, whole.calls))):
        tick = Countdown(place)
        with pytest.raises(Stop):
            work(tick)
        yield expected, tick


def chain(length: int, domain: Any, weight: Any) -> PushdownSystem[Any]:
    """Return the system of one procedure that calls another at every node."""
    rules = [Rule("p", i, "p", ("f", i + 1), weight) for i in range(length)]
    return PushdownSystem.of(domain, [*rules, Rule("p", "f", "p", ("g",), weight), Rule("p", "g", "p", (), weight)])


def random_rules(rng: random.Random, count: int) -> list[Rule[Any]]:
    """Return rules of one control state and five symbols, with relations as weights."""
    symbols = [f"n{i}" for i in range(5)]
    rules = []
    for _ in range(count):
        push = tuple(rng.choice(symbols) for _ in range(rng.choice([0, 1, 1, 2])))
        pairs = [(a, b) for a in range(4) for b in range(4) if rng.random() < 0.3]
        rules.append(Rule("p", rng.choice(symbols), "p", push, RELATIONS.relation(pairs)))
    return rules


SYSTEM = PushdownSystem.of(RELATIONS, random_rules(random.Random("ticks"), 14))
QUESTION: Automaton[Any] = single("p", "n1")
ASKED: Automaton[Any] = starting_with("p")


@pytest.mark.parametrize("saturate", [post_star, pre_star])
@pytest.mark.parametrize("engine", ["plain", "fast"])
def test_saturation_is_stopped_anywhere(saturate: Any, engine: Any) -> None:
    """The engine "plain" in Python, since the domain is not one of the kernel's, and path expressions."""

    def work(tick: Countdown) -> Any:
        return weight_in(saturate(SYSTEM, QUESTION, engine=engine, tick=tick), ASKED)

    for expected, tick in interruptions(work):
        assert work(tick) == expected


def test_a_tick_comes_with_every_transition_that_python_looks_at() -> None:
    tick = Countdown()
    answer = post_star(chain(50, RELATIONS, RELATIONS.one), single("p", 0), tick=tick)
    assert tick.calls == 55  # fifty-one nodes, f, g, the return, and one while the rules are sorted
    tick.left = 0
    with pytest.raises(Stop):  # an answer keeps the tick of its question
        weight_at(answer, 40)
    assert weight_at(answer, 40) == RELATIONS.one


@needs_kernel
@pytest.mark.parametrize("saturate", [post_star, pre_star])
@pytest.mark.parametrize("domain", [Boolean(), MinPath()])
def test_the_kernel_works_in_slices(saturate: Any, domain: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the slices, the transitions are the same ones in the same order; a tick stops it between two."""
    weight = True if isinstance(domain, Boolean) else 2
    system = chain(3000, domain, weight)
    question: Automaton[Any] = single("p", 0) if saturate is post_star else single("p", 2999)

    def transitions(tick: Countdown) -> list[Any]:
        return list(saturate(system, question, tick=tick).transitions())

    whole = transitions(Countdown())
    for size in (1, 7, 1000):
        monkeypatch.setattr(compiled, "SLICE", size)
        tick = Countdown()
        assert transitions(tick) == whole
        assert tick.calls >= len(whole) // (4 * size)
        tick = Countdown(1)
        with pytest.raises(Stop):
            transitions(tick)
        assert tick.calls == 2 and transitions(tick) == whole


@needs_kernel
def test_one_transition_with_many_consequences_ends_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice is counted in what is made, not in what is looked at: many callers wait for one return."""
    rules = [Rule("p", "start", "p", (f"c{i}",), True) for i in range(1000)]
    rules += [Rule("p", f"c{i}", "p", ("f", f"r{i}"), True) for i in range(1000)]
    system = PushdownSystem.of(Boolean(), [*rules, Rule("p", "f", "p", (), True), Rule("p", "f", "q", (), True)])
    monkeypatch.setattr(compiled, "SLICE", 100)
    tick = Countdown()
    post_star(system, single("p", "start"), tick=tick)
    assert tick.calls >= 30  # 4,000 transitions, but from the 2,000 of them that stand at `r…` nothing follows
    tick = Countdown()
    pre_star(system, starting_with("q"), tick=tick)
    assert tick.calls >= 10


def test_runs_are_stopped_anywhere() -> None:
    for engine in ("plain", "fast"):

        def work(tick: Countdown, engine: Any = engine) -> Any:
            answer = post_star(SYSTEM, QUESTION, engine=engine, witnesses="all", tick=tick)
            return [(found.run, found.value) for found in witnesses(answer, ASKED)]

        for expected, tick in interruptions(work):
            assert work(tick) == expected


def test_reading_off_a_long_run_is_stopped() -> None:
    """Fourteen procedures, each of which calls the next one twice: a run of fifty thousand rules."""
    rules: list[Rule[Any]] = [Rule("p", f"f{i}", "p", (f"f{i + 1}", f"g{i}"), 1) for i in range(14)]
    rules += [Rule("p", f"g{i}", "p", (f"f{i + 1}",), 1) for i in range(14)]
    system: PushdownSystem[Any] = PushdownSystem.of(MinPath(), [*rules, Rule("p", "f14", "p", (), 1)])
    tick = Countdown()
    answer = post_star(system, single("p", "f0"), witnesses="one", tick=tick)
    asked: Automaton[Any] = configuration_set(Configuration("p"))
    before = tick.calls
    found = witness(answer, asked)
    assert found is not None and len(found.run) == found.value == 3 * 2**14 - 2
    assert tick.calls - before >= found.value / EACH
    tick.left = 30
    with pytest.raises(Stop):
        witness(answer, asked)
    assert witness(answer, asked) == found


def test_shortest_runs_with_negative_lengths_are_stopped_anywhere() -> None:
    rng = random.Random("signed")
    rules: list[Rule[int | float]] = [Rule("p", i, "p", (i + 1,), rng.randrange(-3, 4)) for i in range(40)]
    rules += [Rule("p", i, "p", (i + 5,), rng.randrange(-3, 4)) for i in range(30)]
    system: PushdownSystem[int | float] = PushdownSystem.of(SignedLengths(), [*rules, Rule("p", 35, "p", (), 0)])

    def work(tick: Countdown) -> Any:
        answer = best_pre_star(system, configuration_set(Configuration("p")), tick=tick)
        return best_run_in(answer, single("p", 0))

    for expected, tick in interruptions(work):
        assert work(tick) == expected


def test_projections_are_stopped_anywhere() -> None:
    system = chain(8, RELATIONS, RELATIONS.relation([(0, 1), (1, 2), (2, 2), (3, 0)]))

    def work(tick: Countdown) -> Any:
        found = project(system, single("p", 0), starting_with("p", 8), witnesses=True, tick=tick)
        return found.nodes, found.values("f"), found.witness("g")

    for expected, tick in interruptions(work):
        assert work(tick) == expected


def test_a_projection_can_be_asked_again() -> None:
    system = chain(8, RELATIONS, RELATIONS.relation([(0, 1), (1, 2), (2, 2), (3, 0)]))
    for place in range(0, 200, 7):
        tick = Countdown()
        found = project(system, single("p", 0), starting_with("p", 8), witnesses=True, tick=tick)
        tick.left = place
        try:
            answers = found.nodes, found.witness("g")
        except Stop:
            answers = found.nodes, found.witness("g")
        assert set(answers[0]) == {*range(9), "f", "g"} and answers[1] is not None


def test_tours_and_joins_are_stopped_anywhere() -> None:
    system = chain(8, RELATIONS, RELATIONS.one)

    def work(tick: Countdown) -> Any:
        total = ijop(system, single("p", 0), single("p", 8), engine="fast", tick=tick)
        return total, best_tour(system, Configuration("p", (0,)), 8, ["f", "g"], tick=tick)

    for expected, tick in interruptions(work):
        assert work(tick) == expected


@pytest.mark.parametrize("direction", ["post", "pre"])
def test_sessions_survive_ticks_that_raise(direction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions, edits and readings are stopped at random; every answer is that of a system made anew."""
    for module in (post, pre):
        monkeypatch.setattr(module, "EACH", 3)
    stopped = {"ask": 0, "edit": 0, "read": 0}

    def attempt(kind: str, rng: random.Random, tick: Countdown, act: Callable[..., Any], *given: Any) -> None:
        tick.left = rng.randrange(8 if kind == "read" else 3)
        try:
            act(*given)
        except Stop:
            stopped[kind] += 1
        tick.left = -1

    for seed in range(12):
        rng = random.Random(f"{direction} {seed}")
        rules = random_rules(rng, 10)
        tick = Countdown()
        session = Session(PushdownSystem.of(RELATIONS, rules), tick=tick)
        ask, saturate = (session.post, post_star) if direction == "post" else (session.pre, pre_star)
        for _ in range(4):
            question: Automaton[Any] = single("p", *rng.choices(["n0", "n1", "n2"], k=rng.randrange(1, 3)))
            attempt("ask", rng, tick, ask, question)
            ask(question)
            for _ in range(4):
                gone, added = [rules.pop(rng.randrange(len(rules)))], random_rules(rng, 1)
                rules += added
                attempt("edit", rng, tick, session.edit, added, gone)
                node = rng.choice(rules).symbol
                attempt("read", rng, tick, session.at, node)
                fresh = saturate(PushdownSystem.of(RELATIONS, rules), question)
                assert session.at(node) == weight_at(fresh, node), seed
    assert all(count > 8 for count in stopped.values()), stopped


def test_a_file_is_stopped(tmp_path: Any) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("A,B\n0\n0\n0 A -> 1 -\n1 B -> 0 +B\n")
    for options in ({}, {"shortest": True}):
        with pytest.raises(Stop):
            decide_file(path, post="< 0, A B >", ask="< 0, B B >", tick=Countdown(1), **options)  # type: ignore[arg-type]


def test_a_fast_loop_ticks_now_and_then() -> None:
    tick = Countdown()
    assert list(with_ticks(range(3 * EACH + 1), tick)) == list(range(3 * EACH + 1))
    assert tick.calls == 4
    numbers = range(5)
    assert with_ticks(numbers, None) is numbers


def ticks_of(tick: Countdown, work: Callable[[], Any]) -> int:
    """Return how often a piece of work ticks."""
    before = tick.calls
    work()
    return tick.calls - before


def test_every_stage_ticks_by_itself() -> None:
    tick = Countdown()
    answer = post_star(SYSTEM, QUESTION, witnesses="all", tick=tick)
    assert isinstance(answer.log, AllDerivations)
    search = search_derivations(answer, answer.log, ASKED)
    assert ticks_of(tick, search.next_run) > 3
    system = chain(60, MinPath(), 1)
    shortest = post_star(system, single("p", 0), witnesses="one")
    columns: Any = shortest.log
    assert ticks_of(tick, lambda: expand_derivations(columns, [0], False, tick)) == 1
    chained = [Equation(0, 0, ()), *(Equation(i + 1, -1, (i,)) for i in range(20))]
    assert ticks_of(tick, lambda: best_values(SignedLengths(), 21, chained, tick)) >= 20  # rounds
    nested = [Rule("p", i, "p", (i + 1, f"back to {i}"), 1) for i in range(60)]
    system = PushdownSystem.of(MinPath(), nested)
    after = solve_fast(system, single("p", 0), forward=False, tick=tick)
    before = solve_fast(system, starting_with("p", 60), forward=True, tick=tick)
    pairs = FunctionalAutomaton(after, before)
    assert ticks_of(tick, lambda: pairs.steps) >= len(pairs.steps) > 50
