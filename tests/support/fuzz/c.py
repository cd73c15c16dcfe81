"""Every engine for C against the tabulation of concrete calls, on random recursive programs.

    python tests/fuzz.py c --first 1 --programs 100 --seconds 150

Both properties of each program are asked of every engine that takes them, each with a few units of work and a second
at most; `auto` is asked about every tenth.  An engine that only ever says TRUE cannot be wrong where the property
holds, nor one that says FALSE where it fails: there it is asked about a few programs, to see its evidence checked.
What is decided agrees with the oracle, and all that is claimed was checked (`knaster.check` replays runs and checks
proofs).  What fails is made smaller and printed.  A program takes about a second of processor time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import knaster
from knaster.base.limits import Limits
from knaster.evidence.answers.answer import Unknown, Verdict
from support.fuzz.c_smaller import smaller
from support.fuzz.pieces import arguments, compare
from support.generators.c_programs import CProgram, random_program, text, wilder_program
from support.oracles.c_tabulation import tabulated

PATIENCE: float | None = 1.0  # seconds for one engine
UNITS = 200_000
Options = Mapping[str, Any]
ENGINES: Mapping[str, Mapping[str, Options]] = {
    "reach": {
        "search": {"runs": 3_000},
        "horn": {"units": UNITS},
        "yasm": {"units": UNITS, "refinements": 4},
    },
    "termination": {
        "search": {"runs": 3_000},
        "ranking": {"units": UNITS},
        "recurrence": {"units": UNITS},
        "yasm": {"units": UNITS, "refinements": 4},
    },
}
EVERY = 10  # how often `auto` is asked
ONLY_SAYS = {"ranking": Verdict.TRUE, "recurrence": Verdict.FALSE}
Count = Counter[str]


def program_of(number: int) -> CProgram:
    """Return a random program: every third one reads its inputs at the start only."""
    return wilder_program(number) if number % 3 else random_program(number)


def problems(program: CProgram, count: Count, auto: bool = True) -> list[str]:
    """Return what is wrong with the answers about a program."""
    truth = tabulated(program)
    found = []
    count["programs"] += 1
    for property, fails in (("reach", truth.error), ("termination", truth.endless)):
        if property == "reach" and "reach_error();" not in text(program):
            continue
        count[f"{property}: {'too large' if fails is None else 'fails' if fails else 'holds'}"] += 1
        engines = {**ENGINES[property], "auto": {"units": UNITS}} if auto else ENGINES[property]
        for engine, options in engines.items():
            if fails is not None and ONLY_SAYS.get(engine) is (Verdict.FALSE if fails else Verdict.TRUE) and not auto:
                continue
            found += [
                f"{property}, {engine}: {wrong}" for wrong in _asked(program, property, engine, options, fails, count)
            ]
    return found


def _asked(
    program: CProgram, property: str, engine: str, options: Options, fails: bool | None, count: Count
) -> list[str]:
    """Return how an engine is wrong about a property that fails, holds, or is not known to."""
    try:
        result = knaster.check(
            text(program), file="random.c", property=property, engine=engine, limits=Limits(PATIENCE), **options
        )
    except Exception as error:  # our own fault, and the others are to be asked all the same
        return [f"{type(error).__name__}: {error}"]
    count[f"{property}, {engine}: {result.verdict.value}"] += 1
    found = []
    if result.verdict is not Verdict.UNKNOWN and fails is not None and (result.verdict is Verdict.FALSE) != fails:
        found.append(f"{result.verdict.value} is said, and it {'fails' if fails else 'holds'}")
    answers = [answer for _, answer in result.answers]
    if any(not answer.checked for answer in answers if not isinstance(answer, Unknown)):
        found.append("an answer was not checked")
    return found


def made_smaller(program: CProgram, wrong: str, auto: bool, seconds: float = 60.0) -> CProgram:
    """Return a smaller program about which the same engine is wrong in the same question."""
    end, who = time.monotonic() + seconds, wrong.split(":")[0]

    def fails(candidate: CProgram) -> bool:
        try:
            return any(other.split(":")[0] == who for other in problems(candidate, Counter(), auto))
        except Exception:
            return False

    return smaller(program, fails, lambda: time.monotonic() < end)


def main(words: Sequence[str]) -> int:
    """Check random programs until the time is spent; return 1 where something is wrong."""
    options, count = arguments(__doc__).parse_args(words), Counter[str]()

    def wrong(number: int) -> str:
        program, auto = program_of(number), number % EVERY == 0
        found = problems(program, count, auto)
        return "  " + "\n  ".join(found) + "\n" + text(made_smaller(program, found[0], auto)) if found else ""

    return compare(options, count, wrong)
