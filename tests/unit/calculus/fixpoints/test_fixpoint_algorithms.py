"""The paper's three algorithms on hand-made pushdown programs whose relations are tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from itertools import product

import pytest

from knaster.calculus import Solution, evaluate, parse
from knaster.calculus.fixpoints.fixpoint import STRATEGIES

HEADER = """
enum Module { 0..2 };
enum Counter { 0..5 };
class Local { bool x[1]; };
class Global { bool x[1]; };
class State { Module mod; Counter pc; Global G; Local L; };
bool ProgramInt(State u, State v);
bool IntoCall(State u, State v);
bool Return(State u, State z, State v);
bool Across(Module mod, Counter upc, Counter vpc);
bool IntoCall1(State x, Module zmod, Local L, Global G);
bool ReturnA(State x, Module zmod, State v);
bool ReturnB(Module xmod, Counter xpc, State z, State v);
bool Entry(Module mod, Counter pc);
bool Exit(Module mod, Counter pc);
bool Init(State u);
bool Target(Module mod, Counter pc);
"""
ALGORITHMS = ("summary.mu", "entry_forward.mu", "entry_forward_opt.mu")
Config = tuple[int, int, bool, bool]  # module, counter, global, local
Step = Callable[[bool, bool], Iterable[tuple[bool, bool]]]


@dataclass
class Pushdown:
    """Modules that start at counter 0 and end at 5; a call passes an argument, and its callee's local is not kept."""

    steps: list[tuple[int, int, int, Step]]  # module, from, to, what happens to (global, local)
    calls: list[tuple[int, int, int, int, Callable[[bool, bool], bool]]]  # caller, from, to, callee, the argument
    target: tuple[int, int]
    modules: int = 3

    def internal(self) -> set[tuple[Config, Config]]:
        return {
            ((m, p, g, x), (m, q, *after))
            for m, p, q, step in self.steps
            for g, x in product((False, True), repeat=2)
            for after in step(g, x)
        }

    def into(self) -> set[tuple[Config, Config]]:
        return {
            ((m, p, g, x), (callee, 0, g, argument(g, x)))
            for m, p, _, callee, argument in self.calls
            for g, x in product((False, True), repeat=2)
        }

    def relations(self) -> dict[str, list[tuple[object, ...]]]:
        bits = list(product((False, True), repeat=2))
        back = [
            ((m, p, g, x), (callee, 5, h, y), (m, q, h, x))
            for m, p, q, callee, _ in self.calls
            for g, x in bits
            for h, y in bits
        ]
        return {
            "ProgramInt": [(state(u), state(v)) for u, v in self.internal()],
            "IntoCall": [(state(u), state(v)) for u, v in self.into()],
            "Return": [(state(u), state(z), state(v)) for u, z, v in back],
            "Across": [(m, p, q) for m, p, q, _, _ in self.calls],
            "IntoCall1": [(state(u), v[0], local(v[3]), local(v[2])) for u, v in self.into()],
            "ReturnA": [(state(u), z[0], state(v)) for u, z, v in back],
            "ReturnB": [(u[0], u[1], state(z), state(v)) for u, z, v in back],
            "Entry": [(m, 0) for m in range(self.modules)],
            "Exit": [(m, 5) for m in range(self.modules)],
            "Init": [(state((0, 0, g, x)),) for g, x in bits],
            "Target": [self.target],
        }

    def reached(self) -> tuple[set[tuple[int, int]], set[Config]]:
        """Return the reachable locations and entries, by explicit summaries."""
        path: set[tuple[Config, Config]] = set()
        todo = [((0, 0, g, x), (0, 0, g, x)) for g, x in product((False, True), repeat=2)]
        while todo:
            path |= set(todo)
            found = {(u, w) for u, v in path for a, w in self.internal() if a == v}
            found |= {(w, w) for _, v in path for a, w in self.into() if a == v}
            for u, v in path:
                for m, p, q, callee, argument in self.calls:
                    if v[:2] == (m, p):
                        entry = (callee, 0, v[2], argument(v[2], v[3]))
                        ends = [z for e, z in path if e == entry and z[1] == 5]
                        found |= {(u, (m, q, z[2], v[3])) for z in ends}
            todo = list(found - path)
        return {v[:2] for _, v in path}, {u for u, _ in path}


def state(config: Config) -> dict[str, object]:
    module, counter, shared, own = config
    return {"mod": module, "pc": counter, "G": local(shared), "L": local(own)}


def local(value: bool) -> dict[str, object]:
    return {"x": (value,)}


def keep(g: bool, x: bool) -> list[tuple[bool, bool]]:
    return [(g, x)]


def flip(g: bool, x: bool) -> list[tuple[bool, bool]]:
    return [(not g, x)]


PROGRAMS = {
    "a call that never returns hides what is behind it": Pushdown(
        [(0, 0, 1, keep), (1, 0, 1, keep), (1, 1, 1, keep)], [(0, 1, 2, 1, lambda g, x: x)], (0, 2)
    ),
    "two calls flip the global twice": Pushdown(
        [(0, 0, 1, lambda g, x: [(False, x)]), (1, 0, 5, flip), (0, 3, 4, lambda g, x: [(g, x)] if g else [])],
        [(0, 1, 2, 1, lambda g, x: x), (0, 2, 3, 1, lambda g, x: x)],
        (0, 4),
    ),
    "recursion down to an argument that stops it": Pushdown(
        [
            (0, 0, 1, lambda g, x: [(False, True)]),
            (1, 0, 5, lambda g, x: [] if x else [(True, x)]),
            (1, 0, 1, lambda g, x: [(g, x)] if x else []),
            (1, 2, 5, keep),
            (0, 2, 3, lambda g, x: [(g, x)] if g and x else []),
        ],
        [(0, 1, 2, 1, lambda g, x: x), (1, 1, 2, 1, lambda g, x: not x)],
        (0, 3),
    ),
    "a module that nobody calls": Pushdown([(0, 0, 1, keep), (2, 0, 1, keep)], [(2, 1, 2, 1, lambda g, x: x)], (2, 1)),
    "mutual recursion with a loop in the middle": Pushdown(
        [
            (0, 0, 1, keep),
            (1, 0, 1, flip),
            (1, 1, 0, lambda g, x: [(g, not x)]),
            (1, 1, 5, lambda g, x: [(g, x)] if x else []),
            (2, 0, 5, lambda g, x: [(g, x)] if not g else []),
            (1, 1, 2, keep),
            (1, 3, 4, keep),
        ],
        [(0, 1, 2, 1, lambda g, x: False), (1, 2, 3, 2, lambda g, x: g), (2, 1, 5, 1, lambda g, x: x)],
        (1, 4),
    ),
}


@pytest.fixture(autouse=True)
def frontiers_of_small_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.calculus.fixpoints.fixpoint.SMALL", 0)


def solve(algorithm: str, program: Pushdown, strategy: str = "frontier") -> Solution:
    text = (files("knaster.engines.calculus") / algorithm).read_text("utf-8")
    return evaluate(parse(HEADER + text, file=algorithm), relations=program.relations(), strategy=strategy)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_algorithms_find_what_is_reachable(name: str, algorithm: str, strategy: str) -> None:
    program = PROGRAMS[name]
    locations, _ = program.reached()
    solution = solve(algorithm, program, strategy)
    assert set(solution.relation("Reached")) == locations
    assert solution.queries == [program.target in locations]


@pytest.mark.parametrize("name", PROGRAMS)
def test_entry_forward_explores_reachable_entries_only(name: str) -> None:
    program = PROGRAMS[name]
    _, entries = program.reached()
    for algorithm in ("entry_forward.mu", "entry_forward_opt.mu"):
        rows = list(solve(algorithm, program).relation("Summary"))
        found = [row[-2] for row in rows]
        assert {str(entry) for entry in found} == {str(state(entry)) for entry in entries}
    everything = {str(row[0]) for row in solve("summary.mu", program).relation("Summary")}
    assert len(everything) == 4 * program.modules


def test_only_the_optimised_algorithm_warns_of_a_negation() -> None:
    for algorithm in ALGORITHMS:
        text = (files("knaster.engines.calculus") / algorithm).read_text("utf-8")
        warnings = [problem.message for _, problem in parse(HEADER + text).warnings]
        negative = [message for message in warnings if "negatively" in message]
        assert bool(negative) == (algorithm == "entry_forward_opt.mu")
