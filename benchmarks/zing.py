"""Programs with references: states a second beside a plain search, and the three curves of Figure 10.

    python -m benchmarks.zing speed     states a second, and how much sooner the default answers
    python -m benchmarks.zing curves    Figure 10 of MSR-TR-2005-08; a plot in benchmarks/out/figure10.svg

Processor time of the search alone, in this process, the best of three; compare ratios, not machines.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.checker import OUT
from benchmarks.closures import Plain
from benchmarks.plot import Series, log_log_plot
from benchmarks.table import seconds, table
from knaster.api import check
from knaster.decide.asked import Evidence
from knaster.frontends.zing import parse
from knaster.program.model import Program

AUCTION = Path(__file__).resolve().parents[2] / "shared/benchmarks/zing/Regression/AuctionHouse/AuctionHouse.zing"
NOTHING = Evidence(traces=False, proofs=False)
SIZES = (3, 6, 12, 25, 50, 100, 200, 400, 800)
SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


def bakery(rounds: int) -> str:
    """Return Lamport's bakery: two customers who come so many times."""
    return f"""
array Tickets[2] int;
array Flags[2] bool;
class Main {{
  static Tickets ticket = new Tickets;
  static Flags choosing = new Flags;
  static int served;
  activate static void main() {{ atomic {{ async Customer(0); async Customer(1); }} }}
  static int Highest() {{
    int i; int highest;
    while (i < 2) {{
      if (ticket[i] > highest) {{ highest = ticket[i]; }}
      i = i + 1;
    }}
    return highest;
  }}
  static void Customer(int me) {{
    int mine; int other; int visits;
    while (visits < {rounds}) {{
      choosing[me] = true;
      mine = Highest();
      ticket[me] = mine + 1;
      choosing[me] = false;
      other = 1 - me;
      select {{ wait(!choosing[other]) -> ; }}
      select {{ wait(ticket[other] == 0 || ticket[me] < ticket[other]
        || (ticket[me] == ticket[other] && me < other)) -> ; }}
      served = served + 1;
      assert(served == 1);
      served = served - 1;
      ticket[me] = 0;
      visits = visits + 1;
    }}
  }}
}};
"""


def peterson(rounds: int) -> str:
    """Return Peterson's algorithm: two threads that enter so many times."""
    return f"""
class Lock {{ bool zero; bool one; int turn; }};
class Main {{
  static Lock lock = new Lock;
  static int inside;
  activate static void main() {{ atomic {{ async Worker(0); async Worker(1); }} }}
  static void Enter(int me) {{
    int other;
    other = 1 - me;
    if (me == 0) {{ lock.zero = true; }} else {{ lock.one = true; }}
    lock.turn = other;
    select {{ wait(lock.turn == me || (me == 0 && !lock.one) || (me == 1 && !lock.zero)) -> ; }}
  }}
  static void Leave(int me) {{
    if (me == 0) {{ lock.zero = false; }} else {{ lock.one = false; }}
  }}
  static void Worker(int me) {{
    int entered;
    while (entered < {rounds}) {{
      Enter(me);
      inside = inside + 1;
      assert(inside == 1);
      inside = inside - 1;
      Leave(me);
      entered = entered + 1;
    }}
  }}
}};
"""


def figure_10(size: int) -> str:
    """Return the program of Figure 10 for one N."""
    return f"""
class Foo {{
  bool x;
  Foo Clone() {{ Foo t = new Foo; t.x = x; return t; }}
}};
class Main {{
  static Foo g;
  activate static void main() {{ g = new Foo; M(0); assert(g.x == false); }}
  static void M(int i) {{
    Foo f;
    bool b;
    if (i < {size}) {{
      f = g.Clone();
      b = choose(bool);
      g.x = b;
      M(i + 1);
      assert(g.x == b);
      g.x = f.x;
    }}
  }}
}};
"""


def measured(work: Callable[[], int], repeats: int = 3) -> tuple[float, int]:
    """Return the least processor time of some work in seconds, and what it returns."""
    best, result = float("inf"), 0
    for _ in range(repeats):
        gc.collect()
        started = time.process_time()
        result = work()
        best = min(best, time.process_time() - started)
    return best, result


def searched(program: Program, engine: str, count: str, **options: Any) -> int:
    """Return a number of the statistics of a check that must find nothing."""
    result = check(program, "failures", engine=engine, evidence=NOTHING, **options)
    if result.verdict.value != "TRUE":
        raise SystemExit(f"{engine}: {result!r}")
    return int(result.stats[count])


def speed() -> str:
    """Return a table: the plain search, `explicit` with the same steps, and the default."""
    models = {"bakery": parse(bakery(2)), "Peterson": parse(peterson(4))}
    if AUCTION.is_file():
        models["AuctionHouse"] = parse(AUCTION.read_text())
    rows = []
    for name, program in models.items():
        plain, states = measured(lambda program=program: Plain(program).count())  # type: ignore[misc]
        none, same = measured(lambda p=program: searched(p, "explicit", "states", reduction="none"))  # type: ignore[misc]
        if states != same:
            raise SystemExit(f"{name}: {states} states by the plain search, {same} by ours")
        local, fewer = measured(lambda p=program: searched(p, "explicit", "states"))  # type: ignore[misc]
        rows.append(
            (
                name,
                f"{states:,}",
                f"{states / plain:,.0f}",
                f"{states / none:,.0f}",
                f"{plain / none:.1f}",
                f"{fewer:,}",
                f"{plain / local:.1f}",
            )
        )
    header = ("model", "states", "plain, a second", "`none`, a second", "times", "`local`: states", "times sooner")
    return table(header, rows)


def curves() -> str:
    """Return a table of Figure 10, and draw it."""
    found: dict[str, dict[int, tuple[float, int]]] = {}
    for engine, sizes, count in (
        ("patterns", SIZES, "roots"),
        ("visible", SIZES, "roots"),
        ("explicit", SMALL, "states"),
    ):
        options = {"reduction": "none"} if engine == "explicit" else {}
        found[engine] = {}
        for size in sizes:
            program = parse(figure_10(size))
            found[engine][size] = measured(
                lambda p=program, e=engine, c=count, o=options: searched(p, e, c, **o)  # type: ignore[misc]
            )
    OUT.mkdir(parents=True, exist_ok=True)
    series = [Series(engine, tuple((n, cost) for n, (cost, _) in points.items())) for engine, points in found.items()]
    plot = log_log_plot("Figure 10", "N", "seconds of processor time", series, linear=True)
    (OUT / "figure10.svg").write_text(plot)
    return table(("N", *(f"`{engine}`: s (number)" for engine in found)), list(_rows(found)))


def _rows(found: dict[str, dict[int, tuple[float, int]]]) -> Sequence[tuple[str, ...]]:
    sizes = sorted({size for points in found.values() for size in points})
    return [
        (
            str(size),
            *(f"{seconds(p[size][0])} ({p[size][1]:,})" if size in p else "" for p in found.values()),
        )
        for size in sizes
    ]


def main(what: Sequence[str]) -> None:
    """Print the tables that are asked for."""
    gc.disable()  # as the command does
    for name, work in (("speed", speed), ("curves", curves)):
        if not what or name in what:
            sys.stdout.write(f"{work()}\n\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
