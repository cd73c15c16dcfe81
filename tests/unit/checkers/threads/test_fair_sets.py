"""The check of fair sets: it accepts those of the engine and refuses every damaged one."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.automaton import Automaton
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.bdd.store import Bdd, Store
from knaster.checkers.threads.fair_sets import check_fair_sets
from knaster.checkers.threads.thread_steps import Steps
from knaster.evidence.answers.answer import Terminates
from knaster.evidence.proofs.threads.fair_sets import FairSets, Removal, Site
from knaster.evidence.questions.question import Termination
from knaster.program.layout.lanes import UNBEGUN, Point, make_lanes
from support.thread_questions import FAILS, QUESTIONS, TAKES

LOCKS = (
    "decl atomic, x; void init() begin atomic, x := F, F; end\n"
    "void thread1() begin atomic := T; x := T; x := F; atomic := F; end\nvoid thread2() begin x := T; end\n"
)
SEEN_LATE = (  # the first thread could go on only where the other has failed
    "decl x := 0; void main_1() begin assume(x); skip; end "
    "void main_2() begin atomic_begin; x := 1; assert(F); atomic_end; end\n"
)
ONCE = "decl x := 0; void main_1() begin atomic_begin; x := 1; skip; atomic_end; end void main_2() begin x := 0; end\n"
TRUE = [(text, asked, fair) for text, asked, fair, true in QUESTIONS if true]
TRUE += [(LOCKS, "F ended", "none"), (LOCKS, "F ended", "weak"), (ONCE, "F ended", "none"), (ONCE, "F ended", "strong")]
TRUE += [(FAILS, "F G ended", "weak"), (SEEN_LATE, "F G ended", "none")]


def sets_of(text: str, asked: str, fair: str) -> FairSets:
    ((_, answer),) = knaster.check(text, property=asked, fair=fair, engine="states").answers
    assert isinstance(answer, Terminates) and isinstance(answer.proof, FairSets)
    return answer.proof


def refuse(proof: FairSets, message: str | None = None) -> None:
    with pytest.raises(InternalError, match=message):
        check_fair_sets(proof, proof.program, Budget())


@pytest.mark.parametrize(("text", "asked", "fair"), TRUE)
def test_every_part_is_needed(text: str, asked: str, fair: str) -> None:
    proof = sets_of(text, asked, fair)
    check_fair_sets(proof, proof.program, Budget())
    for site, states in proof.reached.items():
        less = {each: part for each, part in proof.reached.items() if each != site}
        refuse(replace(proof, reached=less))
        one = proof.store.assignment(proof.store.pick(states) or {})
        refuse(replace(proof, reached={**proof.reached, site: states & ~one}))
    if proof.removals:
        refuse(replace(proof, removals=proof.removals[:-1]))
        refuse(
            replace(proof, removals=(Removal("accepts", 0, {}),))
            if len(proof.removals) > 1
            else replace(proof, removals=())
        )


def test_what_is_kept_is_needed() -> None:
    seen = 0
    for text, asked, fair in TRUE:
        proof = sets_of(text, asked, fair)
        for number, removal in enumerate(proof.removals):
            for site in removal.kept:
                kept = {each: states for each, states in removal.kept.items() if each != site}
                less = removal._replace(kept=kept)
                refuse(replace(proof, removals=(*proof.removals[:number], less, *proof.removals[number + 1 :])))
                seen += 1
    assert seen > 3


def test_another_question_is_not_answered() -> None:
    text, asked, fair = next(each for each in TRUE if each[2] == "strong" and each[1] == "F R")
    proof = sets_of(text, asked, fair)
    for other in ("none", "weak"):
        refuse(replace(proof, question=replace(proof.question, fair=other)))
    refuse(replace(proof, question=Termination(fair=fair)))
    refuse(replace(proof, automaton=Automaton(1, (), ())))
    refuse(replace(proof, lanes=make_lanes(proof.program, 0, True)))
    with pytest.raises(InternalError):
        check_fair_sets(proof, knaster.parse(text), Budget())


def test_cycles_inside_sections_are_excluded_too() -> None:
    for text, asked, fair in ((TAKES, "F R", "strong"), (ONCE, "F ended", "strong")):
        proof = sets_of(text, asked, fair)
        assert proof.inside
        refuse(replace(proof, inside=()), "something is left")


def test_a_removal_is_about_a_thread() -> None:
    proof = sets_of(ONCE, "F ended", "none")
    count = len(proof.lanes.lanes)
    for thread in (-1, count):
        wrong = tuple(removal._replace(thread=thread) for removal in proof.removals)
        refuse(replace(proof, removals=wrong), "for a reason that does not count")


def forged(text: str, asked: str, fair: str, other: str) -> FairSets:
    """Return sets of every configuration with x = 0, with the automaton of a program of which the answer is true."""
    real = sets_of(other, asked, fair)
    program = knaster.parse(text)
    lanes = make_lanes(program, 0, False)
    store = Store(lanes.size)
    outside: dict[Site, Bdd] = {(state, None): ~store.var(lanes.shared["x"]) for state in range(real.automaton.states)}
    return replace(real, program=program, store=store, lanes=lanes, reached=outside, removals=(), inside=())


def test_where_a_run_rests_the_automaton_goes_on() -> None:
    text = "decl x := 0; void main_1() begin skip; end void main_2() begin skip; end\n"
    proof = forged(text, "F {x}", "none", text.replace("0", "1"))
    refuse(replace(proof, removals=(Removal("accepts", 0, {}),)), "what is asked for can be reached")


def test_a_thread_that_cannot_move_is_not_treated_unfairly() -> None:
    text = "decl x := 0; void main_1() begin while (1) do skip; od end void main_2() begin assume(x); end\n"
    proof = forged(text, "F {x}", "weak", text.replace("0", "1"))
    waits = Steps(proof.lanes, proof.store).code(1, Point((), "main_2", UNBEGUN))
    kept = {site: states & waits for site, states in proof.reached.items()}
    removals = (Removal("moves", 1, kept), Removal("moves", 1, {}))
    refuse(replace(proof, removals=removals), "what is asked for can be reached")


def test_sets_speak_of_variables_that_exist() -> None:
    text = "decl x; void main_1() begin f(); end void f() begin decl l; l := 0; end void main_2() begin skip; end\n"
    proof = sets_of(text, "F ended", "none")
    places = [place for lane in proof.lanes.lanes for places in lane.depths for place in places]
    assert places
    (local, *_) = places
    less = {site: states & proof.store.var(local) for site, states in proof.reached.items()}
    refuse(replace(proof, reached=less))


def test_a_step_from_a_place_to_itself_leads_back() -> None:
    text = "decl x := 0; void main_1() begin L: goto L; end void main_2() begin skip; end\n"
    proof = forged(text, "F {x}", "none", text.replace("0", "1"))
    code = Steps(proof.lanes, proof.store).code
    first = code(0, Point((), "main_1", UNBEGUN)) | code(0, Point((), "main_1", 0))
    reached = {site: states & first for site, states in proof.reached.items()}
    refuse(replace(proof, reached=reached, removals=(Removal("accepts", 0, {}),)), "what is asked for can be reached")
