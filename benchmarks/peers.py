"""`make bench-peers`: the same programs through z3's Datalog engine, through Spacer and through ours, in one run.

Each is a whole command with its start-up.  Ours reads the program's text; z3 reads Horn clauses that were written
beforehand, so translating costs it nothing.  The columns alternate row by row on the same machine.

    python -m benchmarks.peers                            about half an hour, most of it time limits
    python -m benchmarks.peers template --sizes 800       one family, some sizes
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.checker import OUT, check, write
from benchmarks.families import FAMILIES, TARGET, Family, Instance
from benchmarks.harness import BIN, Clock, Measurement, machine, measure, run
from benchmarks.plot import Series, log_log_plot
from benchmarks.table import seconds, table

# Beside z3's own settings, those that were the fastest of many on T(800) and on straight-line code.
PEERS: Mapping[str, tuple[str, ...]] = {
    "Datalog": ("fp.engine=datalog",),
    "Datalog, tuned": (
        "fp.engine=datalog",
        "fp.datalog.default_relation=doc",
        "fp.datalog.unbound_compressor=false",
        "fp.xform.compress_unbound=false",
        "fp.xform.tail_simplifier_pve=false",
    ),
    "Datalog, no inlining": ("fp.engine=datalog", "fp.xform.inline_eager=false", "fp.xform.inline_linear=false"),
    "Spacer": ("fp.engine=spacer",),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one engine said about one program, and how long its whole command took; None where it gave no answer."""

    answer: str
    seconds: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen families through every engine; return 1 where an answer is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.families if name not in FAMILIES]:
        parser.error(f"no family is called {unknown[0]}; there are {', '.join(FAMILIES)}")
    if not (BIN / "z3").exists():
        parser.error("z3 is missing; install the extra 'peers', as `make bench-peers` does")
    version = run([str(BIN / "z3"), "--version"], 30).output.strip()
    OUT.mkdir(parents=True, exist_ok=True)
    rows = [row for name in options.families or FAMILIES for row in _family(FAMILIES[name], options)]
    header = ("program", "ERROR", *(f"{name} s" for name in ("ours", *PEERS)), "best peer / ours")
    clock = "wall time" if options.clock == "wall" else "processor time"
    about = f"{machine()}. {version}. Whole command, {clock}, best of {options.repeats}; limit {options.timeout:g} s."
    (OUT / "peers.md").write_text(f"# Beside z3\n\n{about}\n\n{table(header, rows)}\n")
    wrong = sum("WRONG" in cell for row in rows for cell in row)
    if wrong:
        print(f"{wrong} wrong answers", file=sys.stderr)
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description="Measure z3's engines and ours.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="instead of the sizes of each family")
    parser.add_argument("--repeats", type=int, default=3, metavar="K", help="runs of each command (default: 3)")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="S", help="for each run (default: 30)")
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="'cpu' on a machine that others use too (default: wall)",
    )
    return parser


def _family(family: Family, options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the rows of one family and draw its plot."""
    lines: dict[str, list[tuple[float, float]]] = {engine: [] for engine in ("ours", *PEERS)}
    lost: dict[bool, set[str]] = {False: set(), True: set()}
    for size in options.sizes or family.peer_sizes:
        for reachable, out in lost.items():
            instance = family.instance(size, reachable)
            outcomes = _compare(instance, options, out)
            out |= {engine for engine, outcome in outcomes.items() if outcome.answer == "timeout"}
            if not reachable:
                for engine, outcome in outcomes.items():
                    if outcome.seconds is not None:
                        lines[engine].append((size, outcome.seconds))
            row = [f"{family.title}, {size} {family.unit}", *_cells(instance, outcomes)]
            print("  " + "  ".join(cell.rjust(13) for cell in row), flush=True)
            yield row
    series = [Series(engine, tuple(points)) for engine, points in lines.items()]
    picture = log_log_plot(f"{family.title}, unreachable: whole command", family.unit, "seconds", series)
    (OUT / f"peers-{family.name}.svg").write_text(picture)


def _compare(instance: Instance, options: argparse.Namespace, lost: set[str]) -> dict[str, Outcome]:
    """Return what every engine makes of a program, ours first; one that lost a smaller one to the limit is not run."""
    checked = check(instance, options.timeout, options.repeats, options.clock)
    answer = {"TRUE": "unsat", "FALSE": "sat"}.get(checked.verdict, checked.verdict)
    outcomes = {"ours": _outcome(answer, checked.measurement, options.clock)}
    clauses = _clauses(instance)
    for name, settings in PEERS.items():
        if name in lost:
            outcomes[name] = Outcome("not run", None)
            continue
        command = [str(BIN / "z3"), *settings, str(clauses)]
        measurement = measure(command, options.timeout, options.repeats, options.clock)
        words = measurement.last.output.split()
        answer = words[0] if words else f"exit {measurement.last.exit_code}"
        outcomes[name] = _outcome(answer, measurement, options.clock)
    return outcomes


def _outcome(answer: str, measurement: Measurement, clock: Clock) -> Outcome:
    if measurement.timed_out:
        return Outcome("timeout", None)
    return Outcome(answer, measurement.cost(clock) if answer in ("sat", "unsat") else None)


def _clauses(instance: Instance) -> Path:
    """Write the Horn clauses of a program beside it, in a process of its own, and return their file."""
    source = write(instance)
    clauses = source.with_suffix(".smt2")
    done = run([sys.executable, "-m", "benchmarks.horn", str(source), TARGET, str(clauses)], 600)
    if done.exit_code:
        raise RuntimeError(f"no Horn clauses for {source.name}: {done.errors}")
    return clauses


def _cells(instance: Instance, outcomes: Mapping[str, Outcome]) -> list[str]:
    """Return the cells of a row: the question, each engine's time or why there is none, the best peer against ours."""
    expected = "sat" if instance.reachable else "unsat"
    cells = ["reachable" if instance.reachable else "unreachable"]
    for outcome in outcomes.values():
        if outcome.seconds is None:
            cells.append(outcome.answer)
        else:
            cells.append(seconds(outcome.seconds) + ("" if outcome.answer == expected else " WRONG"))
    ours = outcomes["ours"].seconds
    peers = [outcome.seconds for name, outcome in outcomes.items() if name != "ours" and outcome.seconds is not None]
    cells.append(f"{min(peers) / ours:.1f}" if ours and peers else "only ours" if ours else "-")
    return cells


if __name__ == "__main__":
    sys.exit(main())
