"""The configurations of threads, one by one, by the number of switches that reach them."""

from __future__ import annotations

import pytest

from knaster.frontends.boolean import parse
from knaster.program.model import Place
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import Schedules, explore_threads
from knaster.semantics.threads import Configuration

PROGRAM = parse("""decl g, h; init (!g & !h);
void main_1() begin g := 1; assume(h); A: skip; end
void main_2() begin assume(g); B: h := 1; end
""")


def test_levels_are_numbers_of_switches() -> None:
    found = explore_threads(PROGRAM, "switches")
    places: dict[Place, int] = {}
    for level, configurations in enumerate(found.levels):
        for configuration in configurations:
            for stack in configuration.stacks:
                if stack:
                    places.setdefault((stack[-1].procedure, stack[-1].location), level)
    labels = {name: (procedure.name, at) for procedure in PROGRAM.procedures for name, at in procedure.labels}
    assert (places[labels["B"]], places[labels["A"]]) == (1, 2)


ORDERED = parse("""decl a, b; init (!a & !b);
void main_1() begin A: a := 1; end
void main_2() begin B: b := 1; while (T) do skip; od end
void main_3() begin assume(!a); C: skip; assume(a); D: skip; assume(b); E: skip; end
""")


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("switches", {"A": 0, "B": 0, "C": 0, "D": 2, "E": 3}),
        ("rounds", {"A": 1, "B": 1, "C": 1, "D": 2, "E": 2}),
        ("preemptions", {"A": 0, "B": 0, "C": 0, "D": 0, "E": 1}),
        ("delays", {"A": 0, "B": 0, "C": 2, "D": 3, "E": 3}),
    ],
)
def test_what_is_reached_at_which_cost(kind: str, least: dict[str, int]) -> None:
    """The third thread comes first where two are delayed; later the second one, which never ends, is delayed again."""
    found = explore_threads(ORDERED, kind)
    labels = {name: (procedure.name, at) for procedure in ORDERED.procedures for name, at in procedure.labels}
    assert {name: found.least[place] for name, place in labels.items()} == least and found.closed


def test_levels_end_where_they_are_told() -> None:
    """Whether anything is left for later is said; a limit that is just large enough is no limit."""
    for kind, last in (("switches", 3), ("rounds", 2), ("preemptions", 1), ("delays", 3)):
        whole = explore_threads(ORDERED, kind)
        first = 1 if kind == "rounds" else 0
        for most in range(first, len(whole.levels) + 2):
            found = explore_threads(ORDERED, kind, most)
            assert found.levels == whole.levels[: most + 1 - first]
            assert found.closed is (len(found.levels) == len(whole.levels)), (kind, most)
        assert len(whole.levels) > last - first
        count = len(whole.origins)
        assert len(explore_threads(ORDERED, kind, limit=2 * count).origins) == count
        with pytest.raises(TooManyStates):
            explore_threads(ORDERED, kind, limit=count - 1)


def test_what_waits_counts() -> None:
    """Configurations that wait for their level count, too: the first limit that is enough is no larger than needed."""
    enough = next(limit for limit in range(1, 1000) if _fits(limit))
    found = explore_threads(ORDERED, "switches", limit=enough)
    known, most = 0, 0
    search_levels = found.levels
    for number, level in enumerate(search_levels):
        known += len(level)
        waiting = {c for c, origin in found.origins.items() if origin and origin[2] and c in _after(found, number)}
        most = max(most, known + len(waiting))
    assert enough == most and not _fits(enough - 1)


def _fits(limit: int) -> bool:
    try:
        explore_threads(ORDERED, "switches", limit=limit)
    except TooManyStates:
        return False
    return True


def _after(found: Schedules, number: int) -> set[Configuration]:
    return set(found.levels[number + 1]) if number + 1 < len(found.levels) else set()


RECURSIVE = parse("""decl g; init (!g);
void f() begin if (*) then f(); fi A: skip; end
void main_1() begin f(); B: g := 1; end
void main_2() begin assume(g); C: skip; end
""")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_stacks_are_cut(depth: int) -> None:
    found = explore_threads(RECURSIVE, "switches", 4, depth=depth)
    deepest = max(len(stack) for here in found.origins for stack in here.stacks)
    assert deepest == depth and found.cut and not found.closed
    assert not explore_threads(RECURSIVE, "switches", depth=depth).closed
    assert found.least.keys() >= {("main_1", RECURSIVE.procedure("main_1").entry)}


STUCK = parse("""decl g; init (!g);
void main_1() begin assume(g); end
void main_2() begin A: skip; assume(g); end
""")


def test_the_first_deadlock_is_kept_where_it_is_asked_for() -> None:
    assert explore_threads(STUCK, "switches").stuck is None
    found = explore_threads(STUCK, "switches", deadlocks=True)
    assert found.stuck is not None and found.stuck[0] == 0
    here = found.stuck[1]
    stuck = [each for each in found.origins if found.threads.is_stuck(each)]
    assert here == stuck[0] and len(stuck) > 1
    assert explore_threads(ORDERED, "switches", deadlocks=True).stuck is None
