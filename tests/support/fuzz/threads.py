"""Every engine for threads against the exploration of single configurations, on random programs.

    python tests/fuzz.py threads --first 1 --programs 100 --seconds 150 [--without explicit]...

Of each program every label is a target, every engine that accepts it is asked with up to 4 switches and with up to 3
rounds, and the default without a bound.  All agree with the oracle on what is reachable and on the least number; every
trace replays with that number and every proof is checked (`knaster.check` sees to both); what is said to be unreachable
for every number is reached by no run that the oracle finds with more; threads that do not recurse, of which only so
many are started, are decided.  What fails is made smaller and printed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence
from random import Random

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Limits
from knaster.engines.table import ENGINES
from knaster.evidence.answers.answer import Reachable, Result, Unknown, Unreachable
from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean.printer import to_text
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.program.threads import most_started, reachable_procedures, recursive_procedure, started_by
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import Schedules, explore_threads
from knaster.transform.shrink.search import shrink
from support.fuzz.pieces import arguments, compare
from support.generators.threaded_programs import Crowd, threaded_text

CROWDS = (
    Crowd(sections=0.0, threads=(2, 4), statements=(1, 3)),
    Crowd(threads=(2, 3), statements=(1, 4)),
    Crowd(lock=1.0, sections=0.0, threads=(2, 3), statements=(1, 3)),
    Crowd(threads=(1, 2), starts=0.3, calls=0.2, copies=True, statements=(1, 3)),
    Crowd(threads=(2, 3), enforces=0.4, statements=(1, 3)),
    Crowd(threads=(2, 2), calls=0.7, statements=(1, 3)),
    Crowd(threads=(2, 3), sections=0.6, calls=0.1, statements=(2, 3)),
)
MOST = {"switches": 4, "rounds": 3}
DEEPEST = 4  # stacks of the exploration; higher ones are cut off, and then it knows less than an engine
SMALL = 4_000
PATIENCE = 10.0  # seconds for one engine
Count = Counter[str]


def program_of(number: int) -> Program:
    """Return a random program."""
    return load(threaded_text(Random(f"fuzz {number}"), CROWDS[number % len(CROWDS)]))


def problems(program: Program, count: Count, patience: float = PATIENCE, without: Collection[str] = ()) -> list[str]:
    """Return what is wrong with the answers about a program; empty where it has one thread, or too many states."""
    found: list[str] = []
    if not program.is_threaded:
        count["sequential"] += 1
        return []
    kinds = ["switches"] if starts_threads(program) else ["switches", "rounds"]
    try:
        oracles = {
            kind: explore_threads(program, kind, MOST[kind], keep=4, depth=DEEPEST, limit=SMALL) for kind in kinds
        }
    except TooManyStates:
        count["too large"] += 1
        return []
    count["programs"] += 1
    for kind, oracle in oracles.items():
        for engine in (name for name in usable(program, kind) if name not in without):
            found += _asked(program, engine, kind, oracle, count, patience)
    return found + _unbounded(program, oracles["switches"], count, patience)


def starts_threads(program: Program) -> bool:
    """Tell whether a procedure that may run starts threads: rounds are refused then."""
    edges = (edge for name in reachable_procedures(program) for edge in program.procedure(name).edges)
    return any(started_by(edge) is not None for edge in edges)


def usable(program: Program, kind: str) -> list[str]:
    """Return the engines that accept every label of a program as a target, with a bound."""
    question = Reach(resolve_targets(program, "all-labels"), bound=Bound(kind, MOST[kind]))
    return [name for name, engine in ENGINES.items() if engine.why_not(program, question) is None]


def _asked(program: Program, engine: str, kind: str, oracle: Schedules, count: Count, patience: float) -> list[str]:
    """Return how an engine disagrees with the oracle within a bound."""
    what = f"{engine} with {MOST[kind]} {kind}"
    asked = {kind: MOST[kind]}
    try:
        limits = Limits(seconds=patience)
        result = knaster.check(program, "all-labels", engine=engine, limits=limits, **asked)  # type: ignore[arg-type]
    except KnasterError as error:
        return [f"{what}: {type(error).__name__}: {error}"]
    except Exception as error:  # a traceback must never reach a user
        return [f"{what}: breaks down: {error!r}"]
    count[what] += 1
    return [f"{what}: {wrong}" for wrong in _wrong(result, kind, oracle, count, ENGINES[engine].decides)]


def _wrong(result: Result, kind: str, oracle: Schedules, count: Count, decides: bool) -> list[str]:
    found = []
    for target, answer in result.answers:
        least = oracle.least.get(target.place)
        match answer:
            case Reachable():
                count["reachable"] += 1
                if not answer.checked or answer.trace is None:
                    found += [] if "time limit" in answer.unchecked else [f"{target.name} has no trace"]
                    continue
                cost = answer.trace.switches if kind == "switches" else answer.trace.rounds
                exact = answer.least == least or (oracle.cut and (least is None or cost < least))
                if answer.least != cost or not exact:
                    found.append(f"{target.name} is reached by {cost}, {answer.least} is said, the oracle says {least}")
            case Unreachable(_, bound):
                count["unreachable" if bound is None else "unreachable within the bound"] += 1
                within = bound is None or bound.number >= MOST[kind]
                if least is not None and (within or (bound is not None and least <= bound.number)):
                    found.append(f"{target.name} is said to be unreachable, the oracle says {least}")
            case Unknown(reason):
                count["undecided"] += 1
                if decides and "time limit" not in reason:
                    found.append(f"{target.name} is undecided: {reason}")
    return found


def _unbounded(program: Program, oracle: Schedules, count: Count, patience: float) -> list[str]:
    """Return how the default without a bound is wrong: about what more switches reach, or because it is undecided."""
    try:
        result = knaster.check(program, "all-labels", limits=Limits(seconds=patience))
    except KnasterError as error:
        return [f"no bound: {type(error).__name__}: {error}"]
    except Exception as error:  # a traceback must never reach a user
        return [f"no bound: breaks down: {error!r}"]
    found = []
    try:
        further = explore_threads(program, "switches", 6, keep=6, depth=DEEPEST + 1, limit=4 * SMALL)
    except TooManyStates:
        further = oracle
    finite = recursive_procedure(program) is None and most_started(program) is not None
    count[f"no bound: {result.engine}"] += 1
    for target, answer in result.answers:
        least = further.least.get(target.place)
        if isinstance(answer, Unreachable) and answer.bound is None:
            count["proved"] += 1
            if least is not None:
                found.append(f"no bound: {target.name} is said to be unreachable, {least} switches reach it")
            if not answer.checked:
                found.append(f"no bound: the proof about {target.name} was not checked: {answer.unchecked}")
        elif isinstance(answer, Reachable):
            late = not answer.checked and "time limit" not in answer.unchecked
            if late or (least is not None and answer.least is not None and answer.least > least):
                found.append(f"no bound: {target.name} is said to need {answer.least}, the oracle says {least}")
        elif finite and "time limit" not in result.reason:
            found.append(f"no bound: {target.name} is undecided: {result.reason}")
    return found


def smaller(program: Program, wrong: str, seconds: float = 60.0) -> Program:
    """Return a smaller program about which the same engine is wrong."""
    end, who = time.monotonic() + seconds, wrong.split(":")[0]

    def fails(candidate: Program) -> bool:
        try:
            return any(other.split(":")[0] == who for other in problems(candidate, Counter(), 3.0))
        except Exception:
            return False

    return shrink(program, fails, lambda: time.monotonic() < end)


def main(words: Sequence[str]) -> int:
    """Check random programs until the time is spent; return 1 where something is wrong."""
    parser, count = arguments(__doc__), Counter[str]()
    parser.add_argument("--without", action="append", default=[], metavar="ENGINE", help="do not ask this engine")
    options = parser.parse_args(words)

    def wrong(number: int) -> str:
        program = program_of(number)
        found = problems(program, count, without=options.without)
        return "  " + "\n  ".join(found) + "\n" + to_text(smaller(program, found[0])) if found else ""

    return compare(options, count, wrong)
