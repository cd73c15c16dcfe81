"""`make bench`: every family through `knaster check`; tables and plots into benchmarks/out.

python -m benchmarks.run                              everything, about five minutes
python -m benchmarks.run template --sizes 50 800      one family, some sizes
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from benchmarks.checker import OUT, Checked, check
from benchmarks.families import FAMILIES, Family
from benchmarks.harness import Clock, growth_exponent, machine
from benchmarks.plot import Series, log_log_plot
from benchmarks.table import seconds, table

Quantity = Literal["wall", "cpu", "memory"]
HEADER = ("size", "ERROR", "best s", "median s", "CPU s", "parse s", "fixed point s", "peak MB", "answer")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen families; return 1 where an answer is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.families if name not in (*FAMILIES, "layouts")]:
        parser.error(f"no family is called {unknown[0]}; there are {', '.join(FAMILIES)}, layouts")
    OUT.mkdir(parents=True, exist_ok=True)
    clock = "wall time" if options.clock == "wall" else "processor time"
    about = (
        f"{machine()}. Whole command with start-up, best and median of {options.repeats}; growth and plots: {clock}."
    )
    sections = [f"# Benchmarks\n\n{about}"]
    wrong = 0
    for name in options.families or [*FAMILIES, "layouts"]:
        if name == "layouts":
            section, mistakes = _layouts(options.sizes or [100, 200, 400, 800], options)
        else:
            section, mistakes = _family(FAMILIES[name], options)
        _save(f"{name}.md", section)
        sections.append(section)
        wrong += mistakes
    _save("bench.md", "\n\n".join(sections))
    print(f"\nTables and plots: {OUT.relative_to(Path.cwd()) if OUT.is_relative_to(Path.cwd()) else OUT}")
    if wrong:
        print(f"{wrong} wrong answers", file=sys.stderr)
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Measure `knaster check`.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join([*FAMILIES, "layouts"]))
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="instead of the sizes of each family")
    parser.add_argument("--repeats", type=int, default=3, metavar="K", help="runs of each command (default: 3)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for each run (default: 60)")
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="'cpu' on a machine that others use too (default: wall)",
    )
    return parser


def _family(family: Family, options: argparse.Namespace) -> tuple[str, int]:
    """Return the section of one family and the number of wrong answers in it."""
    print(f"\n{family.title}")
    rows: list[list[str]] = []
    measured: dict[bool, list[Checked]] = {False: [], True: []}
    for size in options.sizes or family.sizes:
        for reachable in (False, True):
            checked = check(family.instance(size, reachable), options.timeout, options.repeats, options.clock)
            measured[reachable].append(checked)
            rows.append(_row(checked))
            print("  " + "  ".join(cell.rjust(11) for cell in rows[-1]), flush=True)
    growth = [
        f"- {_kind(reachable)}: time grows with exponent {_exponent(done, options.clock)} over the larger half of the "
        f"sizes, peak memory with {_exponent(done, 'memory')}{_ratio(done, options.clock)}"
        for reachable, done in measured.items()
    ]
    _plots(family, measured, options.clock)
    text = "\n".join([f"## {family.title}\n", f"Size: {family.unit}.\n", table(HEADER, rows), "", *growth])
    return text, sum(checked.is_wrong for done in measured.values() for checked in done)


def _row(checked: Checked) -> list[str]:
    measurement = checked.measurement
    stats = [checked.stat(name) for name in ("parse_seconds", "fixpoint_seconds")]
    return [
        str(checked.instance.size),
        _kind(checked.instance.reachable),
        seconds(measurement.best),
        seconds(measurement.median),
        seconds(measurement.cpu),
        *("-" if value is None else seconds(value) for value in stats),
        f"{measurement.megabytes:.0f}",
        checked.verdict + (" WRONG" if checked.is_wrong else ""),
    ]


def _kind(reachable: bool) -> str:
    return "reachable" if reachable else "unreachable"


def _points(done: Sequence[Checked], what: Quantity) -> tuple[tuple[float, float], ...]:
    finished = [checked for checked in done if checked.verdict != "timeout"]
    return tuple(
        (checked.instance.size, measurement.megabytes if what == "memory" else measurement.cost(what))
        for checked in finished
        for measurement in [checked.measurement]
    )


def _exponent(done: Sequence[Checked], what: Quantity) -> str:
    """Return the growth exponent over the larger half of the sizes, where start-up no longer dominates."""
    points = _points(done, what)
    exponent = growth_exponent(points[len(points) // 2 :] if len(points) > 3 else points)
    return "-" if exponent is None else f"{exponent:.2f}"


def _ratio(done: Sequence[Checked], clock: Clock) -> str:
    """Return T(3200) / T(800) where both were measured."""
    best = dict(_points(done, clock))
    if done[0].instance.family != "template" or not {800, 3200} <= best.keys():
        return ""
    return f"; T(3200)/T(800) = {best[3200] / best[800]:.2f}"


def _plots(family: Family, measured: dict[bool, list[Checked]], clock: Clock) -> None:
    times = [
        Series(_kind(key), _points(done, clock), f"exponent {_exponent(done, clock)}") for key, done in measured.items()
    ]
    fixed = [
        (float(checked.instance.size), value)
        for checked in measured[False]
        if (value := checked.stat("fixpoint_seconds")) is not None
    ]
    exponent = growth_exponent(fixed[len(fixed) // 2 :] if len(fixed) > 3 else fixed)
    note = "unreachable" if exponent is None else f"unreachable, exponent {exponent:.2f}"
    times.append(Series("fixed point alone", tuple(fixed), note))
    _save(
        f"{family.name}.svg",
        log_log_plot(f"{family.title}: time", family.unit, "seconds", times, family.unit != "bits"),
    )
    memory = [
        Series(_kind(key), _points(done, "memory"), f"exponent {_exponent(done, 'memory')}")
        for key, done in measured.items()
    ]
    title = f"{family.title}: peak memory"
    _save(f"{family.name}-memory.svg", log_log_plot(title, family.unit, "megabytes", memory))


def _layouts(sizes: Sequence[int], options: argparse.Namespace) -> tuple[str, int]:
    """Return the section on slots shared by all procedures against variables of their own, and the wrong answers."""
    print("\nT(N), slots against distinct variables: the fixed point alone")
    rows, wrong = [], 0
    lines: dict[str, list[tuple[float, float]]] = {"slots": [], "distinct": []}
    for size in sizes:
        best: dict[str, float | None] = {}
        for layout, line in lines.items():
            instance = FAMILIES["template"].instance(size)
            runs = [
                check(instance, options.timeout, 1, options.clock, ("--layout", layout)) for _ in range(options.repeats)
            ]
            wrong += any(checked.is_wrong for checked in runs)
            values = [value for checked in runs if (value := checked.stat("fixpoint_seconds")) is not None]
            best[layout] = min(values, default=None)
            if values:
                line.append((size, min(values)))
        slots, distinct = best["slots"], best["distinct"]
        ratio = "-" if not slots or not distinct else f"{distinct / slots:.1f}"
        rows.append([str(size), *("-" if value is None else seconds(value) for value in (slots, distinct)), ratio])
        print("  " + "  ".join(cell.rjust(11) for cell in rows[-1]), flush=True)
    series = []
    for name, points in lines.items():
        exponent = growth_exponent(points)
        series.append(Series(name, tuple(points), "" if exponent is None else f"exponent {exponent:.2f}"))
    _save("layouts.svg", log_log_plot("T(N): fixed point by layout", "levels", "seconds", series, True))
    header = ("N", "slots s", "distinct s", "distinct / slots")
    return f"## T(N): slots against distinct variables, the fixed point alone\n\n{table(header, rows)}", wrong


def _save(name: str, text: str) -> None:
    (OUT / name).write_text(text.rstrip("\n") + "\n")


if __name__ == "__main__":
    sys.exit(main())
