"""Requirements: each says in its sentence why an engine cannot be used, and nothing where it can."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import UnsupportedError
from knaster.engines import requirements as r
from knaster.engines.requirements import Requirement, first_failure
from knaster.engines.table import ENGINES
from knaster.evidence.questions.question import Bound, Question, Reach, Target, Temporal, Termination
from knaster.frontends.languages import load
from knaster.program.expression import Var
from knaster.program.model import Program

SEQUENTIAL = "decl g;\nvoid main() begin f(); ERROR: skip; end\nvoid f() begin g := T; end\n"
TWO = "decl g;\nvoid main_1() begin g := T; end\nvoid main_2() begin ERROR: skip; end\n"
STARTS = "decl g;\nvoid main() begin\nstart_thread f();\nend\nvoid f() begin ERROR: skip; end\n"
RECURSIVE = "decl g;\nvoid main_1() begin f(); end\nvoid main_2() begin skip; end\nvoid f() begin f(); end\n"
WAITS = "decl g;\nvoid main_1() begin\nwait;\nend\nvoid main_2() begin skip; end\n"
LOOPS = "decl g;\nvoid main() begin while (*) do start_thread f(); od end\nvoid f() begin skip; end\n"
LOCK = "decl atomic;\nvoid thread1() begin\natomic := f();\nend\nvoid thread2() begin skip; end\n"
TAKES = f"{LOCK}bool f() begin return T; end\n"
C = "int main() { int x = 0; return x; }\n"
POINTERS = "int main() { int x = 0, *p = &x; return *p; }\n"
ZING = "class Main { static activate void Run() { assert(true); } };\n"
JOINS = """class Main {
  static bool ready() { return true; }
  static activate void Run() {
    select { wait(Main.ready()) -> ; }
  }
};
"""

REACH: Question = Reach((Target("ERROR", "main", 0, 1),))
ROUNDS: Question = replace(REACH, bound=Bound("rounds", 2))
DEADLOCK: Question = Reach((Target("deadlock", "", 0, 0, kind="deadlock"),))
FORMULA: Question = Temporal(parse_ltl("G F ended"))
ENDS: Question = Termination()
HEAP = "class Main { static Main c = new Main; static activate void Run() { assert(true); } };\n"
FILES = {C: "test.c", POINTERS: "test.c", ZING: "test.zing", JOINS: "test.zing", HEAP: "test.zing"}


def read(text: str) -> Program:
    return knaster.parse(text, file=FILES.get(text, "test.bp"))


CASES: list[tuple[Requirement, str, Question, str]] = [
    (r.REACH, SEQUENTIAL, ENDS, "it decides reachability, not termination"),
    (r.REACH_OR_RUNS, C, ENDS, "it decides termination of Boolean programs, without a bound"),
    (r.TERMINATION, C, REACH, "it decides termination, not reachability"),
    (r.NO_ROUNDS, TWO, ROUNDS, "it counts switches, not rounds"),
    (r.ONLY_ROUNDS, TWO, Reach((), bound=Bound("switches", 1)), "it counts rounds, not switches"),
    (r.UNBOUNDED, TWO, ROUNDS, "it does not count rounds"),
    (r.PLACES_ONLY, TWO, DEADLOCK, "it decides which places are reached, not whether there is a deadlock"),
    (
        r.DECIDABLE_DEADLOCK,
        RECURSIVE,
        DEADLOCK,
        "a deadlock can be decided only where threads do not recurse, and 'f' calls itself",
    ),
    (
        r.DECIDABLE_DEADLOCK,
        LOOPS,
        DEADLOCK,
        "a deadlock can be decided only for a limited number of threads, and a loop starts some",
    ),
    (r.BOOLEAN, C, REACH, "it checks programs whose variables are Boolean"),
    (r.BOOLEAN_OR_FLAT, C, REACH, "it checks programs whose variables are Boolean"),
    (r.FLAT_OR_THREADS_OF_C, C, REACH, "it checks programs whose variables are Boolean"),
    (
        r.FLAT_OR_THREADS_OF_C,
        TWO,
        DEADLOCK,
        "it decides which places are reached, not whether there is a deadlock",
    ),
    (
        r.BOOLEAN_OR_FLAT,
        ZING,
        DEADLOCK,
        "of Zing models it decides which places are reached, such as '--target asserts'",
    ),
    (r.BOOLEAN_OR_FLAT, HEAP, REACH, "it checks Boolean programs, and this model is none: it has cells at the start"),
    (r.REFERENCES_OR_REFERRED, C, REACH, "it checks programs with references"),
    (r.REFERENCES_OR_REFERRED, TWO, DEADLOCK, "of Boolean programs it decides which places are reached"),
    (
        r.REFERENCES_OR_REFERRED,
        TAKES,
        REACH,
        "it checks programs with references, and this one cannot be read as such: "
        "'atomic' keeps other threads from running",
    ),
    (r.NO_HEAP, ZING, REACH, "it checks Boolean programs, and this one has a heap"),
    (r.INTEGERS, SEQUENTIAL, REACH, "it checks programs over integers"),
    (r.INTEGERS, ZING, REACH, "it checks programs over integers"),
    (r.MEMORY, C, REACH, "it checks programs of C with memory"),
    (r.REFERENCES, C, REACH, "it checks programs with references"),
    (r.INTEGERS_OR_REFERENCES, SEQUENTIAL, REACH, "it checks programs of C or with references"),
    (r.SEQUENTIAL, TWO, REACH, "it checks sequential programs, and this one has 2 threads (main_1, main_2)"),
    (r.NO_THREAD_STATEMENTS, STARTS, REACH, "it checks sequential programs, and line 3 has 'start_thread'"),
    (r.ONE_THREAD, TWO, REACH, "it checks one thread, and this program has 2 (main_1, main_2)"),
    (r.ONE_THREAD, STARTS, REACH, "it checks one thread, and line 3 starts another"),
    (r.NO_CALLS_IN_WAITS, JOINS, REACH, "line 4 calls a method in a condition"),
    (r.THREADS, SEQUENTIAL, REACH, "it checks programs with threads, and this one is sequential"),
    (
        r.threads_for("it follows threads"),
        SEQUENTIAL,
        REACH,
        "it follows threads, and this one is sequential",
    ),
    (r.SETTLED, WAITS, REACH, "line 3 has 'wait', and what it means is not settled"),
    (r.NO_CALL_FOR_LOCK, TAKES, REACH, "line 3 takes the result of a call for 'atomic'"),
    (r.NO_STARTS, STARTS, REACH, "line 3 starts a thread"),
    (
        r.NO_STARTS_IN_ROUNDS,
        STARTS,
        ROUNDS,
        "it counts rounds only where no line starts a thread, and line 3 does",
    ),
    (r.NO_RECURSION, RECURSIVE, REACH, "it inlines calls, and 'f' calls itself"),
    (r.points_at_most(1), TWO, REACH, "it inlines calls, and there are too many"),
    (
        r.pairs_at_most(3),
        TWO,
        REACH,
        "it enumerates values, and there are 16 of globals and activations, more than 3",
    ),
    (r.of_threads(r.NO_ROUNDS), TWO, ROUNDS, "it counts switches, not rounds"),
    (r.ABOUT_RUNS, SEQUENTIAL, REACH, "it decides termination and formulas, not reachability"),
    (r.REACH_OR_MODELS, SEQUENTIAL, FORMULA, "it decides formulas of Zing models"),
    (
        r.REACH_OR_THREADS,
        SEQUENTIAL,
        FORMULA,
        "it decides formulas of Boolean threads and of Zing models, without a bound, alone",
    ),
    (
        r.REACH_OR_RECURSIVE,
        TWO,
        FORMULA,
        "it decides formulas of threads that recurse, or within a number of switches",
    ),
    (r.NO_FORMULAS, C, FORMULA, "it decides reachability and termination, not formulas"),
    (r.TERMINATION, C, FORMULA, "it decides termination, not formulas"),
    (r.REACH, C, FORMULA, "it decides reachability, not formulas"),
    (r.of_references(r.REACH), ZING, ENDS, "it decides reachability, not termination"),
    (r.of_others(r.INTEGERS), SEQUENTIAL, REACH, "it checks programs over integers"),
    (r.OF_C, SEQUENTIAL, REACH, "it checks programs of C"),
]
HOLDS: list[tuple[Requirement, str, Question]] = [
    (r.REACH, SEQUENTIAL, REACH),
    (r.TERMINATION, C, ENDS),
    (r.ABOUT_RUNS, SEQUENTIAL, ENDS),
    (r.ABOUT_RUNS, SEQUENTIAL, FORMULA),
    (r.NO_FORMULAS, C, ENDS),
    (r.REACH_OR_RUNS, TWO, FORMULA),
    (r.REACH_OR_THREADS, TWO, FORMULA),
    (r.REACH_OR_THREADS, ZING, ENDS),
    (r.REACH_OR_MODELS, ZING, ENDS),
    (r.REACH_OR_MODELS, C, REACH),
    (r.REACH_OR_RECURSIVE, RECURSIVE, FORMULA),
    (r.REACH_OR_RECURSIVE, TWO, REACH),
    (r.REACH_OR_THREADS, C, REACH),
    (r.NO_ROUNDS, TWO, REACH),
    (r.ONLY_ROUNDS, TWO, ROUNDS),
    (r.UNBOUNDED, TWO, REACH),
    (r.PLACES_ONLY, TWO, REACH),
    (r.DECIDABLE_DEADLOCK, TWO, DEADLOCK),
    (r.DECIDABLE_DEADLOCK, RECURSIVE, REACH),
    (r.BOOLEAN, TWO, REACH),
    (r.BOOLEAN_OR_FLAT, TWO, REACH),
    (r.FLAT_OR_THREADS_OF_C, TWO, REACH),
    (r.BOOLEAN_OR_FLAT, ZING, REACH),
    (r.REFERENCES_OR_REFERRED, TWO, REACH),
    (r.REFERENCES_OR_REFERRED, ZING, REACH),
    (r.NO_HEAP, C, REACH),
    (r.INTEGERS, C, REACH),
    (r.OF_C, C, REACH),
    (r.MEMORY, POINTERS, REACH),
    (r.REFERENCES, ZING, REACH),
    (r.INTEGERS_OR_REFERENCES, C, REACH),
    (r.INTEGERS_OR_REFERENCES, ZING, REACH),
    (r.SEQUENTIAL, STARTS, REACH),
    (r.NO_THREAD_STATEMENTS, TWO, REACH),
    (r.ONE_THREAD, ZING, REACH),
    (r.NO_CALLS_IN_WAITS, ZING, REACH),
    (r.THREADS, TWO, REACH),
    (r.SETTLED, TWO, REACH),
    (r.NO_CALL_FOR_LOCK, TWO, REACH),
    (r.NO_STARTS, TWO, REACH),
    (r.NO_STARTS_IN_ROUNDS, STARTS, REACH),
    (r.NO_STARTS_IN_ROUNDS, TWO, ROUNDS),
    (r.NO_RECURSION, TWO, REACH),
    (r.points_at_most(1000), TWO, REACH),
    (r.pairs_at_most(1000), TWO, REACH),
    (r.of_threads(r.NO_ROUNDS), SEQUENTIAL, ROUNDS),
    (r.of_references(r.REACH), SEQUENTIAL, ENDS),
    (r.of_others(r.INTEGERS), ZING, REACH),
]


@pytest.mark.parametrize(("requirement", "text", "question", "sentence"), CASES, ids=lambda value: str(value)[:30])
def test_a_requirement_says_why_not(requirement: Requirement, text: str, question: Question, sentence: str) -> None:
    assert requirement.why_not(read(text), question) == sentence


@pytest.mark.parametrize(("requirement", "text", "question"), HOLDS, ids=lambda value: str(value)[:30])
def test_a_requirement_that_holds_says_nothing(requirement: Requirement, text: str, question: Question) -> None:
    assert requirement.why_not(read(text), question) is None


def test_every_requirement_of_the_table_is_tried() -> None:
    tried = {str(requirement).partition("(")[0] for requirement, _, _, _ in CASES}
    assert {str(each).partition("(")[0] for card in ENGINES.values() for each in card.requires} <= tried
    assert tried == {str(requirement).partition("(")[0] for requirement, _, _ in HOLDS}


def test_the_first_that_fails_is_said() -> None:
    program = read(C)
    assert first_failure((r.REACH, r.BOOLEAN, r.INTEGERS), program, ENDS) == "it decides reachability, not termination"
    assert first_failure((r.REACH, r.BOOLEAN), program, REACH) == "it checks programs whose variables are Boolean"
    assert first_failure((r.REACH, r.INTEGERS), program, REACH) is None


@pytest.mark.parametrize(
    ("text", "question", "able"),
    [
        (SEQUENTIAL, REACH, "summaries pushdown calculus patterns visible explicit"),
        (TWO, REACH, "states modular stacks lazy eager calculus transactions explicit transducers"),
        (TWO, DEADLOCK, "states explicit"),
        (TWO, ROUNDS, "states modular lazy eager explicit"),
        (RECURSIVE, REACH, "modular stacks lazy eager calculus transactions explicit transducers"),
        (C, REACH, "auto search horn yasm unrolled"),
        (C, ENDS, "auto search ranking recurrence yasm unrolled"),
        (C, FORMULA, "auto"),
        (SEQUENTIAL, FORMULA, "ranks pushdown calculus"),
        (ZING, REACH, "auto patterns visible transactions explicit"),
        (ZING, ENDS, "auto patterns visible explicit"),
        (RECURSIVE, ENDS, "stacks explicit"),
        (SEQUENTIAL, ENDS, "ranks pushdown calculus"),
        (WAITS, REACH, ""),
    ],
)
def test_who_takes_what(text: str, question: Question, able: str) -> None:
    program = read(text)
    assert [name for name, card in ENGINES.items() if card.why_not(program, question) is None] == able.split()


TEXT = "decl g;\nvoid main() begin\n L: g := 1;\nend\n"
PLAIN = Target("L", "main", 0, 3)
UNDER = replace(PLAIN, condition=Var("g"))


def test_conditions_are_refused_by_name() -> None:
    program = load(TEXT, file="t.bp")
    card = ENGINES["summaries"]
    assert card.why_not(program, Reach((PLAIN,))) is None
    sentence = "it decides which places are reached, not in which states as 'L' asks"
    assert card.why_not(program, Reach((PLAIN, UNDER))) == sentence
    assert card._replace(conditions=True).why_not(program, Reach((UNDER,))) is None


def test_no_engine_is_asked_about_a_condition_today() -> None:
    assert not any(card.conditions for card in ENGINES.values())
    with pytest.raises(UnsupportedError, match="not in which states as 'L' asks"):
        knaster.check(TEXT, Reach((UNDER,)))
