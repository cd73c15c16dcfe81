"""Changed proof files: the kernel believes none of them, because what they claim is not so.

    python tests/fuzz.py proofs --first 0 --files 5000 --seconds 170

Each file is a proof of a program that is right, handed over as one of a program that is wrong and differs in a few
letters, with up to three changes: numbers, operators, names, rows that are left out, doubled, swapped or replaced by
others.  The wrong program reaches its target, never ends, or ends: so whatever is believed is a mistake of the kernel.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import knaster
from knaster.checkers.files import proof_to_text
from knaster.checkers.memory.reduced_texts import REDUCED
from knaster.evidence.proofs.files import entry_of, fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.questions.targets import every_target
from knaster.program.model import Program
from knaster_check import Refused, check, read_program
from support import ROOT
from support.attacks.attack import is_believed_of_reduced
from support.c_proofs import READ
from support.fuzz.pieces import say

WORK = 60_000  # units for which the kernel goes through a program that is reduced, as in a check
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "=", "=>")


class Case(NamedTuple):
    """A program that is right, one that is wrong, and how the first is proved."""

    section: str  # of the proof file
    right: str
    wrong: str
    property: str = "reach"
    engine: str | None = None
    language: str = "c"
    question: str | None = None
    switches: int | None = None
    reduction: str = ""
    rounds: int | None = None


SUM = "int main(void) { int i = 0, s = 0; while (i < 9) { i++; s += 2; } if (s != 18) reach_error(); }"
CALLS = (
    "int g; int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }\n"
    "int main(void) { int k = read(); if (k > 0 && k < 9) { g = f(k); if (g > 9) reach_error(); } }"
)
ARRAY = (
    "int a[5]; int main(void) { int i = read(); if (i < 0 || i > 4) return 0; a[i] = 7;"
    " while (read()) { a[i] = a[i] - 1; if (a[i] < 2) a[i] = 7; } if (a[i] > 9) reach_error(); }"
)
LOOP = "int main(void) { int i = read(), j = read(); while (i > 0) { i--; j = read(); while (j > 0) j--; } }"
DEEP = "void f(int n) { if (n > 0) { f(n - 1); f(n - 1); } }\nint main(void) { f(read()); }"
ROUND = "int main(void) { int i = 5; while (i > 0) { i = i == 3 ? 5 : i - 1; } }"
AWAY = "int main(void) { int i = read(); while (i > 0) { i = i + 1; if (i < 0) i = 5; } }"
FEW = (
    "extern _Bool bit(void); int main(void) { int i = 0, s = 0; while (i < 4) { i++; s += bit(); }"
    " if (s > 4) reach_error(); }"
)
LIST = (
    "struct n { struct n *next; }; extern void *malloc(unsigned long);\nint main(void) { struct n *l = 0; int k = 1;"
    " while (read()) { struct n *m = malloc(sizeof *m); m->next = l; l = m; k = 1; }"
    " while (l) { struct n *m = l->next; if (m == l) k = 0; l = m; } if (k == 0) { ERROR: ; } return 0; }"
)
ZING = ROOT / "examples" / "zing"
SEQUENTIAL = """decl g, h; init(!g & !h);
void main() begin decl x; x := *; f(x); if (g & !h) then ERROR: skip; fi end
void f(p) begin if (p) then g, h := T, T; else g := F; fi if (*) then f(!p); fi end
"""
TURNS = """decl turn, a, b; init(!turn & !a & !b);
void main_1() begin assume(!turn); a := T; if (b) then ERROR: skip; fi a := F; turn := T; end
void main_2() begin assume(turn); b := T; b := F; atomic_begin; turn := F; atomic_end; end
"""
SECTIONS = """decl g, k; init(!g & !k);
void main_1() begin atomic_begin; g := T; k := !k; g := F; atomic_end; end
void main_2() begin decl x; x := get(); if (x) then ERROR: skip; fi end
bool get() begin return g; end
"""
CALLED = """decl g; init(!g);
void main_1() begin down(); if (g) then ERROR: skip; fi end
void main_2() begin g := !T; end
void down() begin if (*) then down(); fi g := F; end
"""
STARTED = """decl g; init(!g);
void main() begin start_thread other(); g := !T; if (g) then ERROR: skip; fi end
void other() begin g := F; end
"""
ENDS = """decl g; init(!g);
void main() begin decl x; x := T; while (x) do f(x); x := g; od end
void f(p) begin if (p) then if (*) then f(!p); fi fi g := F; end
"""
HANDS = """decl a := 0;
void main_1() begin decl l; l := T; while (l) do l := F; od a := 1; end
void main_2() begin assume(a); a := 0; end
"""
STEPS = """class Main {
  static bool stop;
  activate static void one() { while (!stop) { step(); } }
  static void step() { bool b; b = choose(bool); stop = true; if (b) { stop = true; } }
};
"""
ALONE = """class Main {
  static int x;
  activate static void main() { x = 1; work(2); assert(x == 2); }
  static void work(int n) { if (n > 0) { x = 2; work(n - 1); } }
};
"""
LOCKED = """class Main {
  static int x;
  static bool m;
  activate static void main() { x = 1; async work(); async work(); }
  static void work() {
    int y;
    atomic { select { wait(!m) -> m = true; } }
    y = x; x = x + 1; assert(x >= 1); assert(x == y + 1);
    m = false;
  }
};
"""


def zing(name: str, *change: str) -> str:
    """Return a model, perhaps changed."""
    text = (ZING / f"{name}.zing").read_text()
    assert not change or change[0] in text
    return text.replace(change[0], change[1]) if change else text


@lru_cache
def cases() -> tuple[Case, ...]:
    """Return all pairs of programs."""
    pairs = [
        *(
            Case("invariants", SUM, SUM.replace(*one), engine="horn")
            for one in (("i < 9", "i < 10"), ("s += 2", "s += 3"))
        ),
        Case("invariants", SUM, SUM.replace("s != 18", "s == 18"), engine="horn"),
        Case("invariants", CALLS, CALLS.replace("g > 9", "g > 7"), engine="horn"),
        Case("invariants", CALLS, CALLS.replace("n <= 0) return 0", "n <= 0) return 5"), engine="horn"),
        Case("invariants", ARRAY, ARRAY.replace("a[i] > 9", "a[i] > 6"), engine="horn"),
        Case("ranking", LOOP, LOOP.replace("j--", "j = j"), "termination"),
        Case("ranking", LOOP, LOOP.replace("i--", "i = i"), "termination"),
        Case("ranking", DEEP, DEEP.replace("f(n - 1); f(n - 1)", "f(n - 1); f(n)"), "termination"),
        Case("lasso", ROUND, ROUND.replace("? 5", "? 2"), "termination", "search"),
        Case("lasso", AWAY, AWAY.replace("i = 5", "i = -5"), "termination"),
        Case("runs", FEW, FEW.replace("s > 4", "s > 3"), engine="search"),
        Case("runs", ROUND.replace("? 5", "? 2"), ROUND, "termination", "search"),
        *(Case("unrolling", SUM, SUM.replace(*one), engine="unrolled") for one in (("i < 9", "i < 10"), ("18", "16"))),
        Case("unrolling", CALLS, CALLS.replace("g > 9", "g > 7"), engine="unrolled"),
        Case("table", zing("figure-10"), zing("figure-10-bad"), language="zing"),
        Case("table", zing("philosophers"), zing("philosophers-deadlock"), language="zing"),
        Case("table", zing("peterson"), zing("peterson", "turn = 1", "turn = 0"), language="zing"),
    ]
    return (*pairs, *boolean_cases(), *endless_cases(), *memory_cases())


def memory_cases() -> Iterator[Case]:
    """Yield pairs of programs of C with memory: of all runs, paths and states, and of reduced programs."""
    from support.attacks.other_memory_texts import ADD, ENDS, FLAG, INSIDE, KEEP, LOCK

    for one in (("i < n", "i <= n"), ("add(&x, 1)", "add(&x, i)"), ("x != n", "x > 100")):
        yield Case("regions", ADD, ADD.replace(*one), engine="regions")
    for one in (("p->b = n", "p->b = n + 1"), ("n > 3", "n > 4")):
        yield Case("regions", KEEP, KEEP.replace(*one), engine="regions")
    yield Case("regions", INSIDE, INSIDE.replace("i > 3", "i > 4"), "safety", "regions")
    yield Case("regions", ENDS, ENDS.replace("*p -= 1", "*p -= 0"), "termination", "regions")
    for one in (("y = n;", "y = 0;"), ("x != y", "x <= y")):
        yield Case("reduced_threads", LOCK, LOCK.replace(*one), engine="interleaved")
        yield Case("reduced_threads", LOCK, LOCK.replace(*one), engine="rounds", rounds=2)
    for one in (("== 0", "== k"), ("m->next = l", "m->next = m"), ("k = 1", "k = 0")):
        yield Case("shapes_of_memory", LIST, LIST.replace(*one), engine="shapes")
    for one in (("x = 7; y = 1", "y = 1; x = 7"), ("c != 7", "c == 7")):
        yield Case("states_of_memory", FLAG, FLAG.replace(*one))
    paths = "int main(void) { int n = read(), x = 0, *p = &x; if (n > 5) *p = 1; if (x == 2) { ERROR: ; } return 0; }"
    for one in (("*p = 1", "*p = 2"), ("x == 2", "x == 1")):
        yield Case("paths_of_memory", paths, paths.replace(*one), engine="paths")
        few = paths.replace("read()", "7")
        yield Case("runs_of_memory", few, few.replace(*one))


def endless_cases() -> Iterator[Case]:
    """Yield pairs of programs of which one ends and the other does not, and models of calls."""
    for one in (("x := g;", "x := T;"), ("then f(!p); fi fi g := F", "then f(!p); fi fi g := T"), ("f(!p)", "f(p)")):
        yield Case("ranking_of_heads", ENDS, ENDS.replace(*one), "termination", language="boolean")
        yield Case("lasso", ENDS.replace(*one), ENDS, "termination", language="boolean")
    for one in (("l := F", "l := T"), ("l := F", "l := *"), ("assume(a); a := 0;", "while (!a) do skip; od a := 0;")):
        yield Case("fair_table", HANDS, HANDS.replace(*one), "termination", "explicit", "boolean")
        yield Case("fair_sets", HANDS, HANDS.replace(*one), "termination", "states", "boolean")
        yield Case("run_of_threads", HANDS.replace(*one), HANDS, "termination", language="boolean")
    for seldom in ("b = choose(bool);", "b = choose(bool); if (b) { stop = b; }"):
        wrong = STEPS.replace("b = choose(bool); stop = true; if (b) { stop = true; }", seldom)
        yield Case("fair_states", STEPS, wrong, "termination", language="zing")
        yield Case("run_of_threads", wrong, STEPS, "termination", language="zing")
    for name, change in (("philosophers", ""), ("peterson", "turn = 0")):
        wrong = zing("philosophers-deadlock") if not change else zing(name, "turn = 1", change)
        yield Case("table", zing(name), wrong, engine="explicit", language="zing", reduction="all")
    for one in (("x == 2", "x == 1"), ("x = 2", "x = 3"), ("n > 0", "n > 2")):
        yield Case("table", ALONE, ALONE.replace(*one), engine="patterns", language="zing")
    for one in (("work(n - 1)", "work(n)"), ("x = 2;", "while (n == 1) { x = 2; }")):
        yield Case("fair_effects", ALONE, ALONE.replace(*one), "termination", "visible", "zing")
    for one in (("wait(!m)", "wait(true)"), ("x = x + 1; assert(x >= 1)", "x = x - 1; assert(x >= 1)")):
        yield Case("table", LOCKED, LOCKED.replace(*one), engine="transactions", language="zing")


def boolean_cases() -> Iterator[Case]:
    """Yield pairs of Boolean programs, with and without threads."""
    for one in (("T, T", "T, F"), ("g & !h", "g & h"), ("g := F", "g := !p"), ("init(!g & !h)", "init(!h)")):
        wrong = SEQUENTIAL.replace(*one).replace("else g := F", "else g := g" if "init" in one[0] else "else g := F")
        for section in ("procedures", "nodes"):
            yield Case(section, SEQUENTIAL, wrong, language="boolean")
        yield Case("run", wrong, SEQUENTIAL, language="boolean")
    turns = (("assume(turn)", "assume(!turn)"), ("& !b", "| !b"), ("assume(turn)", "skip"))
    for one in turns:
        yield Case("configurations", TURNS, TURNS.replace(*one), engine="states", language="boolean")
        yield Case("stacks", TURNS, TURNS.replace(*one), engine="stacks", language="boolean")
        yield Case("run", TURNS.replace(*one), TURNS, language="boolean")
    unlocked = SECTIONS.replace("atomic_begin", "skip").replace("atomic_end", "skip")
    for wrong in (unlocked, SECTIONS.replace("g := F", "g := T"), SECTIONS.replace("return g", "return !g")):
        yield Case("interference", SECTIONS, wrong, engine="modular", language="boolean")
        yield Case("configurations", SECTIONS, wrong, engine="states", language="boolean")
    for one in (("a := 1; end", "assume(!a); a := 1; assume(!a); end"), ("assume(a); a", "assume(!a); assume(a); a")):
        wrong = HANDS.replace(*one).replace("begin assume(a)", "begin assume(a); assume(!a)")
        yield Case("configurations", HANDS, wrong, "reach", "states", "boolean", "deadlock")
    for engine, section in (("modular", "interference"), ("stacks", "stacks")):
        for one in (("g := !T", "g := T"), ("fi g := F", "fi g := !g")):
            yield Case(section, CALLED, CALLED.replace(*one), engine=engine, language="boolean")
    for one in (("fi g := F", "fi g := T"), ("down(); if (g)", "g := T; if (g)")):
        yield Case("sequential", CALLED, CALLED.replace(*one), engine="lazy", language="boolean", switches=1)
    for one in (("other() begin g := F", "other() begin g := T"), ("g := !T", "g := T")):
        yield Case("interference", STARTED, STARTED.replace(*one), engine="modular", language="boolean")
        yield Case("configurations", STARTED, STARTED.replace(*one), engine="states", language="boolean")


class Source(NamedTuple):
    """A proof file that claims what is not so."""

    case: Case
    program: Any  # as the kernel reads it
    document: dict[str, Any]
    original: Program


def _load(text: str, language: str) -> Program:
    from knaster.frontends.boolean import parse as parse_boolean
    from knaster.frontends.c import parse as parse_c
    from knaster.frontends.zing import parse as parse_zing

    if language == "boolean":
        return parse_boolean(text, "p.bp")
    return parse_c(READ + text, "p.c") if language == "c" else parse_zing(text, "p.zing")


@lru_cache
def sources() -> tuple[Source, ...]:
    """Return a proof file for each pair of programs."""
    found = []
    for case in cases():
        right, wrong = _load(case.right, case.language), _load(case.wrong, case.language)
        evidence = knaster.Evidence(proofs=True if case.switches else None)
        more: dict[str, Any] = {"reduction": case.reduction} if case.reduction else {}
        more |= {"rounds": case.rounds} if case.rounds else {}
        asked = {"question": case.question} if case.question else {"property": case.property}
        result = knaster.check(right, engine=case.engine, switches=case.switches, evidence=evidence, **asked, **more)  # type: ignore[arg-type]
        document = json.loads(proof_to_text(result))
        if case.language != "c" and case.engine is None:
            assert knaster.check(wrong, property=case.property).verdict is not result.verdict, case
        assert case.section in document, (case, list(document))
        document |= {"program": fingerprint(wrong), "entry": entry_of(wrong)}
        if case.language == "c" and case.property == "reach" and document["targets"]:
            targets = every_target(wrong)
            document["targets"] = [
                {"name": one.name, "procedure": one.procedure, "location": one.location} for one in targets
            ]
        found.append(Source(case, read_program(program_to_kernel(wrong)), document, wrong))
    return tuple(found)


def change(document: dict[str, Any], section: str, random: Random) -> dict[str, Any]:
    """Return a proof file with up to three changes."""
    found = copy.deepcopy(document)
    for _ in range(random.choice((0, 1, 1, 2, 3)) + 1):
        places = list(_places(found[section]))
        holder, key = random.choice(places)
        holder[key] = _other(holder[key], holder, key, places, random)
        if holder[key] is _GONE:
            del holder[key]
    return found


_GONE = object()


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every part of a document, by what holds it and its key there."""
    todo = [data]
    while todo:
        holder = todo.pop()
        for key in range(len(holder)) if isinstance(holder, list) else list(holder):
            yield holder, key
            if isinstance(holder[key], list | dict):
                todo.append(holder[key])


def _other(value: Any, holder: Any, key: Any, places: Sequence[tuple[Any, Any]], random: Random) -> Any:
    """Return something else for a value."""
    if random.random() < 0.25 and isinstance(holder, list):
        return _GONE
    alike = [one[at] for one, at in random.sample(places, min(40, len(places))) if type(one[at]) is type(value)]
    match value:
        case bool():
            return not value
        case int():
            return random.choice((value + 1, value - 1, 0, *alike[:2]))
        case str() if value.lstrip("-").isdecimal():
            return str(int(value) + random.choice((-1, 1, 2, 10, -100, 1 << 31)))
        case str():
            return random.choice((*OPERATORS, *alike)) if value in OPERATORS else random.choice((*alike, value))
        case list() if value and random.random() < 0.5:
            one, other = random.randrange(len(value)), random.randrange(len(value))
            swapped = list(value)
            swapped[one], swapped[other] = value[other], value[one]
            return random.choice((swapped, [*value, value[one]], value[:one], value[one:]))
    return copy.deepcopy(random.choice(alike)) if alike else value


def believed(source: Source, random: Random) -> dict[str, Any] | None:
    """Return a changed file that the kernel believes; None where it refuses it."""
    document = change(source.document, source.case.section, random)
    return document if is_believed(source, document) else None


def is_believed(source: Source, document: dict[str, Any]) -> bool:
    """Tell whether the kernel believes a proof file."""
    if source.case.section in REDUCED:
        return is_believed_of_reduced(source.original, document, WORK)
    try:
        check(source.program, json.dumps(document))
    except Refused:
        return False
    return True


def run(first: int, count: int, late: Callable[[], bool] = lambda: False) -> Counter[str]:
    """Change so many files; return how many of each kind were refused."""
    done: Counter[str] = Counter()
    for number in range(first, first + count):
        if late():
            break
        random = Random(number)
        source = random.choice(sources())
        wrong = believed(source, random)
        assert wrong is None, (number, source.case, json.dumps(wrong))
        done[source.case.section] += 1
    return done


def main(arguments: Sequence[str]) -> int:
    """Change files until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=170)
    options = parser.parse_args(arguments)
    end = time.monotonic() + options.seconds
    done = run(options.first, options.files, lambda: time.monotonic() > end)
    say(f"{done.total()} changed files refused: " + ", ".join(f"{n} {kind}" for kind, n in sorted(done.items())))
    return 0
