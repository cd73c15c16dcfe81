"""`make bench-quick`: a few ratios that say whether something has become slower; fails where one is worse by a quarter.

python -m benchmarks.quick             compare with benchmarks/recorded.json, two to five minutes
python -m benchmarks.quick --record    write what was measured there

A ratio does not depend on the machine, or little: an answer with its trace beside the same answer without one, and a
whole command beside a fixed piece of plain Python (`YARDSTICK`).  Processor time, best of five, interleaved: every
command once before any is run again.  A ratio that is worse is measured once more before it counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.checker import write
from benchmarks.families import FAMILIES
from benchmarks.growth import SHAPES
from benchmarks.growth import write as write_shape
from benchmarks.harness import run
from benchmarks.table import table

RECORDED = Path(__file__).with_name("recorded.json")
WORSE = 1.25
YARDSTICK = "d = {}\nfor i in range(700_000):\n    d[i & 4095] = (i, d.get(i & 1023))"
TRACED = (("even-odd", 12), ("driver", 10_000), ("template", 800), ("tree-walk", 12), ("mutual", 12))
WHOLE = (("globals", 1600), ("condition", 3200), ("relations", 3200), ("rules", 100_000), ("calls", 400))


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two commands, the cost of one divided by that of the other."""

    name: str
    command: tuple[str, ...]
    beside: tuple[str, ...]


def ratios() -> list[Ratio]:
    """Return what is compared with what."""
    yardstick = (sys.executable, "-I", "-S", "-c", YARDSTICK)
    found = []
    for name, size in TRACED:
        file = str(write(FAMILIES[name].instance(size, reachable=True)))
        check = (sys.executable, "-m", "knaster", "check", file, "--target", "ERROR")
        found.append(Ratio(f"{name} {size:,}: trace / none", check, (*check, "--trace", "none")))
        found.append(Ratio(f"{name} {size:,}: none / yardstick", (*check, "--trace", "none"), yardstick))
    for name, size in WHOLE:
        found.append(Ratio(f"{name} {size:,} / yardstick", tuple(write_shape(SHAPES[name], size)), yardstick))
    return found


def measure(commands: Iterable[tuple[str, ...]], repeats: int, timeout: float) -> dict[tuple[str, ...], float]:
    """Return the least processor time of each command, all of them run once before any is run again."""
    best: dict[tuple[str, ...], float] = {}
    unique = list(dict.fromkeys(commands))
    for _ in range(repeats):
        for command in unique:
            done = run(command, timeout, "cpu")
            if done.timed_out:
                raise RuntimeError(f"not done after {timeout:.0f} s: {' '.join(command)}")
            best[command] = min(best.get(command, done.cpu_seconds), done.cpu_seconds)
    return best


def values(asked: Sequence[Ratio], repeats: int, timeout: float) -> dict[str, float]:
    """Return the ratios, measured."""
    best = measure((command for ratio in asked for command in (ratio.command, ratio.beside)), repeats, timeout)
    return {ratio.name: best[ratio.command] / best[ratio.beside] for ratio in asked}


def worse(now: Mapping[str, float], recorded: Mapping[str, float]) -> list[str]:
    """Return the ratios that are worse than the recorded ones by more than a quarter; a new one is none."""
    return [name for name, value in now.items() if value > WORSE * recorded.get(name, value)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare or record; return 1 where something is worse."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.quick", description="Compare ratios with recorded ones."
    )
    parser.add_argument("--record", action="store_true", help="write what is measured instead of comparing it")
    parser.add_argument("--repeats", type=int, default=5, metavar="K", help="runs of each command (default: 5)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for each run (default: 60)")
    options = parser.parse_args(arguments)
    asked = ratios()
    now = values(asked, options.repeats, options.timeout)
    if options.record:
        RECORDED.write_text(json.dumps({name: round(value, 2) for name, value in now.items()}, indent=2) + "\n")
    recorded: dict[str, float] = json.loads(RECORDED.read_text())
    doubtful = worse(now, recorded)
    if doubtful:
        again = values([ratio for ratio in asked if ratio.name in doubtful], options.repeats, options.timeout)
        now |= {name: min(value, now[name]) for name, value in again.items()}
    bad = worse(now, recorded)
    rows = [
        [name, f"{value:.2f}", f"{recorded.get(name, value):.2f}", "WORSE" if name in bad else ""]
        for name, value in now.items()
    ]
    print(table(("ratio", "now", "recorded", ""), rows))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
