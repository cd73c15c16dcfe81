"""How the cost of a whole answer, trace or proof included, grows: each family at four sizes, and the fitted exponent.

python -m benchmarks.growth                   every family, about four minutes; the table and a plot in benchmarks/out
python -m benchmarks.growth globals labels    some of them; the others as they were measured last
python -m benchmarks.growth --picture FILE    the plot, as it is on docs/performance.md, to a file of its own

The cost is processor time of the whole command without start-up (that of the same command on the smallest program),
best of three, one run of every size before the second of any.  An exponent above 1.1 fails where the theory says
linear; where it does not, the family says why.  Every program has a known answer: its exit code must be that.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.checker import OUT
from benchmarks.harness import growth_exponent, machine, run
from benchmarks.models import driver
from benchmarks.plot import Series, log_log_plot
from benchmarks.table import seconds, table
from benchmarks.template import straight_line, template

LIMIT = 1.1
MEASURED = Path(OUT, "growth.json")
NOISE = 0.05  # of an exponent, on a machine that others use too


@dataclass(frozen=True, slots=True)
class Shape:
    """Programs of one shape: what is asked of them, the exit code of the answer, and what the theory says."""

    name: str
    sizes: tuple[int, int, int, int]
    text: Callable[[int], str]
    command: tuple[str, ...]  # FILE stands for the program
    code: int
    excuse: str = ""  # why the cost may grow faster than the size


def conjunction(size: int) -> str:
    """Return a program whose only condition has so many operands."""
    names = [f"x{number}" for number in range(size)]
    return f"decl {', '.join(names)};\nvoid main() begin if ({' & '.join(names)}) then ERROR: skip; fi end\n"


def globals_written(size: int) -> str:
    """Return a program that sets so many globals to 0, one after the other; the proof speaks of all of them."""
    names = [f"x{number}" for number in range(size)]
    body = "\n".join(f"  {name} := 0;" for name in names)
    return f"decl {', '.join(names)};\nvoid main() begin\n{body}\n  if (x0) then ERROR: skip; fi\nend\n"


def call_chain(size: int) -> str:
    """Return procedures that call one another in a row, the last one with the target: a stack of so many at its end."""
    parts = ["decl g;", "void main() begin f0(); end"]
    for number in range(size):
        following = f"f{number + 1}();" if number + 1 < size else "if (g) then ERROR: skip; fi"
        parts.append(f"void f{number}() begin g := !g; {following} end")
    return "\n".join(parts) + "\n"


def labels(size: int) -> str:
    """Return a straight line of so many labels, all of which are reachable."""
    body = "\n".join(f"  L{number}: g := !g;" for number in range(size))
    return f"decl g;\nvoid main() begin\n{body}\nend\n"


def relations(size: int) -> str:
    """Return an equation system of so many relations, each of which needs the one before."""
    lines = [f"mu bool R{number}(bool x) R{number - 1}(x) | R{number}(x);" for number in range(1, size)]
    return "\n".join(["mu bool R0(bool x) x;", *lines, f"exists bool x. R{size - 1}(x);"]) + "\n"


def pushdown_file(size: int) -> str:
    """Return a pushdown system of so many rules as JSON: a ring of swaps."""
    rules = {f"n{number}": {"to": "p", "swap": f"n{(number + 1) % size}"} for number in range(size)}
    return json.dumps({"pda": {"states": {"p": rules}}})


CHECK = ("check", "FILE", "--target", "ERROR")
SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("template", (400, 800, 1600, 3200), lambda size: template(size, True), CHECK, 10),
        Shape("straight", (5000, 10000, 20000, 40000), lambda size: straight_line(size, True), CHECK, 10),
        Shape("driver", (1250, 2500, 5000, 10000), lambda size: driver(size, True), CHECK, 10),
        Shape("condition", (1600, 3200, 6400, 12800), conjunction, CHECK, 10),
        Shape("globals", (1600, 3200, 6400, 12800), globals_written, (*CHECK, "--certify"), 0),
        Shape("calls", (400, 800, 1600, 3200), call_chain, CHECK, 10),
        Shape("relations", (1600, 3200, 6400, 12800), relations, ("solve", "FILE"), 0),
        Shape(
            "rules",
            (50_000, 100_000, 200_000, 400_000),
            pushdown_file,
            ("pushdown", "FILE", "--post", "<p, n0>", "--ask", "<p, n7>"),
            10,
        ),
        Shape(
            "labels",
            (100, 200, 400, 800),
            labels,
            ("check", "FILE", "--target", "all-labels"),
            10,
            "the traces have size * size / 2 steps in all",
        ),
    )
}


def write(shape: Shape, size: int) -> list[str]:
    """Write the program of a size and return the command that answers its question."""
    folder = OUT / "growth"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{shape.name}-{size}.{'mu' if shape.command[0] == 'solve' else 'txt'}"
    path.write_text(shape.text(size))
    words = [str(path) if word == "FILE" else word for word in shape.command]
    return [sys.executable, "-m", "knaster", *words]


def costs(shape: Shape, timeout: float, repeats: int) -> list[tuple[int, float]]:
    """Return each size with its processor time, start-up taken off; raise `RuntimeError` at a wrong answer."""
    sizes = (min(shape.sizes) // 100 or 2, *shape.sizes)
    best: dict[int, float] = {}
    for _ in range(repeats):
        for size in sizes:
            done = run(write(shape, size), timeout, "cpu")
            if done.exit_code != shape.code:
                raise RuntimeError(f"{shape.name} of size {size}: exit {done.exit_code}\n{done.output}{done.errors}")
            best[size] = min(best.get(size, done.cpu_seconds), done.cpu_seconds)
    return [(size, max(best[size] - best[sizes[0]], 0.001)) for size in shape.sizes]


def verdict(shape: Shape, exponent: float) -> str:
    """Return what an exponent means: nothing wrong, wrong, or why it may be so."""
    if exponent <= LIMIT + NOISE:
        return "linear"
    return f"expected: {shape.excuse}" if shape.excuse else "TOO STEEP"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the chosen shapes; return 1 where an exponent is too large."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description="Fit exponents of growth.")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--repeats", type=int, default=3, metavar="K", help="runs of each size (default: 3)")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="S", help="for each run (default: 120)")
    parser.add_argument("--picture", default=str(Path(OUT, "growth.svg")), metavar="FILE", help="where the plot goes")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.shapes if name not in SHAPES]:
        parser.error(f"no shape is called {unknown[0]}; there are {', '.join(SHAPES)}")
    measured = read_measured()
    for name in options.shapes or SHAPES:
        measured[name] = costs(SHAPES[name], options.timeout, options.repeats)
        print("  ".join(row_of(name, measured[name])), flush=True)
    OUT.mkdir(parents=True, exist_ok=True)
    MEASURED.write_text(json.dumps(measured, indent=1) + "\n")
    known = {name: measured[name] for name in SHAPES if name in measured}
    header = ("family", "size: s", "size: s", "size: s", "size: s", "exponent", "")
    rows = table(header, [row_of(name, points) for name, points in known.items()])
    text = f"{machine()}. Processor time without start-up, best of {options.repeats}.\n\n{rows}\n"
    Path(OUT, "growth.md").write_text(text)
    Path(options.picture).write_text(picture(known))
    steep = [name for name in options.shapes or SHAPES if row_of(name, measured[name])[-1] == "TOO STEEP"]
    return 1 if steep else 0


def read_measured() -> dict[str, list[tuple[int, float]]]:
    """Return what was measured last, as far as the sizes are still the same."""
    if not MEASURED.exists():
        return {}
    last = {name: [(size, cost) for size, cost in points] for name, points in json.loads(MEASURED.read_text()).items()}
    return {
        name: points
        for name, points in last.items()
        if name in SHAPES and tuple(size for size, _ in points) == SHAPES[name].sizes
    }


def exponent_of(points: Sequence[tuple[int, float]]) -> float:
    """Return the fitted exponent."""
    return growth_exponent([(float(size), cost) for size, cost in points]) or 0.0


def row_of(name: str, points: Sequence[tuple[int, float]]) -> list[str]:
    """Return the line of the table about a family."""
    exponent = exponent_of(points)
    cells = [f"{size:,}: {seconds(cost)}" for size, cost in points]
    return [name, *cells, f"{exponent:.2f}", verdict(SHAPES[name], exponent)]


def picture(measured: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Return the plot: how many times the time so many times the size takes."""
    series = []
    for name, points in measured.items():
        size, cost = points[0]
        relative = tuple((each / size, seconds / cost) for each, seconds in points)
        series.append(Series(name, relative, f"exponent {exponent_of(points):.2f}"))
    return log_log_plot("Whole answers: how time grows", "times the size", "times the time", series, linear=True)


if __name__ == "__main__":
    sys.exit(main())
