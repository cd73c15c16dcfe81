"""The configurations of threads, one by one, by the number of switches that reach them."""

from __future__ import annotations

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
