"""Compare C programs with threads with every interleaving, enumerated by an oracle of its own.

`python tests/fuzz.py c_threads --count 1000`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

from knaster import Reachable, Unreachable, check
from knaster.base.errors import InternalError
from support.generators.c_threads import threads_program
from support.oracles.c_endless import never_ends
from support.oracles.c_interleavings import Crew, Verdicts, decide, fails_within

MOST = 60_000  # configurations
UNITS = 2_000_000  # of z3, for the program of all interleavings
PROPERTIES = {"reach": "assertion", "deadlock": "deadlock", "race": "race"}


def disagreement(text: str, verdicts: Verdicts, properties: Sequence[str]) -> str:
    """Return where Knaster says something else than the oracle; empty where it does not."""
    for name in properties:
        expected = "FALSE" if getattr(verdicts, PROPERTIES[name]) else "TRUE"
        result = check(text, file="p.c", property=name)
        if result.verdict.name != expected:
            return f"{name}: {result.verdict.name} {result.reason}, and the oracle says {expected}"
    return ""


def disagreement_about_divisions(text: str, verdicts: Verdicts) -> str:
    """Return where Knaster says something else of a division than the oracle; empty where it does not."""
    lines = {
        line
        for line, shown in enumerate(text.splitlines(), 1)
        if any(f"/* {d} */" in shown for d in verdicts.divisions)
    }
    result = check(text, file="p.c", property="safety")
    said = {
        target.line for target, answer in result.answers if isinstance(answer, Reachable) and target.kind == "division"
    }
    if result.verdict.name == "UNKNOWN" or said != lines:
        return f"safety: {result.verdict.name} {result.reason}, divisions at {said}, and the oracle says {lines}"
    return ""


def disagreement_within(text: str, crew: Crew, kind: str, number: int) -> str:
    """Return where Knaster says something else of the assertions within a bound; empty where it does not."""
    expected = fails_within(crew, kind, number, MOST)
    if expected is None:
        return ""
    bound: dict[str, Any] = {kind: number}
    result = check(text, file="p.c", property="reach", **bound)
    name = result.verdict.name
    if expected and name == "FALSE":
        return ""
    answers = [answer for _, answer in result.answers]
    if not expected and name != "FALSE" and all(isinstance(answer, Unreachable) for answer in answers):
        return ""
    return f"{kind} <= {number}: {name} {result.reason}, and the oracle says {'' if expected else 'not '}within"


def disagreement_of_reductions(text: str, crew: Crew, number: int) -> str:
    """Return where threads as one sequential program say something else than the oracle; empty where they do not.

    What is not decided is no disagreement: some words of threads are refused.
    """
    verdicts, within = decide(crew, MOST), fails_within(crew, "rounds", number, MOST)
    if verdicts is None or within is None:
        return ""
    whole = check(text, file="p.c", property="reach", engine="interleaved", units=UNITS)
    if whole.verdict.name not in ("UNKNOWN", "FALSE" if verdicts.assertion else "TRUE"):
        return f"interleaved: {whole.verdict.name}, and the oracle says the opposite"
    rounds = check(text, file="p.c", property="reach", engine="rounds", rounds=number)
    if rounds.verdict.name == "TRUE" or (rounds.verdict.name == "FALSE" and not within):
        return f"rounds <= {number}: {rounds.verdict.name}, and the oracle says not within"
    if within and all(isinstance(answer, Unreachable) for _, answer in rounds.answers):
        return f"rounds <= {number}: nothing is found, and the oracle says within"
    return ""


def disagreement_of_guarantees(text: str, verdicts: Verdicts, units: int) -> str:
    """Return where a proof of one thread at a time contradicts the oracle; it may say nothing, and never FALSE."""
    apart = check(text, file="p.c", property="reach", engine="modular", units=units)
    if apart.verdict.name == "FALSE" or (apart.verdict.name == "TRUE" and verdicts.assertion):
        return f"modular: {apart.verdict.name}, and the oracle says the opposite"
    return ""


def disagreement_about_ends(text: str, crew: Crew, fair: str) -> str:
    """Return where Knaster says something else of the end of runs than the oracle; empty where it does not."""
    expected = never_ends(crew, fair, MOST)
    if expected is None:
        return ""
    result = check(text, file="p.c", property="termination", fair=fair)
    if result.verdict.name == ("FALSE" if expected else "TRUE"):
        return ""
    return f"termination, {fair}: {result.verdict.name} {result.reason}, and the oracle says {expected}"


def _bounds(text: str, crew: Crew, random: Random) -> str:
    kind = random.choice(["switches", "rounds", "preemptions", "delays"])
    number = random.randrange(1, 4) if kind == "rounds" else random.randrange(5 if kind == "switches" else 3)
    return disagreement_within(text, crew, kind, number)


def _divisions(random: Random) -> str:
    text, crew = threads_program(random, 2, 3, divides=6)
    verdicts = decide(crew, MOST)
    said = disagreement_about_divisions(text, verdicts) if verdicts is not None else ""
    return f"{said}\n{text}" if said else ""


def _compare(text: str, crew: Crew, verdicts: Verdicts, random: Random) -> str:
    """Return where Knaster says something else of one program, or of one that divides; empty where it does not."""
    said = disagreement(text, verdicts, tuple(PROPERTIES))
    said = said or _divisions(random) or _bounds(text, crew, random)
    said = said or disagreement_of_reductions(text, crew, random.randrange(1, 4))
    said = said or disagreement_of_guarantees(text, verdicts, UNITS)
    return said or disagreement_about_ends(text, crew, random.choice(["none", "weak", "strong"]))


def main(arguments: Sequence[str]) -> int:
    """Compare as many programs as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    wrong = left = 0
    for number in range(options.count):
        random = Random(f"{options.seed} {number}")
        text, crew = threads_program(random, random.choice([1, 2, 2, 3]), random.choice([2, 3, 4]))
        verdicts = decide(crew, MOST)
        if verdicts is None:
            left += 1
            continue
        try:
            said = _compare(text, crew, verdicts, random)
        except InternalError as error:  # evidence that was refused, too
            said = f"{type(error).__name__}: {error}"
        if said:
            wrong += 1
            sys.stdout.write(f"--- {number}: {said}\n{text}\n")
    sys.stdout.write(f"{options.count} programs, {left} with too many configurations, {wrong} disagreements\n")
    return 1 if wrong else 0
