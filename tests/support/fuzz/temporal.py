"""Termination and formulas of random recursive Boolean programs against the explicit decision.

    python tests/fuzz.py temporal --first 1 --programs 500 --seconds 150

`ranks` is asked each time, `pushdown` and `calculus` at every tenth program.  Every lasso is replayed and the formula
evaluated on it, every proof is checked (`knaster.check` sees to both).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random

import knaster
from knaster.frontends.boolean.printer import to_text
from support.generators.boolean_programs import TINY, random_program
from support.generators.temporal_questions import random_question
from support.oracles.temporal import TooLarge, holds_on_every_run


def problem(number: int) -> str:
    """Return what is wrong with the answers about a random program; empty where nothing is."""
    random = Random(f"temporal {number}")
    program = random_program(random, TINY)
    question = random_question(random, program)
    try:
        expected = "TRUE" if holds_on_every_run(program, question, most=4_000) else "FALSE"
    except TooLarge:
        return ""
    for engine in ("ranks", "pushdown", "calculus") if number % 10 == 0 else ("ranks",):
        try:
            said = knaster.check(program, question, engine=engine).verdict.value
        except Exception as error:
            said = repr(error)
        if said != expected:
            return f"{number}: {engine} says {said}, the oracle {expected}, of {question}\n{to_text(program)}"
    return ""


def main(arguments: Sequence[str]) -> int:
    """Ask about programs until they or the time are over; return 1 where an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=150.0)
    options = parser.parse_args(arguments)
    started, asked, wrong = time.monotonic(), 0, 0
    for number in range(options.first, options.first + options.programs):
        if time.monotonic() - started > options.seconds:
            break
        asked += 1
        if said := problem(number):
            wrong += 1
            print(said)  # noqa: T201
    print(f"{asked} programs, {wrong} answers wrong")  # noqa: T201
    return int(wrong > 0)
