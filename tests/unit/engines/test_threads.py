# ruff: noqa: E501  # a table of programs, one a line
"""What a program with threads means: the rules of docs/language.md, one after the other, for every engine."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.base.limits import OutOfBudget
from knaster.calculus.answers.evaluation import Session
from knaster.calculus.answers.tuples import Relation
from knaster.decide.shown_forms import sequential_program
from knaster.evidence.answers.answer import Reachable, Unreachable, Verdict

ENGINES = ("explicit", "states", "lazy", "eager", "calculus", "stacks", "transducers")
BOUNDED = ("lazy", "eager", "calculus")  # these answer for one bound, and prove nothing beyond it
TWO = "decl g, h; init (!g & !h);\n"


@dataclass(frozen=True, slots=True)
class Rule:
    """A program, the least number of switches and of rounds that reach ERROR, and the rule that it shows."""

    about: str
    text: str
    switches: int | None
    rounds: int | None
    closes: bool = True  # there are finitely many threads


def threads(*bodies: str, shared: str = TWO, more: str = "") -> str:
    """Return a program with threads main_1, main_2, ..."""
    mains = "".join(f"void main_{number}() begin {body} end\n" for number, body in enumerate(bodies, 1))
    return shared + mains + more


RULES = [
    Rule("1: a condition is a step", threads("g := T; g := F;", "if (g) then if (!g) then ERROR: skip; fi fi"), 3, 2),
    Rule("1: an assignment is one step", threads("g, h := T, T;", "if (g != h) then ERROR: skip; fi"), None, None),
    Rule("1: entering a callee is a step", threads("g := T; g := F;", "f(g); ", more="void f(a) begin assume(a); assume(!g); ERROR: skip; end\n"), 3, 2),
    Rule("2: between return and the assignment of its result another thread runs",
         threads("g := f(); h := T;", "g := T; assume(h & !g); ERROR: skip;", more="bool f() begin return g; end\n"), 3, 2),
    Rule("2: a context may be the return alone",
         threads("g := f();", "assume(g); assume(!g); assume(g); ERROR: skip;",
                 "h := T;", more="bool f() begin g := T; g := F; return T; end\n"), 5, 3),
    Rule("2: any thread may run first", threads("assume(F);", "assume(F);", "ERROR: skip;"), 0, 1),
    Rule("2: E4: a thread may idle first", threads("assume(g); ERROR: skip;", "g := T;"), 1, 2),
    Rule("3: a thread that stands at a target must run", threads("start_thread f();", more="void f() begin ERROR: skip; end"), 1, None),
    Rule("3: a failed assertion ends the run",
         threads("h := T; assert(F);", "assume(h); ERROR: skip;"), 1, 1),
    Rule("3: what comes after a failed assertion is never reached",
         threads("atomic_begin; h := T; assert(F); atomic_end;", "assume(h); ERROR: skip;"), None, None),
    Rule("4: locals belong to an activation",
         threads("decl x; x := T; g := T; assume(!x); ERROR: skip;", "decl x; assume(g); x := F;"), None, None),
    Rule("4: the initial state belongs to the program", threads("assume(g | h); ERROR: skip;", "skip;"), None, None),
    Rule("5: the others go on after main_1", threads("g := T;", "assume(g); skip; ERROR: skip;"), 1, 1),
    Rule("5: end_thread ends at any depth", threads("f(); ERROR: skip;", "skip;", more="void f() begin g := T; end_thread; end"), None, None),
    Rule("5: a thread goes on after another has ended", threads("f();", "assume(g); ERROR: skip;", more="void f() begin g := T; end_thread; end"), 1, 1),
    Rule("6: no switch inside a section", threads("atomic_begin; g := T; g := F; atomic_end;", "assume(g); ERROR: skip;"), None, None),
    Rule("6: calls in a section belong to it", threads("atomic_begin; f(); atomic_end;", "assume(g); ERROR: skip;", more="void f() begin g := T; g := F; end"), None, None),
    Rule("6: sections do not nest", threads("atomic_begin; atomic_begin; g := T; atomic_end; h := T; g := F; atomic_end;", "assume(g & !h); ERROR: skip;"), 1, 1),
    Rule("6: the end of a thread ends its section", threads("atomic_begin; g := T;", "assume(g); ERROR: skip;"), 1, 1),
    Rule("6: end_thread ends a section", threads("atomic_begin; g := T; end_thread;", "assume(g); ERROR: skip;"), 1, 1),
    Rule("6: a section that cannot go on ends the run", threads("atomic_begin; g := T; assume(h); atomic_end;", "assume(g); ERROR: skip;"), None, None),
    Rule("6: a target inside a section counts", threads("assume(g); atomic_begin; ERROR: skip; atomic_end;", "g := T;"), 1, 2),
    Rule("6: a target inside a section counts, whoever ran before going on", threads("atomic_begin; assume(g); ERROR: skip;", "g := T; assume(F);"), 1, 2),
    Rule("6: a target inside a section counts while a third thread stands in its middle", threads("assume(h); atomic_begin; assume(g); ERROR: skip;", "g := T; assume(F);", "h := T; assume(F);"), 2, 2),
    Rule("6: a switch before a section is allowed", threads("g := T; atomic_begin; g := F; atomic_end;", "assume(g); ERROR: skip;"), 1, 1),
    Rule("7: a started thread runs after a switch", threads("start_thread f(T);", more="void f(a) begin if (a) then ERROR: skip; fi end"), 1, None),
    Rule("7: the starter evaluates the arguments", threads("start_thread f(g); g := T;", more="void f(a) begin assume(g & a); ERROR: skip; end"), None, None),
    Rule("7: starting is no switch", threads("start_thread f(); g := T; assume(F);", more="void f() begin assume(g); ERROR: skip; end"), 1, None),
    Rule("7: a label that begins with ASYNC_ starts a thread", threads("ASYNC_1: f(); g := T;", more="void f() begin assume(g); ERROR: skip; end"), 1, None),
    Rule("7: the starter does not wait", threads("ASYNC_1: f(); ERROR: skip;", more="void f() begin assume(F); end"), 0, None),
    Rule("7: a copy of the activation", threads("decl x; x := T; start_thread goto L; x := F; g := T; end_thread; L: assume(g & x); ERROR: skip;"), 1, None),
    Rule("7: nothing below the copy", threads("f(); ERROR: skip;", more="void f() begin start_thread goto L; end_thread; L: skip; end"), None, None),
    Rule("7: the results of a started thread are thrown away",
         threads("start_thread f(); assume(h); if (g) then ERROR: skip; fi", more="bool f() begin h := T; return T; end"), None, None),
    Rule("7: a loop that starts threads",
         threads("while (*) do start_thread f(); od", more="void f() begin if (!g) then g := T; else assume(g); h := T; assume(F); fi assume(h); ERROR: skip; end"), 3, None, False),
    Rule("7: a started thread starts another", threads("start_thread f();", more="void f() begin g := T; start_thread k(); end void k() begin assume(g); ERROR: skip; end"), 2, None),
    Rule("8: no switch while atomic is 1",
         "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin atomic := T; g := T; g := F; atomic := F; end\n"
         "void thread2() begin assume(g); ERROR: skip; end\n", None, None),
    Rule("8: a switch where atomic is 0 again",
         "decl atomic, g; void init() begin atomic, g := F, F; end\nvoid thread1() begin atomic := T; g := T; atomic := F; end\n"
         "void thread2() begin assume(g); ERROR: skip; end\n", 1, 1),
    Rule("9: sync does nothing", threads("sync g; g := T;", "sync g; assume(g); ERROR: skip;"), 1, 1),
    Rule("9: enforce restricts the steps of its own thread",
         threads("enforce(!g); skip; skip; assume(h); ERROR: skip;", "g := T; h := T; skip; g := F;"), 1, 2),
    Rule("9: enforce is asked where a callee comes back, and others run before that",
         threads("enforce(!g); f(); ERROR: skip;", "assume(g); g := F;", more="void f() begin g := T; end"), 2, 2),
    Rule("9: enforce is asked where a callee is entered",
         threads("g := T; f();", "assume(g); g := F;", more="void f() begin enforce(!g); ERROR: skip; end"), 2, 2),
    Rule("9: enforce is asked where a thread begins, and others run after that",
         threads("enforce(g); g := !g; ERROR: skip;", "g := T; g := F;"), 3, 3),
    Rule("9: enforce is not asked of a thread that begins at a label",
         threads("enforce(!g); atomic_begin; start_thread goto L; f(); L: ERROR: skip;", more="void f() begin g := T; end_thread; end"), 1, None),
    Rule("9: and no others", threads("enforce(!g); g := T; ERROR: skip;", "g := T; h := T; assume(h); g := F;"), None, None),
    Rule("E5: summaries depend on the hand-overs",
         "decl a, b, pub, done; init(!a & !b & !pub & !done);\n"
         "void main_1() begin decl m; m := *; a, pub := m, T; assume(b); a := m; end\n"
         "void f() begin skip; skip; end\n"
         "void main_2() begin decl m2; assume(pub); m2 := a; a, b := F, T; call f(); assume(a & !m2); ERROR: done := T; end\n", None, None),
    Rule("a thread goes on with what others made of the states that it left",
         "decl a, b, c, p, q, r; init(!a & !b & !c & !p & !q & !r);\n"
         "void main_1() begin decl m; m := *; a, p := m, T; assume(q); if (b != m) then ERROR: skip; fi end\n"
         "void main_2() begin assume(p); c, r := a, T; end\nvoid main_3() begin assume(r); b, q := c, T; end\n", None, None),
    Rule("E6: and not from where it could have stopped before", threads("h := T; g := !g; if (!g) then ERROR: skip; fi", "skip;"), None, None),
    Rule("E6: switching back resumes where it stopped", "decl g, err; init(!g & !err);\nvoid main_1() begin err, g := g, T; if (err) then ERROR: skip; fi end\nvoid main_2() begin skip; end\n", None, None),
]  # fmt: skip


def _starts_threads(rule: Rule) -> bool:
    return "start_thread" in rule.text or "ASYNC" in rule.text


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.about)
def test_switches(rule: Rule, engine: str) -> None:
    if engine in ("stacks", "transducers") and _starts_threads(rule):
        with pytest.raises(UsageError, match="starts a thread"):
            knaster.check(rule.text, "ERROR", engine=engine, switches=1)
        return
    most = 6 if rule.closes else 3
    if engine in BOUNDED and rule.switches is None:
        most = 2 if engine == "eager" else 3
    result = knaster.check(rule.text, "ERROR", engine=engine, switches=most)
    answer = result.answers[0][1]
    assert result.bound is not None
    assert result.bound.asked == most
    if rule.switches is None:
        assert isinstance(answer, Unreachable)
        closes = rule.closes and engine not in BOUNDED
        assert result.verdict is (Verdict.TRUE if closes else Verdict.UNKNOWN)
        return
    assert isinstance(answer, Reachable)
    assert answer.least == rule.switches
    assert answer.checked and answer.trace is not None
    assert answer.trace.switches == rule.switches
    if rule.switches:
        within = knaster.check(rule.text, "ERROR", engine=engine, switches=rule.switches - 1)
        assert within.verdict is Verdict.UNKNOWN
        assert within.reason.endswith("; more were not tried")
    assert knaster.check(rule.text, "ERROR", engine=engine).verdict is Verdict.FALSE


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.switches in (0, 1)], ids=lambda rule: rule.about)
def test_the_sequential_program_has_runs_with_fewer_switches(rule: Rule) -> None:
    """Also with two contexts too many, and without asking for fewer before."""
    assert rule.switches is not None
    alone = sequential_program(knaster.parse(rule.text), "ERROR", switches=rule.switches + 2)
    assert knaster.check(alone).verdict is Verdict.FALSE


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.about)
def test_rounds(rule: Rule, engine: str) -> None:
    if _starts_threads(rule):
        with pytest.raises(UsageError, match="starts one; give --switches"):
            knaster.check(rule.text, "ERROR", engine=engine, rounds=2)
        return
    if engine in ("calculus", "stacks", "transducers"):
        with pytest.raises(UsageError, match="counts switches, not rounds"):
            knaster.check(rule.text, "ERROR", engine=engine, rounds=2)
        return
    most = 3 if engine in BOUNDED else 6
    answer = knaster.check(rule.text, "ERROR", engine=engine, rounds=most).answers[0][1]
    if rule.rounds is None:
        assert isinstance(answer, Unreachable)
    else:
        assert isinstance(answer, Reachable)
        assert answer.least == rule.rounds
        assert answer.trace is not None and answer.trace.rounds == rule.rounds


@pytest.mark.parametrize("engine", ["states", "lazy", "explicit", "eager"])
def test_rounds_where_only_dead_code_starts_threads(engine: str) -> None:
    text = threads("assume(g); ERROR: skip;", "g := T; skip;", more="void dead() begin start_thread dead(); end\n")
    if engine == "eager":
        with pytest.raises(UsageError, match="no line starts a thread"):
            knaster.check(text, "ERROR", engine=engine, rounds=2)
        return
    answer = knaster.check(text, "ERROR", engine=engine, rounds=3).answers[0][1]
    assert isinstance(answer, Reachable) and answer.least == 2


def test_a_formula_that_is_stopped_claims_what_it_has_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bounds are complete, the third is not."""
    relation, asked = Session.relation, []

    def stopped(session: Session, name: str) -> Relation:
        asked.append(name)
        if len(asked) == 3:
            raise OutOfBudget("enough")
        return relation(session, name)

    monkeypatch.setattr(Session, "relation", stopped)
    text = threads("g := T; g := F;", "if (g) then if (!g) then ERROR: skip; fi fi")
    result = knaster.check(text, "ERROR", engine="calculus", switches=4)
    assert result.bound is not None and result.bound.covered == 1
    assert result.verdict is Verdict.UNKNOWN
    assert "unreachable with at most 1 switch; enough" in result.reason


def test_no_algorithm_for_sequential_programs_is_said_to_be_in_force() -> None:
    text = threads("g := T;", "ERROR: skip;")
    assert knaster.check(text, "ERROR", engine="calculus", switches=1).options["algorithm"] == "reach"
    for engine in ("states", "lazy", "eager"):
        assert "algorithm" not in knaster.check(text, "ERROR", engine=engine, switches=1).options


def test_an_algorithm_for_sequential_programs_is_refused() -> None:
    with pytest.raises(UsageError, match="'summary' is a formula for sequential programs"):
        knaster.check(threads("g := T;", "ERROR: skip;"), "ERROR", engine="calculus", algorithm="summary", switches=1)


def test_which_engine_is_chosen() -> None:
    """Without recursion `states`; else the first that handles it, and a formula is nobody's default."""
    chosen = knaster.check(threads("g := T;", "ERROR: skip;"), "ERROR").engine
    deep = threads("f();", "ERROR: skip;", more="void f() begin if (*) then g := !g; f(); fi end")
    starts = threads("start_thread f();", "ERROR: skip;", more="void f() begin if (*) then g := !g; f(); fi end")
    assert [chosen, knaster.check(deep, "ERROR").engine, knaster.check(starts, "ERROR").engine] == [
        "states",
        "stacks",
        "lazy",
    ]
