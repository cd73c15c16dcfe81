"""Where path expressions spend their time: operations on weights, and what Python does around them.

python -m benchmarks.shares            all families at 30,000 nodes
python -m benchmarks.shares affine     one family

Every function counts for the part of the program that its module belongs to; what is built in, for that of its caller.
A profile makes calls dearer than they are, so shares of parts that call much are too large; read them as hints.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, cast

from benchmarks.fast import FAMILIES, Problem, callees_first, fast, plain
from benchmarks.graphs import generate
from benchmarks.harness import machine
from benchmarks.table import table

PARTS: dict[str, tuple[str, ...]] = {
    "weights": ("/domains/", "/symbolic/", "/merge.py", "/fractions.py"),
    "saturation": ("/fast/post.py", "/fast/rules.py", "/fast/dependence.py", "/saturation.py", "/relation.py"),
    "path expressions": ("/fast/paths.py", "/fast/regions.py", "/fast/dominators.py", "/fast/expression.py"),
    "evaluation": ("/fast/evaluate.py", "/fast/equations.py", "/fast/components.py", "/fast/solver.py"),
}
REST = "the rest"
SIZE = (30_000, 400)

Function = tuple[str, int, str]  # file, line, name, as in a profile


def part_of(function: Function, known: dict[Function, str]) -> str | None:
    """Return the part that a function belongs to; None for what is built in."""
    file = function[0]
    if file in ("~", "") or file.startswith("<"):
        return None
    if function not in known:
        known[function] = next((part for part, names in PARTS.items() if any(name in file for name in names)), REST)
    return known[function]


def shares(profile: cProfile.Profile) -> Counter[str]:
    """Return the seconds of each part."""
    found: Counter[str] = Counter()
    known: dict[Function, str] = {}
    statistics = cast(dict[Function, Any], pstats.Stats(profile).stats)  # type: ignore[attr-defined]
    for function, (_, _, own, _, callers) in statistics.items():
        part = part_of(function, known)
        if part is not None:
            found[part] += own
            continue
        for caller, (_, _, time, _) in callers.items():
            found[part_of(caller, known) or REST] += time
    return found


def profiled(problem: Problem, method: str) -> Counter[str]:
    """Return the seconds of each part of one run."""
    profile = cProfile.Profile()
    profile.enable()
    if method == "fast":
        fast(problem)
    else:
        plain(problem, callees_first)
    profile.disable()
    return shares(profile)


def main(arguments: Sequence[str] | None = None) -> int:
    """Profile the chosen families and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shares", description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, metavar=("NODES", "PROCEDURES"))
    options = parser.parse_args(arguments)
    rows = []
    for name in options.families or FAMILIES:
        family = FAMILIES[name]
        for method in ("plain", "fast"):
            profiled(family.problem(generate(300, 4), Random(1)), method)  # what is imported at first use
            found = profiled(family.problem(generate(*options.size), Random(options.size[0])), method)
            total = found.total()
            rows.append([name, method, *(f"{100 * found[part] / total:.0f} %" for part in (*PARTS, REST))])
    print(f"{machine()}. {options.size[0]} nodes, {options.size[1]} procedures, under cProfile.\n")
    print(table(("family", "engine", *PARTS, REST), rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
