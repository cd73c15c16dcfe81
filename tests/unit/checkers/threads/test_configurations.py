"""A proof about threads holds, and nothing that is taken away from it goes unnoticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.threads.configurations import check_configurations
from knaster.checkers.threads.thread_steps import Steps
from knaster.evidence.answers.answer import Unreachable, Verdict
from knaster.evidence.proofs.threads.configurations import Configurations
from knaster.evidence.questions.question import Target

TEXT = """decl g, h;
init (!g & !h);
void main_1() begin
  decl x;
  g := f(T);
  atomic_begin; h := T; h := F; atomic_end;
  if (h) then ERROR: skip; fi
end
bool f(a) begin return a & !h; end
void main_2() begin
  start_thread k(g);
  assume(g);
end
void k(a) begin
  if (a) then g := *; end_thread; fi
end
"""


def proof_of(**asked: int) -> tuple[Configurations, Target]:
    result = knaster.check(TEXT, "ERROR", engine="states", **asked)  # type: ignore[arg-type]
    target, answer = result.answers[0]
    assert isinstance(answer, Unreachable) and answer.checked
    assert isinstance(answer.proof, Configurations)
    return answer.proof, target


@pytest.mark.parametrize("asked", [{}, {"switches": 1}, {"switches": 2}])
def test_no_configuration_can_be_missing(asked: dict[str, int]) -> None:
    proof, target = proof_of(**asked)
    check_configurations(proof, proof.program, [target], Budget())
    assert (proof.bound is None) == (asked == {})
    for number, layer in enumerate(proof.layers):
        for lane, sets in enumerate(layer):
            for key, states in sets.items():
                chosen = proof.store.pick(states)
                if chosen is None:
                    continue
                rest = states & ~proof.store.assignment(chosen)
                fewer = (*layer[:lane], {**sets, key: rest}, *layer[lane + 1 :])
                wrong = replace(proof, layers=(*proof.layers[:number], fewer, *proof.layers[number + 1 :]))
                with pytest.raises(InternalError, match="does not hold"):
                    check_configurations(wrong, proof.program, [target], Budget())


def test_a_bounded_proof_is_none_for_every_number() -> None:
    proof, target = proof_of(switches=1)
    with pytest.raises(InternalError):
        check_configurations(replace(proof, closed=True), proof.program, [target], Budget())
    with pytest.raises(InternalError, match="does not hold"):
        check_configurations(replace(proof, layers=proof.layers[-1:], closed=True), proof.program, [target], Budget())


def test_a_target_that_is_reached_is_not_excluded() -> None:
    proof, _ = proof_of()
    reached = Target("f", "f", 0, 9)
    with pytest.raises(InternalError, match="does not exclude"):
        check_configurations(proof, proof.program, [reached], Budget())


def test_the_proof_is_of_this_program() -> None:
    proof, target = proof_of()
    with pytest.raises(InternalError, match="another program"):
        check_configurations(proof, replace(proof.program), [target], Budget())


def test_what_no_run_reaches() -> None:
    result = knaster.check(TEXT, "ERROR", engine="states")
    assert result.verdict is Verdict.TRUE
    assert result.unreached is not None and [place[0] for place in result.unreached] == ["main_1"]


def test_every_set_is_asked_about_a_target() -> None:
    """The first set of the first layer too."""
    proof, _ = proof_of()
    for layer in proof.layers:
        for sets in layer:
            for (point, _), states in sets.items():
                if point.procedure and states != proof.store.false:
                    reached = Target("here", point.procedure, point.location, 1)
                    with pytest.raises(InternalError, match="does not exclude 'here'"):
                        check_configurations(proof, proof.program, [reached], Budget())


def refused(proof: Configurations, message: str, *targets: Target) -> None:
    with pytest.raises(InternalError, match=message):
        check_configurations(proof, proof.program, targets, Budget())


def test_the_form_of_a_proof() -> None:
    proof, _ = proof_of()
    lanes = proof.lanes
    first = lanes.lanes[0]

    def with_lane(**changes: object) -> Configurations:
        lane = replace(first, **changes)  # type: ignore[arg-type]
        return replace(proof, lanes=replace(lanes, lanes=(lane, *lanes.lanes[1:])))

    with pytest.raises(InternalError, match="another program"):
        check_configurations(replace(proof, program=replace(proof.program)), proof.program, (), Budget())
    refused(replace(proof, lanes=replace(lanes, program=replace(proof.program))), "another program")
    refused(with_lane(entry="main_2"), "about other threads")
    refused(with_lane(entry=None), "about other threads")
    same = dict.fromkeys(first.codes, 0)
    refused(with_lane(codes=same), "about other threads")
    refused(with_lane(points=first.points[::-1]), "mixes places up")
    refused(with_lane(bits=first.bits[:-1]), "mixes places up")
    refused(with_lane(bits=(lanes.lanes[1].bits[0], *first.bits[1:])), "mixes variables up")
    used = next(iter(lanes.shared.values()))
    refused(with_lane(bits=(used, *first.bits[1:])), "mixes variables up")
    deepest = next(places for places in first.depths if places)
    doubled = tuple((used, *places[1:]) if places is deepest else places for places in first.depths)
    refused(with_lane(depths=doubled), "mixes variables up")
    fewer = {name: place for name, place in lanes.shared.items() if name != "h"}
    refused(replace(proof, lanes=replace(lanes, shared=fewer)), "mixes variables up")
    refused(replace(proof, layers=()), "no sets for some thread")
    refused(replace(proof, layers=(proof.layers[0][:-1],)), "no sets for some thread")
    refused(replace(proof, layers=proof.layers * 2, closed=True), "forgets threads that may matter")
    refused(replace(proof, lanes=replace(lanes, forgets=True)), "forgets threads that may matter")


DEADLOCK = Target("deadlock", "", 0, 0, "deadlock")


def standing(first: str, second: str = "skip;", shared: str = "decl g; init(!g);") -> Configurations:
    """Return a proof that a label is not reached, of a program in which threads may stand."""
    text = f"{shared}\nvoid main_1() begin {first} end\nvoid main_2() begin {second} end\n"
    text += "void never() begin ERROR: skip; end\n"
    result = knaster.check(text, "ERROR", engine="states")
    assert isinstance(result.proof, Configurations)
    return result.proof


@pytest.mark.parametrize(
    ("first", "shared"),
    [
        ("assume(g);", "decl g; init(!g);"),
        ("decl x; x := F; assume(x);", "decl g; init(!g);"),
        ("decl x, y; x, y := F, T; assume(x | !y);", "decl g; init(!g);"),
        ("atomic_begin; skip; assume(g); atomic_end;", "decl g; init(!g);"),
        ("atomic_begin; g := F; assume(g); atomic_end;", "decl g; init(g);"),
        ("atomic_begin; g := F; skip; skip; assume(g); g := T; atomic_end;", "decl g; init(g);"),
        ("atomic_begin; while (!g) do skip; od atomic_end;", "decl g; init(!g);"),
    ],
)
def test_a_deadlock_is_found(first: str, shared: str) -> None:
    refused(standing(first, shared=shared), "does not exclude 'deadlock'", DEADLOCK)


@pytest.mark.parametrize(
    "first",
    [
        "skip;",
        "decl x; x := T; assume(x);",
        "decl x; assume(x | !x);",
        "atomic_begin; g := T; assume(g); atomic_end;",
        "atomic_begin; goto B; A: atomic_end; goto C; B: goto A; C: skip;",
        "atomic_begin; g := *; if (g) then g := F; fi atomic_end;",
        "while (T) do skip; od",
        "atomic_begin; g := *; assume(g); atomic_end;",
        "assert(g);",
        "atomic_begin; while (!g) do g := T; od atomic_end;",
        "atomic_begin; goto B; A: atomic_end; goto C; B: skip; goto A; C: skip;",
    ],
)
def test_no_deadlock_where_there_is_none(first: str) -> None:
    proof = standing(first)
    check_configurations(proof, proof.program, [DEADLOCK], Budget())


NESTED = """decl g; init(!g);
void main_1() begin decl x, y; x, y := F, T; x := f(y, x); if (!x | !y) then ERROR: skip; fi end
bool f(a, b) begin decl c, d; c, d := !b, !a; c := h(a, d); if (d) then ERROR: skip; fi return c; end
bool h(p, q) begin decl r, s, t; r, s, t := q, !q, p; return t & s & !r; end
void main_2() begin g := T; end
"""
STARTING = """decl g; init(!g);
void main() begin start_thread a(T); start_thread a(F); end
void a(p) begin decl q; q := !p; if (p) then start_thread b(q); fi if (p & q) then ERROR: skip; fi end
void b(r) begin if (r) then ERROR: skip; fi g := T; end
"""


@pytest.mark.parametrize("text", [NESTED, STARTING], ids=["nested calls", "started threads that start others"])
def test_no_configuration_of_calls_and_started_threads_can_be_missing(text: str) -> None:
    result = knaster.check(text, "ERROR", engine="states")
    proof = result.proof
    assert result.verdict is Verdict.TRUE and isinstance(proof, Configurations)
    for number, layer in enumerate(proof.layers):
        for lane, sets in enumerate(layer):
            for index, (key, states) in enumerate(sets.items()):
                chosen = proof.store.pick(states)
                if chosen is None or (index + lane) % 5:
                    continue
                rest = states & ~proof.store.assignment(chosen)
                fewer = (*layer[:lane], {**sets, key: rest}, *layer[lane + 1 :])
                layers = (*proof.layers[:number], fewer, *proof.layers[number + 1 :])
                refused(replace(proof, layers=layers), "does not hold")


def test_nothing_is_said_of_other_failures_without_a_place() -> None:
    refused(standing("skip;"), "says nothing of 'leak'", Target("leak", "", 0, 0, "leak"))


def test_threads_that_have_not_begun_wait_too() -> None:
    text = "decl g; init(!g); void main_1() begin assume(g); end void main_2() begin assume(g); end\n"
    text += "void main_3() begin skip; end void never() begin ERROR: skip; end\n"
    for switches in (0, 1):
        proof = knaster.check(text, "ERROR", engine="states", switches=switches).proof
        assert isinstance(proof, Configurations) and proof.bound is not None
        refused(proof, "does not exclude 'deadlock'", DEADLOCK)


INNER = """decl g, h; init(!g & !h);
void main_1() begin decl a; a := F; f(); atomic_begin; k(); h := T; h := F; atomic_end; atomic_begin; k(); end
void f() begin decl y; enforce(y); m(); if (!y) then ERROR: skip; fi end
void m() begin decl z; z := F; end
void k() begin h := T; h := F; end
void main_2() begin if (h) then ERROR: skip; fi end
"""


def test_what_is_enforced_below_a_call_and_calls_in_sections() -> None:
    result = knaster.check(INNER, "ERROR", engine="states")
    assert result.verdict is Verdict.TRUE and isinstance(result.proof, Configurations)
    proof = result.proof
    check_configurations(proof, result.program, [target for target, _ in result.answers], Budget())
    steps, exit = Steps(proof.lanes, proof.store), proof.program.procedure("m").exit
    returning = next(point for point in proof.lanes.lanes[0].points if (point.procedure, point.location) == ("m", exit))
    (back,) = steps.after(0, returning, False, proof.store.true)
    kept = proof.lanes.lanes[0].frame(proof.program, "f", 1)["y"]
    assert proof.store.support(back.premise) == {kept}  # what the caller enforces, in its own activation
    (layer,) = proof.layers
    inner = [key for key in layer[0] if key[0].procedure in ("f", "m")]
    assert len(inner) > 4
    for key in inner:
        chosen = proof.store.pick(layer[0][key])
        if chosen is not None:
            rest = layer[0][key] & ~proof.store.assignment(chosen)
            refused(replace(proof, layers=(({**layer[0], key: rest}, *layer[1:]),)), "does not hold")


def test_each_choice_of_a_step_is_its_own() -> None:
    proof = standing("g, h := *, *;", shared="decl g, h; init(!g & !h);")
    g, h = (proof.store.var(proof.lanes.shared[name]) for name in "gh")
    layers = tuple(
        tuple({key: states & ~(g ^ h) for key, states in sets.items()} for sets in layer) for layer in proof.layers
    )
    refused(replace(proof, layers=layers), "does not hold")
