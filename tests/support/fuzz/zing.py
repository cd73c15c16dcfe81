"""Every method for Zing models against the interpreter's search, on random models.

    python tests/fuzz.py zing --kind aliasing --first 0 --models 5000 --seconds 1200

Of each model every assert, deadlock and every kind of runtime error is a target.  Every method finds exactly what the
interpreter finds; with recursion without end (`endless`) what it finds with seven frames, and the two methods of
summaries find the same where both end; `threads` and `switches` are compared with and without the reduction, `alone` is
one of such threads, for all methods; `same` has threads that begin in the same way, for all reductions; `owners` has
cells that go from thread to thread, `counted` and `recursive` have locks and threads that recurse, for `transactions`,
the latter without end: what the interpreter finds with five frames; `cells` and `endless-cells` are the same with locks
in cells; `channels` has threads that send and receive.
Every trace is replayed and every proof is checked.  Models whose states are too many for the interpreter are left out:
they are `run`, not `compared`.  What fails is made smaller, line by line, and printed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import knaster
from knaster.base.errors import KnasterError
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable, Unknown
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.semantics.heap.explore import explore
from support.fuzz.pieces import numbers, say
from support.generators.zing_channels import random_channels
from support.generators.zing_models import ALIASING, BOUNDED, ENDLESS, RICH, random_model, random_threads
from support.generators.zing_owners import random_owners
from support.generators.zing_transactions import locks_in_cells, random_transactions
from support.oracles.zing_switches import least_found, least_numbers

ONE_THREAD = {"aliasing": ALIASING, "rich": RICH, "bounded": BOUNDED}
KINDS = (*ONE_THREAD, "alone", "endless", "threads", "switches", "owners", "counted", "recursive", "same", "channels")
KINDS = (*KINDS, "cells", "endless-cells")  # locks in cells
MOST = 1000  # states that the interpreter visits
SMALL = {"states": 300, "edges": 500, "calls": 600}  # the same for threads
FEW = {"edges": 100, "calls": 100, "changes": 30}  # for recursion without end
BARE = Evidence(traces=False, proofs=False)
Found = set[tuple[str, int]]
Count = Counter[str]


def text_of(kind: str, number: int) -> str:
    """Return a random model."""
    if kind in ONE_THREAD:
        return random_model(Random(f"{ONE_THREAD[kind]} {number}"), ONE_THREAD[kind])
    rng = Random(f"{kind} {number}")
    if kind == "owners":
        return random_owners(rng)
    if kind == "channels":
        return random_channels(rng)
    if kind in ("cells", "endless-cells"):
        return locks_in_cells(rng, random_transactions(rng, kind == "endless-cells"))
    if kind in ("counted", "recursive", "same"):
        return random_transactions(rng, kind == "recursive", kind == "same")
    return random_model(rng, ENDLESS) if kind == "endless" else random_threads(rng, 1 if kind == "alone" else 0)


def problems(kind: str, text: str, count: Count) -> list[str]:
    """Return what is wrong with the answers about a model."""
    count["run"] += 1
    try:
        program = parse(text)
        compare = {
            "endless": _endless,
            "threads": _threads,
            "same": _threads,
            "switches": _switches,
            "owners": _counted,
            "counted": _counted,
            "cells": _counted,
            "channels": _counted,
        }
        return (_recursive if kind in ("recursive", "endless-cells") else compare.get(kind, _one_thread))(
            program, count
        )
    except KnasterError as error:
        return [f"{type(error).__name__}: {error}"]
    except Exception as error:  # a traceback must never reach a user
        return [f"breaks down: {error!r}"]


def failures(program: Program, engine: str, **options: Any) -> tuple[Found, bool]:
    """Return the failures that an engine finds (asserts by line, others by kind), and whether it found all."""
    result = knaster.check(program, "failures", engine=engine, **options)
    found: Found = set()
    for target, answer in result.answers:
        assert answer.checked or isinstance(answer, Unknown)
        if isinstance(answer, Reachable):
            assert answer.failure is not None
            found.add((answer.failure.kind, answer.failure.line if not target.kind else 0))
    return found, not any(isinstance(answer, Unknown) for _, answer in result.answers)


def expected(program: Program, limit: int, depth: int | None = None) -> tuple[Found, bool, int]:
    """Return the failures that the interpreter finds, whether these are all, and how many states Zing would count."""
    found = explore(program, limit, depth)
    lines = {(each.kind, each.line if each.kind == "assertion" else 0) for each in found.failures}
    return lines, found.complete, found.distinct


def _one_thread(program: Program, count: Count) -> list[str]:
    wanted, complete, _ = expected(program, MOST)
    if not complete:
        return []
    count["compared"] += 1
    count["failures"] += len(wanted)
    return [
        wrong for engine in ("visible", "patterns", "explicit") for wrong in _differs(engine, program, engine, wanted)
    ]


def _differs(what: str, program: Program, engine: str, wanted: Found, **options: Any) -> list[str]:
    found, complete = failures(program, engine, **options)
    if (found, complete) == (wanted, True):
        return []
    all_ = "" if complete else ", and not all"
    return [f"{what}: finds {sorted(found)}{all_}; the interpreter {sorted(wanted)}"]


def _endless(program: Program, count: Count) -> list[str]:
    wanted, _, _ = expected(program, 300, 7)
    both = [failures(program, engine, **FEW) for engine in ("visible", "patterns")]
    count["compared"] += any(complete for _, complete in both)
    count["both end"] += all(complete for _, complete in both)
    count["failures"] += len(wanted)
    wrong = []
    for engine, (found, complete) in zip(("visible", "patterns"), both, strict=True):
        if complete and not wanted <= found:
            wrong.append(f"{engine}: finds {sorted(found)}; the interpreter {sorted(wanted)}")
    if all(complete for _, complete in both) and both[0] != both[1]:
        wrong.append(f"visible finds {sorted(both[0][0])}, patterns {sorted(both[1][0])}")
    return wrong


def _is_small(program: Program, most: int) -> bool:
    """Tell whether a model has about so many states; the interpreter would take ten times as long to say so."""
    few = knaster.check(program, "failures", evidence=BARE, engine="explicit", reduction="none", states=most * 6 // 5)
    return not any(isinstance(answer, Unknown) for _, answer in few.answers)


def _threads(program: Program, count: Count) -> list[str]:
    if not _is_small(program, MOST):
        return []
    wanted, complete, distinct = expected(program, MOST)
    if not complete:
        return []
    count["compared"] += 1
    count["failures"] += len(wanted)
    wrong = []
    for reduction in ("none", "local", "symmetry", "persistent", "all"):
        wrong += _differs(reduction, program, "explicit", wanted, reduction=reduction)
    wrong += _differs("transactions", program, "transactions", wanted)
    if not wanted:
        states = knaster.check(program, "failures", evidence=BARE, engine="explicit", reduction="none").stats
        if states["distinct_states"] != distinct:
            wrong.append(f"none: {states['distinct_states']} distinct states; the interpreter {distinct}")
    return wrong


def _counted(program: Program, count: Count) -> list[str]:
    if not _is_small(program, MOST):
        return []
    wanted, complete, _ = expected(program, MOST)
    if not complete:
        return []
    count["compared"] += 1
    count["failures"] += len(wanted)
    wrong = _differs("transactions", program, "transactions", wanted)
    return wrong + _differs("all", program, "explicit", wanted, reduction="all")


def _recursive(program: Program, count: Count) -> list[str]:
    found, complete = failures(program, "transactions", **SMALL)
    if not complete:
        return []
    wanted, _, _ = expected(program, 400, 5)
    count["compared"] += 1
    count["failures"] += len(wanted)
    if wanted <= found:
        return []
    return [f"transactions: finds {sorted(found)}; the interpreter {sorted(wanted)}"]


def _switches(program: Program, count: Count) -> list[str]:
    if not _is_small(program, 400):
        return []
    count["compared"] += 1
    wrong = []
    for most in (0, 2):
        wanted = least_numbers(program, most)
        count["failures"] += len(wanted)
        for reduction in ("none", "local"):
            if (found := least_found(program, most, reduction)) != wanted:
                wrong.append(f"{reduction}, {most} switches: finds {found}; the interpreter {wanted}")
    return wrong


def smaller(kind: str, text: str, wrong: str, seconds: float = 60.0) -> str:
    """Return a model of fewer lines about which the same method is wrong in the same way."""
    end, who = time.monotonic() + seconds, wrong.split(":")[0]
    lines = text.split("\n")
    size = len(lines) // 2
    while size and time.monotonic() < end:
        start, shrunk = 0, False
        while start < len(lines) and time.monotonic() < end:
            candidate = lines[:start] + lines[start + size :]
            found = problems(kind, "\n".join(candidate), Counter())
            if any(each.split(":")[0] == who for each in found):
                lines, shrunk = candidate, True
            else:
                start += 1
        size = size if shrunk and size == 1 else size // 2
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """Compare random models until the time is spent; return 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, action="append", help="of models; all of them where none is given")
    parser.add_argument("--first", type=int, default=0, help="the number of the first model")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=120.0, help="for each kind")
    options = parser.parse_args(words)
    failed = sum(_piece(kind, options.first, options.models, options.seconds) for kind in options.kind or KINDS)
    return 1 if failed else 0


def _piece(kind: str, first: int, models: int, seconds: float) -> int:
    """Compare some models of a kind; return how many are wrong."""
    count: Count = Counter()
    begin, failed, number = time.process_time(), 0, first - 1
    for number in numbers(first, models, seconds):
        text = text_of(kind, number)
        if wrong := problems(kind, text, count):
            failed += 1
            say(f"{kind} {number}:\n  " + "\n  ".join(wrong) + "\n" + smaller(kind, text, wrong[0]))
    counts = ", ".join(f"{count[what]} {what}" for what in ("run", "compared", "both end", "failures") if what in count)
    spent = time.process_time() - begin
    say(f"{kind} {first} .. {number}: {counts}, {failed} mismatches, {spent:.0f} s of processor time")
    return failed
