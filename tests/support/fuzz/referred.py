"""The methods for references on Boolean programs against others, on random programs.

    python tests/fuzz.py referred --kind counted --first 1 --programs 5000 --seconds 1200

`counted` (threads that take a lock and recurse as often as two bits say), `recursive` (as often as they choose) and
`crowd` (any threads) are asked of `transactions` and compared with the exploration of single configurations (stacks
up to four frames), and where these are too many with `lazy` within three switches. `sequential` programs are asked of
`visible` and `patterns`, and compared with Bebop's summaries. Every label is a target, every trace is replayed and
every proof is checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import knaster
from knaster.base.errors import KnasterError, UsageError
from knaster.decide.asked import Evidence
from knaster.evidence.answers.answer import Reachable, Unknown, Unreachable
from knaster.frontends.boolean.printer import to_text
from knaster.frontends.languages import load
from knaster.program.model import Place, Program
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from support.fuzz.pieces import arguments, compare
from support.generators.boolean_programs import SMALL, TINY, random_program
from support.generators.boolean_transactions import random_boolean_transactions
from support.generators.threaded_programs import Crowd, threaded_text

KINDS = ("counted", "recursive", "crowd", "sequential")
CROWDS = (Crowd(sections=0.0), Crowd(), Crowd(threads=(1, 2), starts=0.3, calls=0.2), Crowd(enforces=0.4))
MOST = 1_500  # configurations
SWITCHES = 3  # where there are more
BARE = Evidence(traces=False, proofs=False)
Count = Counter[str]


def program_of(kind: str, number: int) -> Program:
    """Return a random program."""
    rng = Random(f"{kind} {number}")
    if kind == "sequential":
        return random_program(rng, (SMALL, TINY)[number % 2])
    if kind == "crowd":
        return load(threaded_text(rng, CROWDS[number % len(CROWDS)]))
    return load(random_boolean_transactions(rng, kind == "recursive"))


def problems(kind: str, program: Program, count: Count) -> list[str]:
    """Return what is wrong with the answers about a program."""
    count["run"] += 1
    try:
        return _sequential(program, count) if kind == "sequential" else _threads(program, count)
    except UsageError as error:
        count["refused"] += 1
        return [] if "cannot be read as such" in str(error) else [str(error)]
    except KnasterError as error:
        return [f"{type(error).__name__}: {error}"]
    except Exception as error:  # a traceback must never reach a user
        return [f"breaks down: {error!r}"]


def _sequential(program: Program, count: Count) -> list[str]:
    wanted = knaster.check(program, "all-labels", engine="summaries")
    count["compared"] += 1
    wrong: list[str] = []
    for engine in ("visible", "patterns"):
        result = knaster.check(program, "all-labels", engine=engine)
        for (target, answer), (_, other) in zip(result.answers, wanted.answers, strict=True):
            count[f"{engine}: {type(answer).__name__.lower()}"] += 1
            if not isinstance(answer, Unknown) and (type(answer) is not type(other) or not answer.checked):
                wrong.append(f"{engine}: {target.name} {answer}; summaries: {other}")
    return wrong


def _threads(program: Program, count: Count) -> list[str]:
    result = knaster.check(program, "all-labels", engine="transactions", states=500)
    places, complete = reached_places(program, count)
    count["compared"] += 1
    wrong: list[str] = []
    for target, answer in result.answers:
        count[type(answer).__name__.lower()] += 1
        reached = target.place in places
        agrees = reached or not complete if isinstance(answer, Reachable) else not reached
        if isinstance(answer, Reachable | Unreachable) and not (agrees and answer.checked):
            wrong.append(f"{target.name}: {answer}; the oracle: {'' if reached else 'not '}reached")
    return wrong


def reached_places(program: Program, count: Count) -> tuple[set[Place], bool]:
    """Return places that are reached, and whether these are all: by single configurations, or with few switches."""
    try:
        found = explore_threads(program, "switches", None, depth=4, limit=MOST)
        count["by all configurations"] += not found.cut
        return set(found.least), not found.cut
    except TooManyStates:
        few = knaster.check(program, "all-labels", engine="lazy", switches=SWITCHES, evidence=BARE)
        return {target.place for target, answer in few.answers if isinstance(answer, Reachable)}, False


def main(words: Sequence[str]) -> int:
    """Check random programs until the time is spent; return 1 where something is wrong."""
    parser, count = arguments(__doc__), Counter[str]()
    parser.add_argument("--kind", choices=KINDS, default="counted")
    options = parser.parse_args(words)

    def wrong(number: int) -> str:
        program = program_of(options.kind, number)
        found = problems(options.kind, program, count)
        return "  " + "\n  ".join(found) + "\n" + to_text(program) if found else ""

    return compare(options, count, wrong)
