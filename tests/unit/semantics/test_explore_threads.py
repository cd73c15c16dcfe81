"""The configurations of threads, one by one, by the number of switches that reach them."""

from __future__ import annotations

import pytest

from knaster.frontends.boolean import parse
from knaster.program.model import Place
from knaster.semantics.explore_threads import explore_threads

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
