"""Spin (`spin -a`, `gcc -O2`, `pan`) beside `knaster check --no-certify` on philosophers who eat for ever.

    python -m benchmarks.philosophers 8 10 12

Seconds of processor time of whole commands, one after the other in the same run, states and megabytes.  The last
philosopher takes the forks in the other order, so there is no deadlock.  Needs the Debian packages spin and gcc.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.spin import ROOT, processor_seconds

MODEL = ROOT / "benchmarks" / "promela" / "philosophers.pml"
TEXT = """class Fork {{ bool taken; }};
array Table[{count}] Fork;
class Main {{
  static Table table = new Table;
  activate static void main() {{
    atomic {{
      {made}
      {started}
    }}
  }}
  static void Eat(Fork left, Fork right) {{
    while (true) {{
      atomic {{ select {{ wait(!left.taken) -> left.taken = true; }} }}
      atomic {{ select {{ wait(!right.taken) -> right.taken = true; }} }}
      right.taken = false;
      left.taken = false;
    }}
  }}
}};
"""


class Figures(NamedTuple):
    """What one tool takes."""

    seconds: float
    states: int
    megabytes: int


def philosophers(count: int) -> str:
    """Return the model of so many philosophers."""
    pairs = [(number, number + 1) for number in range(count - 1)] + [(0, count - 1)]
    made = " ".join(f"table[{number}] = new Fork;" for number in range(count))
    started = " ".join(f"async Eat(table[{left}], table[{right}]);" for left, right in pairs)
    return TEXT.format(count=count, made=made, started=started)


def spin(count: int) -> Figures:
    """Return what Spin takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made, _ = processor_seconds(["spin", f"-DN={count}", "-a", str(MODEL)], folder)
        compiled, _ = processor_seconds(["gcc", "-O2", "-o", "pan", "pan.c"], folder)
        ran, said = processor_seconds(["./pan", "-m3000000"], folder)
    if "errors: 0" not in said:
        raise SystemExit(f"Spin finds an error:\n{said}")
    stored, used = re.search(r"(\d+) states, stored", said), re.search(r"([\d.]+)\s+total actual memory", said)
    assert stored is not None and used is not None
    return Figures(made + compiled + ran, int(stored[1]), round(float(used[1])))


def knaster(count: int) -> Figures:
    """Return what Knaster takes."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "philosophers.zing"
        file.write_text(philosophers(count), "utf-8")
        options = ["--engine", "explicit", "--states", "3000000", "--no-certify", "--format", "json"]
        command = [sys.executable, "-m", "knaster", "check", str(file), *options]
        seconds, said = processor_seconds(command, ROOT)
    found = json.loads(said)
    if found["verdict"] != "TRUE":
        raise SystemExit(f"Knaster says {found['verdict']}: {found['reason']}")
    return Figures(seconds, found["stats"]["states"], found["stats"]["peak_megabytes"])


def main(counts: Sequence[int]) -> None:
    """Print a line for each number of philosophers."""
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        raise SystemExit("spin and gcc are needed")
    for count in counts:
        theirs, ours = spin(count), knaster(count)
        sys.stdout.write(
            f"{count} philosophers: Spin {theirs.seconds:.2f} s, {theirs.states:,} states, {theirs.megabytes} MB; "
            f"Knaster {ours.seconds:.2f} s, {ours.states:,} states, {ours.megabytes} MB\n"
        )


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [8, 10])
