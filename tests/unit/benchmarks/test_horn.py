"""The Horn clauses mean what the program means: z3's engines agree with the oracle."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.families import FAMILIES, TARGET
from benchmarks.harness import run
from benchmarks.horn import Place, horn_clauses
from knaster.base.errors import UnsupportedError
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.semantics.explore import TooManyStates, reachable_locations
from support.building import bebop_figure_1
from support.generators.boolean_programs import random_program

Z3 = shutil.which("z3", path=str(Path(sys.executable).parent))
needs_z3 = pytest.mark.skipif(Z3 is None, reason="needs the extra 'peers' (z3-solver)")
SEEDS = 10 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


def ask(program: Program, targets: list[Place], engine: str, folder: Path) -> str:
    assert Z3 is not None
    script = folder / "clauses.smt2"
    script.write_text(horn_clauses(program, targets))
    return run([Z3, f"fp.engine={engine}", str(script)], 30).output.strip()


@needs_z3
@pytest.mark.parametrize("engine", ["datalog", "spacer"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_programs(seed: int, engine: str, tmp_path: Path) -> None:
    program = random_program(Random(seed))
    places = [(each.name, place) for each in program.procedures for place in range(each.size)]
    try:
        reached = reachable_locations(program, limit=100_000)
    except TooManyStates:
        pytest.skip("too large for the oracle")
    missed = [place for place in places if place not in reached]
    found = [place for place in places if place in reached]
    assert not missed or ask(program, missed, engine, tmp_path) == "unsat"
    assert not found or ask(program, [Random(seed).choice(found)], engine, tmp_path) == "sat"


@needs_z3
@pytest.mark.parametrize("engine", ["datalog", "spacer"])
@pytest.mark.parametrize("reachable", [False, True])
@pytest.mark.parametrize(("name", "size"), [("template", 4), ("mutual", 3), ("mccarthy", 4), ("driver", 150)])
def test_families(name: str, size: int, reachable: bool, engine: str, tmp_path: Path) -> None:
    program = parse(FAMILIES[name].instance(size, reachable).text)
    targets = [(each.name, place) for each in program.procedures for label, place in each.labels if label == TARGET]
    assert ask(program, targets, engine, tmp_path) == ("sat" if reachable else "unsat")


def test_figure_1_as_clauses() -> None:
    program = bebop_figure_1()
    main = program.procedure("main")
    text = horn_clauses(program, [("main", dict(main.labels)["R"])])
    assert "(declare-rel p0_0 (Bool Bool))" in text  # g, h
    assert "(declare-rel p1_0 (Bool Bool Bool Bool Bool Bool))" in text  # g, a1, a2 at the entry, then now
    assert text.count("(rule ") == 2 + 1 + sum(len(each.edges) for each in program.procedures)
    assert text.rstrip().endswith("(query bad)")


def test_threads_are_refused() -> None:
    program = parse("void main()\nbegin\n  start_thread goto L;\n  L: skip;\nend\n")
    with pytest.raises(UnsupportedError):
        horn_clauses(program, [("main", 0)])
