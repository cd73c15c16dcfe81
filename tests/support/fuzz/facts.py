"""Facts, monitors, projections, causes and stacks on random programs, each against its oracle.

A number is a program of each kind: Boolean and C for facts (all states, or 10,000 runs), C with pointers for aliases,
Boolean for monitors, causes and stacks, Boolean and C for edits (three of each), every language for projections.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from support.fuzz.pieces import arguments, compare

RUNS = 10_000  # of a program that has too many states
sys.path.append(str(Path(__file__).parents[2] / "differential"))


def lanes() -> dict[str, Callable[[range], int | list[int]]]:
    """Return what is compared, by name; each returns how much was compared (a list: of several kinds)."""
    facts, runs = import_module("test_facts"), import_module("test_projections_by_runs")
    aliases, edits = import_module("test_aliases"), import_module("test_sessions_of_texts")
    return {
        "facts of Boolean programs": facts.check_boolean,
        "facts of C": lambda seeds: facts.check_c(seeds, RUNS, "machine"),
        "facts of C over all integers": lambda seeds: facts.check_c(seeds, RUNS, "mathematical"),
        "aliases": aliases.check_seeds,
        "aliases of memory": aliases.check_memory,
        "edits": edits.compare_seeds,
        "edits, facts of Boolean programs": lambda seeds: import_module("test_facts_sessions").compare(seeds, 3),
        "edits, facts of C": edits.compare_c,
        "projections of Boolean programs": import_module("test_projecting").compare,
        "projections of threads": runs.compare_threads,
        "projections of C": runs.compare_c,
        "projections of models": runs.compare_models,
        "monitors": import_module("test_monitors").compare,
        "stacks": import_module("test_crash_runs").compare,
        "causes": runs.compare_causes,
    }


def main(given: Sequence[str]) -> int:
    """Compare pieces of random programs; return 1 where something is wrong."""
    parser = arguments(__doc__)
    parser.add_argument("--only", choices=list(lanes()), help="one comparison")
    options = parser.parse_args(given)
    count: Counter[str] = Counter()
    chosen = {name: lane for name, lane in lanes().items() if options.only in (None, name)}

    def wrong(number: int) -> str:
        said = []
        for name, lane in chosen.items():
            try:
                done = lane(range(number, number + 1))
                some = sum(done) if isinstance(done, list) else done
                count[f"{name}, {'compared' if some else 'nothing to compare'}"] += 1
            except Exception as error:
                said.append(f"{name}: {type(error).__name__}: {error}")
        return "\n".join(said)

    return compare(options, count, wrong)
