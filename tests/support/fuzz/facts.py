"""Facts, monitors, projections, causes and stacks on random programs, each against its oracle.

A number is a program of each kind: Boolean and C for facts, C with pointers for aliases, Boolean for monitors, causes,
stacks and edits (three of each), Boolean, threads and models for projections.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from support.fuzz.pieces import arguments, compare

sys.path.append(str(Path(__file__).parents[2] / "differential"))


def lanes() -> dict[str, Callable[[range], object]]:
    """Return what is compared, by name."""
    facts, runs = import_module("test_facts"), import_module("test_projections_by_runs")
    return {
        "facts of Boolean programs": facts.check_boolean,
        "facts of C": lambda seeds: facts.check_c(seeds, 20, "machine"),
        "facts of C over all integers": lambda seeds: facts.check_c(seeds, 20, "mathematical"),
        "aliases": import_module("test_aliases").check_seeds,
        "edits": import_module("test_sessions_of_texts").compare_seeds,
        "projections of Boolean programs": import_module("test_projecting").compare,
        "monitors": import_module("test_monitors").compare,
        "stacks": import_module("test_crash_runs").compare,
        "causes": runs.compare_causes,
        "projections of threads": runs.compare_threads,
        "projections of models": lambda seeds: runs.compare_models(seeds, 20),
    }


def main(given: Sequence[str]) -> int:
    """Compare pieces of random programs; return 1 where something is wrong."""
    parser = arguments(__doc__)
    parser.add_argument("--only", help="the beginning of the name of a comparison")
    options = parser.parse_args(given)
    count: Counter[str] = Counter()
    chosen = {name: lane for name, lane in lanes().items() if name.startswith(options.only or "")}

    def wrong(number: int) -> str:
        said = []
        for name, lane in chosen.items():
            try:
                lane(range(number, number + 1))
                count[name] += 1
            except AssertionError as error:
                said.append(f"{name}: {error}")
        return "\n".join(said)

    return compare(options, count, wrong)
